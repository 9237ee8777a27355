/**
 * From a request to states that can run: finds the state files, reads the settings, renders and compiles. Everything is
 * read anew for each request, so that a file that was published a moment ago counts.
 *
 * Throws when something is wrong, with all of it; only looks at the machine, except for what a template calls.
 */
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { TemplateError } from '../../core/jinja/errors.ts';
import { adHocState } from '../../core/states/compile/ad-hoc-state.ts';
import type {
  AskedRef,
  Compilation,
  MatchPattern,
  TopFile,
} from '../../core/states/compile/compile-input.ts';
import { compileStates } from '../../core/states/compile/compile-states.ts';
import { readTop } from '../../core/states/compile/read-top.ts';
import { matchPattern, parsePattern } from '../../core/states/compile/top-pattern.ts';
import type { CompiledState } from '../../core/states/compiled-state.ts';
import { stateGraph } from '../../core/states/graph/graph.ts';
import { printProblems, type StateProblem } from '../../core/states/state-problem.ts';
import type { StateSchemas } from '../../core/states/state-schema.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import { deepMerge } from '../../core/states/template/deep-merge.ts';
import { type StateTemplates, stateTemplates } from '../../core/states/template/state-templates.ts';
import type { FunctionContext } from '../../modules/contract.ts';
import type { StateRequest, StateSelection } from '../../modules/state/state-access.ts';
import { digest, hmac } from '../../runtime/digest.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { localTree } from './local-tree.ts';
import { findStatesDir, type StateSources } from './state-sources.ts';
import { templateMachine } from './template-machine.ts';

export interface CompileParts {
  readonly runtime: Runtime;
  readonly peelId: PeelId;
  readonly sources: StateSources;
  readonly schemas: StateSchemas;
  readonly factsKnown?: () => Promise<void>;
}

/** What states of one request are made from, and what their modules get later. */
export interface RunMaterial {
  readonly tree: StateTree;
  readonly settings: WireMap;
  readonly templates: StateTemplates;
}

export async function gatherMaterial(
  parts: CompileParts,
  request: StateRequest,
  context: FunctionContext,
  { dryRun, onlyLooks }: { readonly dryRun: boolean; readonly onlyLooks: boolean },
): Promise<RunMaterial> {
  const { runtime, peelId } = parts;
  // A template that finds no facts would quietly take the way for unknown machines.
  await parts.factsKnown?.();
  const tree = await treeFor(request.states, parts, context);
  const settings = deepMerge(await context.settings(), request.settings);
  const { clock, random } = runtime;
  const templates = stateTemplates({
    tree,
    data: {
      peelId,
      facts: context.facts.all(),
      settings,
      statesDir: tree.where,
      dryRun,
      machine: templateMachine(context, onlyLooks),
    },
    runtime: { digest, hmac, random: () => random.fraction(), nowMs: () => clock.nowMs() },
    signal: context.signal,
  });
  return { tree, settings, templates };
}

/** A single state needs no files: it runs before any were published. */
async function treeFor(
  { by }: StateSelection,
  { runtime, sources }: CompileParts,
  { system }: FunctionContext,
): Promise<StateTree> {
  const { clock, log } = runtime;
  try {
    return localTree(system.files, await findStatesDir(sources, { files: system.files, clock, log }));
  } catch (error) {
    if (by === 'call' && isZesterError(error, 'STATES_UNAVAILABLE')) return NO_TREE;
    throw error;
  }
}

const NO_TREE: StateTree = {
  where: '',
  readText: async () => undefined,
  readBytes: async () => undefined,
  list: async () => [],
};

/** States that can run, at least one. */
export async function compileRun(
  parts: CompileParts,
  states: StateSelection,
  material: RunMaterial,
  context: FunctionContext,
): Promise<readonly CompiledState[]> {
  if (states.by === 'call') {
    const made = adHocState(states.module, states.id, states.args, parts.schemas);
    if ('problems' in made) throw invalid(made.problems);
    return [made.state];
  }
  const refs = states.by === 'refs' ? states.refs : await refsOfTop(parts, material, context);
  const compiled = (await compileFiles(refs, parts, material)).states;
  const { problems } = stateGraph(compiled);
  if (problems.length > 0) throw invalid(problems);
  if (compiled.length === 0) throw zesterError('STATES_EMPTY', { refs: refs.map(refText).join(', ') });
  return compiled;
}

/** Without problems; there may be no state in it. */
export async function compileFiles(
  refs: readonly (string | AskedRef)[],
  { schemas }: CompileParts,
  { tree, templates }: RunMaterial,
): Promise<Compilation> {
  const compiled = await compileStates(refs, { tree, schemas, render: templates.renderFile });
  if (compiled.problems.length > 0) throw invalid(compiled.problems);
  return compiled;
}

/** What the top file gives this peel, at least one. */
export async function refsOfTop(
  parts: CompileParts,
  material: RunMaterial,
  context: FunctionContext,
): Promise<readonly AskedRef[]> {
  const { refs } = await topFile(parts, material, context);
  if (refs.length === 0) throw zesterError('STATES_NOT_MATCHED', {});
  return refs;
}

export async function topFile(
  { peelId }: CompileParts,
  { tree, templates }: RunMaterial,
  { facts }: FunctionContext,
): Promise<TopFile> {
  const top = await readTop({
    tree,
    render: templates.renderFile,
    matches: patternMatcher(peelId, facts.all()),
  });
  if (top.problems.length > 0) throw invalid(top.problems);
  return top;
}

function patternMatcher(peelId: PeelId, facts: WireMap): MatchPattern {
  return (pattern, type) => {
    try {
      return matchPattern(parsePattern(pattern, type), peelId, facts);
    } catch (error) {
      if (!isZesterError(error)) throw error;
      return { message: error.message, hint: error.hint };
    }
  };
}

/** For a module: a mistake in its template fails the state, with the place and the lines around it. */
export async function renderForModule(
  templates: StateTemplates,
  template: { readonly name: string; readonly text: string },
  sls: string,
  variables: WireMap,
): Promise<string> {
  try {
    return await templates.renderText(template, sls, variables);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw zesterError('STATE_TEMPLATE_FAILED', { problem: error.print() }, { cause: error });
  }
}

function invalid(problems: readonly StateProblem[]): Error {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return zesterError('STATES_INVALID', { count, problems: printProblems(problems) });
}

function refText(ref: string | AskedRef): string {
  return typeof ref === 'string' ? ref : ref.ref;
}
