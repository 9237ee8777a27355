/**
 * `--direct`: each peel is asked by itself, without a master. No record, no ack, no user; the request is signed with the
 * operator's key, and the answer comes on a subject that was subscribed before. A peel that is away is known at once,
 * because nobody serves its subject: that alone is called unreachable. What is cut off at the deadline says so a moment
 * later, and is waited for. A peel that says nothing by then was connected when it was asked; it may run what it was asked,
 * may have run it or not have started it, and its outcome is `running`: not known to have ended.
 *
 * Nobody can take a direct request back: after Ctrl-C it may run until its deadline, and its answer is lost.
 */
import type { Message } from '../../bus/port.ts';
import { decodeOrTell } from '../../client/try-decode.ts';
import { formatDuration } from '../../core/duration.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { LAST_WORD_MS } from '../../core/jobs/closing-time.ts';
import { exitCodeOf } from '../../core/jobs/exit-code.ts';
import { outcomeOf } from '../../core/jobs/job-tally.ts';
import { timeText } from '../../core/time-text.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { unlessAborted } from '../../runtime/unless-aborted.ts';
import { signDirect } from '../../trust/signed-proof.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { DEADLINE_HEADER, PROOF_HEADER } from '../../wire/names/headers.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { commandSubject, directAnswerSubject } from '../../wire/names/subjects.ts';
import { execRequestCodec, execResponseCodec } from '../../wire/records/exec.ts';
import { type Return, returnCodec } from '../../wire/records/job-return.ts';
import type { Outcome } from '../../wire/records/job-status.ts';
import { formatProof } from '../../wire/records/proof-header.ts';
import type { AdminBus } from '../connect/admin-bus.ts';
import type { CliContext } from '../program/command.ts';
import { resultRecord } from '../returns/result-record.ts';
import { returnsText } from '../returns/returns-text.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayNames } from '../terminal/peel-names.ts';
import { NO_TICKER, startTicker } from '../terminal/progress-ticker.ts';
import { interruption } from '../terminal/wait-for.ts';
import type { ExecWords } from './exec-words.ts';
import type { ShowOptions } from './job-display.ts';

export type DirectBus = Pick<AdminBus, 'bus' | 'operatorKey'>;

export interface DirectRun {
  readonly words: ExecWords;
  readonly args: Readonly<Record<string, string | boolean>>;
  readonly targets: readonly PeelId[];
  readonly timeoutMs: number;
  readonly show: ShowOptions;
}

export async function runDirect(context: CliContext, admin: DirectBus, run: DirectRun): Promise<number> {
  const { targets, show } = run;
  const deadlineMs = context.runtime.clock.nowMs() + run.timeoutMs;
  const isText = show.format === 'text';
  const returns = new Map<PeelId, Return>();
  const ask = async (peel: PeelId) => returns.set(peel, await askPeel(context.runtime, admin, run, peel));
  const progress = (elapsedMs: number) => directProgress(run, returns, elapsedMs);
  const ticker = isText ? startTicker(context, progress) : NO_TICKER;
  let isInterrupted = false;
  try {
    await unlessAborted(Promise.all(targets.map(ask)), context.interrupted);
  } catch (error) {
    if (!context.interrupted.aborted) throw error;
    isInterrupted = true;
  } finally {
    ticker.stop();
  }
  const answers = targets.flatMap((peel) => returns.get(peel) ?? []);
  const outcomes = new Map<PeelId, Outcome>(answers.map((answer) => [answer.peelId, outcomeOf(answer)]));
  if (isText) context.out(returnsText(answers, show.look));
  if (isInterrupted) throw leftAlone(targets, returns, deadlineMs);
  if (show.format !== 'text') {
    const record = resultRecord({
      jid: undefined,
      status: 'direct',
      isTest: asksDryRun(run.args),
      targets,
      returns,
      outcomes,
    });
    context.out(await formatData(record, show.format));
  }
  return exitCodeOf(outcomes.values());
}

