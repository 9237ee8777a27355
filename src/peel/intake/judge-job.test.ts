import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid } from '../../wire/names/ids.ts';
import { execRequestCodec } from '../../wire/records/exec.ts';
import { endingIfLate, type JobView, judgeJob } from './judge-job.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const request = (given: { epoch?: number; protocol?: number; deadline?: bigint } = {}) =>
  execRequestCodec.create({ jid: JID, module: 'test.ping', epoch: 7, ...given });
const VIEW: JobView = {
  acceptedEpoch: undefined,
  canceled: false,
  now: 1_000n,
  queueHasRoom: true,
  spoolHasRoom: true,
};

const anyView: fc.Arbitrary<JobView> = fc.record({
  acceptedEpoch: fc.option(fc.nat(10), { nil: undefined }),
  canceled: fc.boolean(),
  now: fc.bigInt(0n, 2_000n),
  queueHasRoom: fc.boolean(),
  spoolHasRoom: fc.boolean(),
});
const anyRequest = fc
  .record({
    epoch: fc.nat(10),
    protocol: fc.nat(2),
    deadline: fc.option(fc.bigInt(1n, 2_000n), { nil: undefined }),
  })
  .map(({ deadline, ...given }) => request(deadline === undefined ? given : { ...given, deadline }));

describe('judgeJob', () => {
  it('what was accepted once is never accepted again, whatever else is true', () => {
    fc.assert(
      fc.property(anyRequest, anyView, fc.nat(10), (asked, view, acceptedEpoch) => {
        expect(judgeJob(asked, { ...view, acceptedEpoch }).do).toBe('repeat');
      }),
    );
  });

  it('accepts exactly what is new, wanted, in time, understood and has room', () => {
    fc.assert(
      fc.property(anyRequest, anyView, (asked, view) => {
        const inTime = asked.deadline === undefined || view.now < asked.deadline;
        const acceptable =
          view.acceptedEpoch === undefined &&
          !view.canceled &&
          inTime &&
          asked.protocol <= 1 &&
          view.queueHasRoom &&
          view.spoolHasRoom;
        expect(judgeJob(asked, view).do === 'accept').toBe(acceptable);
      }),
    );
  });

  it.each([
    [6, 'rejected stale dispatch (epoch too old)'],
    [7, 'rejected duplicate dispatch (jid already observed at this epoch)'],
    [8, 'rejected duplicate dispatch (jid already observed at an earlier epoch)'],
  ])('says of a repeat at epoch %i: %s', (epoch, remark) => {
    expect(judgeJob(request({ epoch }), { ...VIEW, acceptedEpoch: 7 })).toEqual({ do: 'repeat', remark });
  });

  it('an ending comes before the question of room, and nothing is kept when the spool is full', () => {
    const late = request({ deadline: 1_000n });
    expect(judgeJob(late, { ...VIEW, queueHasRoom: false }).do).toBe('answer');
    expect(judgeJob(late, { ...VIEW, spoolHasRoom: false }).do).toBe('drop');
    expect(judgeJob(request(), { ...VIEW, queueHasRoom: false }).do).toBe('turn-away');
  });

  it('late is at the deadline and after it', () => {
    const asked = request({ deadline: 1_767_225_600_000_000_000n });
    expect(endingIfLate(asked, 1_767_225_599_999_999_999n)).toBeUndefined();
    expect(endingIfLate(asked, 1_767_225_600_000_000_000n)).toEqual({
      error:
        'expired: not started, its deadline was 2026-01-01T00:00:00Z and the clock here says 2026-01-01T00:00:00Z',
      outcome: 'expired',
    });
    expect(endingIfLate(request(), 2n ** 62n)).toBeUndefined();
  });
});
