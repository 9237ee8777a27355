/**
 * `readTop` reads the top file, which says which states belong to which peel. Rendered like any state file;
 * environments are only headings, all of them count, in file order (zester has no file environments).
 *
 *     base:
 *       'web*':
 *         - match: glob        # what the pattern is; usually the pattern itself tells
 *         - web
 */
import { isZesterError } from '../../errors/zester-error.ts';
import type { YamlEntry, YamlNode } from '../../yaml/yaml-node.ts';
import type { AskedRef, TopFile, TopInput } from '../compile/compile-input.ts';
import { ProblemList, type SourcePlace } from '../compile/problem-list.ts';
import { readStateFile } from '../compile/read-state-file.ts';
import { isNull, nodeKind, type StateFile } from '../compile/state-file.ts';

const TOP_PATHS = ['top.zy', 'top.sls'] as const;
const TOP_FORM = "write `base:`, below it a pattern such as `'web*':`, and below that a list of state files";

export async function readTop(input: TopInput): Promise<TopFile> {
  const problems = new ProblemList();
  const file = await findTop(input, problems);
  const refs = new Map<string, AskedRef>();
  const shown = new Map<string, string[]>();
  const environments = file === undefined ? [] : file.allEntries;
  for (const { key, value } of environments) {
    const matching = file === undefined ? [] : environmentRefs(value, file, input, problems);
    for (const asked of matching) if (!refs.has(asked.ref)) refs.set(asked.ref, asked);
    if (matching.length > 0) shown.set(key.source, [...new Set(matching.map(({ ref }) => ref))]);
  }
  return {
    refs: [...refs.values()],
    problems: problems.errors,
    warnings: problems.warnings,
    shown: Object.fromEntries(shown),
  };
}

async function findTop({ tree, render }: TopInput, problems: ProblemList): Promise<StateFile | undefined> {
  const nowhere: SourcePlace = { at: { file: tree.where }, chain: [] };
  const found: { path: string; text: string }[] = [];
  for (const path of TOP_PATHS) {
    try {
      const text = await tree.readText(path);
      if (text !== undefined) found.push({ path, text });
    } catch (error) {
      if (!isZesterError(error)) throw error;
      problems.error(nowhere, error.message, error.hint);
      return undefined;
    }
  }
  const [file, second] = found;
  if (second !== undefined) problems.error(nowhere, 'there are top.zy and top.sls', 'remove one of them');
  else if (file === undefined) problems.error(nowhere, 'there is no top.zy', `make one: ${TOP_FORM}`);
  else return readStateFile({ ...file, sls: 'top', chain: [], includers: [] }, render, problems);
  return undefined;
}

function environmentRefs(
  node: YamlNode,
  file: StateFile,
  input: TopInput,
  problems: ProblemList,
): readonly AskedRef[] {
  if (isNull(node)) return [];
  if (node.kind === 'mapping')
    return node.entries.flatMap((entry) => patternRefs(entry, file, input, problems));
  problems.error(
    file.placeOf(node),
    `an environment is a mapping of patterns, not ${nodeKind(node)}`,
    TOP_FORM,
  );
  return [];
}

function patternRefs(
  { key, value }: YamlEntry,
  file: StateFile,
  { matches }: TopInput,
  problems: ProblemList,
): readonly AskedRef[] {
  if (value.kind !== 'sequence') {
    if (!isNull(value))
      problems.error(
        file.placeOf(value),
        `${key.source} takes a list of state files, not ${nodeKind(value)}`,
        TOP_FORM,
      );
    return [];
  }
  const refs: AskedRef[] = [];
  let type = '';
  for (const item of value.items) {
    const option = item.kind === 'mapping' && item.entries.length === 1 ? item.entries[0] : undefined;
    if (item.kind === 'scalar' && !isNull(item)) refs.push({ ref: item.source, at: file.placeOf(item).at });
    else if (option?.key.source === 'match' && option.value.kind === 'scalar') type = option.value.source;
    else
      problems.error(
        file.placeOf(item),
        `${key.source} takes names of state files, not ${nodeKind(item)}`,
        'write `- web`, or `- match: grain` to say what the pattern is',
      );
  }
  const verdict = matches(key.source, type);
  if (typeof verdict === 'boolean') return verdict ? refs : [];
  problems.error(file.placeOf(key), verdict.message, verdict.hint);
  return [];
}
