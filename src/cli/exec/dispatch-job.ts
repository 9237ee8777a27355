/**
 * Hands a job to the masters. The id was made here, so sending it again is harmless: whichever master gets it, the job
 * runs once. It is sent until a master answers, for as long as an election or a rolling restart may take.
 */

import { isTransient } from '../../bus/outcome.ts';
import type { Bus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { sleep } from '../../runtime/clock.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { dispatchReplyCodec } from '../../wire/dispatch-reply.ts';
import { type Job, jobCodec } from '../../wire/job.ts';
import { DISPATCH_SUBJECT } from '../../wire/subjects.ts';

const ANSWER_MS = 5_000;
const KEEP_TRYING_MS = 30_000;
const RETRY_MS = 500;
/** Answers that pass: another's claim that was not sent yet, a master that stops, is busy, or could not reach the store. */
const PASSING = /claim pending|\[MASTER_(?:BUSY|STOPPING|DISPATCH_FAILED|CLAIM_LOST)\]/;

export async function dispatchJob(bus: Bus, runtime: Runtime, job: Job): Promise<void> {
  const { clock } = runtime;
  const data = jobCodec.encode(job);
  const untilMs = clock.monotonicMs() + KEEP_TRYING_MS;
  for (;;) {
    const refusal = await ask(bus, data);
    if (refusal === undefined) return;
    if (!refusal.mayPass) throw refusal.error;
    if (clock.monotonicMs() > untilMs) {
      const seconds = KEEP_TRYING_MS / 1_000;
      throw zesterError('CLI_DISPATCH_UNKNOWN', { jid: job.jid, seconds }, { cause: refusal.error });
    }
    await sleep(clock, RETRY_MS);
  }
}

async function ask(bus: Bus, data: Uint8Array): Promise<{ mayPass: boolean; error: Error } | undefined> {
  try {
    const answer = await bus.request(DISPATCH_SUBJECT, data, { timeoutMs: ANSWER_MS });
    const reply = dispatchReplyCodec.decode(answer.data);
    if ('jid' in reply) return undefined;
    const error = zesterError('CLI_DISPATCH_REFUSED', { reason: reply.error });
    return { mayPass: PASSING.test(reply.error), error };
  } catch (error) {
    return { mayPass: isTransient(error), error: error as Error };
  }
}
