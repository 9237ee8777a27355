import { describe, expect, it } from 'vitest';
import type { Log } from './log.ts';
import { periodic } from './periodic.ts';
import { seededRandom } from './seeded-random.ts';
import { virtualClock } from './virtual-clock.ts';

function bench() {
  const clock = virtualClock();
  const logged: string[] = [];
  const silent = () => undefined;
  const log: Log = {
    debug: silent,
    info: silent,
    warn: (message) => logged.push(message),
    error: silent,
    with: () => log,
  };
  return { clock, logged, runtime: { clock, random: seededRandom(1), log } };
}

const PERIOD = { what: 'the work', everyMs: 1_000, spread: 0 };

describe('periodic', () => {
  it('begins after one period, and the next period when the work has ended', async () => {
    const { clock, runtime } = bench();
    const begun: number[] = [];
    let end: () => void = () => undefined;
    const turns = periodic(runtime, PERIOD, () => {
      begun.push(clock.monotonicMs());
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    await clock.advance(5_000);
    expect(begun).toEqual([1_000]);
    end();
    await clock.advance(1_000);
    expect(begun).toEqual([1_000, 6_000]);
    turns.stop();
  });

  it('logs a failure and goes on', async () => {
    const { clock, runtime, logged } = bench();
    let turns = 0;
    const work = periodic(runtime, PERIOD, async () => {
      turns += 1;
      if (turns === 1) throw new RangeError('the first one fails');
    });
    await clock.advance(2_000);
    expect([turns, logged]).toEqual([2, ['the work: not this time']]);
    work.stop();
  });

  it('does nothing more after its stop, also when it is stopped in the middle of a turn', async () => {
    const { clock, runtime, logged } = bench();
    let turns = 0;
    const work = periodic(runtime, PERIOD, async () => {
      turns += 1;
      work.stop();
      throw new RangeError('nobody asks any more');
    });
    await clock.advance(10_000);
    expect([turns, logged, clock.nextInMs()]).toEqual([1, [], undefined]);
  });

  it('spreads its turns by no more than it is told', async () => {
    const { clock, runtime } = bench();
    const begun: number[] = [0];
    const work = periodic(runtime, { ...PERIOD, spread: 0.1 }, async () => {
      begun.push(clock.monotonicMs());
    });
    await clock.advance(100_000);
    work.stop();
    const gaps = begun.slice(1).map((atMs, index) => atMs - (begun[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(900);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_100);
    expect(new Set(gaps.map(Math.round)).size).toBeGreaterThan(10);
  });
});
