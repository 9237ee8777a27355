/**
 * This file is the JetStream of the memory server: it takes in what its streams capture and answers the API subjects
 * that bus/ uses, in the server's own words. An API call outside that set gets no answer, as from a server that does
 * not know it.
 */
import type { Clock } from '../../runtime/clock.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import {
  LAST_SEQUENCE_HEADER,
  SEQUENCE_HEADER,
  STREAM_HEADER,
  SUBJECT_HEADER,
  TIME_STAMP_HEADER,
} from '../../wire/names/headers.ts';
import { JS_ERROR, STATUS } from '../../wire/names/jetstream.ts';
import { NO_BYTES } from '../connection.ts';
import type { Headers, StoredMessage } from '../port.ts';
import type { ApiError } from './api-error.ts';
import { type ConsumerConfig, MemoryConsumer } from './memory-consumer.ts';
import { MemoryStream, type StreamConfig } from './memory-stream.ts';
import { SubjectTree } from './subject-tree.ts';

export interface VoiceExtra {
  readonly headers?: Headers;
  readonly reply?: string;
  readonly status?: number;
  readonly statusText?: string;
  /** What the receiver sees as the subject: a consumer's messages keep the one they were stored with. */
  readonly shownSubject?: string;
}

/** A message that a stream took in. */
export interface Stored {
  readonly stream: string;
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
  readonly sequence: number;
}

/** How JetStream sends: as the server itself, so that no grant applies. */
export interface ServerVoice {
  send(subject: string, data: Uint8Array, extra: VoiceExtra): void;
}

type Body = Readonly<Record<string, unknown>>;
type Answer = object | { readonly error: ApiError } | undefined;

const NANOS_PER_MS = 1_000_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The body names no stream, or another than the subject. */
const OTHER_STREAM = {
  code: STATUS.badRequest,
  err_code: JS_ERROR.streamMismatch,
  description: 'stream name in subject does not match request',
};
const STREAM_NOT_FOUND: ApiError = {
  code: 404,
  err_code: JS_ERROR.streamNotFound,
  description: 'stream not found',
};
const CONSUMER_NOT_FOUND: ApiError = {
  code: 404,
  err_code: JS_ERROR.consumerNotFound,
  description: 'consumer not found',
};
const NO_MESSAGE: ApiError = {
  code: 404,
  err_code: JS_ERROR.noMessageFound,
  description: 'no message found',
};
const NAME_IN_USE: ApiError = {
  code: 400,
  err_code: JS_ERROR.streamNameInUse,
  description: 'stream name already in use with a different configuration',
};

export class MemoryJetStream {
  private readonly streams = new Map<string, MemoryStream>();
  private readonly consumers = new Map<string, Map<string, MemoryConsumer>>();
  /** Subjects of streams do not overlap, as the real server makes sure. */
  private readonly bySubject = new SubjectTree<MemoryStream>();
  private readonly clock: Clock;
  private readonly voice: ServerVoice;
  private readonly stored: (stored: Stored) => void;

  constructor(clock: Clock, voice: ServerVoice, stored: (stored: Stored) => void) {
    this.clock = clock;
    this.voice = voice;
    this.stored = stored;
  }

