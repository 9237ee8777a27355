import { describe, expect, it } from 'vitest';
import type { TargetAck } from '../../client/jobs/job-acks.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { rowCodec } from '../../wire/records/job-return.ts';
import { openTargetsText } from './open-targets-text.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const FIRST = '2hPx2Kd8VnR7YmWqTz4PLsCfNjA';
const NOW_MS = 1_770_733_845_000;
const ATTACH = `zester job attach ${JID}`;
const [a, b, c, d] = ['a', 'b', 'c', 'd'] as unknown as [PeelId, PeelId, PeelId, PeelId];

const acks = new Map<PeelId, TargetAck>([
  [b, { ackedMs: 0, behind: undefined }],
  [c, { ackedMs: 0, behind: FIRST }],
]);
const job = (status: Job['status'], leftMs: number) =>
  jobCodec.create({
    jid: JID,
    function: 'test.ping',
    status,
    targets: [a, b, c, d],
    deadline: nanosFromMs(NOW_MS + leftMs),
  });
const said = (of: Job | undefined, targets = [a, b, c, d]) => {
  const returns = new Map([[a, rowCodec.create({ jid: JID, peelId: a, success: true })]]);
  return openTargetsText({ targets, acks, returns, job: of }, NOW_MS, ATTACH);
};

describe('targets without a row', () => {
  it('are told apart by what they have said', () => {
    expect(said(job('running', 60_000))).toBe(
      `No return yet, but an ack, from b. In the queue of c, behind job ${FIRST}. No word yet from d. ` +
        `The job goes on until its deadline, 2026-02-10T14:31:45Z: ${ATTACH}`,
    );
    expect(said(job('running', 60_000), [a])).toBe('');
  });

  it('a job goes on until its deadline, and not after it or after its end', () => {
    expect(said(job('running', -1), [d])).toBe(
      `No word yet from d. Its deadline has passed, and no master has ended the job yet: ${ATTACH}`,
    );
    expect(said(job('partial', 60_000), [d])).toBe('The job has ended (partial), and no row was read for d.');
    expect(said(undefined, [d])).toBe(`No word yet from d. The record of the job was not seen: ${ATTACH}`);
  });
});
