/**
 * The state engine of a peel does what `state.*` and ad-hoc states ask for (modules/state/state-access.ts), with the
 * compiler, the runner and the undo journal.
 *
 *     request ─ gatherMaterial (files, settings, templates) ─ compileRun ─▶ states ─ runStates ─▶ results
 *
 * Applies and reverts of one peel run one after another, because they are work for its only worker, and so do dry runs:
 * beside an apply they would foretell from a machine that is half way, and their guards start programs. `show` and
 * `runs` only look and run beside. If the peel dies in the middle, the journal has what was done, and the job is
 * reported as interrupted at the next start. The same request twice is two runs; the second finds nothing to do.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { lowData } from '../../core/states/compile/show-data.ts';
import type { CompiledState } from '../../core/states/compiled-state.ts';
import { stateGraph } from '../../core/states/graph/graph.ts';
import { graphData, graphDot, graphText } from '../../core/states/graph/show-graph.ts';
import { callFunction } from '../../modules/run-function.ts';
import type {
  GraphFormat,
  RevertRequest,
  StateRequest,
  StateRunOutcome,
  StatesAccess,
  StateView,
} from '../../modules/state/state-access.ts';
import type { PlanContext } from '../../modules/state-contract.ts';
import { ksuidTimeMs } from '../../runtime/ids.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { ReadFiles } from '../../system/files.ts';
import { plannedFiles } from '../../system/planned-files.ts';
import { readOnly } from '../../system/system.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import type { RequestFiles } from '../run/request-files.ts';
import type { RequestStates } from '../run/run-request.ts';
import {
  compileFiles,
  compileRun,
  gatherMaterial,
  type RunMaterial,
  refsOfTop,
  renderForModule,
  type StateCallContext,
  topFile,
} from './compile-run.ts';
import { revertRun } from './revert-run.ts';
import { type RunMode, runStates } from './run-states.ts';

/** The context of a call, whose own engine is made here. */
export type EngineContext = Omit<StateCallContext, 'states'>;

/** Runs inside of runs: `state.apply` that a template or `module.run` calls. Files that apply themselves end here. */
const NESTED_RUNS_MAX = 3;

/** The engine as one request sees it, whose jid names its runs in the journal. */
export function stateEngine(
  states: RequestStates,
  files: RequestFiles,
  runtime: Runtime,
  given: EngineContext,
): StatesAccess {
  const { journal, factsKnown } = states;
  const gathering = { files, factsKnown, runtime };

  function accessInside(runs: number): StatesAccess {
    return {
      apply: (request) => run('apply', request, contextInside(runs + 1)),
      check: (request) => run('check', request, contextInside(runs + 1)),
      revert: (request) => revert(request, false),
      checkRevert: (request) => revert(request, true),
      runs: () => journal.runs(),
      show: (view, request, format) => show(view, request, format, contextInside(runs + 1)),
    };
  }

  /** What functions get that are called from `runs` runs, each inside of the one before. */
  function contextInside(runs: number): StateCallContext {
    return { ...given, states: runs > NESTED_RUNS_MAX ? TOO_DEEP : accessInside(runs) };
  }

  async function run(
    mode: RunMode,
    request: StateRequest,
    context: StateCallContext,
  ): Promise<StateRunOutcome> {
    const dryRun = mode === 'check';
    const looks = { dryRun, onlyLooks: dryRun };
    const material = await gatherMaterial(gathering, request, context, looks);
    const compiled = await compileRun(request.states, material);
    if (compiled.length === 0) return { results: [], canceled: false, note: NO_STATES_NOTE };
    const { system, clock, signal, stateModules, jid } = context;
    const { results, canceled } = await runStates(compiled, {
      mode,
      modules: stateModules,
      system,
      journal,
      run: { jid, atMs: clock.nowMs() },
      clock,
      random: runtime.random,
      signal,
      planContext: (state, forced, files) => planContext(state, forced, files, material),
      actContext: {
        jid,
        system,
        tree: material.tree,
        callFunction: (name, args) => callFunction(name, { args }, context, false),
        clock,
        signal,
      },
    });
    return { results, canceled };
  }

  async function revert(
    { jid: asked, states: names }: RevertRequest,
    dryRun: boolean,
  ): Promise<StateRunOutcome> {
    const { system, clock, signal, jid } = given;
    const found = await (asked === undefined ? journal.lastRun() : journal.run(asked));
    if (found === undefined) return nothingToRevert(asked, await journal.forgottenUntilMs());
    const view = dryRun ? plannedFiles({ base: readOnly(system).files, clock }) : undefined;
    return revertRun(found, names, { journal, by: jid, view, clock, signal });
  }

  function planContext(
    state: CompiledState,
    forced: boolean,
    files: ReadFiles,
    { context, tree, settings, templates }: RunMaterial,
  ): PlanContext {
    const { system, peelId, facts, clock, signal } = context;
    const { id, sls, args } = state;
    return {
      files,
      accounts: readOnly(system).accounts,
      tree,
      peelId,
      facts: { all: () => facts.all(), words: () => facts.words(), get: (path) => facts.get(path) },
      settings,
      render: (template, variables) => renderForModule(templates, template, sls, variables),
      id,
      sls,
      args,
      forced,
      previewFunction: (name, given) => callFunction(name, { args: given }, context, true),
      clock,
      signal,
    };
  }

  async function show(
    view: StateView,
    request: StateRequest,
    format: GraphFormat | undefined,
    context: StateCallContext,
  ): Promise<WireValue> {
    const looks = { dryRun: true, onlyLooks: true };
    const material = await gatherMaterial(gathering, request, context, looks);
    if (view === 'top') return (await topFile(material)).shown;
    if (view === 'high' && request.states.by !== 'call') {
      const { states: which } = request;
      const refs = which.by === 'refs' ? which.refs : await refsOfTop(material);
      return (await compileFiles(refs, material)).high();
    }
    const { levels } = stateGraph(await compileRun(request.states, material));
    if (view !== 'graph') return lowData(levels.flat(), material.schemas);
    return GRAPHS[format ?? 'text'](levels);
  }

  return accessInside(0);
}

const NO_STATES_NOTE = 'nothing to do: the state files declare no state for this machine';

/** A job that changed nothing here is nothing to revert; one whose records may be gone is a failure. */
function nothingToRevert(jid: string | undefined, forgottenUntilMs: number | undefined): StateRunOutcome {
  const nothing = { results: [], canceled: false };
  if (jid === undefined)
    return { ...nothing, note: 'nothing to revert: no run on record has changed anything' };
  const startedMs = ksuidTimeMs(jid) ?? 0;
  if (forgottenUntilMs !== undefined && startedMs <= forgottenUntilMs)
    throw zesterError('UNDO_FORGOTTEN', { jid, until: formatRfc3339(nanosFromMs(forgottenUntilMs)) });
  return { ...nothing, note: `nothing to revert: job ${jid} has changed nothing here` };
}

const TOO_DEEP: StatesAccess = {
  apply: tooDeep,
  check: tooDeep,
  revert: tooDeep,
  checkRevert: tooDeep,
  runs: tooDeep,
  show: tooDeep,
};

async function tooDeep(): Promise<never> {
  throw zesterError('STATES_TOO_DEEP', { max: NESTED_RUNS_MAX });
}

const GRAPHS: Readonly<Record<GraphFormat, (levels: Parameters<typeof graphText>[0]) => WireValue>> = {
  text: graphText,
  json: graphData,
  dot: graphDot,
};
