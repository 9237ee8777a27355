import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { CANCEL_RATES, CheckBudget, DIRECT_RATE } from './check-budget.ts';

const FLOOD = 50_000;
const jid = (i: number) => `job-${i}` as Jid;
const proof = (i: number) => `v1.ed25519.${i}`;

/** How many of a flood were let through to a check. */
function checkedOf(decide: (i: number) => string): number {
  return Array.from({ length: FLOOD }, (_, i) => decide(i)).filter((decision) => decision === 'check').length;
}

describe('signatures that are checked', () => {
  it('of jobs that were not seen: as many as the budget, whatever the flood; then as many as come back', async () => {
    const clock = virtualClock();
    const budget = new CheckBudget(clock, () => 'keys');
    const ask = (i: number) => budget.forCancel('not-seen', jid(i), proof(i));
    const { burst, perSecond } = CANCEL_RATES['not-seen'];
    expect(checkedOf(ask)).toBe(burst);
    await clock.advance(1_000);
    expect(checkedOf(ask)).toBe(perSecond);
  });

  it('of jobs that are at work have a budget of their own, as have direct requests', () => {
    const budget = new CheckBudget(virtualClock(), () => 'keys');
    checkedOf((i) => budget.forCancel('not-seen', jid(i), proof(i)));
    expect(budget.forCancel('at-work', jid(1), proof(1))).toBe('check');
    expect(checkedOf(() => budget.forDirect())).toBe(DIRECT_RATE.burst);
    expect(budget.forCancel('at-work', jid(1), proof(1))).toBe('check');
  });

  it('a repeat of what was refused costs nothing, and leaves the budget to the true one', () => {
    const budget = new CheckBudget(virtualClock(), () => 'keys');
    budget.noteRefused(jid(1), proof(1));
    expect(checkedOf(() => budget.forCancel('at-work', jid(1), proof(1)))).toBe(0);
    expect(budget.forCancel('at-work', jid(1), proof(2))).toBe('check');
    expect(budget.forCancel('at-work', jid(2), proof(1))).toBe('check');
  });

  it('a refusal holds for the keys it was made with: a peel that did not know the key yet checks again', () => {
    let keys = 'none';
    const budget = new CheckBudget(virtualClock(), () => keys);
    budget.noteRefused(jid(1), proof(1));
    keys = 'the command key';
    expect(budget.forCancel('at-work', jid(1), proof(1))).toBe('check');
  });

  it('what has nothing to stop is not looked at, and what is no proof is no work', () => {
    const budget = new CheckBudget(virtualClock(), () => 'keys');
    expect(budget.forCancel('nothing-to-stop', jid(1), proof(1))).toBe('ignore');
    expect(budget.forCancel('not-seen', jid(1), 'x'.repeat(2_000))).toBe('refuse');
    checkedOf((i) => budget.forCancel('not-seen', jid(i), ''));
    expect(budget.forCancel('not-seen', jid(1), proof(1))).toBe('check');
  });
});
