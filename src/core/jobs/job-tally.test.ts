import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import { isTerminal } from './job-lifecycle.ts';
import { JobTally, recounted } from './job-tally.ts';
import { isRealReturn } from './target-row.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const peel = (i: number) => `web-${i}` as PeelId;
const NOW = 1_700_000_000_000_000_000n;

const jobWith = (given: Partial<Job>): Job =>
  jobCodec.create({ jid: JID, function: 'test.ping', targets: [peel(1)], status: 'pending', ...given });
const returnOf = (i: number, given: Partial<Row> = {}): Row =>
  rowCodec.create({ jid: JID, peelId: peel(i), success: true, ...given });

type Step = {
  readonly what: 'ack' | 'return' | 'cancel' | 'row';
  readonly who: number;
  readonly success: boolean;
};
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'ack' as const,
    'return' as const,
    'return' as const,
    'cancel' as const,
    'row' as const,
  ),
  who: fc.integer({ min: 0, max: 6 }),
  success: fc.boolean(),
});

describe('tally', () => {
  const targetsOf = (count: number) => Array.from({ length: count }, (_, i) => peel(i));

  it('ends with exactly one row per target, and a status that counts real returns only', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 20 }), (count, steps) => {
        const tally = new JobTally(jobWith({ targets: targetsOf(count), status: 'running' }));
        const first = new Map<string, Row>();
        const acked = new Set<string>();
        let canceled = false;
        for (const { what, who, success } of steps) {
          const isTarget = who < count;
          if (what === 'ack') {
            expect(tally.noteAck(peel(who), NOW)).toBe(isTarget);
            if (isTarget) acked.add(peel(who));
          } else if (what === 'cancel') {
            tally.noteCancel(NOW);
            canceled = true;
          } else {
            const value = returnOf(who, { success, unreachable: what === 'row' });
            const counts = isTarget && what === 'return' && !first.has(peel(who));
            expect(tally.noteReturn(peel(who), value)).toBe(
              isTarget ? (counts ? 'first' : 'again') : 'not-a-target',
            );
            if (counts) first.set(peel(who), value);
          }
        }
        const job = tally.finalJob(7, NOW);
        const rows = [...first.values(), ...tally.missingRows(NOW, () => undefined)];
        expect(rows.map((row) => row.peelId).sort()).toEqual(targetsOf(count).sort());
        expect(isTerminal(job.status)).toBe(true);
        const succeeded = [...first.values()].filter((value) => value.success).length;
        expect([job.returnCount, job.successCount, job.execEpoch]).toEqual([first.size, succeeded, 7]);
        const expected =
          first.size === count
            ? succeeded === count
              ? 'complete'
              : 'failed'
            : canceled
              ? 'canceled'
              : first.size > 0
                ? 'partial'
                : 'timeout';
        expect(job.status).toBe(expected);
        for (const row of tally.missingRows(NOW, () => 5n)) {
          expect(row.outcome).toBe(canceled ? 'canceled' : acked.has(row.peelId) ? 'running' : 'unreachable');
          expect(row.proof).toEqual({
            acked: acked.has(row.peelId) ? NOW : undefined,
            heartbeatAge: 5n,
            epoch: 0,
          });
          expect(isRealReturn(row)).toBe(false);
        }
        expect(tally.silent()).toEqual(
          targetsOf(count).filter((each) => !acked.has(each) && !first.has(each)),
        );
        // Counting the stored rows again gives the same record: late returns cannot make it drift.
        expect(recounted(job, rows, NOW + 1n)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('a job whose cancel stopped a target is canceled, also when all have returned', () => {
    const tally = new JobTally(jobWith({ targets: targetsOf(2), status: 'running' }));
    tally.noteReturn(peel(0), returnOf(0));
    tally.noteReturn(peel(1), returnOf(1, { success: false, outcome: 'canceled' }));
    // The word of a peel alone makes no cancel.
    expect(tally.finalJob(7, NOW).status).toBe('failed');
    tally.noteCancel(NOW);
    expect(tally.finalJob(7, NOW)).toMatchObject({ status: 'canceled', returnCount: 2, successCount: 1 });
    expect(tally.missingRows(NOW, () => undefined)).toEqual([]);
  });
});

describe('late returns', () => {
  const ended = (given: Partial<Job>) =>
    jobWith({ targets: [peel(1), peel(2)], status: 'partial', returnCount: 1, successCount: 1, ...given });

  it('make a partial job complete or failed', () => {
    expect(recounted(ended({}), [returnOf(1), returnOf(2)], NOW)).toMatchObject({
      status: 'complete',
      returnCount: 2,
      successCount: 2,
    });
    expect(recounted(ended({}), [returnOf(1), returnOf(2, { success: false })], NOW)).toMatchObject({
      status: 'failed',
      successCount: 1,
    });
  });

  it('leave a canceled job, and one that was given up, what it is', () => {
    expect(recounted(ended({ status: 'canceled' }), [returnOf(1), returnOf(2)], NOW)).toMatchObject({
      status: 'canceled',
      returnCount: 2,
    });
    const givenUp = ended({ status: 'failed', metadata: { failed_reason: 'reclaimed too often' } });
    expect(recounted(givenUp, [returnOf(1), returnOf(2)], NOW)).toMatchObject({
      status: 'failed',
      returnCount: 2,
    });
  });

  it('do not touch a living job, nor count a stranger’s row', () => {
    expect(recounted(ended({ status: 'running' }), [returnOf(1), returnOf(2)], NOW)).toBeUndefined();
    expect(recounted(ended({}), [returnOf(1), returnOf(9)], NOW)).toBeUndefined();
  });
});
