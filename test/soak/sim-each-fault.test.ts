/** The simulator under each kind of fault alone, longer than in `npm test` and with faults as rare as they are. */
import { it } from 'vitest';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { FAULT_KINDS, type FaultKind } from '../../src/sim/faults/faults.ts';
import { expectHeld } from '../sim/simulate.ts';

const seed = Number(process.env.ZESTER_CHAOS_SEED ?? Math.floor(systemClock.nowMs() / 1_000) % 1_000_000);

it.each(FAULT_KINDS.map((kind) => [kind] as [FaultKind]))(
  'every promise holds under %s alone',
  async (kind) => {
    await expectHeld({ seed: 77, kinds: [kind], intensity: 4, minutes: 5 });
    await expectHeld({ seed, kinds: [kind], intensity: 4, minutes: 20 });
  },
);
