/**
 * These records ask and answer which peels a target means. CLI or peel asks, one master answers from its index of
 * facts.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { listOf, mapOf } from '../msgpack/container-types.ts';
import { boolean, name, peelId, text, valueMap } from '../msgpack/field-types.ts';
import type { WireMap } from '../msgpack/wire-value.ts';
import type { PeelId } from '../names/ids.ts';
import { TARGETS_MAX } from '../names/limits.ts';

export interface ResolveRequest {
  readonly expr: string;
  readonly type: string;
  readonly wantFacts: boolean;
}

export const resolveRequestCodec: RecordCodec<ResolveRequest> = record<ResolveRequest>(
  'ResolveRequest',
  'Which peels does this target mean?',
  {
    expr: { key: 'expr', type: text, doc: 'The target.' },
    type: {
      key: 'type',
      type: name,
      omitEmpty: true,
      doc: '`glob`, `pcre`, `fact`, `settings`, `compound`, `list`; empty to tell from the target.',
    },
    wantFacts: { key: 'want_facts', type: boolean, omitEmpty: true, doc: 'Facts as well. Refused to peels.' },
  },
);

export interface ResolveResponse {
  readonly peels: readonly PeelId[];
  readonly facts: Readonly<Record<string, WireMap>>;
  readonly error: string;
  /** The code of the error; empty where there is none, and of masters from before it. */
  readonly code: string;
}

export const resolveResponseCodec: RecordCodec<ResolveResponse> = record<ResolveResponse>(
  'ResolveResponse',
  'These peels.',
  {
    peels: {
      key: 'peels',
      type: listOf(peelId, TARGETS_MAX),
      omitEmpty: true,
      doc: 'The peels, none if none matches.',
    },
    facts: {
      key: 'facts',
      type: mapOf(valueMap, TARGETS_MAX),
      omitEmpty: true,
      doc: 'Facts by peel, when asked for.',
    },
    error: { key: 'err', type: text, omitEmpty: true, doc: 'Why it cannot be told.' },
    code: {
      key: 'code',
      type: name,
      omitEmpty: true,
      doc: 'Additive. The code of that error, as in reference/errors.md.',
    },
  },
);
