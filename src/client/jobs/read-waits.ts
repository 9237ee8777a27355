/**
 * `readWaits` finds which jobs of a list wait in the queues of their targets. The record of a job says `running` from
 * its dispatch on; whether its targets have begun, their acks and returns say.
 *
 * Of most jobs two questions tell: a return, or a newest ack that says "started", means that it does not wait. Only of
 * the others all acks are read. Beyond `ASKED_MAX` jobs, the newest ones, nothing is asked: they are told as their record
 * tells them.
 */

import { openRecordStream } from '../../bus/stream/record-stream.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { ANY, jobAckSubject, jobReturnSubject } from '../../wire/names/subjects.ts';
import type { Job } from '../../wire/records/job.ts';
import { PEEL_WORDS } from '../../wire/records/job-words.ts';
import type { ClientContext } from '../client-context.ts';
import { type JobAcks, jobWaitsBehind, noteAck, readAcks } from './job-acks.ts';

const READS_AT_ONCE = 8;

const ASKED_MAX = 64;

/** What each of these jobs waits behind; one that does not wait, or was not asked about, is absent. */
export async function readWaits(
  client: ClientContext,
  jobs: readonly Job[],
): Promise<ReadonlyMap<Jid, readonly string[]>> {
  const asked = jobs.filter(({ status }) => status === 'running').slice(-ASKED_MAX);
  const asking = concurrentMap(
    asked,
    READS_AT_ONCE,
    async (job) => [job.jid, await waitOf(client, job)] as const,
  );
  const found = await unlessAborted(asking, client.signal);
  return new Map(found.filter(([, behind]) => behind.length > 0));
}

async function waitOf(client: ClientContext, { jid, targets }: Job): Promise<readonly string[]> {
  const stream = openRecordStream(client.bus, PEEL_WORDS);
  if ((await stream.last(jobReturnSubject(jid, ANY))) !== undefined) return [];
  const newest = await stream.last(jobAckSubject(jid, ANY));
  if (newest === undefined) return [];
  const acks: JobAcks = new Map();
  noteAck(acks, jid, newest.record, newest.message.publishedMs);
  if (targets.some((peel) => acks.has(peel) && acks.get(peel)?.behind === undefined)) return [];
  return jobWaitsBehind({ targets, acks: await readAcks(client, jid), hasReturn: false });
}
