/**
 * The state `file.touch` holds that a file is there. When a state that it watches has changed something, its times are
 * set to now.
 */
import { NOTHING_TO_DO, stateModule } from '../state-contract.ts';
import { planOfChange } from './change.ts';
import { accountNames } from './facets.ts';
import { fileChangeWithParents } from './file-change.ts';
import { MAKEDIRS_PARAMS } from './parents.ts';
import { checkedPlainPath, PATH_PARAMS } from './place.ts';

export const fileTouch = stateModule({
  name: 'file.touch',
  summary: 'A file is there, empty if it has to be made.',
  description: 'What is there already stays as it is; only a change that it watches sets its times to now.',
  params: { ...PATH_PARAMS, ...MAKEDIRS_PARAMS },
  examples: ['/var/lib/app/installed:\n  file.touch:\n    - makedirs: true\n'],
  locks: ({ name }) => [name],
  async plan({ name, makedirs }, { files, accounts, forced }) {
    const path = checkedPlainPath(name);
    const there = await files.lstat(path);
    if (there === undefined) {
      const wanted = { bytes: undefined, mode: undefined, owner: {}, showChanges: true };
      const look = { files, names: accountNames(accounts) };
      return planOfChange(await fileChangeWithParents({ path, there }, wanted, { makedirs }, look));
    }
    if (!forced) return NOTHING_TO_DO;
    return planOfChange({ steps: [{ kind: 'touch', path }], words: ['times → now'] });
  },
});
