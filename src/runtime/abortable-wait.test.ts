import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { unlessAborted, whenAborted, within } from './abortable-wait.ts';
import { virtualClock } from './virtual-clock.ts';

const never = new Promise<never>(() => undefined);

describe('unlessAborted', () => {
  it('gives what the promise gives, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(unlessAborted(Promise.reject(new RangeError('no')), signal)).rejects.toThrow('no');
    await Promise.resolve();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects with the reason as soon as the signal aborts, also when it has aborted before', async () => {
    const stop = new AbortController();
    const waiting = unlessAborted(never, stop.signal);
    stop.abort(new RangeError('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(unlessAborted(Promise.resolve(1), stop.signal)).rejects.toThrow('enough');
  });
});

describe('within', () => {
  it('gives what the promise gives in time, and takes its timer away', async () => {
    const clock = virtualClock();
    expect(await within(clock, 1_000, Promise.resolve('done'))).toBe('done');
    await expect(within(clock, 1_000, Promise.reject(new RangeError('no')))).rejects.toThrow('no');
    await Promise.resolve();
    expect(clock.nextInMs()).toBeUndefined();
  });

  it('gives undefined when time is up, and does not hear of a failure after that', async () => {
    const clock = virtualClock();
    let fail: (error: Error) => void = () => undefined;
    const slow = new Promise<string>((_, reject) => {
      fail = reject;
    });
    const waiting = within(clock, 1_000, slow);
    await clock.advance(1_000);
    expect(await waiting).toBeUndefined();
    fail(new RangeError('too late'));
    await clock.advance(0);
  });
});

describe('whenAborted', () => {
  it('resolves at the abort, or at once after it', async () => {
    const stop = new AbortController();
    const aborted = whenAborted(stop.signal);
    stop.abort();
    await aborted;
    await whenAborted(stop.signal);
  });
});
