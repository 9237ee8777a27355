/** The state `file.recurse` holds a directory with the files of a source directory. */
import { optional, required, type ValuesOf, withDefault } from '../../core/params/params.ts';
import { inDirectory } from '../../system/file-path.ts';
import type { FileOwner } from '../../system/files.ts';
import { type PlanContext, stateModule } from '../state-contract.ts';
import { allOf, type FileChange, planOfChange, underName } from './change.ts';
import { newDirectory } from './directory.ts';
import { type AccountNames, accountNames, facetChange } from './facets.ts';
import { fileChange, parentChange } from './file-change.ts';
import { OWNER_PARAMS, ownerOf } from './owner.ts';
import { MAKEDIRS_PARAMS } from './parents.ts';
import { anyPattern, type PathTest } from './path-patterns.ts';
import { type FilePlace, filePlaceOf, PATH_PARAMS } from './place.ts';
import { refuseNested, type SourceFile, sourceFiles } from './source-files.ts';
import { renderedBytes, TEMPLATE_PARAMS, targetVariables } from './template.ts';

const params = {
  ...PATH_PARAMS,
  source: required('string', {
    doc: 'The directory to copy: zester://path or salt://path of the state tree, or an absolute path of the machine.',
  }),
  file_mode: optional('mode', { doc: 'Permissions of files. Not given: as they are, 0644 for new ones.' }),
  dir_mode: optional('mode', {
    doc: 'Permissions of directories. Not given: as they are, 0755 for new ones.',
  }),
  ...OWNER_PARAMS,
  ...MAKEDIRS_PARAMS,
  include_pat: withDefault('string-list', [], {
    doc: 'Only files whose path below the source fits one of these: globs, or E@ and a regular expression.',
  }),
  exclude_pat: withDefault('string-list', [], {
    doc: 'No files whose path fits one of these; `clean` leaves them alone too.',
  }),
  clean: withDefault('boolean', false, {
    doc: 'Remove regular files that the source does not have. Directories and links stay.',
  }),
  ...TEMPLATE_PARAMS,
};

type Values = ValuesOf<typeof params>;

interface Look {
  readonly values: Values;
  readonly owner: FileOwner;
  readonly names: AccountNames;
  readonly context: PlanContext;
}

export const fileRecurse = stateModule({
  name: 'file.recurse',
  summary: 'A directory holds all files of a source directory.',
  description: 'User and group are those of the files and of the directories that hold them.',
  params,
  examples: [
    '/etc/nginx/conf.d:\n  file.recurse:\n    - source: zester://nginx/conf.d\n    - file_mode: 0644\n',
    "/srv/app:\n  file.recurse:\n    - source: salt://app/files\n    - template: jinja\n    - clean: true\n    - exclude_pat: '*.bak'\n    - makedirs: true\n",
  ],
  locks: ({ name }) => [name],
  check: (values) => void patternsOf(values),
  async plan(values, context) {
    const { isIncluded, isExcluded } = patternsOf(values);
    const sources = (await sourceFiles(values.source, context)).filter(
      ({ path }) => isIncluded(path) && !isExcluded(path),
    );
    const root = await filePlaceOf(values.name, 'directory', context.files);
    await refuseNested(values.source, root.path, context);
    const owner = await ownerOf(values, context.accounts);
    const look: Look = { values, owner, names: accountNames(context.accounts), context };
    const directories = await directoryChanges(root, sources, look);
    const copied = await fileChanges(root, sources, look);
    const cleaned = values.clean ? await extraFiles(root, sources, isExcluded, context) : [];
    return planOfChange(allOf([...directories, ...copied, ...cleaned]), {
      copied: String(copied.filter(({ steps }) => steps.length > 0).length),
      cleaned: String(cleaned.length),
    });
  },
});

function patternsOf({ include_pat, exclude_pat }: Values): {
  readonly isIncluded: PathTest;
  readonly isExcluded: PathTest;
} {
  const test = (patterns: readonly string[], param: string) =>
    anyPattern(patterns, { functionName: 'file.recurse', param });
  const included = test(include_pat, 'include_pat');
  return {
    isIncluded: (path) => include_pat.length === 0 || included(path),
    isExcluded: test(exclude_pat, 'exclude_pat'),
  };
}

/** The directory itself and each one that holds a file, a directory before what is in it. */
async function directoryChanges(
  root: FilePlace,
  sources: readonly SourceFile[],
  look: Look,
): Promise<readonly FileChange[]> {
  const { makedirs } = look.values;
  const { owner } = look;
  const above =
    root.there === undefined ? [await parentChange(root.path, { makedirs, owner }, look.context)] : [];
  const changes = [...above, await directoryChange(root, look)];
  for (const below of directoriesOf(sources)) {
    const place = await filePlaceOf(inDirectory(root.path, below), 'directory', look.context.files);
    changes.push(underName(below, await directoryChange(place, look)));
  }
  return changes;
}

function directoriesOf(sources: readonly SourceFile[]): readonly string[] {
  const all = new Set<string>();
  for (const { path } of sources) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth++) all.add(parts.slice(0, depth).join('/'));
  }
  return [...all].sort();
}

async function directoryChange(
  { path, there }: FilePlace,
  { values: { dir_mode: mode }, owner, names }: Look,
): Promise<FileChange> {
  if (there === undefined) return newDirectory(path, { mode, owner }, names);
  return facetChange(path, there, { mode, owner }, names);
}

async function fileChanges(
  root: FilePlace,
  sources: readonly SourceFile[],
  { values, owner, names, context }: Look,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (const { path, read } of sources) {
    const place = await filePlaceOf(inDirectory(root.path, path), 'file', context.files);
    const content = { bytes: await read(), name: `${values.source}/${path}` };
    const name = inDirectory(values.name, path);
    const target = { ...values, name, source: content.name, mode: values.file_mode };
    const bytes = await renderedBytes(content, values, context, targetVariables(target));
    const wanted = { bytes, mode: values.file_mode, owner, showChanges: true };
    changes.push(underName(path, await fileChange(place, wanted, { files: context.files, names })));
  }
  return changes;
}

async function extraFiles(
  root: FilePlace,
  sources: readonly SourceFile[],
  excluded: PathTest,
  { files }: PlanContext,
): Promise<readonly FileChange[]> {
  const wanted = new Set(sources.map(({ path }) => path));
  const there = root.there === undefined ? [] : ((await files.walk(root.path)) ?? []);
  return there
    .filter(({ path, stat }) => stat.kind === 'file' && !wanted.has(path) && !excluded(path))
    .map(({ path }) => ({
      steps: [{ kind: 'remove', path: inDirectory(root.path, path) }],
      words: [`${path}: a file → absent`],
    }));
}
