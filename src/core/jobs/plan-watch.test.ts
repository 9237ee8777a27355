/** The rules of a watched job, under every order of events that random choice finds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LOOK_GAP_MS,
  peel,
  TARGETS,
  TIMEOUT_MS,
  WatchShell,
} from '../../../test/harness/master/watch-shell.ts';
import { isTaking, NOT_TAKEN_MS, SILENCE_MS, type WatchEvent } from './job-watch.ts';
import { LAST_WORD_MS } from './watch-times.ts';

type Act =
  | { readonly act: 'advance'; readonly ms: number }
  | { readonly act: 'finish'; readonly how: 'well' | 'failed' | 'lost' }
  | { readonly act: 'ack' | 'return' | 'stop' | 'appear'; readonly who: number }
  | { readonly act: 'tell'; readonly event: WatchEvent }
  | { readonly act: 'stored' | 'cancel' };

const who = fc.integer({ min: 0, max: TARGETS - 1 });
const kind = <K extends WatchEvent['kind']>(...kinds: K[]) =>
  fc.constantFrom(...kinds).map((each): Act => ({ act: 'tell', event: { kind: each } as WatchEvent }));

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 20_000 }).map((ms): Act => ({ act: 'advance', ms })) },
  {
    weight: 6,
    arbitrary: fc.constantFrom('well', 'well', 'well', 'failed', 'lost').map(
      (how): Act => ({
        act: 'finish',
        how: how as 'well',
      }),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constantFrom('ack' as const, 'return' as const, 'stop' as const), who }),
  },
  { weight: 2, arbitrary: who.map((each): Act => ({ act: 'appear', who: each })) },
  { weight: 3, arbitrary: fc.constant<Act>({ act: 'stored' }) },
  { weight: 3, arbitrary: kind('listening', 'begun', 'heard', 'may-have-missed', 'not-taken') },
  { weight: 1, arbitrary: kind('must-end', 'detach', 'abandon', 'lost') },
  { weight: 1, arbitrary: fc.constant<Act>({ act: 'cancel' }) },
);

function play(shell: WatchShell, each: Act): void {
  if (each.act === 'advance') shell.advance(each.ms);
  else if (each.act === 'finish') shell.finish(each.how);
  else if (each.act === 'ack') shell.tally.noteAck(peel(each.who), 1n);
  else if (each.act === 'return') shell.takeReturn(each.who, 'returned');
  else if (each.act === 'stop') shell.takeReturn(each.who, 'canceled');
  else if (each.act === 'appear') shell.tell({ kind: 'appeared', peel: peel(each.who) });
  else if (each.act === 'tell') shell.tell(each.event);
  else if (each.act === 'cancel') shell.cancel();
  else if (each.act === 'stored' && shell.watch.pulse.unstored > 0) shell.tell({ kind: 'stored' });
}

/** Everything that is under way ends well, and time passes. */
function settle(shell: WatchShell): void {
  if (shell.watch.phase === 'open' && !shell.watch.isListening) shell.tell({ kind: 'listening' });
  for (let rounds = 0; shell.watch.phase !== 'gone' && rounds < 1_000; rounds++) {
    while (shell.running.length > 0) shell.finish('well');
    while (shell.watch.pulse.unstored > 0) shell.tell({ kind: 'stored' });
    if (shell.watch.phase === 'open') shell.advance((shell.alarmMs ?? shell.nowMs) - shell.nowMs);
  }
}

