import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { inOrder } from './job-order.ts';
import { NewestJobs } from './newest-jobs.ts';

interface Written {
  readonly job: Job;
  readonly writtenMs: number;
}

const written = (index: number, createdMs: number, tookMs: number): Written => ({
  job: jobCodec.create({
    jid: `j${index}` as Jid,
    function: 'test.ping',
    status: 'complete',
    created: nanosFromMs(createdMs),
  }),
  writtenMs: createdMs + tookMs,
});

function newest(all: readonly Written[], limit: number, sinceMs?: number) {
  const jobs = new NewestJobs(limit, sinceMs === undefined ? undefined : nanosFromMs(sinceMs));
  const byLastWrite = [...all].sort((a, b) => b.writtenMs - a.writtenMs);
  const read = byLastWrite.findIndex(({ job, writtenMs }) => !jobs.take(job, writtenMs));
  return {
    jids: jobs.found().map(({ jid }) => jid),
    read: read < 0 ? all.length : read + 1,
    cut: jobs.isCut,
  };
}

describe('the newest jobs', () => {
  const histories = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.nat(200)), { maxLength: 40 })
    .map((made) => made.map(([createdMs, tookMs], index) => written(index, createdMs, tookMs)));

  it('are those that a look at all records finds, however long each took', () => {
    fc.assert(
      fc.property(
        histories,
        fc.integer({ min: 1, max: 10 }),
        fc.option(fc.nat(300), { nil: undefined }),
        (all, limit, sinceMs) => {
          const wanted = all
            .map(({ job }) => job)
            .filter(({ created }) => created >= nanosFromMs(sinceMs ?? 0));
          const expected = inOrder(wanted).slice(-limit);
          expect(newest(all, limit, sinceMs).jids).toEqual(expected.map(({ jid }) => jid));
        },
      ),
    );
  });

  it('cost no more with a longer history', () => {
    const history = (jobs: number) => Array.from({ length: jobs }, (_, i) => written(i, i * 10, 5));
    expect(newest(history(100), 25).read).toBe(newest(history(10_000), 25).read);
    expect(newest(history(10_000), 25)).toMatchObject({ read: 26, cut: true });
    expect(newest(history(25), 25).cut).toBe(false);
  });

  it('an old job that was written just now does not hide a newer one', () => {
    const all = [written(0, 0, 1_000), written(1, 500, 1), written(2, 600, 1)];
    expect(newest(all, 2).jids).toEqual(['j1', 'j2']);
  });
});
