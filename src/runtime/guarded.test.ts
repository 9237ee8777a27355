import { expect, it } from 'vitest';
import { guarded } from './guarded.ts';
import type { Log } from './log.ts';

it('logs what a callback throws, and goes on', () => {
  const logged: unknown[] = [];
  const silent = () => undefined;
  const log: Log = {
    debug: silent,
    info: silent,
    warn: silent,
    error: (...line) => logged.push(line),
    with: () => log,
  };
  const bug = new RangeError('a bug');
  const heard: number[] = [];
  guarded(log, (n: number) => heard.push(n), 1);
  guarded(
    log,
    () => {
      throw bug;
    },
    2,
  );
  guarded(log, undefined, 3);
  expect([heard, logged]).toEqual([[1], [['a callback threw', { error: bug }]]]);
});
