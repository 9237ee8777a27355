import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobCodec } from '../../wire/records/job.ts';
import { type Row, returnCodec, rowCodec } from '../../wire/records/job-return.ts';
import { isRealReturn, isSuccess, outcomeOf, rowFor, rowOf } from './target-row.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const peel = (i: number) => `web-${i}` as PeelId;
const returnOf = (i: number, given: Partial<Row> = {}): Row =>
  rowCodec.create({ jid: JID, peelId: peel(i), success: true, ...given });

describe('the row of a target that returned', () => {
  it('a peel can say of itself that it was canceled or too late, and nothing better', () => {
    expect(outcomeOf(returnOf(1))).toBe('returned');
    expect(outcomeOf(returnOf(1, { error: 'boom' }))).toBe('failed');
    expect(outcomeOf(returnOf(1, { success: false, outcome: 'expired' }))).toBe('expired');
    expect(outcomeOf(returnOf(1, { success: false, outcome: 'canceled' }))).toBe('canceled');
    expect(outcomeOf(returnOf(1, { success: false, outcome: 'unreachable' }))).toBe('failed');
    expect(outcomeOf(returnOf(1, { success: false, outcome: 'returned' }))).toBe('failed');
    expect(rowOf(returnOf(1)).outcome).toBe('returned');
  });

  it('says nothing that only masters may say, whatever it is made from', () => {
    const said = returnCodec.create({ jid: JID, peelId: peel(1), success: true });
    const smuggled = { ...said, unreachable: true, proof: { acked: 1n, heartbeatAge: 2n, epoch: 3 } };
    expect(rowOf(smuggled)).toEqual({ ...said, outcome: 'returned', unreachable: false, proof: undefined });
    expect(isRealReturn(rowOf(smuggled))).toBe(true);
  });
});

describe('the row of a silent target', () => {
  const job = jobCodec.create({
    jid: JID,
    function: 'test.ping',
    targets: [peel(1)],
    status: 'running',
    epoch: 7,
  });
  const silence = { peel: peel(1), acked: undefined, heartbeatAge: 5n, isCanceled: false, isGivenUp: false };

  it.each([
    ['nothing was heard of it', {}, 'unreachable', 'UNREACHABLE: no ack and no return before the deadline'],
    ['it accepted', { acked: 3n }, 'running', 'accepted, but did not return before the deadline'],
    ['canceled', { acked: 3n, isCanceled: true }, 'canceled', 'canceled before it returned'],
    [
      'given up',
      { isGivenUp: true },
      'unreachable',
      'UNREACHABLE: no ack and no return before the job was given up',
    ],
  ] as const)('%s', (_what, given, outcome, error) => {
    const row = rowFor(job, { ...silence, ...given }, 9n);
    const acked = 'acked' in given ? given.acked : undefined;
    expect(row).toMatchObject({
      outcome,
      error,
      timestamp: 9n,
      proof: { acked, heartbeatAge: 5n, epoch: 7 },
    });
    expect([isRealReturn(row), isSuccess(row), outcomeOf(row)]).toEqual([false, false, outcome]);
  });
});
