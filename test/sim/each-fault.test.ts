/** Runs the simulator under each kind of fault alone. */
import { describe, it } from 'vitest';
import { FAULT_KINDS, type FaultKind } from '../../src/sim/faults/faults.ts';
import { expectHeld, TIME_MS_MAX } from './simulate.ts';

describe('every promise holds', () => {
  it.each(FAULT_KINDS.map((kind) => [kind] as [FaultKind]))(
    'under %s alone',
    async (kind) => {
      await expectHeld({ seed: 77, kinds: [kind], intensity: 4, minutes: 5 });
    },
    TIME_MS_MAX,
  );
});
