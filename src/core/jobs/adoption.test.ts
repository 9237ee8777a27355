import { describe, expect, it } from 'vitest';
import type { Jid, MasterId } from '../../wire/ids.ts';
import { jobCodec } from '../../wire/job.ts';
import { adoptedJob, RECLAIMS_MAX, reasonToGiveUp } from './adoption.ts';

const ME = 'master-me' as MasterId;
const job = (given: object) =>
  jobCodec.create({
    jid: '0ujtsYcgvSTl8PAuAdqWYSMnLOv' as Jid,
    function: 'test.ping',
    targets: [],
    owner: 'master-dead' as MasterId,
    created: 1_000n,
    timeout: 500n,
    ...given,
  });

describe('an adopted job', () => {
  it('has a new owner, one more reclaim and the same status', () => {
    const adopted = adoptedJob(job({ status: 'running', reclaimCount: 1 }), 9, ME, 7n);
    expect(adopted).toMatchObject({ owner: ME, status: 'running', reclaimCount: 2, updated: 7n, epoch: 0 });
  });

  it('keeps the exec epoch: the revision of the write that set it running, or what a later write carries', () => {
    expect(adoptedJob(job({ status: 'running', execEpoch: 0 }), 9, ME, 7n).execEpoch).toBe(9);
    expect(adoptedJob(job({ status: 'running', execEpoch: 4 }), 9, ME, 7n).execEpoch).toBe(4);
  });

  it('has no exec epoch as long as nothing was sent', () => {
    expect(adoptedJob(job({ status: 'claimed' }), 9, ME, 7n).execEpoch).toBe(0);
  });

  it('keeps its deadline, and gets the one it should have had', () => {
    expect(adoptedJob(job({ status: 'claimed', deadline: 5n }), 9, ME, 7n).deadline).toBe(5n);
    expect(adoptedJob(job({ status: 'claimed', deadline: undefined }), 9, ME, 7n).deadline).toBe(1_500n);
  });

  it('is refused for a job that has ended', () => {
    expect(() => adoptedJob(job({ status: 'complete' }), 9, ME, 7n)).toThrow(/ended/);
  });
});

describe('giving up', () => {
  it.each([
    [RECLAIMS_MAX, undefined],
    [RECLAIMS_MAX + 1, /reclaimed 4 times/],
  ])('after %i adoptions: %s', (reclaimCount, reason) => {
    const given = reasonToGiveUp(job({ status: 'running', reclaimCount }));
    if (reason === undefined) expect(given).toBeUndefined();
    else expect(given).toMatch(reason);
  });
});
