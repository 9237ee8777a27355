import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../names/ids.ts';
import {
  jobAckSubject,
  jobCancelSubject,
  jobDispatchSubject,
  jobReturnSubject,
  jobScheduleSubject,
  jobStatusSubject,
} from '../names/subjects.ts';
import { jobEventCodec } from './job-event.ts';
import { ackCodec, type Row, returnCodec, rowCodec } from './job-return.ts';
import { readJobWord } from './job-words.ts';
import { scheduledResultCodec } from './scheduled-result.ts';

const JID = '0ujsszwN8NRY24YaXiTIE2VWDTS' as Jid;
const OTHER_JID = '0ujssxh0cECutqzMgbtXSGnjorm' as Jid;
const PEEL = 'web-01' as PeelId;
const OTHER_PEEL = 'web-02' as PeelId;

const ack = (jid: Jid, peelId: PeelId) => ackCodec.encode(ackCodec.create({ jid, peelId }));
const returned = (jid: Jid, peelId: PeelId) => returnCodec.encode(returnCodec.create({ jid, peelId }));
const event = (jid: Jid) => jobEventCodec.encode(jobEventCodec.create({ jid, type: 'dispatched' }));
const scheduled = (jid: Jid) => scheduledResultCodec.encode(scheduledResultCodec.create({ jid }));

describe('a word about a job', () => {
  it.each([
    ['ack', jobAckSubject(JID, PEEL), ack(JID, PEEL), { peel: PEEL }],
    ['return', jobReturnSubject(JID, PEEL), returned(JID, PEEL), { peel: PEEL }],
    ['schedule', jobScheduleSubject(JID, PEEL), scheduled(JID), { peel: PEEL }],
    ['dispatch', jobDispatchSubject(JID), event(JID), {}],
    ['status', jobStatusSubject(JID), event(JID), {}],
    ['cancel', jobCancelSubject(JID), Buffer.from('whatever'), {}],
  ])('is read by its subject: %s', (kind, subject, bytes, from) => {
    expect(readJobWord(subject, bytes)).toMatchObject({
      isReadable: true,
      value: { kind, jid: JID, ...from },
    });
  });

  it.each([
    ['an ack of another job', jobAckSubject(JID, PEEL), ack(OTHER_JID, PEEL)],
    ['an ack of another peel', jobAckSubject(JID, PEEL), ack(JID, OTHER_PEEL)],
    ['a return of another job', jobReturnSubject(JID, PEEL), returned(OTHER_JID, PEEL)],
    ['a return of another peel', jobReturnSubject(JID, PEEL), returned(JID, OTHER_PEEL)],
    ['a scheduled result of another job', jobScheduleSubject(JID, PEEL), scheduled(OTHER_JID)],
    ['an event of another job', jobDispatchSubject(JID), event(OTHER_JID)],
  ])('cannot be %s', (_, subject, bytes) => {
    const record = readJobWord(subject, bytes);
    expect(record).toMatchObject({ isReadable: false, problem: expect.stringContaining('another') });
  });

  it('of a peel has nothing in it that only masters say, whatever the peel sends', () => {
    const honest: Partial<Row> = { jid: JID, peelId: PEEL, success: true, error: 'e', outcome: 'expired' };
    const proof = { acked: 5n, heartbeatAge: 6n, epoch: 7 };
    const smuggled = rowCodec.encode(rowCodec.create({ ...honest, proof }));
    const record = readJobWord(jobReturnSubject(JID, PEEL), smuggled);
    expect(record).toEqual({
      isReadable: true,
      value: { kind: 'return', jid: JID, peel: PEEL, value: returnCodec.create(honest) },
    });
    expect(
      JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toMatch(/proof|unreachable/);
  });

  it('cannot be the row of a silent target', () => {
    const made = rowCodec.encode(rowCodec.create({ jid: JID, peelId: PEEL, unreachable: true }));
    expect(readJobWord(jobReturnSubject(JID, PEEL), made)).toMatchObject({
      isReadable: false,
      problem: expect.stringContaining('unreachable'),
    });
  });

  it('is never a throw, whatever the subject and the bytes', () => {
    const subject = fc.oneof(
      fc.string(),
      fc.constantFrom(jobAckSubject(JID, PEEL), jobReturnSubject(JID, PEEL), jobDispatchSubject(JID)),
    );
    fc.assert(
      fc.property(subject, fc.uint8Array({ maxLength: 80 }), (name, bytes) => {
        expect(typeof readJobWord(name, bytes).isReadable).toBe('boolean');
      }),
    );
  });
});
