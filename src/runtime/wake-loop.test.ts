import { describe, expect, it } from 'vitest';
import { seededRandom } from './seeded-random.ts';
import { virtualClock } from './virtual-clock.ts';
import { wakeLoop } from './wake-loop.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

function setUp(step: () => Promise<void>) {
  const clock = virtualClock();
  const troubles: string[] = [];
  const loop = wakeLoop({ clock, random: seededRandom(1), log: silent }, step, (error) =>
    troubles.push(error.message),
  );
  return { clock, loop, troubles };
}

describe('wakeLoop', () => {
  it('folds wake-ups during a step into one more', async () => {
    let steps = 0;
    let finish = () => {};
    const { clock, loop } = setUp(() => {
      steps += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    loop.wake();
    for (let i = 0; i < 10; i++) loop.wake();
    await clock.advance(0);
    expect(steps).toBe(1);
    finish();
    await clock.advance(0);
    expect(steps).toBe(2);
  });

  it('tries a failed step again, with growing pauses up to a limit, and reports each failure', async () => {
    const atMs: number[] = [];
    const { clock, loop, troubles } = setUp(async () => {
      atMs.push(clock.monotonicMs());
      throw new RangeError('no');
    });
    loop.wake();
    await clock.advance(10_000);
    const pauses = atMs.slice(1).map((ms, i) => ms - (atMs[i] ?? 0));
    expect(pauses.slice(0, 5)).toEqual([200, 400, 800, 1_600, 2_000]);
    expect(Math.max(...pauses)).toBe(2_000);
    expect(troubles.length).toBe(atMs.length);
  });

  it('does nothing more once it is stopped, also when a step was waiting', async () => {
    let steps = 0;
    const { clock, loop } = setUp(async () => {
      steps += 1;
      throw new RangeError('no');
    });
    loop.wake();
    await clock.advance(0);
    loop.stop();
    loop.wake();
    await clock.advance(60_000);
    expect(steps).toBe(1);
  });
});
