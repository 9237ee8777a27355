/**
 * `--direct`: each peel is asked by itself, without a master. No record, no ack, no user; the request is signed with the
 * operator's key, and the answer comes on a subject that was subscribed before. A peel that is away is known at once,
 * because nobody serves its subject. A Go peel answers to the inbox of the request; both are taken. What is cut off at
 * the deadline says so a moment later, and is waited for.
 */
import { isZesterError } from '../../core/errors/zester-error.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { LAST_WORD_MS } from '../../core/jobs/closing-time.ts';
import { exitCodeOf } from '../../core/jobs/exit-code.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { signDirect } from '../../trust/signed-proof.ts';
import { execRequestCodec, execResponseCodec } from '../../wire/exec.ts';
import { DEADLINE_HEADER, PROOF_HEADER } from '../../wire/headers.ts';
import type { Jid, PeelId } from '../../wire/ids.ts';
import { type Return, returnCodec } from '../../wire/job-return.ts';
import type { Outcome } from '../../wire/job-status.ts';
import { formatProof } from '../../wire/proof-header.ts';
import { commandSubject, directAnswerSubject } from '../../wire/subjects.ts';
import { nanosFromMs } from '../../wire/time.ts';
import type { AdminBus } from '../admin-bus.ts';
import type { CliContext } from '../command.ts';
import { formatData } from '../output.ts';
import { decodeOrTell } from '../try-decode.ts';
import type { ExecWords } from './exec-words.ts';
import type { ShowOptions } from './follow-job.ts';
import { resultRecord } from './result-record.ts';
import { returnsText } from './returns-text.ts';

export interface DirectRun {
  readonly words: ExecWords;
  readonly args: Readonly<Record<string, string | boolean>>;
  readonly targets: readonly PeelId[];
  readonly timeoutMs: number;
  readonly show: ShowOptions;
}

export async function runDirect(context: CliContext, admin: AdminBus, run: DirectRun): Promise<number> {
  const answers = await Promise.all(run.targets.map((peel) => askPeel(context.runtime, admin, run, peel)));
  const returns = new Map(answers.map((answer) => [answer.peelId, answer]));
  const outcomes = new Map<PeelId, Outcome>(answers.map((answer) => [answer.peelId, outcomeIn(answer)]));
  if (run.show.format === 'text') {
    context.out(returnsText(answers, run.show.look));
  } else {
    const isTest = asksDryRun(run.args);
    const record = resultRecord({
      jid: undefined,
      status: 'direct',
      isTest,
      targets: run.targets,
      returns,
      outcomes,
    });
    context.out(await formatData(record, run.show.format));
  }
  return exitCodeOf(outcomes.values());
}

export async function askPeel(
  { clock, random }: Pick<Runtime, 'clock' | 'random'>,
  { bus, operatorKey }: AdminBus,
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
    const inbox = bus
      .request(commandSubject(peel), payload, { timeoutMs: run.timeoutMs + LAST_WORD_MS, headers })
      .then(({ data }) => data);
    // Our peels answer on their own subject, so the inbox stays empty and its wait ends with the connection.
    inbox.catch(() => undefined);
    const data = await Promise.race([answered, inbox]);
    return answerReturn(jid, peel, data, clock.monotonicMs() - startedMs);
  } catch (error) {
    return silentReturn(
      jid,
      peel,
      isZesterError(error, 'BUS_NO_RESPONDERS') ? 'not connected' : (error as Error).message,
    );
  } finally {
    subscription.unsubscribe();
  }
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

function silentReturn(jid: Jid, peelId: PeelId, why: string): Return {
  return returnCodec.create({
    jid,
    peelId,
    error: `UNREACHABLE: ${why}`,
    unreachable: true,
    outcome: 'unreachable',
  });
}

function outcomeIn(answer: Return): Outcome {
  if (answer.unreachable) return 'unreachable';
  return answer.success && answer.error === '' ? 'returned' : 'failed';
}
