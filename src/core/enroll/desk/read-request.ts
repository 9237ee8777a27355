/**
 * `readEnrollBody` reads the JSON of a request to join, which comes from anybody. It takes exactly the keys of
 * `EnrollRequestBody`, each of its type and within its bound; what is unknown is refused with the key that may have been meant,
 * because a mistyped `trusted_ca_spki` would otherwise silently mean none (the signatures of strangers prove only what is there).
 *
 * Words for people (hostname, metadata) are stored cut and without a character that a terminal obeys. Everything else has
 * one spelling or is refused.
 */
import { type ChallengeId, type PeelId, parseChallengeId, parsePeelId } from '../../../wire/names/ids.ts';
import type { EnrollRequestBody } from '../../../wire/records/enroll/enroll-http.ts';
import { METADATA_MAX } from '../../../wire/records/enroll/enrollment.ts';
import { printableLine } from '../../printable.ts';
import { didYouMean } from '../../suggest.ts';

export interface EnrollRequest {
  readonly peelId: PeelId;
  readonly publicKey: string;
  readonly curvePublicKey: string;
  readonly hostname: string;
  readonly challengeId: ChallengeId;
  readonly signature: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
  /** The CA that the machine goes by, and its signature for that; undefined: it says nothing about it. */
  readonly trust: { readonly pin: string; readonly signature: Uint8Array } | undefined;
  readonly token: string | undefined;
}

export type ReadEnrollRequest = { readonly request: EnrollRequest } | { readonly problem: string };

const KEYS: Readonly<Record<keyof EnrollRequestBody, 'text' | 'map'>> = {
  peel_id: 'text',
  public_key: 'text',
  curve_public_key: 'text',
  hostname: 'text',
  challenge_id: 'text',
  signature: 'text',
  metadata: 'map',
  trusted_ca_spki: 'text',
  trust_signature: 'text',
  token: 'text',
};
const REQUIRED = [
  'peel_id',
  'public_key',
  'curve_public_key',
  'hostname',
  'challenge_id',
  'signature',
] as const;
const SIGNATURE_BYTES = 64;
/** Base64 of a signature; with padding, as Go writes it. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;
const PIN = /^sha256:[0-9a-f]{64}$/;
const METADATA_KEY = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/;
/** The longest name that DNS has. */
const HOSTNAME_CHARS_MAX = 253;
const METADATA_CHARS_MAX = 256;
const SHOWN_CHARS_MAX = 64;

export function readEnrollBody(text: string): ReadEnrollRequest {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { problem: 'the body is not JSON' };
  }
  if (!isObject(body)) return { problem: 'the body is not a JSON object' };
  const problem = shapeProblem(body);
  return problem === undefined ? readFields(body as unknown as EnrollRequestBody) : { problem };
}

function shapeProblem(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(body)) {
    if (!Object.hasOwn(KEYS, key)) {
      const shown = printableLine(key, SHOWN_CHARS_MAX);
      const meant = didYouMean(shown, Object.keys(KEYS));
      return `there is no key ${shown}${meant === undefined ? '' : `; ${meant}`}`;
    }
    const type = KEYS[key as keyof EnrollRequestBody];
    if (type === 'text' && typeof value !== 'string') return `${key} is not text`;
    if (type === 'map' && !isObject(value)) return `${key} is not an object`;
  }
  const missing = REQUIRED.find((key) => body[key] === undefined || body[key] === '');
  return missing === undefined ? undefined : `${missing} is missing`;
}

function readFields(body: EnrollRequestBody): ReadEnrollRequest {
  const peelId = parsePeelId(body.peel_id);
  if (peelId === undefined) return { problem: PEEL_ID_PROBLEM };
  const challengeId = parseChallengeId(body.challenge_id);
  if (challengeId === undefined) return { problem: 'challenge_id is no id of a challenge' };
  const signature = signatureOf(body.signature);
  if (signature === undefined) return { problem: 'signature is not 64 bytes in base64' };
  const metadata = readMetadata(body.metadata ?? {});
  if (typeof metadata === 'string') return { problem: metadata };
  const trust = readTrust(body);
  if (typeof trust === 'string') return { problem: trust };
  return {
    request: {
      peelId,
      publicKey: body.public_key,
      curvePublicKey: body.curve_public_key,
      hostname: printableLine(body.hostname, HOSTNAME_CHARS_MAX),
      challengeId,
      signature,
      metadata,
      trust,
      token: body.token,
    },
  };
}

export const PEEL_ID_PROBLEM =
  'peel_id is no peel id: letters, digits, `-` and `_`, at most 128 of them, beginning with a letter or a digit; dots of a host name become `_`';

function readMetadata(given: Readonly<Record<string, unknown>>): Record<string, string> | string {
  const entries = Object.entries(given);
  if (entries.length > METADATA_MAX) return `metadata has more than ${METADATA_MAX} entries`;
  for (const [key, value] of entries) {
    if (!METADATA_KEY.test(key))
      return `metadata has a key that is no name: ${printableLine(key, SHOWN_CHARS_MAX)}`;
    if (typeof value !== 'string') return `metadata ${key} is not text`;
  }
  return Object.fromEntries(
    entries.map(([key, value]) => [key, printableLine(String(value), METADATA_CHARS_MAX)]),
  );
}

function readTrust(body: EnrollRequestBody): EnrollRequest['trust'] | string {
  const { trusted_ca_spki: pin = '', trust_signature: signature = '' } = body;
  if (pin === '' && signature === '') return undefined;
  if (!PIN.test(pin)) return 'trusted_ca_spki is not sha256: and 64 hexadecimal digits';
  const bytes = signatureOf(signature);
  return bytes === undefined ? 'trust_signature is not 64 bytes in base64' : { pin, signature: bytes };
}

function signatureOf(text: string): Uint8Array | undefined {
  if (!SIGNATURE.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === SIGNATURE_BYTES ? bytes : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
