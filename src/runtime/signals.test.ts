import { expect, it } from 'vitest';
import { sleep } from './clock.ts';
import { stopSource, timeoutSignal } from './signals.ts';
import { virtualClock } from './virtual-clock.ts';

it('lets many wait for one signal without a word', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on('warning', listen);
  const source = stopSource();
  const clock = virtualClock();
  const waits = Array.from({ length: 50 }, () => sleep(clock, 1_000, source.signal));
  source.abort(new Error('stop'));
  const ends = await Promise.allSettled(waits);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', listen);
  expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
  expect(warnings).toEqual([]);
});

it('aborts when time is up with what is known then, and never after its work has ended', async () => {
  const clock = virtualClock();
  let known = 'nothing';
  const late = timeoutSignal(clock, 1_000, () => new RangeError(known));
  const inTime = timeoutSignal(clock, 1_000);
  known = 'the server is away';
  inTime.cancel();
  await clock.advance(1_000);
  expect(late.signal.reason).toEqual(new RangeError('the server is away'));
  expect(inTime.signal.aborted).toBe(false);
});
