import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sleep } from './clock.ts';
import { virtualClock } from './virtual-clock.ts';

describe('virtualClock', () => {
  it('stands still until it is told to move', async () => {
    const clock = virtualClock(1_000);
    expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_000, 0]);
    await clock.advance(250);
    expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_250, 250]);
  });

  it('fires timers in the order of their time, those of one instant in the order they were set', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), (delays) => {
        const clock = virtualClock(0);
        const fired: [number, number][] = [];
        delays.forEach((delay, index) => {
          clock.after(delay, () => fired.push([clock.monotonicMs(), index]));
        });
        while (clock.fireNext());
        const expected = delays.map((delay, index) => [delay, index] as [number, number]);
        expect(fired).toEqual(expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
      }),
    );
  });

  it('a cancelled timer does not fire, whenever it is cancelled', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.boolean()), { maxLength: 40 }), (timers) => {
        const clock = virtualClock(0);
        const fired: number[] = [];
        const set = timers.map(([delay], index) => clock.after(delay, () => fired.push(index)));
        timers.forEach(([, cancel], index) => {
          if (cancel) set[index]?.cancel();
        });
        while (clock.fireNext());
        const kept = timers.flatMap(([, cancel], index) => (cancel ? [] : [index]));
        expect(fired.sort((a, b) => a - b)).toEqual(kept);
        for (const timer of set) timer.cancel();
        expect(clock.nextInMs()).toBeUndefined();
      }),
    );
  });

  it('advance lets promise callbacks set further timers that come due in it', async () => {
    const clock = virtualClock(0);
    const seen: number[] = [];
    const loop = async () => {
      for (let i = 0; i < 5; i++) {
        await sleep(clock, 10);
        seen.push(clock.monotonicMs());
      }
    };
    const done = loop();
    await clock.advance(35);
    expect(seen).toEqual([10, 20, 30]);
    await clock.advance(100);
    await done;
    expect(seen).toEqual([10, 20, 30, 40, 50]);
  });

  it('a jump of wall time moves neither timers nor monotonic time', async () => {
    const clock = virtualClock(10_000);
    let fired = false;
    clock.after(100, () => {
      fired = true;
    });
    clock.jumpWall(-5_000);
    expect(clock.nowMs()).toBe(5_000);
    await clock.advance(99);
    expect(fired).toBe(false);
    await clock.advance(1);
    expect(fired).toBe(true);
  });
});

describe('sleep', () => {
  it('ends early with the reason of its signal, and leaves no timer', async () => {
    const clock = virtualClock(0);
    const stop = new AbortController();
    const slept = sleep(clock, 1_000, stop.signal);
    stop.abort(new RangeError('stop'));
    await expect(slept).rejects.toThrow('stop');
    expect(clock.nextInMs()).toBeUndefined();
    await expect(sleep(clock, 1, stop.signal)).rejects.toThrow('stop');
  });
});
