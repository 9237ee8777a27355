/** The state `file.symlink` holds a link at a path, to a target. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { required, type ValuesOf, withDefault } from '../../core/params/params.ts';
import type { FileOwner, FileStat } from '../../system/files.ts';
import { type PlanContext, stateModule } from '../state-contract.ts';
import { allOf, type FileChange, NO_FILE_CHANGE, planOfChange } from './change.ts';
import { accountNames, facetChange } from './facets.ts';
import { parentChange } from './file-change.ts';
import { OWNER_PARAMS, ownerOf } from './owner.ts';
import { MAKEDIRS_PARAMS } from './parents.ts';
import { checkedPlainPath, kindText, PATH_PARAMS } from './place.ts';

const params = {
  ...PATH_PARAMS,
  target: required('string', { doc: 'What the link says: an absolute path, or one from where the link is.' }),
  force: withDefault('boolean', false, {
    doc: 'Remove a file or directory that is in the way, with all it holds. Otherwise it is an error.',
  }),
  ...MAKEDIRS_PARAMS,
  ...OWNER_PARAMS,
};

type Values = ValuesOf<typeof params>;

export const fileSymlink = stateModule({
  name: 'file.symlink',
  summary: 'A symbolic link points to the target.',
  description:
    'A link to something else is replaced. The target need not exist. User and group are those of the link itself.',
  params,
  examples: [
    '/etc/nginx/sites-enabled/shop:\n  file.symlink:\n    - target: ../sites-available/shop\n',
    '/srv/current:\n  file.symlink:\n    - target: /srv/releases/42\n    - force: true\n    - makedirs: true\n',
  ],
  locks: ({ name }) => [name],
  async plan(values, context) {
    const path = checkedPlainPath(values.name);
    const there = await context.files.lstat(path);
    const owner = await ownerOf(values, context.accounts);
    const now = there?.kind === 'symlink' ? await context.files.readLink(path) : undefined;
    const change =
      there !== undefined && now === values.target
        ? await facetChange(path, there, { mode: undefined, owner }, accountNames(context.accounts))
        : allOf([await linkChange(path, there, now, values, owner, context), ownerChange(path, owner)]);
    return planOfChange(change, { link: path, target: values.target });
  },
});

async function linkChange(
  path: string,
  there: FileStat | undefined,
  now: string | undefined,
  { target, force, makedirs }: Values,
  owner: FileOwner,
  { files }: PlanContext,
): Promise<FileChange> {
  const link = { kind: 'link', path, target } as const;
  if (there === undefined) {
    const above = await parentChange(path, { makedirs, owner }, { files });
    return allOf([above, { steps: [link], words: [`new link to ${target}`] }]);
  }
  if (there.kind === 'symlink') return { steps: [link], words: [`target ${now} → ${target}`] };
  const found = kindText(there.kind);
  if (!force) throw zesterError('FILE_OBSTACLE', { path, found, wanted: 'a link' });
  return { steps: [{ kind: 'remove', path }, link], words: [`${found} → a link to ${target}`] };
}

/** A link that was just made belongs to us. */
function ownerChange(path: string, owner: FileOwner): FileChange {
  if (owner.uid === undefined && owner.gid === undefined) return NO_FILE_CHANGE;
  return { steps: [{ kind: 'chown', path, owner }], words: [] };
}
