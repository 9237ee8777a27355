/**
 * `readStore` tells how a stream stands, by the word of its leader alone: a replica that lags would look like a store
 * that went back.
 */
import type { StoreNow } from '../../core/store-loss.ts';
import { msFromNanos, parseRfc3339 } from '../../wire/msgpack/time.ts';
import { JS_ERROR, streamInfoSubject, streamMessageSubject } from '../../wire/names/jetstream.ts';
import { refusalError } from '../jetstream-api.ts';
import type { Bus } from '../port.ts';

/** With the subjects of the messages under `sequences`. Undefined when there is no such stream. */
export async function readStore(
  bus: Bus,
  stream: string,
  sequences: readonly number[],
): Promise<StoreNow | undefined> {
  const subject = streamInfoSubject(stream);
  const info = await bus.tryApi(subject, {});
  if ('refusal' in info) {
    if (info.refusal.errorCode === JS_ERROR.streamNotFound) return undefined;
    throw refusalError(subject, info.refusal);
  }
  const { created, ts, state } = info.answer as {
    created?: unknown;
    ts?: unknown;
    state?: { last_seq?: unknown };
  };
  const lastSequence = Number(state?.last_seq ?? 0);
  const now = typeof ts === 'string' ? parseRfc3339(ts) : undefined;
  const wanted = [...new Set([...sequences, lastSequence])].filter(
    (each) => each > 0 && each <= lastSequence,
  );
  const subjects = new Map<number, string>();
  await Promise.all(
    wanted.map(async (sequence) => {
      const found = await subjectAt(bus, stream, sequence);
      if (found !== undefined) subjects.set(sequence, found);
    }),
  );
  return {
    created: String(created ?? ''),
    lastSequence,
    lastSubject: subjects.get(lastSequence) ?? '',
    nowMs: now === undefined ? 0 : msFromNanos(now),
    subjects,
  };
}

async function subjectAt(bus: Bus, stream: string, sequence: number): Promise<string | undefined> {
  const question = streamMessageSubject(stream);
  const result = await bus.tryApi(question, { seq: sequence });
  if ('refusal' in result) {
    if (result.refusal.errorCode === JS_ERROR.noMessageFound) return undefined;
    throw refusalError(question, result.refusal);
  }
  const { message } = result.answer as { message?: { subject?: unknown } };
  return typeof message?.subject === 'string' ? message.subject : undefined;
}
