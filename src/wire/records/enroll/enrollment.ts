/**
 * An enrollment is one request of a machine to become a peel, and what became of it: `enrollments/enr-<KSUID>`. Masters write
 * it, each change by compare-and-set; the CLI reads it. Which states may follow which is decided in core/enroll.
 *
 * Everything up to `metadata` was said by the machine itself, before anybody trusted it: shown to people only as printable
 * text, and never the reason for a right.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { listOf, mapOf } from '../../msgpack/container-types.ts';
import {
  boolean,
  bytesOf,
  challengeId,
  choice,
  enrollmentId,
  name,
  optionalTime,
  peelId,
  text,
  time,
  valueMap,
} from '../../msgpack/field-types.ts';
import type { UnixNanos } from '../../msgpack/time.ts';
import type { WireMap } from '../../msgpack/wire-value.ts';
import type { ChallengeId, EnrollmentId, PeelId } from '../../names/ids.ts';

export const ENROLLMENT_STATES = [
  /** Waits for an operator, a token or a reaction. */
  'pending',
  /** May fetch its credentials, once. */
  'approved',
  /** An operator said no. The id is free again. */
  'rejected',
  /** The credentials were handed out; the peel has not been seen with them yet. */
  'issued',
  /** The peel has published facts. */
  'active',
  /** Its credentials are dead. The id is free again. */
  'revoked',
] as const;
export type EnrollmentState = (typeof ENROLLMENT_STATES)[number];

/** Pairs of one record. What is longer is refused at the door. */
export const METADATA_MAX = 32;
export const TAGS_MAX = 64;

/** One enrollment goes through five states at most; room for later versions. */
const CHANGES_MAX = 16;

/** The challenge and its proof. */
export const CHALLENGE_BYTES = 32;

/** An enrollment got into a state: the event about it says the same. */
export interface StateChange {
  readonly state: EnrollmentState;
  readonly at: UnixNanos;
  /** Who decided; empty: nobody had to. */
  readonly by: string;
  readonly reason: string;
}

const stateType = choice('enrollment state', ENROLLMENT_STATES);

export const stateChangeCodec: RecordCodec<StateChange> = record<StateChange>(
  'StateChange',
  'Additive. When an enrollment got into a state, and who decided.',
  {
    state: { key: 'state', type: stateType, doc: 'The state it got into.' },
    at: { key: 'at', type: time, doc: 'When.' },
    by: { key: 'by', type: name, omitEmpty: true, doc: 'Who decided; absent: nobody had to.' },
    reason: { key: 'reason', type: text, omitEmpty: true, doc: 'Why it was rejected or revoked.' },
  },
);

export interface Enrollment {
  readonly id: EnrollmentId;
  readonly peelId: PeelId;
  /** `U…`: the user key whose seed never leaves the machine. */
  readonly publicKey: string;
  /** `X…`: to it secrets are sealed and commands are proven. */
  readonly curvePublicKey: string;
  readonly state: EnrollmentState;
  readonly hostname: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: UnixNanos;
  readonly updatedAt: UnixNanos;
  readonly decidedBy: string;
  readonly decidedAt: UnixNanos | undefined;
  readonly rejectReason: string;
  readonly issuedAt: UnixNanos | undefined;
  readonly expiresAt: UnixNanos | undefined;
  readonly remoteAddress: string;
  readonly trustedCaSpki: string;
  readonly trustMismatch: boolean;
  readonly trustChecked: boolean;
  readonly tags: Readonly<Record<string, string>>;
  /** In clear, as records had them once; masters seal them with the next change. */
  readonly facts: WireMap;
  /** Name to `<generation> ENC[nkey,…]`, which masters open: facts that an operator set. */
  readonly sealedFacts: Readonly<Record<string, string>>;
  /** Public id of the join token that approved it; empty: none did. */
  readonly joinToken: string;
  /** The enrollment that took this one's place, of the same key; empty: none did. */
  readonly supersededBy: string;
  /** The states it went through, in order. */
  readonly changes: readonly StateChange[];
}

