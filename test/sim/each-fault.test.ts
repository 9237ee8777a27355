/**
 * Runs the simulator under each kind of fault alone: few virtual minutes, full of that fault. test/soak runs more of them,
 * as rare as they are.
 */
import { describe, expect, it } from 'vitest';
import { FAULT_KINDS, type FaultKind, planFaults } from '../../src/sim/faults/faults.ts';
import { expectHeld, simulationOf, TIME_MS_MAX } from './simulate.ts';

/** Half the time of a run elsewhere, and about as much that happens in it. */
const RUN = { seed: 77, minutes: 2.5, jobsPerMinute: 10, editsPerMinute: 5 };
const INTENSITY = 8;
const FAULTS_MIN = 3;

/** A rare kind comes more often. */
function intensityFor(kind: FaultKind): number {
  let intensity = INTENSITY;
  while (planFaults(simulationOf({ ...RUN, kinds: [kind], intensity })).length < FAULTS_MIN) intensity *= 2;
  return intensity;
}

describe('every promise holds', () => {
  it.each(FAULT_KINDS.map((kind) => [kind] as [FaultKind]))(
    'under %s alone',
    async (kind) => {
      const { timeline } = await expectHeld({ ...RUN, kinds: [kind], intensity: intensityFor(kind) });
      const noted = (start: string) => timeline.filter(({ what }) => what.startsWith(start)).length;
      expect(noted(`fault: ${kind} `)).toBeGreaterThanOrEqual(FAULTS_MIN);
      if (kind.startsWith('crash-')) expect(noted('dies ')).toBeGreaterThan(0);
    },
    TIME_MS_MAX,
  );
});
