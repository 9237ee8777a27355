import { describe, expect, it } from 'vitest';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { kvSubject } from '../../wire/names/store-subjects.ts';
import { WATCHED_STORES } from '../../wire/records/store-watch.ts';
import { notingBus, StoreMarks } from './store-marks.ts';

const [JOBS = ''] = WATCHED_STORES;
const looked = (sequence: number) => ({ created: 'then', sequence, subject: 'looked', seenMs: sequence });

describe('StoreMarks', () => {
  const marksAt = (sequence: number) => {
    const marks = new StoreMarks();
    marks.settle(JOBS, looked(sequence));
    return marks;
  };

  it('follows what is acknowledged, from the first look on, for the streams of jobs', () => {
    const marks = new StoreMarks();
    marks.note(JOBS, 5, 'a');
    expect(marks.of(JOBS)).toBeUndefined();
    marks.settle(JOBS, looked(7));
    marks.note(JOBS, 9, 'b');
    expect(marks.of(JOBS)).toEqual({ created: 'then', sequence: 9, subject: 'b', seenMs: 7 });
    marks.settle('KV_facts', looked(1));
    marks.note('KV_facts', 2, 'c');
    expect(marks.of('KV_facts')?.sequence).toBe(1);
  });

  it('writes after a lost connection do not overtake what they must be compared with', () => {
    const marks = marksAt(7);
    marks.note(JOBS, 9, 'before');
    marks.freeze();
    marks.note(JOBS, 10, 'after');
    expect(marks.of(JOBS)).toMatchObject({ sequence: 9, subject: 'before' });
    marks.settle(JOBS, looked(6));
    expect(marks.of(JOBS)).toEqual(looked(6));
    marks.note(JOBS, 7, 'again');
    expect(marks.of(JOBS)).toMatchObject({ sequence: 7, subject: 'again' });
  });

  it('an acknowledgement that is no progress freezes the mark and asks for a look', () => {
    const marks = marksAt(7);
    let doubts = 0;
    marks.onDoubt = () => {
      doubts += 1;
    };
    for (const sequence of [7, 8]) marks.note(JOBS, sequence, 'x');
    expect([doubts, marks.of(JOBS)]).toEqual([1, looked(7)]);
  });

  it('what is acknowledged while a look goes on is not forgotten by it', () => {
    const marks = marksAt(7);
    marks.note(JOBS, 9, 'meanwhile');
    marks.settle(JOBS, looked(8));
    expect(marks.of(JOBS)).toEqual({ created: 'then', sequence: 9, subject: 'meanwhile', seenMs: 8 });
  });
});

describe('notingBus', () => {
  it('leaves a write of a watched bucket its own time limit', async () => {
    const clock = virtualClock();
    const runtime = { clock, random: seededRandom(1), log: jsonLog({ clock, write: () => undefined }) };
    const server = new MemoryServer({ clock, random: seededRandom(2) });
    const bus = openBus(server.connect({ role: 'master', name: 'm' }), runtime);
    await clock.advance(1_000);
    // One who takes the question and never answers, as a node that dies with it.
    const taker = bus.subscribe(kvSubject(BUCKETS.jobs.name, 'k'), () => undefined);
    await clock.advance(1_000);
    await taker;
    const jobs = notingBus(bus, new StoreMarks()).bucket(BUCKETS.jobs.name);
    const begunMs = clock.monotonicMs();
    let endedMs = Number.POSITIVE_INFINITY;
    const put = jobs.put('k', new Uint8Array(), { timeoutMs: 700 }).catch(() => {
      endedMs = clock.monotonicMs();
    });
    await clock.advance(60_000);
    await put;
    expect(endedMs - begunMs).toBe(700);
  });
});