export const enrollmentCodec: RecordCodec<Enrollment> = record<Enrollment>(
  'Enrollment',
  'A machine wants to be a peel, and what became of it.',
  {
    id: { key: 'id', type: enrollmentId, doc: 'The same as the key.' },
    peelId: { key: 'peel_id', type: peelId, doc: 'What it wants to be called.' },
    publicKey: { key: 'public_key', type: name, doc: 'Its user key, `U…`.' },
    curvePublicKey: { key: 'curve_public_key', type: name, doc: 'Its curve key, `X…`.' },
    state: { key: 'state', type: stateType, doc: 'Where it stands.' },
    hostname: { key: 'hostname', type: name, omitEmpty: true, doc: 'What the machine calls itself.' },
    metadata: {
      key: 'metadata',
      type: mapOf(text, METADATA_MAX),
      omitEmpty: true,
      doc: 'What else the machine says.',
    },
    createdAt: { key: 'created_at', type: time, doc: 'When it asked.' },
    updatedAt: { key: 'updated_at', type: time, doc: 'Of the last change.' },
    decidedBy: {
      key: 'decided_by',
      type: name,
      omitEmpty: true,
      doc: 'Who approved, rejected or revoked it: an operator, `token:<id>`, `reactor`.',
    },
    decidedAt: { key: 'decided_at', type: optionalTime, omitEmpty: true, doc: 'When that was.' },
    rejectReason: {
      key: 'reject_reason',
      type: text,
      omitEmpty: true,
      doc: 'Why it was rejected or revoked.',
    },
    issuedAt: { key: 'issued_at', type: optionalTime, omitEmpty: true, doc: 'When credentials were given.' },
    expiresAt: { key: 'expires_at', type: optionalTime, omitEmpty: true, doc: 'When these expire.' },
    remoteAddress: { key: 'remote_addr', type: name, omitEmpty: true, doc: 'From where it asked.' },
    trustedCaSpki: {
      key: 'trusted_ca_spki',
      type: name,
      omitEmpty: true,
      doc: 'Pin of the CA that the machine saw, by its own signed word.',
    },
    trustMismatch: {
      key: 'trust_mismatch',
      type: boolean,
      omitEmpty: true,
      doc: 'That CA is not ours: somebody stood in between.',
    },
    trustChecked: { key: 'trust_checked', type: boolean, omitEmpty: true, doc: 'The two were compared.' },
    tags: {
      key: 'tags',
      type: mapOf(text, TAGS_MAX),
      omitEmpty: true,
      doc: 'Additive. What an operator says of the peel.',
    },
    facts: {
      key: 'facts',
      type: valueMap,
      omitEmpty: true,
      doc: 'Additive. Facts that an operator set, in clear: of records from before `sealed_facts`.',
    },
    sealedFacts: {
      key: 'sealed_facts',
      type: mapOf(text, TAGS_MAX),
      omitEmpty: true,
      doc: 'Additive. Facts that an operator set, each sealed to the fleet key of the masters.',
    },
    joinToken: {
      key: 'join_token',
      type: name,
      omitEmpty: true,
      doc: 'Additive. The join token it came with.',
    },
    supersededBy: {
      key: 'superseded_by',
      type: name,
      omitEmpty: true,
      doc: 'Additive. The enrollment of the same key that took its place.',
    },
    changes: {
      key: 'changes',
      type: listOf(stateChangeCodec.type, CHANGES_MAX),
      omitEmpty: true,
      doc: 'Additive. The states it went through: what masters go by when they tell events.',
    },
  },
);

export interface EnrollChallenge {
  readonly challengeId: ChallengeId;
  readonly challenge: Uint8Array;
  readonly peelId: PeelId;
  readonly publicKey: string;
  readonly issuedAt: UnixNanos;
  readonly expiresAt: UnixNanos;
  readonly used: boolean;
}

export const enrollChallengeCodec: RecordCodec<EnrollChallenge> = record<EnrollChallenge>(
  'EnrollChallenge',
  'What a machine that wants to join must sign, once.',
  {
    challengeId: { key: 'challenge_id', type: challengeId, doc: 'The same as the key.' },
    challenge: { key: 'challenge', type: bytesOf(CHALLENGE_BYTES), doc: 'Random bytes.' },
    peelId: { key: 'peel_id', type: peelId, doc: 'For whom it was made.' },
    publicKey: { key: 'public_key', type: name, doc: 'Whose signature counts.' },
    issuedAt: { key: 'issued_at', type: time, doc: 'When it was made.' },
    expiresAt: { key: 'expires_at', type: time, doc: 'When it is worth nothing any more.' },
    used: { key: 'used', type: boolean, doc: 'It has been answered.' },
  },
);
