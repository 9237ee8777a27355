/**
 * `askPublisher` asks the master that publishes files. Every master hears the question and only the holder of the lease
 * answers, so silence has one of three reasons, which the error tells apart: no master is there, none holds the lease, or
 * the one that does did not answer.
 *
 * Asked again in two cases. Where nobody is there to hear it, for as long as all masters may be on their way to another NATS
 * node. And where another master took the lease after it was asked: the one before has died, and the new one may not have
 * heard it as the publisher. That the first one had carried it out before it died does no harm: publishing what is published
 * changes nothing, and the other questions only look. At most `ASKED_MAX` times.
 */
import { withRetries } from '../../bus/retry-budget.ts';
import { isZesterError, type ZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { sleep } from '../../runtime/clock.ts';
import { stopSource } from '../../runtime/signals.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { PUBLISHER_LEASE_KEY } from '../../wire/names/keys.ts';
import type { FilesReply, FilesUpdateRequest } from '../../wire/records/fileserver.ts';
import { ask, MASTERS_AWAY_MS, QUESTIONS, type Question } from '../ask.ts';
import type { ClientContext } from '../client-context.ts';
import { unlessMissing } from '../unless-missing.ts';

/** What every answer of a publisher has. */
interface PublisherAnswer {
  readonly error: string;
  readonly code: string;
}

/** Masters that may die one after the other while one question is asked. */
const ASKED_MAX = 4;
const LEASE_LOOK_MS = 1_000;

/** A publisher answers within 30 s, also that it is not done yet. */
const PUBLISH_ANSWER_MS = 35_000;

/** Has the publisher look at its directories now, and publish what differs. */
export function publishFiles(client: ClientContext, request: FilesUpdateRequest): Promise<FilesReply> {
  const asked = askPublisher(client, QUESTIONS.publishFiles, request, PUBLISH_ANSWER_MS);
  return unlessAborted(asked, client.signal);
}

/** FILES_NO_PUBLISHER when nobody answers, FILES_REFUSED when the answer is an error. */
export async function askPublisher<Asked, Answer extends PublisherAnswer>(
  client: ClientContext,
  question: Question<Asked, Answer>,
  value: Asked,
  timeoutMs: number,
): Promise<Answer> {
  const answer = await askHolder(client, question, value, timeoutMs).catch(async (error: unknown) => {
    if (isZesterError(error, 'BUS_NO_RESPONDERS'))
      throw zesterError('FILES_NO_PUBLISHER', { why: 'no master is there to answer' }, { cause: error });
    throw isZesterError(error, 'BUS_TIMEOUT') ? await whyNobody(client, timeoutMs, error) : error;
  });
  if (answer.error !== '')
    throw zesterError('FILES_REFUSED', { reason: answer.error }, { reasonCode: answer.code });
  return answer;
}

/** Asks whoever holds the lease; again when another one has taken it. */
async function askHolder<Asked, Answer>(
  client: ClientContext,
  question: Question<Asked, Answer>,
  value: Asked,
  timeoutMs: number,
): Promise<Answer> {
  for (let asked = 1; ; asked++) {
    const before = await leaseHolder(client);
    const over = stopSource();
    const answer = askOnce(client, question, value, timeoutMs).then((found) => ({ found }));
    try {
      const again = asked === ASKED_MAX ? [] : [untilOtherHolder(client, before, over.signal)];
      const first = await Promise.race([answer, ...again]);
      if (first !== undefined) return first.found;
      // Nobody waits for it any more.
      answer.catch(() => undefined);
    } finally {
      over.abort();
    }
  }
}

/** Resolves when another master holds the lease than the one before; never, where the signal comes first. */
async function untilOtherHolder(
  client: ClientContext,
  before: string | undefined,
  over: AbortSignal,
): Promise<undefined> {
  while (!over.aborted) {
    await sleep(client.runtime.clock, LEASE_LOOK_MS, over);
    const now = await leaseHolder(client);
    if (now !== undefined && now !== before) return undefined;
  }
  return new Promise(() => undefined);
}

/** Undefined when nobody holds it, or it cannot be told for the moment. */
async function leaseHolder({ bus }: ClientContext): Promise<string | undefined> {
  const lease = await bus
    .bucket(BUCKETS.leases.name)
    .getLatest(PUBLISHER_LEASE_KEY)
    .catch(() => undefined);
  return lease?.found === true ? Buffer.from(lease.value).toString('utf8') : undefined;
}

function askOnce<Asked, Answer>(
  { bus, runtime }: ClientContext,
  question: Question<Asked, Answer>,
  value: Asked,
  timeoutMs: number,
): Promise<Answer> {
  // Only that nobody is there is tried again; whatever else came of it leaves this function as it is.
  const attempt = () =>
    ask(bus, question, value, timeoutMs).then(
      (answer) => ({ answer }),
      (error: unknown) => {
        if (isZesterError(error, 'BUS_NO_RESPONDERS')) throw error;
        return { error };
      },
    );
  return withRetries(runtime, { ms: MASTERS_AWAY_MS }, question.subject, attempt).then((end) => {
    if ('error' in end) throw end.error;
    return end.answer;
  });
}

async function whyNobody({ bus }: ClientContext, timeoutMs: number, cause: unknown): Promise<ZesterError> {
  const lease = await unlessMissing(
    bus.bucket(BUCKETS.leases.name).getLatest(PUBLISHER_LEASE_KEY),
    undefined,
  );
  const seconds = Math.round(timeoutMs / 1_000);
  const why =
    lease?.found === true
      ? `${Buffer.from(lease.value).toString('utf8')} holds the lease and did not answer within ${seconds} s`
      : 'none of the masters holds the lease';
  return zesterError('FILES_NO_PUBLISHER', { why }, { cause });
}
