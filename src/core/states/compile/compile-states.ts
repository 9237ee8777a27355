/**
 * The compiler makes state files into states that can run, or into everything that is wrong with them.
 *
 *     refs ─ load-state-files ─▶ files ─ merge-declarations ─▶ declarations ─ build-states ─▶ states without requisites
 *            (find, render,            (forms, merge, extend,                (names, arguments)      │ resolve-requisites
 *             YAML, include)            exclude; then use)                                            ▼
 *                                                                                             CompiledState[]
 *
 * Each phase goes on with what it could read, so that a person sees all problems at once.
 */
import { buildStates } from './build-states.ts';
import type { AskedRef, Compilation, CompileInput } from './compile-input.ts';
import { loadStateFiles } from './load-state-files.ts';
import { mergeFiles } from './merge-declarations.ts';
import { ProblemList } from './problem-list.ts';
import { resolveRequisites } from './resolve-requisites.ts';
import { highData } from './show-data.ts';
import { Unread } from './unread.ts';
import { useArguments } from './use-arguments.ts';

/** A ref that is only text was asked for by a person, not by a file. */
export async function compileStates(
  refs: readonly (string | AskedRef)[],
  input: CompileInput,
): Promise<Compilation> {
  const { tree, schemas } = input;
  const problems = new ProblemList();
  const unread = new Unread(problems);
  const asked = refs.map((ref) => (typeof ref === 'string' ? { ref, at: { file: tree.where } } : ref));
  const loaded = await loadStateFiles(asked, input, problems);
  const { files } = loaded;
  if (problems.errorCount > 0) unread.noteIncomplete();
  const merged = mergeFiles(loaded, problems, unread);
  const declarations = useArguments(merged, schemas, problems, unread);
  const states = buildStates(declarations, schemas, problems, unread);
  const requisitesOf = resolveRequisites({ states, files, schemas, problems, unread });
  const compiled = states.map(({ state }) => ({ ...state, requisites: requisitesOf(state.name) }));
  return {
    states: problems.errorCount > 0 ? [] : compiled,
    problems: problems.errors,
    warnings: problems.warnings,
    files: files.map(({ path }) => path),
    high: () => highData(declarations, schemas),
  };
}
