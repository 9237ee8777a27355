import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import { recounted } from './late-return.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const peel = (i: number) => `web-${i}` as PeelId;
const NOW = 1_700_000_000_000_000_000n;

const jobWith = (given: Partial<Job>): Job =>
  jobCodec.create({ jid: JID, function: 'test.ping', targets: [peel(1)], status: 'pending', ...given });
const returnOf = (i: number, given: Partial<Row> = {}): Row =>
  rowCodec.create({ jid: JID, peelId: peel(i), success: true, ...given });

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