  /** Whether JetStream answers on a subject: that counts as a responder. */
  serves(subject: string): boolean {
    // A stream's direct gets and a consumer's pulls are subscriptions of their own: without them nobody responds.
    if (subject.startsWith('$JS.API.DIRECT.GET.')) return this.streams.has(subject.split('.')[4] ?? '');
    if (subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.')) return this.consumerOf(subject) !== undefined;
    return subject.startsWith('$JS.') || this.capturing(subject) !== undefined;
  }

  receive(subject: string, data: Uint8Array, headers: Headers, reply: string | undefined): void {
    if (subject.startsWith('$JS.API.DIRECT.GET.')) this.direct(subject.split('.').slice(4), data, reply);
    else if (subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.')) this.pull(subject, data, reply);
    else if (subject.startsWith('$JS.API.')) this.api(subject, data, reply);
    else if (subject.startsWith('$JS.ACK.')) this.ack(subject.split('.'), data, reply);
    else this.capture(subject, data, headers, reply);
  }

  /** Everything that is stored; the returned function brings it back. Streams and consumers made since stay. */
  snapshot(): () => void {
    const streams = [...this.streams.values()].map((stream) => stream.snapshot());
    const consumers = [...this.consumers.values()].flatMap((each) =>
      [...each.values()].map((consumer) => consumer.snapshot()),
    );
    return () => {
      for (const restore of [...streams, ...consumers]) restore();
    };
  }

  /** A connection went away with everything it was waiting for. */
  dropPulls(ofConnection: (reply: string) => boolean): void {
    for (const consumers of this.consumers.values()) {
      for (const consumer of consumers.values()) consumer.dropPulls(ofConnection);
    }
  }

  private capturing(subject: string): MemoryStream | undefined {
    return this.bySubject.match(subject)[0];
  }

  private capture(subject: string, data: Uint8Array, headers: Headers, reply: string | undefined): void {
    const stream = this.capturing(subject);
    if (stream === undefined) return;
    const before = stream.lastUnder(subject)?.sequence ?? 0;
    const result = stream.store(subject, data, headers);
    if ('error' in result) {
      this.reply(reply, { error: result.error, stream: stream.config.name, seq: 0 });
      return;
    }
    const { sequence, duplicate } = result;
    this.reply(reply, { stream: stream.config.name, seq: sequence, ...(duplicate ? { duplicate } : {}) });
    if (duplicate) return;
    this.stored({ stream: stream.config.name, subject, data, headers, sequence });
    this.republish(stream, sequence, before);
    for (const consumer of this.consumers.get(stream.config.name)?.values() ?? []) consumer.stored(subject);
  }

  private republish(stream: MemoryStream, sequence: number, before: number): void {
    const { republish, name } = stream.config;
    const message = stream.get(sequence);
    if (republish === undefined || message === undefined) return;
    const tail = republish.src.replace(/>$/, '');
    const to = republish.dest.replace(/>$/, message.subject.slice(tail.length));
    const headers = new Map([
      ...message.headers,
      ...placeHeaders(name, message),
      [LAST_SEQUENCE_HEADER, String(before)],
    ]);
    this.voice.send(to, republish.headers_only ? NO_BYTES : message.data, { headers });
  }

  private direct(tokens: string[], data: Uint8Array, reply: string | undefined): void {
    const [name, ...rest] = tokens;
    const stream = this.streams.get(name ?? '');
    if (reply === undefined || stream === undefined || stream.config.allow_direct !== true) return;
    const body = parseBody(data);
    const message = rest.length > 0 ? stream.lastUnder(rest.join('.')) : selectMessage(stream, body);
    if (rest.length > 0 && data.length > 0) {
      this.status(reply, STATUS.requestTimeout, 'Bad Request');
    } else if (message === undefined) {
      this.status(reply, STATUS.notFound, 'Message Not Found');
    } else {
      const headers = new Map([...message.headers, ...placeHeaders(stream.config.name, message)]);
      this.voice.send(reply, message.data, { headers });
    }
  }

  private consumerOf(nextSubject: string): MemoryConsumer | undefined {
    const tokens = nextSubject.split('.');
    return this.consumers.get(tokens[5] ?? '')?.get(tokens[6] ?? '');
  }

  private pull(subject: string, data: Uint8Array, reply: string | undefined): void {
    if (reply === undefined) return;
    const body = parseBody(data);
    this.consumerOf(subject)?.pull(reply, Number(body.batch ?? 1), {
      expiresMs: Number(body.expires ?? 0) / NANOS_PER_MS,
      heartbeatMs: Number(body.idle_heartbeat ?? 0) / NANOS_PER_MS,
    });
  }

  private ack(tokens: string[], data: Uint8Array, reply: string | undefined): void {
    this.consumers
      .get(tokens[2] ?? '')
      ?.get(tokens[3] ?? '')
      ?.answer(Number(tokens[5]), decoder.decode(data));
    if (reply !== undefined) this.voice.send(reply, NO_BYTES, {});
  }

  private api(subject: string, data: Uint8Array, reply: string | undefined): void {
    const [, , family, verb, ...rest] = subject.split('.');
    const call = `${family}${verb === undefined ? '' : `.${verb === 'MSG' ? `MSG.${rest.shift()}` : verb}`}`;
    const [name = '', consumer = ''] = rest;
    const body = parseBody(data);
    const answer = this.answerTo(call, name, consumer, body);
    if (answer !== undefined) this.reply(reply, answer);
  }

  private answerTo(call: string, name: string, consumer: string, body: Body): Answer {
    if (call === 'INFO')
      return { memory: 0, storage: 0, streams: this.streams.size, consumers: 0, limits: {} };
    const isConfig = body.name === name && Array.isArray(body.subjects);
    if ((call === 'STREAM.CREATE' || call === 'STREAM.UPDATE') && !isConfig) return { error: OTHER_STREAM };
    if (call === 'STREAM.CREATE') return this.createStream(body as unknown as StreamConfig);
    const stream = this.streams.get(name);
    if (stream === undefined) return { error: STREAM_NOT_FOUND };
    switch (call) {
      case 'STREAM.UPDATE':
        this.forgetSubjects(stream);
        stream.config = body as unknown as StreamConfig;
        this.noteSubjects(stream);
        return this.streamInfo(stream, {});
      case 'STREAM.INFO':
        return this.streamInfo(stream, body);
      case 'STREAM.DELETE':
        return this.deleteStream(name);
      case 'STREAM.PURGE':
        return { success: true, purged: purge(stream, body) };
      case 'STREAM.MSG.GET':
        return leaderMessage(selectMessage(stream, body));
      case 'CONSUMER.CREATE':
        return this.createConsumer(stream, consumer, (body.config ?? {}) as ConsumerConfig);
      case 'CONSUMER.INFO':
        return this.consumerInfo(name, consumer);
      case 'CONSUMER.DELETE':
        return this.deleteConsumer(name, consumer);
      default:
        return undefined;
    }
  }

  private createStream(config: StreamConfig): Answer {
    const existing = this.streams.get(config.name);
    if (existing !== undefined && JSON.stringify(existing.config) !== JSON.stringify(config))
      return { error: NAME_IN_USE };
    const stream = existing ?? new MemoryStream(config, () => this.clock.nowMs());
    this.streams.set(config.name, stream);
    this.noteSubjects(stream);
    if (existing === undefined) this.consumers.set(config.name, new Map());
    return this.streamInfo(stream, {});
  }

  private deleteStream(name: string): Answer {
    for (const consumer of this.consumers.get(name)?.values() ?? [])
      consumer.close(STATUS.conflict, 'Consumer Deleted');
    this.consumers.delete(name);
    const stream = this.streams.get(name);
    if (stream !== undefined) this.forgetSubjects(stream);
    this.streams.delete(name);
    return { success: true };
  }

  private noteSubjects(stream: MemoryStream): void {
    for (const filter of stream.config.subjects) this.bySubject.add(filter, stream);
  }

  private forgetSubjects(stream: MemoryStream): void {
    for (const filter of stream.config.subjects) this.bySubject.delete(filter, stream);
  }

  private streamInfo(stream: MemoryStream, body: Body): Answer {
    const filter = body.subjects_filter;
    const subjects = filter === undefined ? undefined : stream.subjectCounts(String(filter));
    const state = { ...stream.state(), ...(subjects === undefined ? {} : { subjects }) };
    return {
      config: stream.config,
      created: isoTime(stream.createdMs),
      state,
      total: Object.keys(subjects ?? {}).length,
      ts: isoTime(this.clock.nowMs()),
    };
  }

  private createConsumer(stream: MemoryStream, name: string, config: ConsumerConfig): Answer {
    const consumers = this.consumers.get(stream.config.name) as Map<string, MemoryConsumer>;
    const existing = consumers.get(name);
    if (existing !== undefined) return { name, config: existing.config, num_pending: existing.pending() };
    const consumer = new MemoryConsumer(name, config, stream, this.clock, {
      message: (to, { data, headers, subject }, reply) =>
        this.voice.send(to, data, { headers, reply, shownSubject: subject }),
      status: (to, code, text) => this.status(to, code, text),
    });
    consumers.set(name, consumer);
    return { name, config, num_pending: consumer.pending() };
  }

  private consumerInfo(stream: string, name: string): Answer {
    const consumer = this.consumers.get(stream)?.get(name);
    return consumer === undefined
      ? { error: CONSUMER_NOT_FOUND }
      : { name, config: consumer.config, num_pending: consumer.pending() };
  }

  private deleteConsumer(stream: string, name: string): Answer {
    const consumer = this.consumers.get(stream)?.get(name);
    if (consumer === undefined) return { error: CONSUMER_NOT_FOUND };
    consumer.close(STATUS.conflict, 'Consumer Deleted');
    this.consumers.get(stream)?.delete(name);
    return { success: true };
  }

  private reply(to: string | undefined, answer: object): void {
    if (to !== undefined) this.voice.send(to, encoder.encode(JSON.stringify(answer)), {});
  }

  private status(to: string, status: number, statusText: string): void {
    this.voice.send(to, NO_BYTES, { status, statusText });
  }
}

function purge(stream: MemoryStream, { filter, keep, seq }: Body): number {
  const end = seq === undefined ? undefined : Number(seq);
  return stream.purge(String(filter ?? '>'), Number(keep ?? 0), end);
}

function selectMessage(stream: MemoryStream, select: Body): StoredMessage | undefined {
  const { seq, last_by_subj: last, next_by_subj: next } = select;
  if (typeof last === 'string') return stream.lastUnder(last);
  if (typeof next === 'string') return stream.nextUnder(next, Number(seq ?? 1));
  return stream.get(Number(seq));
}

function leaderMessage(message: StoredMessage | undefined): Answer {
  if (message === undefined) return { error: NO_MESSAGE };
  const block = [
    'NATS/1.0',
    ...[...message.headers].map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');
  return {
    message: {
      subject: message.subject,
      seq: message.sequence,
      time: isoTime(message.publishedMs),
      data: Buffer.from(message.data).toString('base64'),
      ...(message.headers.size === 0 ? {} : { hdrs: Buffer.from(block).toString('base64') }),
    },
  };
}

function placeHeaders(stream: string, message: StoredMessage): [string, string][] {
  return [
    [STREAM_HEADER, stream],
    [SUBJECT_HEADER, message.subject],
    [SEQUENCE_HEADER, String(message.sequence)],
    [TIME_STAMP_HEADER, isoTime(message.publishedMs)],
  ];
}

function isoTime(ms: number): string {
  return formatRfc3339(nanosFromMs(ms));
}

/** What is no JSON asks for nothing. */
function parseBody(data: Uint8Array): Body {
  try {
    return data.length === 0 ? {} : (JSON.parse(decoder.decode(data)) as Body);
  } catch {
    return {};
  }
}