describe('a watched job', () => {
  it('whatever happens keeps the rules of every plan, and is over when the store answers', () => {
    const starts = fc.constantFrom<'held' | 'begun' | 'adopted' | 'given up'>(
      'held',
      'begun',
      'adopted',
      'given up',
    );
    fc.assert(
      fc.property(starts, fc.array(act, { maxLength: 60 }), (start, acts) => {
        const shell = new WatchShell();
        if (start === 'begun') shell.start();
        if (start === 'adopted' || start === 'given up')
          shell.tell({ kind: 'recovering', isGivenUp: start === 'given up' });
        for (const each of acts) play(shell, each);
        settle(shell);
        expect(shell.watch.phase).toBe('gone');
        expect(shell.nowMs).toBeLessThan(20_000 * 60 + TIMEOUT_MS + LAST_WORD_MS + 2_000);
      }),
      { numRuns: 800 },
    );
  });

  it('that is complete is ended, without waiting for anything but its rows', () => {
    const shell = new WatchShell({ targets: 3 }).start();
    for (const i of [0, 1, 2]) shell.takeReturn(i, 'returned');
    expect(shell.watch.phase).toBe('settling');
    for (const i of [0, 1]) {
      shell.tell({ kind: 'stored' });
      expect([i, shell.watch.phase]).toEqual([i, 'settling']);
    }
    shell.tell({ kind: 'stored' });
    expect(shell.watch.phase).toBe('counting');
    expect(shell.kinds()).toEqual(['send', 'stop-indexing', 'count']);
  });

  it('that is complete before anyone listens is ended all the same', () => {
    const shell = new WatchShell({ targets: 1 });
    shell.takeReturn(0, 'returned');
    expect(shell.watch.phase).toBe('settling');
  });

  it('that was given up is ended as soon as it is known who has returned, and sent to nobody', () => {
    const shell = new WatchShell({ targets: 2 });
    shell.tell({ kind: 'recovering', isGivenUp: true });
    shell.tell({ kind: 'listening' });
    expect(shell.kinds()).toEqual(['read-history']);
    shell.finish('well');
    expect(shell.kinds()).toEqual(['read-history', 'stop-indexing', 'read-again']);
  });

  it('in which a target was stopped is counted after the cancels are read', () => {
    const shell = new WatchShell({ targets: 1 }).start();
    shell.takeReturn(0, 'canceled');
    shell.tell({ kind: 'stored' });
    expect(shell.kinds()).toEqual(['send', 'stop-indexing', 'read-cancels']);
    shell.finish('well'); // the send
    shell.finish('well');
    expect(shell.kinds().at(-1)).toBe('count');
  });

  it('that ends without all returns has read the stream since, until nothing more was refused', () => {
    const shell = new WatchShell({ targets: 2 }).start();
    shell.finish('well');
    shell.takeReturn(0, 'returned');
    shell.cancel();
    expect(shell.kinds().at(-1)).toBe('read-again');
    // There was no room for one return in it.
    shell.finish('failed');
    expect(shell.kinds().filter((each) => each === 'read-again').length).toBe(1);
    shell.tell({ kind: 'stored' });
    expect(shell.kinds().filter((each) => each === 'read-again').length).toBe(2);
    shell.finish('well');
    expect(shell.kinds().at(-1)).toBe('count');
  });

  it('does not take a reading that began before the end for one that may end it', () => {
    const shell = new WatchShell({ targets: 2 }).start();
    shell.finish('well');
    shell.tell({ kind: 'may-have-missed' });
    shell.tell({ kind: 'owned', askedMs: 0 });
    shell.cancel();
    expect(shell.times('read-again').length).toBe(1);
    shell.running = [];
    shell.tell({ kind: 'read' });
    expect(shell.times('read-again').length).toBe(2);
  });

  it('sends to silent targets at the times of the ack window, and to nobody at or after the deadline', () => {
    const shell = new WatchShell().start();
    shell.advanceWell(TIMEOUT_MS + LAST_WORD_MS);
    expect(shell.times('send')).toEqual([0, 5_000, 15_000, 35_000]);
    expect(shell.watch.phase).toBe('gone');
    expect(shell.times('count')).toEqual([TIMEOUT_MS]);
  });

  it('waits for the last word of a target at work, and for nobody else', () => {
    const shell = new WatchShell().start();
    shell.tally.noteAck(peel(1), 1n);
    shell.advanceWell(TIMEOUT_MS + 2_000);
    expect(shell.watch.phase).toBe('open');
    const before = shell.kinds().length;
    shell.tell({ kind: 'appeared', peel: peel(0) });
    shell.tell({ kind: 'may-have-missed' });
    shell.finish('well');
    // Who is sent to now would not start.
    expect(shell.kinds().slice(before)).toEqual(['read-again']);
    shell.takeReturn(1, 'returned');
    expect(shell.watch.phase).toBe('settling');
  });

  it('sends nothing because a peel appeared before the dispatch, or the history, lets it', () => {
    for (const event of [undefined, { kind: 'recovering', isGivenUp: false } as const]) {
      const shell = new WatchShell();
      if (event !== undefined) shell.tell(event);
      shell.tell({ kind: 'appeared', peel: peel(0) });
      shell.tell({ kind: 'listening' });
      shell.tell({ kind: 'appeared', peel: peel(0) });
      expect(shell.kinds().filter((each) => each !== 'read-history')).toEqual([]);
      if (event === undefined) shell.tell({ kind: 'begun' });
      else shell.finish('well');
      expect(shell.done.at(-1)?.step).toMatchObject({ kind: 'send', round: 0 });
    }
  });

  it('asks the stream for its newest return when it is quiet, and reads it only when there is a new one', () => {
    const shell = new WatchShell().start();
    shell.advanceWell(LOOK_GAP_MS);
    expect(shell.times('ask-newest')).toEqual([LOOK_GAP_MS]);
    expect(shell.times('read-again')).toEqual([LOOK_GAP_MS]);
    shell.advanceWell(LOOK_GAP_MS);
    expect(shell.times('ask-newest').length).toBe(2);
    expect(shell.times('read-again').length).toBe(1);
  });

  it('does not ask while it reads the stream, or before it has sent anything', () => {
    const held = new WatchShell();
    held.tell({ kind: 'listening' });
    held.advance(3 * LOOK_GAP_MS);
    expect(held.kinds()).toEqual([]);
    const reading = new WatchShell().start();
    reading.finish('well');
    reading.tell({ kind: 'may-have-missed' });
    reading.advance(3 * LOOK_GAP_MS);
    expect(reading.times('ask-newest')).toEqual([]);
  });

  it('does not ask while words come', () => {
    const shell = new WatchShell().start();
    for (let s = 0; s < 50; s++) {
      shell.advanceWell(1_000);
      shell.tell({ kind: 'heard' });
    }
    expect(shell.times('ask-newest')).toEqual([]);
    shell.advanceWell(SILENCE_MS - 6_000);
    expect(shell.times('ask-newest')).toEqual([]);
  });

  it('reads the stream again a moment after a return was refused: once, however many were', () => {
    const shell = new WatchShell().start();
    shell.finish('well');
    for (let i = 0; i < 5; i++) {
      shell.tell({ kind: 'not-taken' });
      shell.advance(100);
    }
    shell.advance(NOT_TAKEN_MS);
    expect(shell.times('read-again')).toEqual([NOT_TAKEN_MS]);
    shell.finish('well');
    expect(shell.done.at(-1)?.step).toEqual({ kind: 'request', peels: shell.tally.silent() });
  });

  it('that we own no more is left without another step, except while our own record is being written', () => {
    const open = new WatchShell().start();
    open.tell({ kind: 'lost' });
    expect(open.done.at(-1)?.step).toEqual({ kind: 'leave', farewell: 'lost' });

    const counting = new WatchShell({ targets: 1 }).start();
    counting.tell({ kind: 'may-have-missed' });
    counting.takeReturn(0, 'returned');
    counting.tell({ kind: 'stored' });
    // The reading from before sees the record that we have just written.
    counting.tell({ kind: 'lost' });
    expect(counting.watch.phase).toBe('counting');
  });

  it('is let go of by a graceful stop once its rows are stored', () => {
    const shell = new WatchShell().start();
    shell.takeReturn(0, 'returned');
    shell.tell({ kind: 'detach' });
    expect([shell.kinds().at(-1), isTaking(shell.watch)]).toEqual(['stop-listening', false]);
    shell.tell({ kind: 'appeared', peel: peel(1) });
    shell.tell({ kind: 'stored' });
    expect(shell.done.at(-1)?.step).toEqual({ kind: 'leave', farewell: 'let-go' });
  });

  it('comes to the same end whatever the order of words and hints', () => {
    type Word = { readonly act: 'ack' | 'return' | 'appear' | 'hint'; readonly who: number };
    const word: fc.Arbitrary<Word> = fc.record({
      act: fc.constantFrom('ack', 'return', 'appear', 'hint'),
      who,
    });
    const endOf = (words: readonly Word[]) => {
      const shell = new WatchShell().start();
      for (const each of words) {
        if (each.act === 'hint') shell.tell({ kind: 'may-have-missed' });
        else play(shell, { act: each.act, who: each.who });
      }
      settle(shell);
      const rows = shell.tally.missingRows(9n, () => undefined).map((row) => [row.peelId, row.outcome]);
      return { job: shell.tally.finalJob(7, 9n), rows, left: shell.done.at(-1)?.step };
    };
    fc.assert(
      fc.property(
        fc
          .array(word, { maxLength: 12 })
          // An ack after the last return comes to a job that is over.
          .filter(
            (words) => new Set(words.filter((w) => w.act === 'return').map((w) => w.who)).size < TARGETS,
          )
          .chain((words) =>
            fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: words.length })),
          ),
        ([words, shuffled]) => {
          expect(endOf(shuffled)).toEqual(endOf(words));
        },
      ),
      { numRuns: 200 },
    );
  });
});
