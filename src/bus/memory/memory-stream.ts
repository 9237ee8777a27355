/**
 * A memory stream is one stream of the memory server: it keeps, refuses, drops and dates messages by the rules of
 * JetStream. Expiry is done when somebody looks, so it needs no timers and is exact.
 */
import {
  EXPECTED_LAST_SEQUENCE_HEADER,
  EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER,
  MESSAGE_ID_HEADER,
  ROLLUP_HEADER,
} from '../../wire/names/headers.ts';
import { JS_ERROR } from '../../wire/names/jetstream.ts';
import { subjectMatches } from '../../wire/names/subjects.ts';
import type { Headers, StoredMessage } from '../port.ts';
import type { ApiError } from './api-error.ts';

/** The settings we use, under the names of the JetStream API. Durations are nanoseconds. */
export interface StreamConfig {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly max_age?: number;
  readonly max_msgs?: number;
  readonly max_bytes?: number;
  readonly max_msgs_per_subject?: number;
  readonly max_msg_size?: number;
  readonly duplicate_window?: number;
  readonly allow_rollup_hdrs?: boolean;
  readonly allow_direct?: boolean;
  readonly republish?: { readonly src: string; readonly dest: string; readonly headers_only?: boolean };
}

export type StoreResult =
  | { readonly sequence: number; readonly duplicate: boolean }
  | { readonly error: ApiError };

const NANOS_PER_MS = 1_000_000;

export class MemoryStream {
  config: StreamConfig;
  readonly createdMs: number;
  private readonly now: () => number;
  private readonly messages = new Map<number, StoredMessage>();
  private readonly bySubject = new Map<string, number[]>();
  private readonly ids = new Map<string, { readonly sequence: number; readonly atMs: number }>();
  private last = 0;
  private bytes = 0;

  constructor(config: StreamConfig, now: () => number) {
    this.config = config;
    this.now = now;
    this.createdMs = now();
  }

  store(subject: string, data: Uint8Array, headers: Headers): StoreResult {
    this.expire();
    const messageId = headers.get(MESSAGE_ID_HEADER);
    const earlier = messageId === undefined ? undefined : this.ids.get(messageId);
    if (earlier !== undefined) return { sequence: earlier.sequence, duplicate: true };
    const error = this.refusal(subject, data, headers);
    if (error !== undefined) return { error };
    this.rollUp(subject, headers.get(ROLLUP_HEADER));
    const sequence = ++this.last;
    const message = { subject, data, headers, sequence, publishedMs: this.now() };
    this.messages.set(sequence, message);
    this.bytes += data.length;
    this.sequencesOf(subject).push(sequence);
    if (messageId !== undefined) this.ids.set(messageId, { sequence, atMs: message.publishedMs });
    this.enforceLimits(subject);
    return { sequence, duplicate: false };
  }

  /** What is stored now; the returned function brings it back, as a server that lost its last writes. */
  snapshot(): () => void {
    const messages = [...this.messages];
    const ids = [...this.ids];
    const { last } = this;
    return () => {
      this.messages.clear();
      this.bySubject.clear();
      this.ids.clear();
      this.bytes = 0;
      this.last = last;
      for (const [id, place] of ids) this.ids.set(id, place);
      for (const [sequence, message] of messages) {
        this.messages.set(sequence, message);
        this.bytes += message.data.length;
        this.sequencesOf(message.subject).push(sequence);
      }
    };
  }

  state() {
    this.expire();
    const first = this.messages.keys().next();
    return {
      messages: this.messages.size,
      bytes: this.bytes,
      first_seq: first.done ? this.last + 1 : first.value,
      last_seq: this.last,
    };
  }

  get(sequence: number): StoredMessage | undefined {
    this.expire();
    return this.messages.get(sequence);
  }

  lastUnder(filter: string): StoredMessage | undefined {
    this.expire();
    if (this.config.subjects.includes(filter)) return this.newest();
    let newest = 0;
    for (const [, sequences] of this.matching(filter)) newest = Math.max(newest, sequences.at(-1) ?? 0);
    return this.messages.get(newest);
  }

  nextUnder(filter: string, from: number): StoredMessage | undefined {
    this.expire();
    const prefix = literalPrefix(filter);
    for (let at = Math.max(from, 1); at <= this.last; at++) {
      const message = this.messages.get(at);
      if (message?.subject.startsWith(prefix) && subjectMatches(filter, message.subject)) return message;
    }
    return undefined;
  }

  countUnder(filter: string, from: number): number {
    this.expire();
    let count = 0;
    for (const [, sequences] of this.matching(filter))
      count += sequences.filter((sequence) => sequence >= from).length;
    return count;
  }

