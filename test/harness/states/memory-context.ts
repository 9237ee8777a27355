/** `memoryContext` is what functions get, on a machine in memory. Facts are kept in a variable. */

import { assert } from '../../../src/core/assert.ts';
import type { DataMap } from '../../../src/core/data/data-value.ts';
import {
  fileMerge,
  type ResolvedSettings,
  resolvedFrom,
} from '../../../src/core/settings/resolved-settings.ts';
import { NO_WORDS } from '../../../src/core/target/operator-words.ts';
import { lookUpFact, withFact } from '../../../src/modules/facts/fact-path.ts';
import { NO_MIRRORS } from '../../../src/modules/files/mirrors-access.ts';
import { FUNCTIONS } from '../../../src/modules/registry.ts';
import { type FunctionRunContext, runFunction } from '../../../src/modules/run-function.ts';
import type { StatesAccess } from '../../../src/modules/state/state-access.ts';
import { STATE_MODULES } from '../../../src/modules/state-registry.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../../src/runtime/virtual-clock.ts';
import { type MemoryMachineOptions, memorySystem } from '../../../src/system/memory/memory-machine.ts';
import type { WireMap } from '../../../src/wire/msgpack/wire-value.ts';
import { parseJid, parsePeelId } from '../../../src/wire/names/ids.ts';
import type { ExecResponse } from '../../../src/wire/records/exec.ts';

export interface MemoryContext {
  readonly context: FunctionRunContext;
  readonly clock: VirtualClock;
  /** Cancels what runs. */
  cancel(): void;
  /** As a request for this peel would run it. */
  run(module: string, id?: string, args?: WireMap): Promise<ExecResponse>;
}

export function memoryContext(
  initial: WireMap = {},
  options: Partial<MemoryMachineOptions> = {},
  settings: DataMap = {},
): MemoryContext {
  const clock = virtualClock();
  const controller = new AbortController();
  const peelId = parsePeelId('web-01');
  const jid = parseJid('2wHyPZTlDs1GYQ6jPnDs7v3TqWk');
  assert(peelId !== undefined && jid !== undefined, 'the ids of a test are valid');
  let facts = initial;
  const context: FunctionRunContext = {
    system: memorySystem({ clock, random: seededRandom(1), ...options }),
    facts: {
      all: () => facts,
      words: () => NO_WORDS,
      get: (path) => lookUpFact(facts, path),
      setCustom: async (path, value) => {
        facts = withFact(facts, path, value);
      },
    },
    clock,
    signal: controller.signal,
    peelId,
    jid,
    version: '1.2.3',
    functions: FUNCTIONS,
    stateModules: STATE_MODULES,
    states: NO_STATE_FILES,
    settings: async () => settingsOf(settings),
    mirrors: NO_MIRRORS,
    rest: {},
  };
  return {
    context,
    clock,
    cancel: () => controller.abort(),
    run: (module, id = '', args = {}) => runFunction({ jid, module, id, args }, context),
  };
}

/** As if one file had them all. */
function settingsOf(data: DataMap): ResolvedSettings {
  const at = { file: 'settings.zy', line: 1 };
  const layer = { ref: 'settings', file: at.file, broughtBy: { file: 'top.zy' }, chain: [], pattern: '*' };
  return resolvedFrom(fileMerge({ ...layer, data, placeOf: () => at }));
}

/** An engine that never finds a state to run. The real one is the peel's. */
const NO_STATE_FILES: StatesAccess = {
  apply: nothing,
  check: nothing,
  revert: nothing,
  checkRevert: nothing,
  runs: async () => [],
  show: async () => ({}),
};

async function nothing() {
  return { results: [], canceled: false };
}
