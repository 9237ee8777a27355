/**
 * A join token lets machines in without an operator: `join-tokens/tok-<KSUID>`. Whoever holds the text
 * `tok-<KSUID>.<secret>` may enroll under an id that its pattern covers, until it is used up, expired or revoked. Masters
 * store a hash of the secret half and count uses by compare-and-set; every use names its enrollment, so that a request that
 * comes twice is counted once.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { listOf, mapOf } from '../../msgpack/container-types.ts';
import { integer, joinTokenId, name, optionalTime, text, time } from '../../msgpack/field-types.ts';
import type { UnixNanos } from '../../msgpack/time.ts';
import type { JoinTokenId } from '../../names/ids.ts';
import { TAGS_MAX } from './enrollment.ts';

/** Machines that one token lets in: their enrollments must fit its record. */
export const TOKEN_USES_MAX = 10_000;

export interface JoinToken {
  readonly id: JoinTokenId;
  /** SHA-256 of the secret half, hexadecimal. */
  readonly hash: string;
  readonly usesMax: number;
  readonly peelPattern: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdBy: string;
  readonly createdAt: UnixNanos;
  readonly expiresAt: UnixNanos;
  readonly revokedBy: string;
  readonly revokedAt: UnixNanos | undefined;
  /** Enrollments that it let in; their number is what was used. */
  readonly enrollments: readonly string[];
}

export const joinTokenCodec: RecordCodec<JoinToken> = record<JoinToken>(
  'JoinToken',
  'Additive. Lets machines in without an operator, as often and as long as it says.',
  {
    id: { key: 'id', type: joinTokenId, doc: 'Public half; the same as the key.' },
    hash: { key: 'hash', type: name, doc: 'SHA-256 of the secret half, hexadecimal.' },
    usesMax: { key: 'uses_max', type: integer, doc: 'How many machines it lets in.' },
    peelPattern: { key: 'peel_pattern', type: name, doc: 'Glob of the ids it covers.' },
    tags: { key: 'tags', type: mapOf(text, TAGS_MAX), omitEmpty: true, doc: 'Tags of those it lets in.' },
    createdBy: { key: 'created_by', type: name, doc: 'Who made it.' },
    createdAt: { key: 'created_at', type: time, doc: 'When.' },
    expiresAt: { key: 'expires_at', type: time, doc: 'Until when it counts.' },
    revokedBy: { key: 'revoked_by', type: name, omitEmpty: true, doc: 'Who took it back.' },
    revokedAt: { key: 'revoked_at', type: optionalTime, omitEmpty: true, doc: 'When.' },
    enrollments: {
      key: 'enrollments',
      type: listOf(name, TOKEN_USES_MAX),
      doc: 'What it was used for.',
    },
  },
);
