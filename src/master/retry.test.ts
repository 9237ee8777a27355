import { describe, expect, it } from 'vitest';
import { zesterError } from '../core/errors/zester-error.ts';
import { jsonLog } from '../runtime/log.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { retried, untilKnown } from './retry.ts';

const timeout = () => zesterError('BUS_TIMEOUT', { what: 'x', ms: 1 });
const down = () => zesterError('BUS_DISCONNECTED', { what: 'x' });
const tooLarge = () => zesterError('BUS_TOO_LARGE', { what: 'x', bytes: 2, max: 1 });

function setUp(failures: readonly Error[]) {
  const clock = virtualClock();
  const runtime = { clock, random: seededRandom(1), log: jsonLog({ clock, write: () => undefined }) };
  const left = [...failures];
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return 'done';
  };
  return { clock, runtime, attempt, attempts: () => attempts, ending: new AbortController() };
}

describe('retried', () => {
  it('goes on through every trouble of the bus, with growing pauses', async () => {
    const { clock, runtime, attempt, attempts, ending } = setUp([down(), timeout(), down(), down(), down()]);
    const result = retried(runtime, ending.signal, 'it', attempt);
    await clock.advance(1_000);
    expect(attempts()).toBeLessThan(6);
    await clock.advance(10_000);
    expect(await result).toBe('done');
  });

  it('gives up when nobody is interested any more, and for what repetition cannot help', async () => {
    const first = setUp(Array.from({ length: 50 }, down));
    const result = retried(first.runtime, first.ending.signal, 'it', first.attempt);
    const refused = expect(result).rejects.toThrow('abort');
    await first.clock.advance(500);
    first.ending.abort();
    await refused;
    const second = setUp([tooLarge()]);
    await expect(retried(second.runtime, second.ending.signal, 'it', second.attempt)).rejects.toThrow(
      'limit',
    );
  });
});

describe('untilKnown', () => {
  it('throws at once what had no effect', async () => {
    const { runtime, attempt, attempts, ending } = setUp([down()]);
    await expect(untilKnown(runtime, ending.signal, attempt)).rejects.toThrow('not connected');
    expect(attempts()).toBe(1);
  });

  it('but once an attempt may have had one, goes on until it knows', async () => {
    const { clock, runtime, attempt, attempts, ending } = setUp([timeout(), down(), down()]);
    const result = untilKnown(runtime, ending.signal, attempt);
    await clock.advance(10_000);
    expect(await result).toBe('done');
    expect(attempts()).toBe(4);
  });

  it('a refusal of our own is an outcome', async () => {
    const { clock, runtime, attempt, ending } = setUp([timeout(), zesterError('MASTER_STOPPING', {})]);
    const result = untilKnown(runtime, ending.signal, attempt);
    const refused = expect(result).rejects.toThrow('stopping');
    await clock.advance(1_000);
    await refused;
  });
});

describe('a retry policy', () => {
  const policyUntil = (isOver: () => boolean) => {
    const failures: string[] = [];
    return { isOver, failed: (error: Error) => void failures.push(error.message), failures };
  };

  it('keeps both trying, and hears of every failure', async () => {
    for (const repeat of [
      (...[runtime, signal, attempt, policy]: Parameters<typeof untilKnown<string>>) =>
        retried(runtime, signal, 'it', attempt, policy),
      untilKnown<string>,
    ]) {
      const { clock, runtime, attempt, ending } = setUp([down(), down(), down()]);
      const policy = policyUntil(() => false);
      const result = repeat(runtime, ending.signal, attempt, policy);
      await clock.advance(10_000);
      expect(await result).toBe('done');
      expect(policy.failures).toHaveLength(3);
    }
  });

  it('that is over ends what had no effect, and what may be repeated; never what is in doubt', async () => {
    const first = setUp(Array.from({ length: 50 }, down));
    const isLate = () => first.clock.monotonicMs() > 3_000;
    const refused = expect(
      untilKnown(first.runtime, first.ending.signal, first.attempt, policyUntil(isLate)),
    ).rejects.toThrow('not connected');
    await first.clock.advance(60_000);
    await refused;
    const second = setUp([timeout(), down(), down()]);
    const known = untilKnown(
      second.runtime,
      second.ending.signal,
      second.attempt,
      policyUntil(() => true),
    );
    await second.clock.advance(10_000);
    expect(await known).toBe('done');
    const third = setUp([timeout()]);
    await expect(
      retried(
        third.runtime,
        third.ending.signal,
        'it',
        third.attempt,
        policyUntil(() => true),
      ),
    ).rejects.toThrow('answer');
  });

  it('that is over ends the running pause, and only that one: what is in doubt is not tried without end', async () => {
    const { clock, runtime, attempt, attempts, ending } = setUp([
      timeout(),
      ...Array.from({ length: 5_000 }, down),
    ]);
    const hurry = new AbortController();
    const policy = { ...policyUntil(() => hurry.signal.aborted), hurry: hurry.signal };
    const result = untilKnown(runtime, ending.signal, attempt, policy);
    const refused = expect(result).rejects.toThrow('abort');
    await clock.advance(10_000);
    const before = attempts();
    hurry.abort();
    await clock.advance(0);
    expect(attempts()).toBe(before + 1);
    await clock.advance(60_000);
    expect(attempts() - before).toBeGreaterThan(5);
    expect(attempts() - before).toBeLessThan(30);
    ending.abort();
    await refused;
  });

  it('is not asked while all goes well', async () => {
    const { runtime, attempt, ending } = setUp([]);
    expect(
      await untilKnown(
        runtime,
        ending.signal,
        attempt,
        policyUntil(() => true),
      ),
    ).toBe('done');
  });
});
