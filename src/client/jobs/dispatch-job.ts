/**
 * Hands a job to the masters. The id was made here, so sending it again is harmless: whichever master gets it, the job
 * runs once. It is sent until a master answers, for as long as an election or a rolling restart may take; and for as
 * long as an adoption may take, when a master is known to have the job and has not sent it: it may have died over it.
 * Why it is not sent yet is told, each reason once.
 */

import { isTransient } from '../../bus/outcome.ts';
import type { Bus } from '../../bus/port.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { sleep } from '../../runtime/clock.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { DISPATCH_SUBJECT } from '../../wire/names/subjects.ts';
import { dispatchReplyCodec } from '../../wire/records/dispatch-reply.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';

const ANSWER_MS = 5_000;
const KEEP_TRYING_MS = 30_000;
/** A master is declared dead, and its jobs are adopted, within about 55 s. */
const CLAIM_PENDING_MS = 75_000;
const RETRY_MS = 500;
/** Another's claim that was not sent yet; the words are those of the master's error. */
const PENDING = /claim pending/;
const WORDS_AND_CODE = /^(?:claim pending: )?(.*) \[([A-Z_]+)\]$/s;
/** Answers that pass: a master that stops, is busy, lost the claim, or could not reach the store. */
const PASSING = /\[MASTER_(?:BUSY|STOPPING|DISPATCH_FAILED|CLAIM_LOST)\]/;

export async function dispatchJob(
  bus: Bus,
  runtime: Runtime,
  job: Job,
  tell: (line: string) => void = () => undefined,
): Promise<void> {
  const { clock } = runtime;
  const told = new Set<string>();
  const data = jobCodec.encode(job);
  const startedMs = clock.monotonicMs();
  let patienceMs = 0;
  for (;;) {
    const refusal = await ask(bus, data);
    if (refusal === undefined) return;
    if (refusal.patienceMs === 0) throw refusal.error;
    // What was learned stays: a claim does not go away because the next question was lost.
    patienceMs = Math.max(patienceMs, refusal.patienceMs);
    if (clock.monotonicMs() - startedMs > patienceMs) {
      const seconds = patienceMs / 1_000;
      throw zesterError('CLI_DISPATCH_UNKNOWN', { jid: job.jid, seconds }, { cause: refusal.error });
    }
    if (!told.has(refusal.kind)) tell(`${refusal.why}; trying again for up to ${patienceMs / 1_000} s`);
    told.add(refusal.kind);
    await sleep(clock, RETRY_MS);
  }
}

interface Refusal {
  readonly error: Error;
  /** How long after the first try it may still be worth another; 0: not at all. */
  readonly patienceMs: number;
  /** For people who wait; told once of each kind, because the words of one kind differ in counts and times. */
  readonly why: string;
  readonly kind: string;
}

async function ask(bus: Bus, data: Uint8Array): Promise<Refusal | undefined> {
  try {
    const answer = await bus.request(DISPATCH_SUBJECT, data, { timeoutMs: ANSWER_MS });
    const reply = dispatchReplyCodec.decode(answer.data);
    if ('jid' in reply) return undefined;
    const error = zesterError('CLI_DISPATCH_REFUSED', { reason: reply.error });
    const [, said = reply.error, kind = ''] = WORDS_AND_CODE.exec(reply.error) ?? [];
    if (PENDING.test(reply.error))
      return { error, patienceMs: CLAIM_PENDING_MS, kind, why: `the job is not sent yet: ${said}` };
    const patienceMs = PASSING.test(reply.error) ? KEEP_TRYING_MS : 0;
    return { error, patienceMs, kind, why: `a master cannot take the job now: ${said}` };
  } catch (error) {
    const patienceMs = isTransient(error) ? KEEP_TRYING_MS : 0;
    const why = whyNoAnswer(error);
    return { error: error as Error, patienceMs, kind: why, why };
  }
}

function whyNoAnswer(error: unknown): string {
  if (isZesterError(error, 'BUS_NO_RESPONDERS')) return 'no master is there to take the job';
  if (isZesterError(error, 'BUS_TIMEOUT')) return `no master has answered within ${ANSWER_MS / 1_000} s`;
  return `no master could be asked: ${(error as Error).message}`;
}
