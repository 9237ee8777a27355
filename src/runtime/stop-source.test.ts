import { expect, it } from 'vitest';
import { sleep } from './clock.ts';
import { stopSource } from './stop-source.ts';
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
