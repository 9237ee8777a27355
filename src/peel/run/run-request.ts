/** Runs one request on this machine: the function with all that functions may ask for, the state engine among it. */
import { NO_SETTINGS } from '../../core/settings/resolved-settings.ts';
import type { FactsAccess, FunctionRegistry } from '../../modules/contract.ts';
import { type MirrorsAccess, NO_MIRRORS } from '../../modules/files/mirrors-access.ts';
import { type FunctionRequest, runFunction } from '../../modules/run-function.ts';
import { NO_STATES } from '../../modules/state/state-access.ts';
import type { StateModuleRegistry } from '../../modules/state-contract.ts';
import { stateModuleRegistry } from '../../modules/state-registry.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { System } from '../../system/system.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { ExecResponse } from '../../wire/records/exec.ts';
import type { SettingsSource } from '../settings/settings-source.ts';
import { type EngineContext, stateEngine } from '../states/engine.ts';
import type { StateSources } from '../states/state-sources.ts';
import type { UndoJournal } from '../undo/undo-journal.ts';
import { ABANDON_MS } from './execution.ts';
import { RequestFiles } from './request-files.ts';

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
  readonly settings: SettingsSource;
  /** Not there: nothing is mirrored. */
  readonly mirrors?: MirrorsAccess;
  readonly journal: UndoJournal;
  /** Resolves when the facts are those of the machine. Not there: they are already. */
  readonly factsKnown?: () => Promise<void>;
}

export async function runRequest(
  request: FunctionRequest,
  signal: AbortSignal,
  context: RequestContext,
): Promise<ExecResponse> {
  const { system, facts, runtime, peelId, version, functions, states } = context;
  const { clock, log } = runtime;
  const look = { files: system.files, clock, log };
  const files = new RequestFiles(states?.sources ?? NO_SOURCES, states?.settings ?? NO_SETTINGS_SOURCE, look);
  const call: EngineContext = {
    system,
    facts,
    clock,
    signal,
    peelId,
    jid: request.jid,
    version,
    functions,
    stateModules: states?.modules ?? NO_STATE_MODULES,
    async settings() {
      // The top file of settings asks for facts.
      await states?.factsKnown?.();
      return files.settings(signal);
    },
    mirrors: states?.mirrors ?? NO_MIRRORS,
    rest: {},
  };
  const engine = states === undefined ? NO_STATES : stateEngine(states, files, runtime, call);
  // One that does not end is left behind (execution.ts), and must not keep an old tree for ever.
  const abandon = () => void clock.after(ABANDON_MS, () => files.release());
  signal.addEventListener('abort', abandon, { once: true });
  try {
    const response = await runFunction(request, { ...call, states: engine });
    return withNote({ ...response, ...files.used() }, files.note());
  } finally {
    signal.removeEventListener('abort', abandon);
    files.release();
  }
}

/** It stands with the first result, where people see it. */
function withNote(response: ExecResponse, note: string): ExecResponse {
  const [first, ...others] = response.results;
  if (note === '' || first === undefined) return response;
  const { details } = first;
  const notes = details.note === undefined ? note : `${details.note}; ${note}`;
  return { ...response, results: [{ ...first, details: { ...details, note: notes } }, ...others] };
}

const NO_SOURCES: StateSources = { mirror: undefined, bakedDir: undefined };
const NO_SETTINGS_SOURCE: SettingsSource = {
  use: async () => ({ resolved: NO_SETTINGS, revision: 0, note: '' }),
};

const NO_STATE_MODULES = stateModuleRegistry([]);
