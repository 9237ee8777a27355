import { describe, expect, it } from 'vitest';
import type { PeelId } from '../../wire/ids.ts';
import { progressLine } from './progress-line.ts';

const peels = ['a', 'b', 'c', 'd', 'e'] as unknown as PeelId[];

describe('progressLine', () => {
  it('counts, and names who is waited for: first those that run, then the silent', () => {
    const returns = new Map([['a', {}]]) as never;
    const line = progressLine(
      { targets: peels, acked: new Set(['a', 'e'] as unknown as PeelId[]), returns, job: undefined },
      3_200,
    );
    expect(line).toBe('1/5 returned, 1 running, 3 unreachable so far, 3 s; waiting for e, b, c');
  });
});
