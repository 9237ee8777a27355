import { describe, expect, it } from 'vitest';
import type { Jid, MasterId, PeelId } from '../../wire/names/ids.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { execRequestOf } from './exec-request.ts';
import { claimedJob, deadlineOf, execEpochOf, runningJob } from './job-record.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const ME = 'master-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as MasterId;
const OTHER = 'master-2hPx2Kd8VnR7YmWqTz4PLsCfNjA' as MasterId;
const peel = (i: number) => `web-${i}` as PeelId;
const NOW = 1_700_000_000_000_000_000n;

const jobWith = (given: Partial<Job>): Job =>
  jobCodec.create({ jid: JID, function: 'test.ping', targets: [peel(1)], status: 'pending', ...given });

describe('dispatch', () => {
  it('never takes the client’s word on clock, owner, epochs or counts', () => {
    const asked = jobWith({
      deadline: 1n,
      owner: OTHER,
      epoch: 9,
      execEpoch: 8,
      reclaimCount: 7,
      returnCount: 6,
      timeout: 5n,
    });
    expect(claimedJob(asked, ME, NOW)).toMatchObject({
      status: 'claimed',
      owner: ME,
      deadline: NOW + 5n,
      epoch: 0,
      execEpoch: 0,
      reclaimCount: 0,
      returnCount: 0,
    });
  });

  it('a job without a timeout gets 60 seconds, a record without a deadline the one it should have had', () => {
    expect(claimedJob(jobWith({}), ME, NOW).deadline).toBe(NOW + 60_000_000_000n);
    expect(deadlineOf(jobWith({ created: NOW, timeout: 7n }))).toBe(NOW + 7n);
    expect(deadlineOf(jobWith({ created: NOW }))).toBe(NOW + 60_000_000_000n);
  });

  it('the exec epoch is the revision that set running, and is carried on by whoever writes later', () => {
    const running = runningJob(claimedJob(jobWith({}), ME, NOW), 10, NOW);
    expect(execEpochOf(running, 11)).toBe(11);
    const adopted = { ...running, owner: OTHER, execEpoch: execEpochOf(running, 11) };
    expect(execEpochOf(adopted, 42)).toBe(11);
    expect(execRequestOf(adopted, 11)).toEqual(execRequestOf(running, 11));
  });

  it('requests carry the reactor depth of the job, and none for nonsense', () => {
    const depth = (text: string) =>
      execRequestOf(jobWith({ metadata: { reactor_depth: text } }), 1).reactorDepth;
    expect(['2', '-1', 'x', '', '1e9', '0'].map(depth)).toEqual([2, 0, 0, 0, 0, 0]);
  });
});
