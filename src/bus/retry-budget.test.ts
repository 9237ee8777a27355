import { beforeEach, describe, expect, it } from 'vitest';
import { zesterError } from '../core/errors/zester-error.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../runtime/virtual-clock.ts';
import { NO_RETRIES, withRetries } from './retry-budget.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const WHAT = 'the question';
const unavailable = () => zesterError('BUS_STORE_UNAVAILABLE', { what: WHAT, reason: 'no leader' });
const timeout = (ms: number) => zesterError('BUS_TIMEOUT', { what: WHAT, ms });

describe('patiently', () => {
  let clock: VirtualClock;
  let runtime: Runtime;
  beforeEach(() => {
    clock = virtualClock();
    runtime = { clock, random: seededRandom(1), log: silent };
  });

  /** A store that answers from then on; before it nobody does, and each try takes all its time. */
  const answersAfter = (ms: number) => {
    const allowedMs: number[] = [];
    const attempt = async (timeoutMs: number) => {
      allowedMs.push(timeoutMs);
      if (clock.monotonicMs() >= ms) return 'answer';
      await new Promise<void>((resolve) => clock.after(timeoutMs, resolve));
      throw timeout(timeoutMs);
    };
    return { attempt, allowedMs };
  };
  const run = async <T>(work: Promise<T>, ms = 60_000): Promise<T> => {
    const settled = work.catch(() => undefined);
    await clock.advance(ms);
    await settled;
    return work;
  };

  it('asks again until the election is over, and answers at most one try and a pause after it', async () => {
    const { attempt } = answersAfter(9_000);
    let answeredMs = 0;
    const work = withRetries(runtime, { ms: 30_000 }, WHAT, attempt).then((answer) => {
      answeredMs = clock.monotonicMs();
      return answer;
    });
    expect(await run(work)).toBe('answer');
    expect(answeredMs).toBeLessThan(9_000 + 6_500);
  });

  it('a question that was lost with a node is asked again after 2 s, later ones have 5 s', async () => {
    const { attempt, allowedMs } = answersAfter(8_000);
    await run(withRetries(runtime, { ms: 30_000 }, WHAT, attempt));
    expect(allowedMs).toEqual([2_000, 5_000, 5_000, 5_000].slice(0, allowedMs.length));
    expect(allowedMs.length).toBeGreaterThan(2);
  });

  it('in the end says for how long nobody answered', async () => {
    const { attempt } = answersAfter(Number.POSITIVE_INFINITY);
    const work = withRetries(runtime, { ms: 10_000 }, WHAT, attempt);
    await expect(run(work)).rejects.toThrow(/no answer to the question within 1\d{4} ms/);
  });

  it('another failure of the store is told as it was', async () => {
    const attempt = () => Promise.reject(unavailable());
    await expect(run(withRetries(runtime, { ms: 1_000 }, WHAT, attempt))).rejects.toMatchObject({
      code: 'BUS_STORE_UNAVAILABLE',
    });
  });

  it('what will not pass is not repeated', async () => {
    let tries = 0;
    const attempt = () => {
      tries += 1;
      return Promise.reject(zesterError('BUS_STORE_MISSING', { asset: WHAT }));
    };
    await expect(run(withRetries(runtime, { ms: 30_000 }, WHAT, attempt))).rejects.toMatchObject({
      code: 'BUS_STORE_MISSING',
    });
    expect(tries).toBe(1);
  });

  it('without a budget there is one try', async () => {
    const { attempt, allowedMs } = answersAfter(1);
    await expect(run(withRetries(runtime, NO_RETRIES, WHAT, attempt))).rejects.toMatchObject({
      code: 'BUS_TIMEOUT',
    });
    expect(allowedMs).toEqual([5_000]);
  });

  it('whoever waits is told once, after a moment', async () => {
    const told: string[] = [];
    const waiting = (why: Error) => told.push(`${Math.round(clock.monotonicMs() / 1_000)} s: ${why.message}`);
    const attempt = () => (clock.monotonicMs() < 9_000 ? Promise.reject(unavailable()) : Promise.resolve(1));
    await run(withRetries(runtime, { ms: 30_000, waiting }, WHAT, attempt));
    expect(told).toEqual([`${told[0]?.slice(0, 1)} s: ${unavailable().message}`]);
    expect(Number(told[0]?.slice(0, 1))).toBeGreaterThanOrEqual(3);
  });
});
