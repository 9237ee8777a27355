/**
 * Fleet key questions are what operators ask a master about the fleet key, and its answers: how it stands, make another
 * generation, certify this operator's key by the newest one. The agents key is asked about in the same words. No seed is ever in one of them.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { listOf } from '../../msgpack/container-types.ts';
import {
  boolean,
  bytesOf,
  integer,
  name,
  optionalMasterId,
  optionalRecord,
  optionalTime,
  time,
} from '../../msgpack/field-types.ts';
import type { UnixNanos } from '../../msgpack/time.ts';
import type { MasterId } from '../../names/ids.ts';
import {
  ED25519_SIGNATURE_BYTES,
  type OperatorCertificate,
  operatorCertificateBytes,
  operatorCertificateCodec,
} from '../operator-certificate.ts';
import { joined } from '../proof-bytes.ts';

export const NAMED_MAX = 32;
const GENERATIONS_MAX = 1_024;

export interface FleetKeyRequest {
  /** The same one again does nothing twice. Empty: only tell how it stands. */
  readonly request: string;
  readonly user: string;
  /** Without an overlap: the key before was stolen. Of the agents key only. */
  readonly isNow: boolean;
}

export const fleetKeyRequestCodec: RecordCodec<FleetKeyRequest> = record<FleetKeyRequest>(
  'FleetKeyRequest',
  'Additive. How does the fleet key, or the agents key, stand; or make another generation of it.',
  {
    request: { key: 'request', type: name, omitEmpty: true, doc: 'Id of the question, for a rotation.' },
    user: { key: 'user', type: name, omitEmpty: true, doc: 'Who asks, for the record.' },
    isNow: {
      key: 'is_now',
      type: boolean,
      omitEmpty: true,
      doc: 'The key before ends at once. Of the agents key only.',
    },
  },
);

export interface GenerationStanding {
  readonly generation: number;
  /** Peels accept it. */
  readonly isGood: boolean;
  readonly created: UnixNanos | undefined;
  readonly createdBy: string;
  readonly ended: UnixNanos | undefined;
}

export const generationStandingCodec: RecordCodec<GenerationStanding> = record<GenerationStanding>(
  'GenerationStanding',
  'Additive. How one generation of the fleet key stands.',
  {
    generation: { key: 'generation', type: integer, doc: 'Its number.' },
    isGood: { key: 'is_good', type: boolean, omitEmpty: true, doc: 'Peels accept it.' },
    created: { key: 'created', type: optionalTime, omitEmpty: true, doc: 'When it was made.' },
    createdBy: { key: 'created_by', type: name, omitEmpty: true, doc: 'Who asked for it.' },
    ended: {
      key: 'ended',
      type: optionalTime,
      omitEmpty: true,
      doc: 'When the overlap with the one before it ended.',
    },
  },
);

export interface FleetKeyReply {
  readonly master: MasterId | undefined;
  /** The newest first. */
  readonly generations: readonly GenerationStanding[];
  readonly isOverlap: boolean;
  readonly endsEarliest: UnixNanos | undefined;
  readonly endsLatest: UnixNanos | undefined;
  readonly peelsOnline: number;
  readonly peelsConfirmed: number;
  /** Online and not confirmed; the list is cut. */
  readonly peelsMissing: readonly string[];
  /** Masters that do not have the newest one; the list is cut. */
  readonly mastersMissing: readonly string[];
  /** Records that are still sealed under an older generation. */
  readonly sealedOld: number;
  readonly error: string;
  readonly code: string;
}

export const fleetKeyReplyCodec: RecordCodec<FleetKeyReply> = record<FleetKeyReply>(
  'FleetKeyReply',
  'Additive. How the fleet key, or the agents key, stands.',
  {
    master: { key: 'master', type: optionalMasterId, omitEmpty: true, doc: 'Who answers.' },
    generations: {
      key: 'generations',
      type: listOf(generationStandingCodec.type, GENERATIONS_MAX),
      omitEmpty: true,
      doc: 'Newest first.',
    },
    isOverlap: { key: 'is_overlap', type: boolean, omitEmpty: true, doc: 'A rotation is under way.' },
    endsEarliest: {
      key: 'ends_earliest',
      type: optionalTime,
      omitEmpty: true,
      doc: 'The overlap does not end before.',
    },
    endsLatest: { key: 'ends_latest', type: optionalTime, omitEmpty: true, doc: 'It has ended then.' },
    peelsOnline: { key: 'peels_online', type: integer, omitEmpty: true, doc: 'Peels with a heartbeat.' },
    peelsConfirmed: {
      key: 'peels_confirmed',
      type: integer,
      omitEmpty: true,
      doc: 'Of those, how many have the newest generation.',
    },
    peelsMissing: {
      key: 'peels_missing',
      type: listOf(name, NAMED_MAX),
      omitEmpty: true,
      doc: 'Some of those that do not.',
    },
    mastersMissing: {
      key: 'masters_missing',
      type: listOf(name, NAMED_MAX),
      omitEmpty: true,
      doc: 'Masters that do not have the newest generation.',
    },
    sealedOld: {
      key: 'sealed_old',
      type: integer,
      omitEmpty: true,
      doc: 'Records in the store that are still sealed under an older generation.',
    },
    error: { key: 'error', type: name, omitEmpty: true, doc: 'Why not; for people.' },
    code: { key: 'code', type: name, omitEmpty: true, doc: 'Its code.' },
  },
);

export interface CertifyRequest {
  readonly certificate: OperatorCertificate;
  readonly asked: UnixNanos;
  readonly signature: Uint8Array;
}

export const certifyRequestCodec: RecordCodec<CertifyRequest> = record<CertifyRequest>(
  'CertifyRequest',
  'Additive. Certify the key of an operator by the newest generation of the fleet key.',
  {
    certificate: {
      key: 'certificate',
      type: operatorCertificateCodec.type,
      doc: 'What it has now, by a generation that is still good.',
    },
    asked: { key: 'asked', type: time, doc: 'When.' },
    signature: {
      key: 'signature',
      type: bytesOf(ED25519_SIGNATURE_BYTES),
      doc: 'By the key of the operator, over `zester-certify-v1`, a zero byte, the time and the certificate.',
    },
  },
);

/** What an operator signs to have its certificate renewed: that it has the key, and when it asked. */
export function certifyProofBytes({ certificate, asked }: Omit<CertifyRequest, 'signature'>): Uint8Array {
  return joined(`zester-certify-v1\0${asked}\0`, operatorCertificateBytes(certificate));
}

export interface CertifyReply {
  readonly certificate: OperatorCertificate | undefined;
  readonly error: string;
  readonly code: string;
}

export const certifyReplyCodec: RecordCodec<CertifyReply> = record<CertifyReply>(
  'CertifyReply',
  'Additive. A certificate by the newest generation of the fleet key.',
  {
    certificate: {
      key: 'certificate',
      type: optionalRecord(operatorCertificateCodec),
      omitEmpty: true,
      doc: 'For the same key and name, with the same end.',
    },
    error: { key: 'error', type: name, omitEmpty: true, doc: 'Why not; for people.' },
    code: { key: 'code', type: name, omitEmpty: true, doc: 'Its code.' },
  },
);
