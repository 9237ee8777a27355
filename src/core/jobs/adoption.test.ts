import { describe, expect, it } from 'vitest';
import type { Jid, MasterId } from '../../wire/names/ids.ts';
import { jobCodec } from '../../wire/records/job.ts';
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

const adopted = (given: object, departure: 'left' | 'died' = 'died') =>
  adoptedJob(job(given), { revision: 9, owner: ME, departure, now: 7n });

describe('an adopted job', () => {
  it('has a new owner, one more reclaim and the same status', () => {
    expect(adopted({ status: 'running', reclaimCount: 1 })).toMatchObject({
      owner: ME,
      status: 'running',
      reclaimCount: 2,
      updated: 7n,
      epoch: 0,
    });
  });

  it('that was handed over has no reclaim more: nothing has died over it', () => {
    expect(adopted({ status: 'running', reclaimCount: 1 }, 'left').reclaimCount).toBe(1);
  });

  it('keeps the exec epoch: the revision of the write that set it running, or what a later write carries', () => {
    expect(adopted({ status: 'running', execEpoch: 0 }).execEpoch).toBe(9);
    expect(adopted({ status: 'running', execEpoch: 4 }).execEpoch).toBe(4);
  });

  it('has no exec epoch as long as nothing was sent', () => {
    expect(adopted({ status: 'claimed' }).execEpoch).toBe(0);
    expect(adopted({ status: 'pending' })).toMatchObject({ status: 'claimed', execEpoch: 0 });
  });

  it('keeps its deadline, and gets the one it should have had', () => {
    expect(adopted({ status: 'claimed', deadline: 5n }).deadline).toBe(5n);
    expect(adopted({ status: 'claimed', deadline: undefined }).deadline).toBe(1_500n);
  });

  it('is refused for a job that has ended', () => {
    expect(() => adopted({ status: 'complete' })).toThrow(/ended/);
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
