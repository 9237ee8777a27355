import { describe, expect, it } from 'vitest';
import { judgeStoreHistory } from './store-history.ts';

const NOW_MS = 1_000_000_000_000;
const HOUR_MS = 3_600_000;
const loss = (hoursAgo: number) => ({
  asset: 'KV_jobs',
  kind: 'went-back' as const,
  before: 10,
  after: 5,
  noticedMs: NOW_MS - hoursAgo * HOUR_MS,
});
const judge = (losses: readonly ReturnType<typeof loss>[], unnoticed: typeof losses = []) =>
  judgeStoreHistory({ losses, unnoticed, nowMs: NOW_MS });

describe('judgeStoreHistory', () => {
  it.each([
    ['nothing was lost', judge([]), 'ok', 'no stream of jobs is older', ''],
    ['lost an hour ago', judge([loss(1)]), 'fail', 'noticed 1h ago: KV_jobs ends at sequence 5', 'job list'],
    ['lost three days ago', judge([loss(72)]), 'warn', 'noticed 72h ago', 'job list'],
    ['lost longer ago than records live', judge([loss(8 * 24)]), 'ok', 'no stream', ''],
    ['lost twice', judge([loss(50), loss(2)]), 'fail', '(and 1 more within 7 days)', 'job list'],
    ['shows now', judge([], [loss(0)]), 'fail', 'NATS is older than it was: KV_jobs ends', 'job list'],
    ['no master yet', judgeStoreHistory('absent'), 'unknown', 'no master has written', 'start a master'],
  ])('%s', (_what, judgement, verdict, found, fix) => {
    expect([judgement.verdict, judgement.found, judgement.fix]).toEqual([
      verdict,
      expect.stringContaining(found),
      expect.stringContaining(fix),
    ]);
  });
});
