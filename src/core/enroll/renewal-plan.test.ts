import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reconnectDueMs, renewalDueMs, renewalPauses } from './renewal-plan.ts';

const DAY_MS = 86_400_000;
const LIFE = { issuedAtMs: 0, expiresAtMs: 180 * DAY_MS };
const chance = fc.double({ min: 0, max: 1, noNaN: true });

describe('when credentials are renewed', () => {
  it('at two thirds of their life, spread over a tenth of it', () => {
    expect(renewalDueMs(LIFE, 0.5) / DAY_MS).toBeCloseTo(120);
    expect(renewalDueMs(LIFE, 0) / DAY_MS).toBeCloseTo(111);
    expect(renewalDueMs(LIFE, 1) / DAY_MS).toBeCloseTo(129);
  });

  it('and the connection is made anew before the last tenth, however late it is', () => {
    fc.assert(
      fc.property(chance, fc.double({ min: 0, max: 200, noNaN: true }), (drawn, day) => {
        const atMs = reconnectDueMs(LIFE, day * DAY_MS, drawn);
        expect(atMs).toBeGreaterThanOrEqual(day * DAY_MS);
        if (day < 162) expect(atMs).toBeLessThanOrEqual(162 * DAY_MS);
        else expect(atMs).toBe(day * DAY_MS);
      }),
    );
  });

  it('tries fit into what is left, and do not come by the second', () => {
    expect(renewalPauses(LIFE)).toEqual({ firstMs: 1_555_200, maxMs: 3_600_000 });
    expect(renewalPauses({ issuedAtMs: 0, expiresAtMs: 10_000 })).toEqual({ firstMs: 500, maxMs: 500 });
  });
});
