import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOXES, FAULT_KINDS, type FaultPlan, type PlannedFault, planFaults } from './faults.ts';

const plans: fc.Arbitrary<FaultPlan> = fc.record({
  seed: fc.nat(),
  masters: fc.integer({ min: 1, max: 4 }),
  peels: fc.integer({ min: 1, max: 8 }),
  minutes: fc.integer({ min: 1, max: 90 }),
  kinds: fc.subarray([...FAULT_KINDS]),
  intensity: fc.double({ min: 0.1, max: 5, noNaN: true }),
});

const BASE: FaultPlan = { seed: 1, masters: 2, peels: 3, minutes: 600, kinds: FAULT_KINDS, intensity: 1 };

function isPossible(plan: FaultPlan, { atMs, kind, node, forMs, dose }: PlannedFault): boolean {
  const [, role, number] = /^(master|peel|box)-(\d+)$/.exec(node) ?? [];
  const most = role === 'master' ? plan.masters : role === 'box' ? BOXES : plan.peels;
  const isNode = role === undefined ? node === 'server' : Number(number) >= 1 && Number(number) <= most;
  const isTime = atMs >= 0 && atMs <= plan.minutes * 60_000 && forMs >= 0;
  return isNode && isTime && plan.kinds.includes(kind) && dose >= 0 && dose < 1;
}

describe('planned faults', () => {
  it('are the same for the same plan', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(planFaults(plan)).toEqual(planFaults({ ...plan }));
      }),
    );
  });

  it('come in order of time, inside the run, of the kinds that were asked for, at nodes that there are', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const faults = planFaults(plan);
        const timesMs = faults.map(({ atMs }) => atMs);
        expect(timesMs).toEqual([...timesMs].sort((a, b) => a - b));
        expect(faults.filter((each) => !isPossible(plan, each))).toEqual([]);
      }),
    );
  });

  it('are others for another seed', () => {
    expect(planFaults(BASE)).not.toEqual(planFaults({ ...BASE, seed: 2 }));
  });

  it('have every kind in ten hours, and each node', () => {
    const faults = planFaults(BASE);
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
    const nodes = ['box-1', 'box-2', 'box-3', 'master-1', 'master-2', 'peel-1', 'peel-2', 'peel-3', 'server'];
    expect(new Set(faults.map(({ node }) => node))).toEqual(new Set(nodes));
  });

  it('come more often with more intensity', () => {
    expect(planFaults({ ...BASE, intensity: 3 }).length).toBeGreaterThan(2 * planFaults(BASE).length);
  });

  it('do not hit a node twice at once with the same fault', () => {
    const faults = planFaults({ ...BASE, kinds: ['partition'], intensity: 10 });
    for (const node of ['peel-1', 'master-2']) {
      const own = faults.filter((fault) => fault.node === node);
      expect(own.length).toBeGreaterThan(10);
      for (const [i, { atMs }] of own.entries()) {
        const before = own[i - 1];
        if (before !== undefined) expect(atMs).toBeGreaterThanOrEqual(before.atMs + before.forMs - 1);
      }
    }
  });
});