  subjectCounts(filter: string): Record<string, number> {
    this.expire();
    return Object.fromEntries(
      [...this.matching(filter)].map(([subject, sequences]) => [subject, sequences.length]),
    );
  }

  /** Drops all but the newest `keep` under a filter, of those before the sequence `end`. */
  purge(filter: string, keep: number, end = Number.POSITIVE_INFINITY): number {
    this.expire();
    const sequences = [...this.matching(filter)].flatMap(([, each]) => each).sort((a, b) => a - b);
    const old = sequences.filter((sequence) => sequence < end);
    const dropped = keep === 0 ? old : old.slice(0, -keep);
    for (const sequence of dropped) this.drop(sequence);
    return dropped.length;
  }

  private newest(): StoredMessage | undefined {
    for (let at = this.last; at > 0; at--) {
      const message = this.messages.get(at);
      if (message !== undefined || this.messages.size === 0) return message;
    }
    return undefined;
  }

  private *matching(filter: string): Iterable<[string, number[]]> {
    const exact = this.bySubject.get(filter);
    if (exact !== undefined) {
      yield [filter, exact];
    } else if (filter.includes('*') || filter.includes('>')) {
      const prefix = literalPrefix(filter);
      for (const entry of this.bySubject)
        if (entry[0].startsWith(prefix) && subjectMatches(filter, entry[0])) yield entry;
    }
  }

  private refusal(subject: string, data: Uint8Array, headers: Headers): ApiError | undefined {
    const max = this.config.max_msg_size ?? -1;
    if (max > 0 && data.length > max) {
      return {
        code: 400,
        err_code: JS_ERROR.messageTooLarge,
        description: 'message size exceeds maximum allowed',
      };
    }
    if (headers.has(ROLLUP_HEADER) && this.config.allow_rollup_hdrs !== true) {
      return { code: 500, err_code: JS_ERROR.rollupNotPermitted, description: 'rollup not permitted' };
    }
    const ofStream = headers.get(EXPECTED_LAST_SEQUENCE_HEADER);
    if (ofStream !== undefined && Number(ofStream) !== this.last) return wrongSequence(this.last);
    const ofSubject = headers.get(EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER);
    const lastOfSubject = this.bySubject.get(subject)?.at(-1) ?? 0;
    if (ofSubject !== undefined && Number(ofSubject) !== lastOfSubject) return wrongSequence(lastOfSubject);
    return undefined;
  }

  private rollUp(subject: string, kind: string | undefined): void {
    if (kind === 'sub') this.purge(subject, 0);
    if (kind === 'all') this.purge('>', 0);
  }

  private enforceLimits(subject: string): void {
    const perSubject = this.config.max_msgs_per_subject ?? 0;
    const sequences = this.sequencesOf(subject);
    while (perSubject > 0 && sequences.length > perSubject) this.drop(sequences[0] as number);
    const over = () =>
      ((this.config.max_msgs ?? -1) > 0 && this.messages.size > (this.config.max_msgs as number)) ||
      ((this.config.max_bytes ?? -1) > 0 && this.bytes > (this.config.max_bytes as number));
    while (over()) this.drop(this.messages.keys().next().value as number);
  }

  private expire(): void {
    const now = this.now();
    const ageMs = (this.config.max_age ?? 0) / NANOS_PER_MS;
    if (ageMs > 0) {
      for (const [sequence, message] of this.messages) {
        if (message.publishedMs + ageMs > now) break;
        this.drop(sequence);
      }
    }
    const windowMs = (this.config.duplicate_window ?? 0) / NANOS_PER_MS;
    for (const [id, { atMs }] of this.ids) {
      if (atMs + windowMs > now) break;
      this.ids.delete(id);
    }
  }

  private drop(sequence: number): void {
    const message = this.messages.get(sequence);
    if (message === undefined) return;
    this.messages.delete(sequence);
    this.bytes -= message.data.length;
    const sequences = this.sequencesOf(message.subject);
    sequences.splice(sequences.indexOf(sequence), 1);
    if (sequences.length === 0) this.bySubject.delete(message.subject);
  }

  private sequencesOf(subject: string): number[] {
    const existing = this.bySubject.get(subject);
    if (existing !== undefined) return existing;
    const fresh: number[] = [];
    this.bySubject.set(subject, fresh);
    return fresh;
  }
}

/** What every match starts with: cheap to look at first. */
function literalPrefix(filter: string): string {
  const wild = filter.search(/[*>]/);
  return wild < 0 ? filter : filter.slice(0, wild);
}

function wrongSequence(actual: number): ApiError {
  return { code: 400, err_code: JS_ERROR.wrongLastSequence, description: `wrong last sequence: ${actual}` };
}
