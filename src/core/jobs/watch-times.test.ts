import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobCodec } from '../../wire/records/job.ts';
import { returnCodec } from '../../wire/records/job-return.ts';
import { LAST_WORD_MS, msToClosing } from './watch-times.ts';
import { JobTally } from './job-tally.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const peel = (i: number) => `web-${i}` as PeelId;

/** A job of which each target has said this. */
function tallyOf(words: readonly ('nothing' | 'ack' | 'return')[]): JobTally {
  const targets = words.map((_word, i) => peel(i));
  const tally = new JobTally(
    jobCodec.create({ jid: JID, function: 'test.ping', targets, status: 'running' }),
  );
  for (const [i, word] of words.entries()) {
    if (word !== 'nothing') tally.noteAck(peel(i), 1n);
    if (word === 'return')
      tally.noteReturn(peel(i), returnCodec.create({ jid: JID, peelId: peel(i), success: false }));
  }
  return tally;
}

const words = fc.array(fc.constantFrom('nothing', 'ack', 'return'), { minLength: 1, maxLength: 6 });
const msToDeadline = fc.integer({ min: -20_000, max: 20_000 });

describe('closing time', () => {
  it.each([
    ['all returned, long before the deadline', ['return', 'return'], 9_000, 0],
    ['one at work before the deadline', ['return', 'ack'], 9_000, 9_000],
    ['one silent before the deadline', ['return', 'nothing'], 9_000, 9_000],
    ['one at work at the deadline', ['return', 'ack', 'nothing'], 0, LAST_WORD_MS],
    ['one at work a second later', ['ack'], -1_000, LAST_WORD_MS - 1_000],
    ['one at work for too long', ['ack'], -LAST_WORD_MS, 0],
    ['only silent ones at the deadline', ['return', 'nothing'], 0, 0],
  ] as const)('%s', (_what, said, ms, left) => {
    expect(msToClosing(tallyOf(said), ms)).toBe(left);
  });

  it('is never before the deadline while a target has not returned, and never later than the last word', () => {
    fc.assert(
      fc.property(words, msToDeadline, (said, ms) => {
        const left = msToClosing(tallyOf(said), ms);
        if (said.every((word) => word === 'return')) return left === 0;
        return left >= Math.max(0, ms) && left <= Math.max(0, ms + LAST_WORD_MS);
      }),
    );
  });

  it('is not put off by a target that never accepted the job', () => {
    fc.assert(
      fc.property(words, msToDeadline, (said, ms) => {
        fc.pre(ms <= 0);
        const heard = said.filter((word) => word !== 'nothing');
        return msToClosing(tallyOf(said), ms) === (heard.length > 0 ? msToClosing(tallyOf(heard), ms) : 0);
      }),
    );
  });

  it('comes when the last one at work has returned', () => {
    const tally = tallyOf(['ack', 'ack', 'nothing']);
    const back = (i: number) =>
      tally.noteReturn(peel(i), returnCodec.create({ jid: JID, peelId: peel(i), success: false }));
    back(0);
    expect(msToClosing(tally, -1)).toBe(LAST_WORD_MS - 1);
    back(1);
    expect(msToClosing(tally, -1)).toBe(0);
  });
});
