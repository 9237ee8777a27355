import { describe, expect, it } from 'vitest';
import type { Jid, MasterId, PeelId } from '../../wire/names/ids.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { judgeCollision, sameIntent } from './job-intent.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const ME = 'master-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as MasterId;
const OTHER = 'master-2hPx2Kd8VnR7YmWqTz4PLsCfNjA' as MasterId;
const peel = (i: number) => `web-${i}` as PeelId;
const NOW = 1_700_000_000_000_000_000n;

const jobWith = (given: Partial<Job>): Job =>
  jobCodec.create({ jid: JID, function: 'test.ping', targets: [peel(1)], status: 'pending', ...given });

describe('collision of job ids', () => {
  const asked = jobWith({ args: { a: 1, b: { c: [1, 'x'] } }, targets: [peel(1), peel(2)] });
  it.each([
    ['our own interrupted claim', { status: 'claimed', owner: ME }, 'resume'],
    ['another’s claim', { status: 'claimed', owner: OTHER }, 'claim-pending'],
    ['the same job, running', { status: 'running', owner: OTHER }, 'already-dispatched'],
    ['the same job, done', { status: 'complete', owner: OTHER }, 'already-dispatched'],
    ['another job', { status: 'running', function: 'cmd.run' }, 'conflict'],
    ['our own claim of another job', { status: 'claimed', owner: ME, function: 'cmd.run' }, 'conflict'],
  ] as const)('%s', (_what, existing, verdict) => {
    expect(judgeCollision({ ...asked, ...existing } as Job, asked, ME)).toBe(verdict);
  });

  it('order of targets and keys is no difference; any value is', () => {
    expect(
      sameIntent(asked, { ...asked, targets: [peel(2), peel(1)], args: { b: { c: [1, 'x'] }, a: 1n } }),
    ).toBe(true);
    expect(sameIntent(asked, { ...asked, created: NOW, updated: NOW, owner: ME, epoch: 3 })).toBe(true);
    for (const change of [
      { args: { a: '1', b: { c: [1, 'x'] } } },
      { user: 'bob' },
      { timeout: 1n },
      { stateId: 'x' },
      { metadata: { a: 'b' } },
    ]) {
      expect(sameIntent(asked, { ...asked, ...change } as Job)).toBe(false);
    }
  });
});
