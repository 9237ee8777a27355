/** What functions get, on a machine in memory: for tests and the simulator. Facts are kept in a variable. */
import { assert } from '../core/assert.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../runtime/virtual-clock.ts';
import { type MemoryMachineOptions, memorySystem } from '../system/memory/memory-machine.ts';
import type { ExecResponse } from '../wire/exec.ts';
import { parseJid, parsePeelId } from '../wire/ids.ts';
import type { WireMap } from '../wire/wire-value.ts';
import { lookUpFact, withFact } from './facts/fact-path.ts';
import { FUNCTIONS } from './registry.ts';
import { type RunContext, runFunction } from './run-function.ts';

export interface MemoryContext {
  readonly context: RunContext;
  readonly clock: VirtualClock;
  /** Cancels what runs. */
  cancel(): void;
  /** As a request for this peel would run it. */
  run(module: string, id?: string, args?: WireMap): Promise<ExecResponse>;
}

export function memoryContext(
  initial: WireMap = {},
  options: Partial<MemoryMachineOptions> = {},
): MemoryContext {
  const clock = virtualClock();
  const controller = new AbortController();
  const peelId = parsePeelId('web-01');
  const jid = parseJid('2wHyPZTlDs1GYQ6jPnDs7v3TqWk');
  assert(peelId !== undefined && jid !== undefined, 'the ids of a test are valid');
  let facts = initial;
  const context: RunContext = {
    system: memorySystem({ clock, random: seededRandom(1), ...options }),
    facts: {
      all: () => facts,
      get: (path) => lookUpFact(facts, path),
      setCustom: async (path, value) => {
        facts = withFact(facts, path, value);
      },
    },
    clock,
    signal: controller.signal,
    peelId,
    version: '1.2.3',
    functions: FUNCTIONS,
  };
  return {
    context,
    clock,
    cancel: () => controller.abort(),
    run: (module, id = '', args = {}) => runFunction({ jid, module, id, args }, context),
  };
}
