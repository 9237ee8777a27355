/**
 * `openStream` opens a stream: for appending with a fence, replaying, and working off durable consumers.
 *
 * An append that times out may have been stored. Repeating it with the same message id stores it once within the
 * duplicate window; but servers differ in what a repeated *fenced* append answers (2.10 says duplicate, 2.15 says wrong
 * sequence), so `appendAt` looks at the message that stands where ours should be before it calls itself beaten.
 */
import { EXPECTED_LAST_SEQUENCE_HEADER, MESSAGE_ID_HEADER } from '../../wire/names/headers.ts';
import { streamInfoSubject } from '../../wire/names/jetstream.ts';
import type { BusParts } from '../bus-parts.ts';
import type { AppendOptions, Headers, Stream, StreamState } from '../port.ts';
import { checkFilter, checkLiteral } from '../subject.ts';
import { consume } from './consume.ts';
import { readNewest, readWhole } from './stream-read.ts';

export function openStream(parts: BusParts, name: string): Stream {
  const { api } = parts;
  return {
    async state(): Promise<StreamState> {
      const info = await api.call(streamInfoSubject(name), {});
      const state = (info.state ?? {}) as Record<string, unknown>;
      return {
        firstSequence: Number(state.first_seq ?? 0),
        lastSequence: Number(state.last_seq ?? 0),
        messages: Number(state.messages ?? 0),
        bytes: Number(state.bytes ?? 0),
      };
    },
    async appendAt(subject, data, expected, options) {
      checkLiteral(subject);
      const headers = appendHeaders(options, expected);
      const stored = await api.storeIf(subject, data, headers, options.timeoutMs);
      if (stored !== undefined) return { won: true, revision: stored.sequence };
      if (options.messageId === undefined) return { won: false };
      const there = await api.leaderSelect(name, { seq: expected + 1 });
      const ours = there?.headers.get(MESSAGE_ID_HEADER) === options.messageId;
      return ours ? { won: true, revision: expected + 1 } : { won: false };
    },
    async last(filter) {
      checkFilter(filter);
      return api.leaderSelect(name, { last_by_subj: filter });
    },
    replay({ filter, lastPerSubject = false }, visit) {
      checkFilter(filter);
      return (lastPerSubject ? readNewest : readWhole)(parts, name, filter, visit);
    },
    consume: (spec, options, handle) => consume(parts, spec, options, handle),
  };
}

export function appendHeaders(options: AppendOptions, expected?: number): Headers {
  const headers = new Map(options.headers);
  if (options.messageId !== undefined) headers.set(MESSAGE_ID_HEADER, options.messageId);
  if (expected !== undefined) headers.set(EXPECTED_LAST_SEQUENCE_HEADER, String(expected));
  return headers;
}
