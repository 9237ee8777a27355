import { expect, it } from 'vitest';
import { concurrentMap } from './concurrent-map.ts';

const items = Array.from({ length: 50 }, (_, index) => index);

it('answers in order, and never asks more than a few at once', async () => {
  let [open, most] = [0, 0];
  const answers = await concurrentMap(items, 8, async (item) => {
    most = Math.max(most, ++open);
    await Promise.resolve();
    open -= 1;
    return item * 2;
  });
  expect(answers).toEqual(items.map((item) => item * 2));
  expect(most).toBe(8);
  expect(await concurrentMap([], 8, async () => 1)).toEqual([]);
});

it('a failure is told, and nothing is asked after it', async () => {
  const asked: number[] = [];
  const failing = concurrentMap(items, 8, async (item) => {
    asked.push(item);
    await Promise.resolve();
    if (item === 3) throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  const before = asked.length;
  await Promise.resolve();
  expect([before < 20, asked.length]).toEqual([true, before]);
});
