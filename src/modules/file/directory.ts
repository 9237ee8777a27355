/** The state `file.directory` holds a directory, its mode and owner, and on request those of everything in it. */
import { optional, type ValuesOf, withDefault } from '../../core/params/params.ts';
import { inDirectory } from '../../system/file-path.ts';
import type { FileOwner, FileStat } from '../../system/files.ts';
import { type PlanContext, stateModule } from '../state-contract.ts';
import { allOf, type FileChange, planOfChange, underName } from './change.ts';
import { badArguments } from './edit/edit-arguments.ts';
import { type AccountNames, accountNames, type Facets, facetChange, modeText, newWords } from './facets.ts';
import { parentChange } from './file-change.ts';
import { OWNER_PARAMS, ownerOf } from './owner.ts';
import { MAKEDIRS_PARAMS, PARENT_MODE } from './parents.ts';
import { filePlaceOf, PATH_PARAMS } from './place.ts';

const params = {
  ...PATH_PARAMS,
  mode: optional('mode', { doc: 'Permissions. Not given: as they are, 0755 for a new directory.' }),
  dir_mode: optional('mode', {
    doc: 'Another name for `mode`; with both, this one is for the directories below that `recurse` reaches.',
  }),
  file_mode: optional('mode', { doc: 'Permissions of files below, with `recurse: [mode]`.' }),
  ...OWNER_PARAMS,
  ...MAKEDIRS_PARAMS,
  recurse: withDefault('string-list', [], {
    doc: 'What is also true of everything below: user, group, mode; ignore_files or ignore_dirs leave those out.',
  }),
};

type Values = ValuesOf<typeof params>;

export const fileDirectory = stateModule({
  name: 'file.directory',
  summary: 'A directory is there, with the given mode and owner.',
  description: 'Links below it are not followed: `recurse` sets the owner of the link itself.',
  params,
  examples: [
    '/srv/www:\n  file.directory:\n    - user: root\n    - mode: 0755\n    - makedirs: true\n',
    '/srv/upload:\n  file.directory:\n    - group: root\n    - dir_mode: 2775\n    - file_mode: 0664\n    - recurse: [group, mode]\n',
  ],
  locks: ({ name }) => [name],
  check: (values) => void recursion(values),
  async plan(values, context) {
    const { files, accounts } = context;
    const below = recursion(values);
    const place = await filePlaceOf(values.name, 'directory', files);
    const owner = await ownerOf(values, accounts);
    const names = accountNames(accounts);
    const mode = values.mode ?? values.dir_mode;
    const details = { mode: modeText(mode ?? place.there?.mode ?? PARENT_MODE) };
    if (place.there === undefined) {
      const above = await parentChange(place.path, { makedirs: values.makedirs, owner }, context);
      return planOfChange(allOf([above, await newDirectory(place.path, { mode, owner }, names)]), details);
    }
    const own = await facetChange(place.path, place.there, { mode, owner }, names);
    const inside =
      below.size === 0 ? [] : await changesBelow(place.path, values, below, owner, names, context);
    return planOfChange(allOf([own, ...inside]), details);
  },
});

/** The caller makes its parent. */
export async function newDirectory(
  path: string,
  { mode = PARENT_MODE, owner }: Facets,
  names: AccountNames,
): Promise<FileChange> {
  const words = [await newWords('directory', mode, owner, names)];
  return { steps: [{ kind: 'make-directory', path, mode, owner }], words };
}

const RECURSION_WORDS = ['user', 'group', 'mode', 'ignore_files', 'ignore_dirs'] as const;
type Recursion = ReadonlySet<string>;

/** What is not declared cannot be applied below: that is a mistake worth telling. */
function recursion(values: Values): Recursion {
  const words = new Set(values.recurse);
  const modes = values.mode ?? values.dir_mode ?? values.file_mode;
  const problems = [
    ...values.recurse
      .filter((word) => !RECURSION_WORDS.some((known) => known === word))
      .map((word) => `recurse knows ${RECURSION_WORDS.join(', ')}, not ${word}`),
    ...(words.has('user') && values.user === undefined ? ['recurse: user needs a user'] : []),
    ...(words.has('group') && values.group === undefined ? ['recurse: group needs a group'] : []),
    ...(words.has('mode') && modes === undefined ? ['recurse: mode needs dir_mode or file_mode'] : []),
  ];
  if (problems.length === 0) return words;
  throw badArguments('file.directory', problems.join('; '));
}

async function changesBelow(
  directory: string,
  values: Values,
  below: Recursion,
  owner: FileOwner,
  names: AccountNames,
  { files }: PlanContext,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (const { path, stat } of (await files.walk(directory)) ?? []) {
    if (isIgnored(stat, below)) continue;
    const wanted = facetsBelow(stat, values, below, owner);
    changes.push(underName(path, await facetChange(inDirectory(directory, path), stat, wanted, names)));
  }
  return changes;
}

function isIgnored({ kind }: FileStat, below: Recursion): boolean {
  return below.has(kind === 'directory' ? 'ignore_dirs' : 'ignore_files');
}

function facetsBelow({ kind }: FileStat, values: Values, below: Recursion, { uid, gid }: FileOwner): Facets {
  const modes = { directory: values.dir_mode ?? values.mode, file: values.file_mode };
  const mode = kind === 'directory' || kind === 'file' ? modes[kind] : undefined;
  return {
    mode: below.has('mode') ? mode : undefined,
    owner: {
      ...(below.has('user') && uid !== undefined ? { uid } : {}),
      ...(below.has('group') && gid !== undefined ? { gid } : {}),
    },
  };
}
