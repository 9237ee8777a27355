import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobCodec } from '../../wire/records/job.ts';
import { rowCodec } from '../../wire/records/job-return.ts';
import { JobTally } from './job-tally.ts';
import { LAST_WORD_MS, msToClosing, msToResend, RESEND_GAP_MS_MAX } from './watch-times.ts';

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
      tally.noteReturn(peel(i), rowCodec.create({ jid: JID, peelId: peel(i), success: false }));
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
      tally.noteReturn(peel(i), rowCodec.create({ jid: JID, peelId: peel(i), success: false }));
    back(0);
    expect(msToClosing(tally, -1)).toBe(LAST_WORD_MS - 1);
    back(1);
    expect(msToClosing(tally, -1)).toBe(0);
  });
});

/** Every moment after the first send at which a target that stays silent is sent to again. */
function momentsOf(ackWindowMs: number, timeoutMs: number): number[] {
  const moments: number[] = [];
  for (let atMs = 0; ; ) {
    const gapMs = msToResend(ackWindowMs, moments.length + 1, timeoutMs - atMs);
    if (gapMs === undefined) return moments;
    atMs += gapMs;
    moments.push(atMs);
  }
}

const windows = fc.integer({ min: 0, max: 120_000 });
const timeouts = fc.integer({ min: 0, max: 7_200_000 });

describe('a silent target is sent its request again', () => {
  it('at 5, 15, 35, 75 s and then every minute', () => {
    expect(momentsOf(5_000, 240_000).map((ms) => ms / 1_000)).toEqual([5, 15, 35, 75, 135, 195]);
  });

  it('never, when the window is negative', () => {
    fc.assert(
      fc.property(
        fc.integer({ max: -1 }),
        timeouts,
        (ms, timeoutMs) => momentsOf(ms, timeoutMs).length === 0,
      ),
    );
  });

  it('after the window first, at growing intervals, and not at or after the deadline', () => {
    fc.assert(
      fc.property(windows, timeouts, (windowMs, timeoutMs) => {
        const moments = momentsOf(windowMs, timeoutMs);
        const gaps = moments.map((ms, i) => ms - (moments[i - 1] ?? 0));
        return (
          moments.every((ms) => ms < timeoutMs) &&
          gaps.every(
            (ms, i) => ms >= (gaps[i - 1] ?? windowMs) && ms <= Math.max(windowMs, RESEND_GAP_MS_MAX),
          )
        );
      }),
    );
  });

  it('until the deadline: whatever is left is shorter than the next interval', () => {
    fc.assert(
      fc.property(windows, timeouts, (windowMs, timeoutMs) => {
        const last = momentsOf(windowMs, timeoutMs).at(-1) ?? 0;
        return timeoutMs - last <= Math.max(windowMs, RESEND_GAP_MS_MAX);
      }),
    );
  });
});
