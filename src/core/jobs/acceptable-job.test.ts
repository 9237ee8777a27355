import { describe, expect, it } from 'vitest';
import type { Jid, MasterId, PeelId } from '../../wire/names/ids.ts';
import { execRequestCodec } from '../../wire/records/exec.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { jobEventCodec } from '../../wire/records/job-event.ts';
import { acceptableJob, fittingClaim } from './acceptable-job.ts';
import { execRequestOf } from './exec-request.ts';
import { judgeCollision } from './job-intent.ts';
import { claimedJob, runningJob } from './job-record.ts';
import { JobTally } from './job-tally.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const ME = 'master-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as MasterId;
const jobWith = (given: Partial<Job>): Job =>
  jobCodec.create({ jid: JID, function: 'test.ping', targets: ['a' as PeelId], status: 'pending', ...given });

describe('what a client asks for', () => {
  it.each([
    ['MASTER_NO_TARGETS', { targets: [] }],
    ['MASTER_NO_FUNCTION', { function: '' }],
    ['MASTER_PROTOCOL', { protocol: 2 }],
    ['MASTER_TIMEOUT_TOO_LONG', { timeout: 2n ** 63n - 1n }],
  ])('is refused with %s', (code, given) => {
    expect(() => acceptableJob(jobWith(given as Partial<Job>))).toThrow(expect.objectContaining({ code }));
  });

  it('is taken with each target once, and without what only masters say', () => {
    const asked = jobWith({
      targets: ['b', 'a', 'b'] as PeelId[],
      offlineAtDispatch: ['a' as PeelId],
      metadata: { failed_reason: 'mine', source: 'reactor' },
    });
    const job = acceptableJob(asked);
    expect(job.targets).toEqual(['b', 'a']);
    expect(job.offlineAtDispatch).toEqual([]);
    expect(job.metadata).toEqual({ source: 'reactor' });
    expect(acceptableJob(job)).toEqual(job);
  });

  it('is the same job when it is asked for again after a master gave it up', () => {
    const asked = acceptableJob(jobWith({}));
    const tally = new JobTally(asked);
    tally.noteFailure('a reason');
    expect(judgeCollision({ ...tally.finalJob(7, 1n), owner: ME }, asked, ME)).toBe('already-dispatched');
  });
});

describe('size', () => {
  const claimOf = (job: Job) => claimedJob(job, ME, 1_700_000_000_000_000_000n);

  it('what is accepted fits in every message it ends up in', () => {
    for (const max of [4_096, 65_536]) {
      for (let count = 1; count < 4_000; count = Math.ceil(count * 1.3)) {
        const targets = Array.from({ length: count }, (_, i) => `some-peel-${i}` as PeelId);
        const claim = claimOf(
          jobWith({ targets, offlineAtDispatch: targets, args: { a: 'x'.repeat(count) } }),
        );
        let fitting: Job;
        try {
          fitting = fittingClaim(claim, max);
        } catch (error) {
          expect(error).toMatchObject({ code: 'MASTER_JOB_TOO_LARGE' });
          continue;
        }
        const running = runningJob(fitting, 2 ** 50, fitting.updated);
        const tally = new JobTally(running);
        tally.noteFailure('r'.repeat(200));
        const final = tally.finalJob(2 ** 50, fitting.updated);
        const event = jobEventCodec.create({ jid: JID, type: 'dispatched', data: jobCodec.encode(fitting) });
        const sizes = [
          jobCodec.encode(final).length,
          jobEventCodec.encode(event).length,
          execRequestCodec.encode(execRequestOf(running, 2 ** 50)).length,
        ];
        expect(Math.max(...sizes)).toBeLessThan(max - 300);
      }
    }
  });

  it('the hint goes first', () => {
    const targets = Array.from({ length: 200 }, (_, i) => `some-peel-${i}` as PeelId);
    const claim = claimOf(jobWith({ targets, offlineAtDispatch: targets }));
    expect(fittingClaim(claim, 16_384).offlineAtDispatch).toHaveLength(200);
    expect(fittingClaim(claim, 6_000).offlineAtDispatch).toEqual([]);
    expect(() => fittingClaim(claim, 3_000)).toThrow('200 targets');
  });
});
