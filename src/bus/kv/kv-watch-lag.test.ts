/** A watch whose questions are answered by replicas that are not equally far: it ends at the newest value all the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { kvSubject } from '../../wire/names/store-subjects.ts';
import type { BusParts } from '../bus-parts.ts';
import { NO_HEADERS } from '../connection.ts';
import type { StoredMessage } from '../port.ts';
import { watchFilter } from './kv-watch-filter.ts';

const BUCKET = 'b';
interface Select {
  readonly seq?: number;
  readonly last_by_subj?: string;
}

/** What a replica that has applied so many writes answers: of each key it has the newest of them. */
function answerOf(writes: readonly string[], applied: number, { seq = 1, last_by_subj }: Select) {
  const newest = new Map<string, number>();
  for (const [i, key] of writes.slice(0, applied).entries()) newest.set(key, i + 1);
  const isMeant = (key: string) => last_by_subj === undefined || isUnder(key, last_by_subj);
  const sequences = [...newest].filter(([key]) => isMeant(key)).map(([, each]) => each);
  sequences.sort((a, b) => a - b);
  const sequence = last_by_subj === undefined ? sequences.find((each) => each >= seq) : sequences.at(-1);
  return sequence === undefined ? undefined : message(writes[sequence - 1] ?? '', sequence);
}

function isUnder(key: string, filter: string): boolean {
  return filter.endsWith('>') || filter === kvSubject(BUCKET, key);
}

function message(key: string, sequence: number): StoredMessage {
  const subject = kvSubject(BUCKET, key);
  return { subject, sequence, publishedMs: sequence, data: Buffer.from(key), headers: NO_HEADERS };
}

/** The leader has all writes; each other question goes to the next of the replicas, until they have caught up. */
function lagging(writes: readonly string[], replicas: readonly number[]) {
  const clock = virtualClock();
  const runtime = { clock, random: seededRandom(1), log: jsonLog({ clock, write: () => undefined }) };
  let turn = 0;
  let lags = true;
  const applied = () => (lags ? (replicas[turn++ % replicas.length] ?? 0) : writes.length);
  const ends = { first_seq: 1, last_seq: writes.length };
  const subjects = [...new Set(writes)].map((key) => [kvSubject(BUCKET, key), 1] as const);
  const subscription = { unsubscribe: () => undefined };
  const parts = {
    runtime,
    resyncMs: 1_500,
    connection: {
      subscribe: () => subscription,
      onStatus: () => subscription,
      status: () => 'connected',
    },
    api: {
      call: async () => ({
        total: subjects.length,
        state: { ...ends, subjects: Object.fromEntries(subjects) },
      }),
      directLast: async (_stream: string, subject: string) =>
        answerOf(writes, applied(), { last_by_subj: subject }),
      directSelect: async (_stream: string, select: Select) => answerOf(writes, applied(), select),
      leaderSelect: async (_stream: string, select: Select) => answerOf(writes, writes.length, select),
    },
  } as unknown as BusParts;
  return {
    clock,
    parts,
    catchUp: () => {
      lags = false;
    },
  };
}

describe('a watch that starts while replicas lag', () => {
  it('tells the newest value of every key, and never an older one after it', async () => {
    const worlds = fc.record({
      writes: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 200 }),
      lags: fc.array(fc.nat(200), { minLength: 1, maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ writes, lags }) => {
        const { clock, parts, catchUp } = lagging(
          writes,
          lags.map((lag) => Math.max(0, writes.length - lag)),
        );
        const told = new Map<string, number>();
        const watch = watchFilter(parts, BUCKET, '>', {
          changed: ({ key, revision }) => {
            expect(revision).toBeGreaterThan(told.get(key) ?? 0);
            told.set(key, revision);
          },
        });
        await clock.advance(100);
        catchUp();
        await clock.advance(60_000);
        watch.stop();
        const newest = new Map(writes.map((key, i) => [key, i + 1]));
        expect(Object.fromEntries(told)).toEqual(Object.fromEntries(newest));
      }),
      { numRuns: 200 },
    );
  });
});
