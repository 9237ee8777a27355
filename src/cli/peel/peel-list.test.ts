import { describe, expect, it } from 'vitest';
import { lastSeen } from '../../client/peels/last-seen.ts';
import { lastSeenText } from './peel-list.ts';

const NOW_MS = 10_000_000;
const shown = (heartbeatMs?: number, factsMs?: number, wordMs?: number) =>
  lastSeenText(lastSeen({ heartbeatMs, factsMs, wordMs }), NOW_MS);

describe('when a peel was last seen', () => {
  it.each([
    ['its heartbeat says it', [NOW_MS - 5_000, NOW_MS - 900_000, undefined], '5s ago'],
    [
      'else the later of facts',
      [undefined, NOW_MS - 600_000, NOW_MS - 900_000],
      '10m ago or later, by its facts',
    ],
    ['and jobs', [undefined, NOW_MS - 900_000, NOW_MS - 600_000], '10m ago or later, by a job'],
    ['or one of them', [undefined, undefined, NOW_MS - 600_000], '10m ago or later, by a job'],
    ['or nothing', [undefined, undefined, undefined], 'unknown'],
  ] as const)('%s', (_what, [heartbeat, facts, word], text) => {
    expect(shown(heartbeat, facts, word)).toBe(text);
  });
});
