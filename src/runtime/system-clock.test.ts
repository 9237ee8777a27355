import { describe, expect, it } from 'vitest';
import { systemClock } from './system-clock.ts';

describe('systemClock', () => {
  it('fires once, not before its time', async () => {
    const startedMs = systemClock.monotonicMs();
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    expect(systemClock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(19);
  });

  it('a delay longer than a Node timer can hold does not fire at once', async () => {
    let fired = false;
    const timer = systemClock.after(2 ** 33, () => {
      fired = true;
    });
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    timer.cancel();
    expect(fired).toBe(false);
  });

  it('wall time is the machine’s', () => {
    expect(Math.abs(systemClock.nowMs() - Date.now())).toBeLessThan(1_000);
  });
});
