/**
 * These functions read what an enrollment door answered. A door is a stranger until its certificate is checked, and it may be
 * broken afterwards: each answer is taken apart field by field, and what is missing, of another kind or about somebody else is
 * named, never guessed. Texts for people come out printable.
 */
import {
  type ChallengeId,
  type EnrollmentId,
  parseChallengeId,
  parseEnrollmentId,
} from '../../wire/names/ids.ts';
import {
  CHALLENGE_BYTES,
  ENROLLMENT_STATES,
  type EnrollmentState,
} from '../../wire/records/enroll/enrollment.ts';
import { printableLine } from '../printable.ts';

/** An answer, or what is wrong with it. */
export type AnswerRead<T> = { readonly value: T } | { readonly problem: string };

export interface NonceRead {
  readonly challengeId: ChallengeId;
  readonly challenge: Uint8Array;
}

export interface StatusRead {
  readonly id: EnrollmentId;
  readonly state: EnrollmentState;
  readonly message: string;
  /** The enrollment of the same key that took its place. */
  readonly supersededBy: EnrollmentId | undefined;
}

export interface BootstrapRead {
  readonly bundlePem: string;
  readonly fingerprint: string;
  readonly natsUrls: readonly string[];
  /** By which credentials are good; empty: it does not say. */
  readonly agentsKeys: readonly string[];
}

const NATS_URLS_MAX = 64;
const AGENTS_KEYS_MAX = 64;
const URL_CHARS_MAX = 300;
const MESSAGE_CHARS_MAX = 300;
const JWT_CHARS_MAX = 16_384;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function readNonce(body: string): AnswerRead<NonceRead> {
  const fields = objectOf(body);
  const challengeId = parseChallengeId(textOf(fields?.challenge_id));
  const challenge = bytesOf(fields?.challenge);
  if (challengeId === undefined) return { problem: 'it has no challenge_id' };
  if (challenge?.length !== CHALLENGE_BYTES)
    return { problem: `its challenge is not ${CHALLENGE_BYTES} bytes` };
  return { value: { challengeId, challenge } };
}

/** `asked` is the enrollment it must be about, where that is known already. */
export function readStatus(body: string, peelId: string, asked?: EnrollmentId): AnswerRead<StatusRead> {
  const fields = objectOf(body);
  const id = parseEnrollmentId(textOf(fields?.id));
  const state = ENROLLMENT_STATES.find((known) => known === fields?.state);
  if (id === undefined) return { problem: 'it has no id of an enrollment' };
  if (asked !== undefined && id !== asked) return { problem: `it is about ${id}, not ${asked}` };
  if (fields?.peel_id !== peelId)
    return {
      problem: `it is about ${printableLine(textOf(fields?.peel_id), MESSAGE_CHARS_MAX)}, not ${peelId}`,
    };
  if (state === undefined) return { problem: 'it has no state that is known' };
  const message = printableLine(textOf(fields.message), MESSAGE_CHARS_MAX);
  const supersededBy = parseEnrollmentId(textOf(fields.superseded_by));
  return { value: { id, state, message, supersededBy } };
}

/** The user JWT; whom it is for is checked by whoever can read it. */
export function readCredentials(body: string, peelId: string): AnswerRead<string> {
  const fields = objectOf(body);
  if (fields?.peel_id !== peelId)
    return {
      problem: `it is for ${printableLine(textOf(fields?.peel_id), MESSAGE_CHARS_MAX)}, not ${peelId}`,
    };
  const bytes = bytesOf(fields.creds_data);
  if (bytes === undefined || bytes.length > JWT_CHARS_MAX) return { problem: 'it has no credentials' };
  return { value: Buffer.from(bytes).toString('latin1') };
}

export function readBootstrap(body: string): AnswerRead<BootstrapRead> {
  const fields = objectOf(body);
  if (fields?.v !== 1) return { problem: 'it is not a bootstrap document of version 1' };
  const { ca_bundle_pem: bundlePem, fingerprint, nats_urls: urls, agents_keys: agentsKeys } = fields;
  if (typeof bundlePem !== 'string' || typeof fingerprint !== 'string')
    return { problem: 'its ca_bundle_pem or its fingerprint is missing' };
  const areUrls = Array.isArray(urls) && urls.length <= NATS_URLS_MAX;
  if (!areUrls || !urls.every((url) => typeof url === 'string' && url.length <= URL_CHARS_MAX))
    return { problem: 'its nats_urls are not a list of addresses' };
  return { value: { bundlePem, fingerprint, natsUrls: urls as string[], agentsKeys: keysOf(agentsKeys) } };
}

/** What makes no sense is as good as not said: it only saves a machine from asking in vain. */
function keysOf(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.length <= AGENTS_KEYS_MAX;
  return isList ? value.filter((each) => typeof each === 'string') : [];
}

/** What a door says of why it refused, for people. */
export function readRefusal(body: string): { readonly reason: string; readonly code: string } {
  const fields = objectOf(body);
  return {
    reason: printableLine(textOf(fields?.error), MESSAGE_CHARS_MAX),
    code: printableLine(textOf(fields?.code), MESSAGE_CHARS_MAX),
  };
}

function objectOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function bytesOf(value: unknown): Uint8Array | undefined {
  const text = textOf(value);
  return BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}
