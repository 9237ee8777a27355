import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobAckSubject } from '../../wire/names/subjects.ts';
import { ackCodec } from '../../wire/records/job-return.ts';
import { readJobWord } from '../../wire/records/job-words.ts';
import { type JobAcks, jobWaitsBehind, noteAck } from './job-acks.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const OTHER = '2hPx2Kd8VnR7YmWqTz4PLsCfNjA' as Jid;
const WEB = 'web-01' as PeelId;

const ack = (behind: string, peel = WEB, subject = jobAckSubject(JID, WEB)) =>
  readJobWord(subject, ackCodec.encode({ jid: JID, peelId: peel, timestamp: 1n, behind }));

describe('acks of a job', () => {
  it('a target that has started has started, in whatever order that is heard, and however often', () => {
    const words = fc.shuffledSubarray(['', OTHER, 'direct', OTHER], { minLength: 1 });
    fc.assert(
      fc.property(words, (said) => {
        const acks: JobAcks = new Map();
        said.forEach((behind, index) => {
          noteAck(acks, JID, ack(behind), index);
        });
        const waits = said.includes('') ? undefined : said.at(-1);
        expect(acks.get(WEB)).toEqual({ ackedMs: 0, behind: waits });
      }),
    );
  });

  it.each([
    ['of another peel', ack('', 'web-02' as PeelId)],
    ['that is nothing', readJobWord(jobAckSubject(JID, WEB), Uint8Array.of(1))],
    ['of another job', ack('', WEB, jobAckSubject(OTHER, WEB))],
  ])('one %s does not count', (_what, message) => {
    const acks: JobAcks = new Map();
    noteAck(acks, JID, message, 0);
    expect(acks.size).toBe(0);
  });
});

describe('what a job waits behind', () => {
  const acks = (...behind: (string | undefined)[]) =>
    new Map(behind.map((each, index) => [`web-${index}` as PeelId, { ackedMs: 0, behind: each }]));

  it.each([
    [acks(), []],
    [acks(OTHER, undefined), []],
    [acks(OTHER, OTHER), [OTHER]],
    [acks(OTHER, JID), [OTHER, JID]],
    [acks('direct'), ['direct']],
  ])('%j', (given, expected) => {
    const targets = [...given.keys()];
    expect(jobWaitsBehind({ targets, acks: given, hasReturn: false })).toEqual(expected);
    expect(jobWaitsBehind({ targets, acks: given, hasReturn: true })).toEqual([]);
    // A peel that is no target has no say.
    expect(jobWaitsBehind({ targets: [], acks: given, hasReturn: false })).toEqual([]);
  });
});
