/**
 * `readTop` reads the top file, which says which states belong to which peel. Rendered like any state file;
 * environments are only headings, all of them count, in file order (zester has no file environments).
 */
import { isZesterError } from '../../errors/zester-error.ts';
import type { AskedRef, TopFile, TopInput } from '../compile/compile-input.ts';
import { ProblemList, type SourcePlace } from '../compile/problem-list.ts';
import { readStateFile } from '../compile/read-state-file.ts';
import type { StateFile } from '../compile/state-file.ts';
import { type TopForm, type TopLine, topHint, topLines } from './top-lines.ts';

const TOP_PATHS = ['top.zy', 'top.sls'] as const;
const STATE_TOP: TopForm = { files: 'state files', knowsIgnoreMissing: false };

export async function readTop(input: TopInput): Promise<TopFile> {
  const problems = new ProblemList();
  const file = await findTop(input, problems);
  const refs = new Map<string, AskedRef>();
  const shown = new Map<string, Set<string>>();
  const lines = file === undefined ? [] : topLines(file, STATE_TOP, problems);
  for (const line of lines)
    if (isMeant(line, input, problems))
      for (const asked of line.refs) {
        if (!refs.has(asked.ref)) refs.set(asked.ref, asked);
        shown.set(line.environment, (shown.get(line.environment) ?? new Set()).add(asked.ref));
      }
  return {
    refs: [...refs.values()],
    problems: problems.errors,
    warnings: problems.warnings,
    shown: Object.fromEntries([...shown].map(([environment, names]) => [environment, [...names]])),
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
  else if (file === undefined)
    problems.error(nowhere, 'there is no top.zy', `make one: ${topHint(STATE_TOP)}`);
  else return readStateFile({ ...file, sls: 'top', chain: [], includers: [] }, render, problems);
  return undefined;
}

function isMeant({ pattern, type, at }: TopLine, { matches }: TopInput, problems: ProblemList): boolean {
  const verdict = matches(pattern, type);
  if (typeof verdict === 'boolean') return verdict;
  problems.error({ at, chain: [] }, verdict.message, verdict.hint);
  return false;
}
