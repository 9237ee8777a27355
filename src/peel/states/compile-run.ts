/**
 * Compiles a request into states that can run: finds the state files, reads the settings, renders and compiles.
 * Everything is read anew for each request, so that a file that was published a moment ago counts; and within one request
 * everything comes from one revision.
 *
 * Throws when something is wrong, with all of it; only looks at the machine, except for what a template calls.
 */
import type { DataMap, DataValue } from '../../core/data/data-value.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { TemplateError } from '../../core/jinja/errors.ts';
import { adHocState } from '../../core/states/compile/ad-hoc-state.ts';
import type { AskedRef, Compilation, TopFile } from '../../core/states/compile/compile-input.ts';
import { compileStates } from '../../core/states/compile/compile-states.ts';
import type { CompiledState } from '../../core/states/compiled-state.ts';
import { stateGraph } from '../../core/states/graph/graph.ts';
import { printProblems, type StateProblem } from '../../core/states/state-problem.ts';
import type { StateSchemas } from '../../core/states/state-schema.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import { deepMerge } from '../../core/states/template/deep-merge.ts';
import { type StateTemplates, stateTemplates } from '../../core/states/template/state-templates.ts';
import { readTop } from '../../core/states/top/read-top.ts';
import { patternMatcher } from '../../core/states/top/top-pattern.ts';
import type { FunctionContext } from '../../modules/contract.ts';
import type { StateRequest, StateSelection } from '../../modules/state/state-access.ts';
import { stateSchemas } from '../../modules/state-registry.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { templateAbilities } from '../../runtime/template-abilities.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { RequestFiles } from '../run/request-files.ts';
import { templateMachine } from './template-machine.ts';

/** What states of one request are made from, and what their modules get later. */
export interface RunMaterial {
  /** Of the call that asks for the states. */
  readonly context: StateCallContext;
  readonly schemas: StateSchemas;
  readonly tree: StateTree;
  readonly settings: DataMap;
  readonly templates: StateTemplates;
}

/** The context of a function, and which peel it is for. */
export type StateCallContext = FunctionContext & { readonly peelId: PeelId };

/** What material is gathered with. */
export interface MaterialSources {
  readonly files: RequestFiles;
  readonly factsKnown: (() => Promise<void>) | undefined;
  readonly runtime: Runtime;
}

export async function gatherMaterial(
  { files, factsKnown, runtime }: MaterialSources,
  request: StateRequest,
  context: StateCallContext,
  { dryRun, onlyLooks }: { readonly dryRun: boolean; readonly onlyLooks: boolean },
): Promise<RunMaterial> {
  // A template that finds no facts would quietly take the way for unknown machines.
  await factsKnown?.();
  const tree = await treeFor(request.states, files);
  const settings = deepMerge((await context.settings()).settings, request.settings);
  const templates = stateTemplates({
    tree,
    data: {
      peelId: context.peelId,
      facts: context.facts.all(),
      words: context.facts.words(),
      settings,
      statesDir: tree.where,
      dryRun,
      machine: templateMachine(context, onlyLooks ? 'dry run' : undefined),
    },
    runtime: templateAbilities(runtime),
    signal: context.signal,
  });
  return { context, schemas: stateSchemas(context.stateModules), tree, settings, templates };
}

/** A single state needs no files: it runs before any were published. */
async function treeFor({ by }: StateSelection, files: RequestFiles): Promise<StateTree> {
  try {
    return await files.tree();
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

/** States that can run. None where the files declare none for this machine: then there is nothing to do, as in Salt. */
export async function compileRun(
  states: StateSelection,
  material: RunMaterial,
): Promise<readonly CompiledState[]> {
  if (states.by === 'call') {
    const made = adHocState(states.module, states.id, states.args, material.schemas);
    if ('problems' in made) throw invalid(made.problems);
    return [made.state];
  }
  const refs = states.by === 'refs' ? states.refs : await refsOfTop(material);
  const compiled = (await compileFiles(refs, material)).states;
  const { problems } = stateGraph(compiled);
  if (problems.length > 0) throw invalid(problems);
  return compiled;
}

/** Without problems; there may be no state in it. */
export async function compileFiles(
  refs: readonly (string | AskedRef)[],
  { schemas, tree, templates }: RunMaterial,
): Promise<Compilation> {
  const compiled = await compileStates(refs, { tree, schemas, render: templates.renderFile });
  if (compiled.problems.length > 0) throw invalid(compiled.problems);
  return compiled;
}

/** What the top file gives this peel, at least one. */
export async function refsOfTop(material: RunMaterial): Promise<readonly AskedRef[]> {
  const { refs } = await topFile(material);
  if (refs.length === 0) throw zesterError('STATES_NOT_MATCHED', {});
  return refs;
}

export async function topFile({ context, tree, templates }: RunMaterial): Promise<TopFile> {
  const { peelId, facts } = context;
  const top = await readTop({
    tree,
    render: templates.renderFile,
    matches: patternMatcher(peelId, facts.all(), facts.words()),
  });
  if (top.problems.length > 0) throw invalid(top.problems);
  return top;
}

/** For a module: a mistake in its template fails the state, with the place and the lines around it. */
export async function renderForModule(
  templates: StateTemplates,
  template: { readonly name: string; readonly text: string },
  sls: string,
  variables: Readonly<Record<string, DataValue>>,
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
