/**
 * This file makes the calls to JetStream: JSON questions to `$JS.API…`, stores with an acknowledgement, and direct
 * gets. Every answer is checked before anything is concluded from it; what the server says went wrong becomes an error
 * of the registry.
 *
 * Questions and settings may be repeated, and are, for as long as the retry budget of the bus lasts; one with a
 * `timeoutMs` of its own gets one try, because its caller goes on by itself. Stores are not repeated here: only who
 * made the message knows whether it may come twice.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import { msFromNanos, parseRfc3339 } from '../wire/msgpack/time.ts';
import { SEQUENCE_HEADER, SUBJECT_HEADER, TIME_STAMP_HEADER } from '../wire/names/headers.ts';
import { JS_ERROR, STATUS, streamMessageSubject } from '../wire/names/jetstream.ts';
import { directGetLastSubject, directGetSubject } from '../wire/names/store-subjects.ts';
import { NO_BYTES, NO_HEADERS, type RawMessage } from './connection.ts';
import { parseHeaderBlock } from './header-block.ts';
import type { ApiOutcome, ApiRefusal, Appended, Headers, StoredMessage } from './port.ts';
import type { Requests } from './requests.ts';

const STORE_TIMEOUT_MS = 5_000;
/** Newer clusters answer the second while a competing write is still on its way through them. */
const WRONG_SEQUENCE: readonly number[] = [JS_ERROR.wrongLastSequence, JS_ERROR.wrongLastSequenceInFlight];
const UNAVAILABLE = 503;
const NOT_FOUND = 404;

export type Json = Readonly<Record<string, unknown>>;

export interface JetStreamApi {
  /** A question whose refusal is an error. */
  call(subject: string, body: object, timeoutMs?: number): Promise<Json>;
  /** A question whose refusal is part of the answer; throws where JetStream is not available. */
  tryCall(subject: string, body: object, timeoutMs?: number): Promise<ApiOutcome>;
  /** Stores a message. */
  store(subject: string, data: Uint8Array, headers: Headers, timeoutMs?: number): Promise<Appended>;
  /** Stores a message whose headers expect a sequence; undefined when another one was found. */
  storeIf(
    subject: string,
    data: Uint8Array,
    headers: Headers,
    timeoutMs?: number,
  ): Promise<Appended | undefined>;
  /** Newest message on a subject by any replica. */
  directLast(stream: string, subject: string, timeoutMs?: number): Promise<StoredMessage | undefined>;
  /** A message by what the body says: `{seq}`, `{seq, next_by_subj}`, `{last_by_subj}`. Any replica answers. */
  directSelect(stream: string, select: object, timeoutMs?: number): Promise<StoredMessage | undefined>;
  /** The same, answered by the leader. */
  leaderSelect(stream: string, select: object, timeoutMs?: number): Promise<StoredMessage | undefined>;
}

/** One attempt, or as many as the retry budget of the bus allows. */
export type RetryCall = <T>(what: string, attempt: (timeoutMs: number) => Promise<T>) => Promise<T>;

export function jetStreamApi(requests: Requests, retry: RetryCall): JetStreamApi {
  const ask = (subject: string, data: Uint8Array, timeoutMs: number | undefined): Promise<RawMessage> => {
    const once = (ms: number) => requests.ask(subject, data, { timeoutMs: ms });
    return timeoutMs === undefined ? retry(subject, once) : once(timeoutMs);
  };
  const tryCall: JetStreamApi['tryCall'] = (subject, body, timeoutMs) => {
    const once = async (ms: number): Promise<ApiOutcome> => {
      const answer = parseJson(await requests.ask(subject, jsonBytes(body), { timeoutMs: ms }), subject);
      const refusal = refusalIn(answer);
      if (refusal?.code === UNAVAILABLE) throw refusalError(subject, refusal);
      return refusal === undefined ? { answer } : { refusal };
    };
    return timeoutMs === undefined ? retry(subject, once) : once(timeoutMs);
  };
  async function publishAcknowledged(
    subject: string,
    data: Uint8Array,
    headers: Headers,
    timeoutMs = STORE_TIMEOUT_MS,
  ): Promise<{ stored: Appended } | { refusal: ApiRefusal }> {
    const message = await requests.ask(
      subject,
      data,
      headers.size > 0 ? { timeoutMs, headers } : { timeoutMs },
    );
    const plain = plainAck(message.data);
    if (plain !== undefined) return { stored: plain };
    const ack = parseJson(message, subject);
    const refusal = refusalIn(ack);
    if (refusal !== undefined) return { refusal };
    if (typeof ack.stream !== 'string' || typeof ack.seq !== 'number')
      throw nonsense(subject, 'no stream and sequence');
    return { stored: { stream: ack.stream, sequence: ack.seq, duplicate: ack.duplicate === true } };
  }

  return {
    tryCall,
    async call(subject, body, timeoutMs) {
      const result = await tryCall(subject, body, timeoutMs);
      if ('refusal' in result) throw refusalError(subject, result.refusal);
      return result.answer;
    },
    async store(subject, data, headers, timeoutMs) {
      const outcome = await publishAcknowledged(subject, data, headers, timeoutMs);
      if ('refusal' in outcome) throw refusalError(subject, outcome.refusal);
      return outcome.stored;
    },
    async storeIf(subject, data, headers, timeoutMs) {
      const outcome = await publishAcknowledged(subject, data, headers, timeoutMs);
      if ('stored' in outcome) return outcome.stored;
      if (WRONG_SEQUENCE.includes(outcome.refusal.errorCode)) return undefined;
      throw refusalError(subject, outcome.refusal);
    },
    async directLast(stream, subject, timeoutMs) {
      const question = directGetLastSubject(stream, subject);
      return storedIn(await ask(question, NO_BYTES, timeoutMs), question);
    },
    async directSelect(stream, select, timeoutMs) {
      const question = directGetSubject(stream);
      return storedIn(await ask(question, jsonBytes(select), timeoutMs), question);
    },
    async leaderSelect(stream, select, timeoutMs) {
      const question = streamMessageSubject(stream);
      const result = await tryCall(question, select, timeoutMs);
      if ('answer' in result) return storedInJson(result.answer, question);
      if (result.refusal.errorCode === JS_ERROR.noMessageFound) return undefined;
      throw refusalError(question, result.refusal);
    },
  };
}