/** `1/3 answered, 4 s; waiting for web-01, web-02`. */
export function directProgress(
  { targets, timeoutMs }: Pick<DirectRun, 'targets' | 'timeoutMs'>,
  answered: Pick<ReadonlyMap<PeelId, unknown>, 'has' | 'size'>,
  elapsedMs: number,
): string {
  const silent = targets.filter((peel) => !answered.has(peel));
  const time = `${Math.round(elapsedMs / 1_000)} s`;
  const late = elapsedMs > timeoutMs ? `, the time of ${formatDuration(timeoutMs)} is up` : '';
  const names = silent.length === 0 ? '' : `; waiting for ${displayNames(silent)}`;
  return `${answered.size}/${targets.length} answered, ${time}${late}${names}`;
}

export function leftAlone(
  targets: readonly PeelId[],
  returns: Pick<ReadonlyMap<PeelId, unknown>, 'has'>,
  deadlineMs: number,
): Error {
  const silent = targets.filter((peel) => !returns.has(peel));
  return interruption({
    what: `${silent.length} of ${targets.length} peels to answer`,
    ifLeft: `what was asked may run there until ${timeText(nanosFromMs(deadlineMs))}, and its answer is lost: ${displayNames(silent)}`,
    next: 'run it again; without --direct it is a job, which can be left, attached to and killed',
  });
}

export async function askPeel(
  { clock, random }: Pick<Runtime, 'clock' | 'random'>,
  { bus, operatorKey }: DirectBus,
  run: Pick<DirectRun, 'words' | 'args' | 'timeoutMs'>,
  peel: PeelId,
): Promise<Return> {
  const jid = newKsuid(clock, random) as Jid;
  const deadline = nanosFromMs(clock.nowMs() + run.timeoutMs);
  const { functionName: module, id } = run.words;
  const payload = execRequestCodec.encode(
    execRequestCodec.create({ jid, module, id, args: run.args, deadline }),
  );
  const proof = signDirect(operatorKey(), { peel, deadline, payload });
  const headers = new Map([
    [PROOF_HEADER, formatProof(proof)],
    [DEADLINE_HEADER, String(deadline)],
  ]);
  const startedMs = clock.monotonicMs();
  let take: (data: Uint8Array) => void = () => undefined;
  const answered = new Promise<Uint8Array>((resolve) => {
    take = resolve;
  });
  const subscription = await bus.subscribe(directAnswerSubject(jid, peel), ({ data }) => take(data));
  try {
    const asked = bus.request(commandSubject(peel), payload, {
      timeoutMs: run.timeoutMs + LAST_WORD_MS,
      headers,
    });
    // The request is for its failures alone (nobody there, no answer in time): no peel answers to its inbox.
    const data = await Promise.race([answered, asked.then(refuseInboxAnswer)]);
    return answerReturn(jid, peel, data, clock.monotonicMs() - startedMs);
  } catch (error) {
    return silentReturn(jid, peel, error, run.timeoutMs);
  } finally {
    subscription.unsubscribe();
  }
}

function refuseInboxAnswer({ subject }: Message): never {
  throw zesterError('BUS_BAD_DATA', { what: subject, problem: 'no peel answers there' });
}

/** It answered, whatever it said: nonsense is a failure of the peel, not silence. */
function answerReturn(jid: Jid, peelId: PeelId, data: Uint8Array, tookMs: number): Return {
  const duration = nanosFromMs(tookMs);
  let problem = '';
  const response = decodeOrTell(execResponseCodec, data, (why) => {
    problem = why;
  });
  if (response === undefined)
    return returnCodec.create({ jid, peelId, error: `its answer cannot be read: ${problem}`, duration });
  const { success, error } = response;
  return returnCodec.create({ jid, peelId, success, error, returnData: data, duration });
}

/** A server that says that nobody listens knows it. No answer, or a question that broke off, leaves open what the peel does. */
export function silentReturn(jid: Jid, peelId: PeelId, error: unknown, timeoutMs: number): Return {
  const row = { jid, peelId, unreachable: true };
  if (isZesterError(error, 'BUS_NO_RESPONDERS'))
    return returnCodec.create({ ...row, error: 'UNREACHABLE: not connected', outcome: 'unreachable' });
  const why = isZesterError(error, 'BUS_TIMEOUT')
    ? `NO ANSWER within ${formatDuration(timeoutMs)}: it was connected when it was asked, so`
    : `NO ANSWER: ${(error as Error).message};`;
  return returnCodec.create({
    ...row,
    error: `${why} what it was asked may have run or still run`,
    outcome: 'running',
  });
}
