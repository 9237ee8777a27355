/**
 * `submitJob` hands a job to the masters. The id was made here, so sending it again is harmless: whichever master gets
 * it, the job runs once. It is sent until a master answers, for as long as an election or a rolling restart may take;
 * and for as long as an adoption may take, when a master is known to have the job and has not sent it: it may have died
 * over it. Why it is not sent yet is told as an event, each reason once.
 *
 * If we are stopped in between, whether a master took the job is not known: its record tells.
 */
import { isTransient } from '../../bus/failed-call.ts';
import { type ErrorCode, isErrorCode, isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { sleep } from '../../runtime/clock.ts';
import type { Job } from '../../wire/records/job.ts';
import { ask, MASTERS_AWAY_MS, QUESTIONS } from '../ask.ts';
import type { ClientContext } from '../client-context.ts';

/** How long one question waits for its answer. */
export const DISPATCH_ANSWER_MS = 5_000;
const KEEP_TRYING_MS = 30_000;
/** A master is declared dead, and its jobs are adopted, within about 55 s. */
const CLAIM_PENDING_MS = 75_000;
const RETRY_MS = 500;
/** A master has the job and has not sent it yet. */
const PENDING: readonly string[] = ['MASTER_CLAIM_PENDING', 'MASTER_DISPATCH_PENDING'] satisfies ErrorCode[];
/** Refusals that pass: a master that stops, is busy, lost the claim, or could not reach the store. */
const PASSING: readonly string[] = [
  'MASTER_BUSY',
  'MASTER_STOPPING',
  'MASTER_DISPATCH_FAILED',
  'MASTER_CLAIM_LOST',
] satisfies ErrorCode[];

/** Why a job is not on its way yet. It is tried again until `retryForMs` after the first try. */
export interface DispatchDelay {
  readonly reason: 'no-master' | 'no-answer' | 'cannot-ask' | 'refused' | 'pending';
  /** Of the last try: words of a master, without the code behind them, where it is one's answer; else of the error. */
  readonly said: string;
  readonly retryForMs: number;
}

/** What a command meets when a NATS node is lost that it, or every master, hung on: all are on another one in a moment. */
const MAY_BE_BRIEF: readonly DispatchDelay['reason'][] = ['no-master', 'cannot-ask'];

export async function submitJob(
  client: ClientContext,
  job: Job,
  onDelay: (delay: DispatchDelay) => void = () => undefined,
): Promise<void> {
  const { signal } = client;
  const { clock } = client.runtime;
  const told = new Set<string>();
  const startedMs = clock.monotonicMs();
  let retryForMs = 0;
  for (;;) {
    const refusal = await unlessAborted(handIn(client, job), signal);
    if (refusal === undefined) return;
    if (refusal.retryForMs === 0) throw refusal.error;
    // What was learned stays: a claim does not go away because the next question was lost.
    retryForMs = Math.max(retryForMs, refusal.retryForMs);
    const triedMs = clock.monotonicMs() - startedMs;
    if (triedMs > retryForMs) {
      const seconds = retryForMs / 1_000;
      throw zesterError('CLI_DISPATCH_UNKNOWN', { jid: job.jid, seconds }, { cause: refusal.error });
    }
    const { kind, reason, said } = refusal;
    if (!told.has(kind) && (!MAY_BE_BRIEF.includes(reason) || triedMs >= MASTERS_AWAY_MS)) {
      onDelay({ reason, said, retryForMs });
      told.add(kind);
    }
    await sleep(clock, RETRY_MS, signal);
  }
}

interface Refusal extends DispatchDelay {
  readonly error: Error;
  /** Told once of each kind, because the words of one kind differ in counts and times. */
  readonly kind: string;
}

/** `retryForMs` is 0 for what is not worth another try. */
async function handIn({ bus }: ClientContext, job: Job): Promise<Refusal | undefined> {
  try {
    const reply = await ask(bus, QUESTIONS.dispatch, job, DISPATCH_ANSWER_MS);
    if ('jid' in reply) return undefined;
    const { code } = reply;
    const error = zesterError('CLI_DISPATCH_REFUSED', { reason: reply.error }, { reasonCode: code });
    const said = withoutCode(reply.error, code);
    if (PENDING.includes(code))
      return { error, retryForMs: CLAIM_PENDING_MS, kind: code, reason: 'pending', said };
    // Of a code that is not known here, or none from an older master, it cannot be told whether the job is taken.
    const mayPass = PASSING.includes(code) || !isErrorCode(code);
    return { error, retryForMs: mayPass ? KEEP_TRYING_MS : 0, kind: code, reason: 'refused', said };
  } catch (thrown) {
    const error = thrown as Error;
    const retryForMs = isTransient(error) ? KEEP_TRYING_MS : 0;
    const reason = whyNoAnswer(error);
    const kind = reason === 'cannot-ask' ? error.message : reason;
    return { error, retryForMs, kind, reason, said: error.message };
  }
}

/**
 * What a master said, for people. It ends with the code for clients from before the code came beside it; other brackets are
 * the master's own. Nothing is decided by this: what is done goes by the code alone.
 */
function withoutCode(said: string, code: string): string {
  const suffix = ` [${code}]`;
  return said.endsWith(suffix) ? said.slice(0, -suffix.length) : said;
}

function whyNoAnswer(error: unknown): 'no-master' | 'no-answer' | 'cannot-ask' {
  if (isZesterError(error, 'BUS_NO_RESPONDERS')) return 'no-master';
  return isZesterError(error, 'BUS_TIMEOUT') ? 'no-answer' : 'cannot-ask';
}