export function refusalError(what: string, refusal: ApiRefusal): Error {
  const reason = `${refusal.description} (${refusal.errorCode})`;
  if (refusal.code === UNAVAILABLE) return zesterError('BUS_STORE_UNAVAILABLE', { what, reason });
  if (refusal.code === NOT_FOUND) return zesterError('BUS_STORE_MISSING', { asset: what }, { cause: reason });
  return zesterError('BUS_STORE', { what, reason });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function jsonBytes(body: object): Uint8Array {
  return encoder.encode(JSON.stringify(body));
}

function nonsense(what: string, problem: string): Error {
  return zesterError('BUS_BAD_DATA', { what, problem });
}

function parseJson(message: RawMessage, subject: string): Json {
  try {
    const value: unknown = JSON.parse(decoder.decode(message.data));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // Told below, with what was asked.
  }
  throw nonsense(
    subject,
    message.status === undefined ? 'not a JSON object' : `status ${message.status} ${message.statusText}`,
  );
}

const PLAIN_ACK = /^\{"stream":"([\w-]+)", ?"seq":(\d{1,15})\}$/;
/** Longer than any plain acknowledgement of ours. */
const PLAIN_ACK_BYTES_MAX = 128;

/** The acknowledgement that nearly every store gets, without a JSON parser; undefined when it is anything else. */
export function plainAck(data: Uint8Array): Appended | undefined {
  if (data.length > PLAIN_ACK_BYTES_MAX) return undefined;
  const [, stream, sequence] =
    PLAIN_ACK.exec(Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1')) ?? [];
  return stream === undefined ? undefined : { stream, sequence: Number(sequence), duplicate: false };
}

function refusalIn(answer: Json): ApiRefusal | undefined {
  const error = answer.error as Json | undefined;
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, err_code: errorCode, description } = error;
  return {
    code: Number(code ?? 0),
    errorCode: Number(errorCode ?? 0),
    description: String(description ?? ''),
  };
}

/** A direct get answers with the stored message itself, what is known of it in headers. */
function storedIn(message: RawMessage, question: string): StoredMessage | undefined {
  if (message.status === STATUS.notFound) return undefined;
  if (message.status !== undefined)
    throw nonsense(question, `status ${message.status} ${message.statusText}`);
  const stored = storedMessage(message);
  if (stored === undefined) throw nonsense(question, 'no subject, sequence and time');
  return stored;
}

/** What the server handed on of its store, with what is known of it in headers; undefined when those are not there. */
export function storedMessage({ data, headers }: RawMessage): StoredMessage | undefined {
  const subject = headers.get(SUBJECT_HEADER);
  const sequence = Number(headers.get(SEQUENCE_HEADER));
  const publishedMs = timeMs(headers.get(TIME_STAMP_HEADER));
  if (subject === undefined || !Number.isSafeInteger(sequence) || publishedMs === undefined) return undefined;
  return { subject, sequence, publishedMs, data, headers };
}

function storedInJson(answer: Json, question: string): StoredMessage {
  const { subject, seq, time, data, hdrs } = (answer.message ?? {}) as Json;
  const publishedMs = timeMs(time);
  if (typeof subject !== 'string' || typeof seq !== 'number' || publishedMs === undefined) {
    throw nonsense(question, 'no subject, sequence and time');
  }
  return {
    subject,
    sequence: seq,
    publishedMs,
    data: typeof data === 'string' ? Buffer.from(data, 'base64') : NO_BYTES,
    headers:
      typeof hdrs === 'string'
        ? parseHeaderBlock(Buffer.from(hdrs, 'base64').toString('utf8'), undefined).headers
        : NO_HEADERS,
  };
}

function timeMs(text: unknown): number | undefined {
  const nanos = typeof text === 'string' ? parseRfc3339(text) : undefined;
  return nanos === undefined ? undefined : msFromNanos(nanos);
}
