/** The state `file.absent` holds that nothing is at a path, whatever was there. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { NOTHING_TO_DO, stateModule } from '../state-contract.ts';
import { planOfChange } from './change.ts';
import { checkedPlainPath, kindText, PATH_PARAMS } from './place.ts';

export const fileAbsent = stateModule({
  name: 'file.absent',
  summary: 'No file, directory or link is at the path.',
  description:
    'A directory goes with all it holds. A link goes, and what it points to stays. Mount points are refused.',
  params: PATH_PARAMS,
  examples: ['/etc/nginx/sites-enabled/default:\n  file.absent: []\n'],
  locks: ({ name }) => [name],
  async plan({ name }, { files }) {
    const path = checkedPlainPath(name);
    if (path === '/') throw zesterError('FILE_PATH_INVALID', { path, reason: 'the root cannot be absent' });
    const there = await files.lstat(path);
    if (there === undefined) return NOTHING_TO_DO;
    const what = there.kind === 'directory' ? 'a directory and all it holds' : kindText(there.kind);
    return planOfChange({ steps: [{ kind: 'remove', path }], words: [`${what} → absent`] }, { path });
  },
});
