/**
 * `askPeel` asks one peel directly, without a master. No record, no ack, no user; the request is signed with the
 * operator's key, and the answer comes on a subject that was subscribed before. A peel that is away is known at once,
 * because nobody serves its subject: that alone is called unreachable. What is cut off at the deadline says so a moment
 * later, and is waited for. A peel that says nothing by then was connected when it was asked; it may run what it was
 * asked, may have run it or not have started it, and its outcome is `running`: not known to have ended.
 *
 * Nobody can take a direct request back: when the client's signal aborts it may run until its deadline, and its answer is
 * lost.
 */
import type { Message } from '../../bus/port.ts';
import { formatDuration } from '../../core/duration.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { LAST_WORD_MS } from '../../core/jobs/watch-times.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { signDirect } from '../../trust/signed-proof.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { DEADLINE_HEADER, PROOF_HEADER } from '../../wire/names/headers.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { commandSubject, directAnswerSubject } from '../../wire/names/subjects.ts';
import { execRequestCodec, execResponseCodec } from '../../wire/records/exec.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import { formatProof } from '../../wire/records/proof-header.ts';
import type { ClientContext } from '../client-context.ts';
import { signingKey } from '../fleet-key/signing-key.ts';
import type { CallRequest } from '../jobs/new-job.ts';

/** What it answered, or what is known of it without an answer, as a row of a job would tell it. */
export async function askPeel(client: ClientContext, call: CallRequest, peel: PeelId): Promise<Row> {
  const { bus, runtime, signal } = client;
  const { clock, random } = runtime;
  const key = await unlessAborted(signingKey(client), signal);
  const jid = newKsuid(clock, random) as Jid;
  const deadline = nanosFromMs(clock.nowMs() + call.timeoutMs);
  const { functionName: module, id, args } = call;
  const payload = execRequestCodec.encode(execRequestCodec.create({ jid, module, id, args, deadline }));
  const proof = signDirect(key, { peel, deadline, payload });
  const headers = new Map([
    [PROOF_HEADER, formatProof(proof)],
    [DEADLINE_HEADER, String(deadline)],
  ]);
  const startedMs = clock.monotonicMs();
  let take: (data: Uint8Array) => void = () => undefined;
  const answered = new Promise<Uint8Array>((resolve) => {
    take = resolve;
  });
  const subscribing = bus.subscribe(directAnswerSubject(jid, peel), ({ data }) => take(data));
  try {
    await unlessAborted(subscribing, signal);
    const asked = bus.request(commandSubject(peel), payload, {
      timeoutMs: call.timeoutMs + LAST_WORD_MS,
      headers,
    });
    // The request is for its failures alone (nobody there, no answer in time): no peel answers to its inbox.
    const answer = Promise.race([answered, asked.then(refuseInboxAnswer)]).then(
      (data) => answerReturn(jid, peel, data, clock.monotonicMs() - startedMs),
      (error: unknown) => silentReturn(jid, peel, error, call.timeoutMs),
    );
    return await unlessAborted(answer, signal);
  } finally {
    subscribing.then(
      (subscription) => subscription.unsubscribe(),
      () => undefined,
    );
  }
}

function refuseInboxAnswer({ subject }: Message): never {
  throw zesterError('BUS_BAD_DATA', { what: subject, problem: 'no peel answers there' });
}

/** It answered, whatever it said: nonsense is a failure of the peel, not silence. */
function answerReturn(jid: Jid, peelId: PeelId, data: Uint8Array, tookMs: number): Row {
  const duration = nanosFromMs(tookMs);
  const response = decoded(execResponseCodec, data);
  if (!response.isReadable) {
    const error = `its answer cannot be read: ${response.problem}`;
    return rowCodec.create({ jid, peelId, error, duration });
  }
  const { success, error } = response.value;
  return rowCodec.create({ jid, peelId, success, error, returnData: data, duration });
}

/**
 * A server that says that nobody listens knows it. No answer, or a question that broke off, leaves open what the peel
 * does.
 */
export function silentReturn(jid: Jid, peelId: PeelId, error: unknown, timeoutMs: number): Row {
  const row = { jid, peelId, unreachable: true };
  if (isZesterError(error, 'BUS_NO_RESPONDERS'))
    return rowCodec.create({ ...row, error: 'UNREACHABLE: not connected', outcome: 'unreachable' });
  const why = isZesterError(error, 'BUS_TIMEOUT')
    ? `NO ANSWER within ${formatDuration(timeoutMs)}: it was connected when it was asked, so`
    : `NO ANSWER: ${(error as Error).message};`;
  return rowCodec.create({
    ...row,
    error: `${why} what it was asked may have run or still run`,
    outcome: 'running',
  });
}
