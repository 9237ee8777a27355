import { describe, expect, it } from 'vitest';
import type { PeelId } from '../../wire/names/ids.ts';
import { progressLine } from './progress-line.ts';

const peels = ['a', 'b', 'c', 'd', 'e'] as unknown as PeelId[];

describe('progressLine', () => {
  it('counts, and names who is waited for: first those that run, then the silent', () => {
    const returns = new Map([['a', {}]]) as never;
    const acks = new Map(['a', 'e'].map((peel) => [peel as PeelId, { ackedMs: 0, behind: undefined }]));
    const line = progressLine({ targets: peels, acks, returns }, 3_200);
    expect(line).toBe('1/5 returned, 1 running, 3 unreachable so far, 3 s; waiting for e, b, c');
  });

  it('a target that has the job in its queue does not run it', () => {
    const behind = '2hPx1FNsSgJMqVn5bLSTXeBQMpO';
    const acks = new Map([
      ['a' as PeelId, { ackedMs: 0, behind: undefined }],
      ['b' as PeelId, { ackedMs: 0, behind }],
    ]);
    const line = progressLine({ targets: peels.slice(0, 3), acks, returns: new Map() }, 1_000);
    expect(line).toBe(
      `0/3 returned, 1 running, 1 waiting behind job ${behind}, 1 unreachable so far, 1 s; waiting for a, b, c`,
    );
  });
});
