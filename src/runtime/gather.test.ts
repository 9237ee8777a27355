import { describe, expect, it } from 'vitest';
import { gathering } from './gather.ts';
import { virtualClock } from './virtual-clock.ts';

describe('gathering', () => {
  it('lets all who come within a window go together, in order, and the next ones in the next', async () => {
    const clock = virtualClock();
    const gather = gathering(clock, 8);
    const went: [name: string, atMs: number][] = [];
    const come = (name: string) => void gather().then(() => went.push([name, clock.monotonicMs()]));
    const start = clock.monotonicMs();
    come('a');
    await clock.advance(7);
    come('b');
    expect(went).toEqual([]);
    await clock.advance(1);
    come('c');
    await clock.advance(20);
    expect(went.map(([name, atMs]) => [name, atMs - start])).toEqual([
      ['a', 8],
      ['b', 8],
      ['c', 16],
    ]);
    expect(clock.nextInMs()).toBeUndefined();
  });
});
