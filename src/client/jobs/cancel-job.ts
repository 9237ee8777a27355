/**
 * `cancelJob` cancels a job: it stores the cancel in the stream, with the operator's proof. Its master ends it; where
 * that one is dead, the master that takes the job over does. Storing it twice does no harm: a job that has ended stays
 * as it is. If we die right after, it is stored.
 */
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { sleep } from '../../runtime/clock.ts';
import { signCancelAsOperator } from '../../trust/signed-proof.ts';
import { PROOF_HEADER } from '../../wire/names/headers.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { jobCancelSubject } from '../../wire/names/subjects.ts';
import type { Job } from '../../wire/records/job.ts';
import { CANCEL_ACTION, cancelCodec } from '../../wire/records/job-event.ts';
import { formatProof } from '../../wire/records/proof-header.ts';
import type { ClientContext } from '../client-context.ts';
import { signingKey } from '../fleet-key/signing-key.ts';
import { readJob } from './read-jobs.ts';

const END_MS_MAX = 10_000;
const LOOK_MS = 200;

/** Resolves when it is stored. Works for a job that has no record yet: a master that still takes it sends it to nobody. */
export async function cancelJob(client: ClientContext, jid: Jid): Promise<void> {
  const { bus, runtime, signal } = client;
  const proof = signCancelAsOperator(await signingKey(client), jid);
  const headers = new Map([[PROOF_HEADER, formatProof(proof)]]);
  const messageId = `cancel.${jid}.${Buffer.from(runtime.random.bytes(16)).toString('hex')}`;
  const data = cancelCodec.encode({ action: CANCEL_ACTION });
  await unlessAborted(bus.append(jobCancelSubject(jid), data, { headers, messageId }), signal);
}

/** The record when the job has ended, or as it is when `END_MS_MAX` is over. */
export async function whenJobEnded(client: ClientContext, job: Job): Promise<Job> {
  const { clock } = client.runtime;
  const untilMs = clock.monotonicMs() + END_MS_MAX;
  let now = job;
  while (!isTerminal(now.status) && clock.monotonicMs() < untilMs) {
    await sleep(clock, LOOK_MS, client.signal);
    now = (await readJob(client, job.jid)) ?? now;
  }
  return now;
}
