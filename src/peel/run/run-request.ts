/** Runs one request on this machine: the function with all that functions may ask for, the state engine among it. */
import type { FactsAccess, FunctionRegistry } from '../../modules/contract.ts';
import { type FunctionRequest, runFunction } from '../../modules/run-function.ts';
import { NO_STATES } from '../../modules/state/state-access.ts';
import type { StateModuleRegistry } from '../../modules/state-contract.ts';
import { stateModuleRegistry } from '../../modules/state-registry.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { System } from '../../system/system.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { ExecResponse } from '../../wire/records/exec.ts';
import { type EngineContext, stateEngine } from '../states/engine.ts';
import { readLocalSettings } from '../states/local-settings.ts';
import type { StateSources } from '../states/state-sources.ts';
import type { UndoJournal } from '../undo/undo-journal.ts';

/** What requests are run with, by a peel that is a service and by a local call. */
export interface RequestContext {
  readonly system: System;
  readonly facts: FactsAccess;
  readonly runtime: Runtime;
  readonly peelId: PeelId;
  /** Of the program. */
  readonly version: string;
  readonly functions: FunctionRegistry;
  /** Without it there are execution functions only. */
  readonly states: RequestStates | undefined;
}

export interface RequestStates {
  readonly modules: StateModuleRegistry;
  readonly sources: StateSources;
  /** Directory of YAML files with the settings of this peel. */
  readonly settingsDir: string | undefined;
  readonly journal: UndoJournal;
  /** Resolves when the facts are those of the machine. Not there: they are already. */
  readonly factsKnown?: () => Promise<void>;
}

export function runRequest(
  request: FunctionRequest,
  signal: AbortSignal,
  context: RequestContext,
): Promise<ExecResponse> {
  const { system, facts, runtime, peelId, version, functions, states } = context;
  const call: EngineContext = {
    system,
    facts,
    clock: runtime.clock,
    signal,
    peelId,
    jid: request.jid,
    version,
    functions,
    stateModules: states?.modules ?? NO_STATE_MODULES,
    settings: () => readLocalSettings(system.files, states?.settingsDir),
    rest: {},
  };
  const engine = states === undefined ? NO_STATES : stateEngine(states, runtime, call);
  return runFunction(request, { ...call, states: engine });
}

const NO_STATE_MODULES = stateModuleRegistry([]);
