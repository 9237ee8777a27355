import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobAckSubject, jobReturnSubject } from '../../wire/names/subjects.ts';
import { ackCodec, type Row, rowCodec } from '../../wire/records/job-return.ts';
import { readPeelWord } from './peel-word.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const OTHER = '2hPx2Kd8VnR7YmWqTz4PLsCfNjA' as Jid;
const WEB = 'web-1' as PeelId;
const DB = 'db-1' as PeelId;
const returnOf = (given: Partial<Row> = {}) =>
  rowCodec.create({ jid: JID, peelId: WEB, success: true, ...given });

describe('the word of a peel', () => {
  it('is an ack or a return of the peel and the job in the subject', () => {
    const ack = ackCodec.encode({ jid: JID, peelId: WEB, timestamp: 1n, behind: '' });
    expect(readPeelWord(jobAckSubject(JID, WEB), ack)).toEqual({ kind: 'ack', jid: JID, peel: WEB });
    const word = readPeelWord(jobReturnSubject(JID, WEB), rowCodec.encode(returnOf()));
    expect(word).toMatchObject({ kind: 'return', jid: JID, peel: WEB, value: { success: true } });
  });

  it.each([
    ['another peel', jobReturnSubject(JID, DB), returnOf()],
    ['another job', jobReturnSubject(OTHER, WEB), returnOf()],
    ['a row that only masters write', jobReturnSubject(JID, WEB), returnOf({ unreachable: true })],
    ['a subject that is not ours', 'zester.event.web-1.send.x', returnOf()],
    ['a longer subject', `${jobReturnSubject(JID, WEB)}.more`, returnOf()],
  ])('%s is nonsense', (_what, subject, value) => {
    expect(readPeelWord(subject, rowCodec.encode(value)).kind).toBe('nonsense');
  });

  it('whatever the bytes, it never throws', () => {
    const subjects = [jobAckSubject(JID, WEB), jobReturnSubject(JID, WEB), 'x', ''];
    fc.assert(
      fc.property(fc.constantFrom(...subjects), fc.uint8Array({ maxLength: 200 }), (subject, data) => {
        expect(['ack', 'return', 'nonsense']).toContain(readPeelWord(subject, data).kind);
      }),
    );
  });
});
