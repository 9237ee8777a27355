import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatStoreWatch,
  parseStoreWatch,
  type StoreMark,
  type StoreWatch,
} from '../wire/records/store-watch.ts';
import { LOSSES_KEPT, lossOf, markOf, rememberLook, type StoreNow, tellLoss } from './store-loss.ts';

const MADE = '2026-01-01T00:00:00Z';
const MADE_MS = Date.parse(MADE);
const mark: StoreMark = { created: MADE, sequence: 10, subject: 'a', seenMs: MADE_MS + 60_000 };
const now = (given: Partial<StoreNow>): StoreNow => ({
  created: MADE,
  lastSequence: 12,
  lastSubject: 'c',
  nowMs: MADE_MS + 120_000,
  subjects: new Map([[10, 'a']]),
  ...given,
});
const iso = (ms: number) => new Date(ms).toISOString();

describe('lossOf', () => {
  it.each([
    ['it went on', {}, undefined],
    ['nothing happened', { lastSequence: 10 }, undefined],
    ['our message has expired, or was purged', { subjects: new Map() }, undefined],
    ['it ends earlier', { lastSequence: 9, subjects: new Map() }, 'went-back'],
    ['it is empty', { lastSequence: 0, subjects: new Map() }, 'went-back'],
    ['others were written where ours was', { subjects: new Map([[10, 'b']]) }, 'rewritten'],
    ['it was made after we had seen it', { created: iso(MADE_MS + 90_000), lastSequence: 3 }, 'replaced'],
    ['so it was, and has come further than before', { created: iso(MADE_MS + 90_000) }, 'replaced'],
    ['another server spells its age otherwise', { created: '2026-01-01T00:00:00.5Z' }, undefined],
    ['nobody says how old it is', { created: '' }, undefined],
  ] as const)('%s', (_what, given, kind) => {
    expect(lossOf('jobs', mark, now(given))?.kind).toBe(kind);
  });

  it('a mark of an empty stream has nothing to lose', () => {
    expect(lossOf('jobs', { ...mark, sequence: 0 }, now({ created: iso(MADE_MS + 90_000) }))).toBeUndefined();
  });

  it('a stream that only lives on is never called older, and one that loses its end always is', () => {
    // What is done to a stream: a message under some subject, or the removal of an old one.
    const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.nat(20)), { maxLength: 40 });
    fc.assert(
      fc.property(steps, steps, fc.nat(40), (before, after, lost) => {
        const stream = new Stream();
        stream.take(before);
        const then = markOf(stream.now([]));
        const older = stream.copy();
        stream.take(after);
        expect(lossOf('x', then, stream.now([then.sequence]))).toBeUndefined();
        older.loseLast(lost);
        expect(lossOf('x', then, older.now([then.sequence]))?.kind).toBe(
          lost > 0 && then.sequence > 0 ? 'went-back' : undefined,
        );
      }),
    );
  });
});

/** A stream as JetStream keeps one: sequences only grow, and any message may go. */
class Stream {
  private last = 0;
  private messages = new Map<number, string>();

  take(steps: readonly (string | number)[]): void {
    for (const step of steps)
      if (typeof step === 'string') this.messages.set(++this.last, step);
      else this.messages.delete(step);
  }

  copy(): Stream {
    const copy = new Stream();
    copy.last = this.last;
    copy.messages = new Map(this.messages);
    return copy;
  }

  loseLast(count: number): void {
    this.last = Math.max(0, this.last - count);
    for (const sequence of this.messages.keys()) if (sequence > this.last) this.messages.delete(sequence);
  }

  now(sequences: readonly number[]): StoreNow {
    const subjects = sequences.flatMap((sequence): [number, string][] => {
      const subject = this.messages.get(sequence);
      return subject === undefined ? [] : [[sequence, subject]];
    });
    const lastSubject = this.messages.get(this.last) ?? '';
    return now({ lastSequence: this.last, lastSubject, subjects: new Map(subjects) });
  }
}

describe('rememberLook', () => {
  const loss = { asset: 'jobs', kind: 'went-back', before: 10, after: 5, noticedMs: 1_000 } as const;
  const none: StoreWatch = { marks: { other: mark }, losses: [] };

  it('keeps what it did not look at, and the newest of what it did', () => {
    expect(rememberLook(none, { jobs: mark }, [])).toEqual({
      marks: { other: mark, jobs: mark },
      losses: [],
    });
  });

  it('two masters that notice one thing write it down once, a second loss is another', () => {
    const first = rememberLook(none, {}, [{ loss, wellMs: 900 }]);
    expect(first.losses).toEqual([loss]);
    expect(rememberLook(first, {}, [{ loss: { ...loss, noticedMs: 1_500 }, wellMs: 950 }]).losses).toEqual([
      loss,
    ]);
    const again = { ...loss, noticedMs: 3_000 };
    expect(rememberLook(first, {}, [{ loss: again, wellMs: 2_000 }]).losses).toEqual([loss, again]);
    const elsewhere = { ...loss, asset: 'rows' };
    expect(rememberLook(first, {}, [{ loss: elsewhere, wellMs: 900 }]).losses).toHaveLength(2);
  });

  it('does not grow without end', () => {
    let watch = none;
    for (let i = 0; i < LOSSES_KEPT + 5; i++)
      watch = rememberLook(watch, {}, [{ loss: { ...loss, noticedMs: i }, wellMs: i }]);
    expect(watch.losses).toHaveLength(LOSSES_KEPT);
    expect(watch.losses.at(-1)?.noticedMs).toBe(LOSSES_KEPT + 4);
  });

  it('is read back as it was written, and what is no such record is not read', () => {
    const watch = rememberLook(none, { jobs: mark }, [{ loss, wellMs: 900 }]);
    expect(parseStoreWatch(formatStoreWatch(watch))).toEqual(watch);
    for (const text of ['', 'null', '[]', '{"marks":[],"losses":[]}', '{"marks":{}}'])
      expect(parseStoreWatch(Buffer.from(text))).toBeUndefined();
    const strange = { marks: { a: { created: 1 }, jobs: mark }, losses: [{ ...loss, kind: 'melted' }, loss] };
    expect(parseStoreWatch(Buffer.from(JSON.stringify(strange)))).toEqual({
      marks: { jobs: mark },
      losses: [loss],
    });
  });
});

describe('tellLoss', () => {
  it.each([
    ['went-back', 'jobs ends at sequence 5 and had reached 10: what was acknowledged in between is lost'],
    ['replaced', 'jobs was made anew: what it held before, up to sequence 10, is gone'],
    ['rewritten', 'jobs has another message at sequence 10 than before: acknowledged writes are lost'],
  ] as const)('%s', (kind, text) => {
    expect(tellLoss({ asset: 'jobs', kind, before: 10, after: 5, noticedMs: 1 })).toBe(text);
  });
});
