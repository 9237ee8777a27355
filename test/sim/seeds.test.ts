/** Runs the simulator over a fixed set of seeds. */
import { describe, expect, it } from 'vitest';
import { expectHeld, TIME_MS_MAX } from './simulate.ts';

/** Seeds in which all that is expected below happens: with another mix of faults it may be other ones. */
const FIXED = [1, 2, 4];

describe('every promise holds', () => {
  it(
    'and masters notice it when the server has forgotten',
    async () => {
      const { counts } = await expectHeld({
        seed: 1,
        masters: 2,
        kinds: ['nats-forgets'],
        intensity: 40,
        jobsPerMinute: 20,
        minutes: 3,
      });
      expect(counts.olderReports).toBeGreaterThan(0);
    },
    TIME_MS_MAX,
  );

  it(
    'and machines join, are shut out in spite of older documents, and go on through rotations',
    async () => {
      const { trust } = await expectHeld({
        seed: 6,
        kinds: ['crash-in-trust', 'older-document', 'forgery'],
        intensity: 6,
        minutes: 6,
      });
      expect(trust.joined).toBeGreaterThan(4);
      expect(trust.revoked).toBeGreaterThan(1);
      expect(trust.revokedWords).toBeGreaterThan(0);
      expect(trust.rotations).toBeGreaterThan(0);
    },
    TIME_MS_MAX,
  );

  it.each(FIXED)(
    'under all faults, seed %i',
    async (seed) => {
      const result = await expectHeld({ seed });
      expect(result.jobs).toBeGreaterThan(30);
      expect(result.counts.adoptions).toBeGreaterThan(0);
      expect(result.states.runs).toBeGreaterThan(10);
      expect(result.states.died).toBeGreaterThan(0);
    },
    TIME_MS_MAX,
  );

  it(
    'without any fault, and states are applied and brought back',
    async () => {
      const { states } = await expectHeld({ seed: 5, kinds: [], jobsPerMinute: 12 });
      expect(states.runs).toBeGreaterThan(30);
      expect(states.restored).toBeGreaterThan(5);
    },
    TIME_MS_MAX,
  );
});
