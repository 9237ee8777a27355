/**
 * `resolveTree` makes the settings of this peel from a settings tree, with what its templates ask of this machine: they may
 * look and not act. It says whether the answer lasts: a resolve that asked the machine, the clock or chance may come out
 * otherwise the next time, though nothing of the tree, the facts or the secrets has changed.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { resolveSettings, type SettingsInput } from '../../core/settings/resolve-settings.ts';
import type { ResolvedSettings } from '../../core/settings/resolved-settings.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import type { TemplateMachine } from '../../core/states/template/template-context.ts';
import type { FactsAccess, FunctionContext, FunctionRegistry } from '../../modules/contract.ts';
import { NO_MIRRORS } from '../../modules/files/mirrors-access.ts';
import { NO_STATES } from '../../modules/state/state-access.ts';
import { stateModuleRegistry } from '../../modules/state-registry.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { templateAbilities } from '../../runtime/template-abilities.ts';
import type { System } from '../../system/system.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { templateMachine } from '../states/template-machine.ts';

/** Whose settings they are, and what their templates can ask. */
export interface SettingsHost {
  readonly system: System;
  readonly facts: FactsAccess;
  readonly runtime: Runtime;
  readonly peelId: PeelId;
  /** Of the program. */
  readonly version: string;
  readonly functions: FunctionRegistry;
}

export interface TreeResolve {
  readonly resolved: ResolvedSettings;
  readonly lasts: boolean;
}

export async function resolveTree(
  host: SettingsHost,
  tree: StateTree,
  secrets: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<TreeResolve> {
  let lasts = true;
  const passing = <T>(value: T): T => {
    lasts = false;
    return value;
  };
  const { machine, runtime, ...input } = treeInput(host, signal);
  const resolved = await resolveSettings({
    ...input,
    tree,
    machine: noticed(machine, passing),
    runtime: {
      ...runtime,
      random: () => passing(host.runtime.random.fraction()),
      nowMs: () => passing(host.runtime.clock.nowMs()),
    },
    secrets,
  });
  return { resolved, lasts };
}

/** All that a resolve needs but its tree and its secrets. */
export function treeInput(host: SettingsHost, signal: AbortSignal): Omit<SettingsInput, 'tree' | 'secrets'> {
  return {
    peelId: host.peelId,
    facts: host.facts.all(),
    words: host.facts.words(),
    machine: templateMachine(contextOf(host, signal), 'settings'),
    runtime: templateAbilities(host.runtime),
    signal,
  };
}

/** No state runs here, and settings that are in the making cannot be asked for. */
function contextOf(host: SettingsHost, signal: AbortSignal): FunctionContext {
  const { system, facts, runtime, peelId, version, functions } = host;
  return {
    system,
    facts,
    clock: runtime.clock,
    signal,
    peelId,
    jid: '',
    version,
    functions,
    stateModules: NO_MODULES,
    states: NO_STATES,
    settings: async () => {
      throw zesterError('SETTINGS_UNFINISHED', {});
    },
    mirrors: NO_MIRRORS,
    rest: {},
  };
}

const NO_MODULES = stateModuleRegistry([]);

function noticed(machine: TemplateMachine, passing: <T>(value: T) => T): TemplateMachine {
  return {
    functionNames: machine.functionNames,
    callFunction: (...call) => passing(machine.callFunction(...call)),
    hasProgram: (name) => passing(machine.hasProgram(name)),
    userInfo: (name) => passing(machine.userInfo(name)),
  };
}
