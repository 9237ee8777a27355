/**
 * Enrollment admin records are what operators ask masters about who may join, and the answers. One master answers; the same
 * request twice changes nothing the second time.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { listOf, mapOf } from '../../msgpack/container-types.ts';
import {
  boolean,
  integer,
  name,
  optionalRecord,
  optionalTime,
  peelId,
  text,
  valueMap,
} from '../../msgpack/field-types.ts';
import type { UnixNanos } from '../../msgpack/time.ts';
import type { WireMap } from '../../msgpack/wire-value.ts';
import type { PeelId } from '../../names/ids.ts';
import { type Enrollment, enrollmentCodec, TAGS_MAX } from './enrollment.ts';
import { type JoinToken, joinTokenCodec } from './join-token.ts';

export interface EnrollAdminRequest {
  readonly id: string;
  /** Instead of an id, to revoke a peel that may have no enrollment; empty: the id says which. */
  readonly peelId: string;
  readonly operator: string;
  readonly reason: string;
  readonly force: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly facts: WireMap;
}

export const enrollAdminRequestCodec: RecordCodec<EnrollAdminRequest> = record<EnrollAdminRequest>(
  'EnrollAdminRequest',
  'Approve, reject or revoke an enrollment.',
  {
    id: { key: 'id', type: name, doc: 'Which enrollment.' },
    peelId: {
      key: 'peel_id',
      type: name,
      omitEmpty: true,
      doc: 'Additive. For revoke without an id: this peel, whether it has an enrollment or not.',
    },
    operator: { key: 'operator', type: name, doc: 'Who decides.' },
    reason: { key: 'reason', type: text, omitEmpty: true, doc: 'Why; for reject and revoke.' },
    force: { key: 'force', type: boolean, omitEmpty: true, doc: 'Approve in spite of a trust mismatch.' },
    tags: {
      key: 'tags',
      type: mapOf(text, TAGS_MAX),
      omitEmpty: true,
      doc: 'Additive. Tags of the peel; for approve.',
    },
    facts: {
      key: 'facts',
      type: valueMap,
      omitEmpty: true,
      doc: 'Additive. Facts of the peel; for approve.',
    },
  },
);

export interface EnrollAdminReply {
  readonly record: Enrollment | undefined;
  readonly error: string;
  readonly warning: string;
  readonly code: string;
  readonly servers: number;
  readonly serversKnown: number;
}

export const enrollAdminReplyCodec: RecordCodec<EnrollAdminReply> = record<EnrollAdminReply>(
  'EnrollAdminReply',
  'A master answers about one enrollment.',
  {
    record: {
      key: 'record',
      type: optionalRecord(enrollmentCodec),
      omitEmpty: true,
      doc: 'The enrollment as it stands now.',
    },
    error: { key: 'err', type: text, omitEmpty: true, doc: 'Why nothing was done.' },
    warning: { key: 'warning', type: text, omitEmpty: true, doc: 'Done, but not everywhere yet.' },
    code: { key: 'code', type: name, omitEmpty: true, doc: 'Additive. Code of that error.' },
    servers: {
      key: 'servers',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Of a revocation: NATS servers that confirmed that they keep the peel out.',
    },
    serversKnown: {
      key: 'servers_known',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. NATS servers there are, those that are away included.',
    },
  },
);

export interface JoinTokenRequest {
  /** Of the token to revoke; empty: make one. */
  readonly id: string;
  readonly operator: string;
  readonly hash: string;
  readonly uses: number;
  readonly expiresAt: UnixNanos | undefined;
  readonly peelPattern: string;
  readonly tags: Readonly<Record<string, string>>;
}

export const joinTokenRequestCodec: RecordCodec<JoinTokenRequest> = record<JoinTokenRequest>(
  'JoinTokenRequest',
  'Additive. Make or revoke a join token. The secret half stays with whoever asks.',
  {
    id: { key: 'id', type: name, doc: 'Public half of the token.' },
    operator: { key: 'operator', type: name, doc: 'Who asks.' },
    hash: { key: 'hash', type: name, omitEmpty: true, doc: 'SHA-256 of the secret half, hexadecimal.' },
    uses: { key: 'uses', type: integer, omitEmpty: true, doc: 'How many machines it lets in.' },
    expiresAt: { key: 'expires_at', type: optionalTime, omitEmpty: true, doc: 'Until when.' },
    peelPattern: { key: 'peel_pattern', type: name, omitEmpty: true, doc: 'Glob of the ids it covers.' },
    tags: { key: 'tags', type: mapOf(text, TAGS_MAX), omitEmpty: true, doc: 'Tags of those it lets in.' },
  },
);

export interface JoinTokenReply {
  readonly token: JoinToken | undefined;
  readonly error: string;
  readonly code: string;
}

export const joinTokenReplyCodec: RecordCodec<JoinTokenReply> = record<JoinTokenReply>(
  'JoinTokenReply',
  'Additive. A master answers about one join token.',
  {
    token: {
      key: 'token',
      type: optionalRecord(joinTokenCodec),
      omitEmpty: true,
      doc: 'The token as it stands now.',
    },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why nothing was done.' },
    code: { key: 'code', type: name, omitEmpty: true, doc: 'Code of that error.' },
  },
);

export interface PeelTagRequest {
  readonly peelId: PeelId;
  readonly operator: string;
  readonly setTags: Readonly<Record<string, string>>;
  readonly removeTags: readonly string[];
  readonly setFacts: WireMap;
  readonly removeFacts: readonly string[];
}

export const peelTagRequestCodec: RecordCodec<PeelTagRequest> = record<PeelTagRequest>(
  'PeelTagRequest',
  'Additive. Change what operators say of a peel.',
  {
    peelId: { key: 'peel_id', type: peelId, doc: 'Of whom.' },
    operator: { key: 'operator', type: name, doc: 'Who asks.' },
    setTags: { key: 'set_tags', type: mapOf(text, TAGS_MAX), omitEmpty: true, doc: 'Set or replace these.' },
    removeTags: { key: 'remove_tags', type: listOf(name, TAGS_MAX), omitEmpty: true, doc: 'Remove these.' },
    setFacts: { key: 'set_facts', type: valueMap, omitEmpty: true, doc: 'Set or replace these facts.' },
    removeFacts: {
      key: 'remove_facts',
      type: listOf(name, TAGS_MAX),
      omitEmpty: true,
      doc: 'Remove these facts.',
    },
  },
);
