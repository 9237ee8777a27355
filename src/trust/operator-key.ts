/**
 * An operator key is the key of a person: it signs cancels and direct requests (signed-proof.ts). It is worth something
 * only with its certificate, made by the command key and so by somebody who holds the account seed. `zester auth init`
 * makes the first admin's; the CLI keeps key and certificate in one file and sends the certificate along with each
 * proof.
 *
 * Not to be confused with the operator of NATS, who signs accounts.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Random } from '../runtime/random.ts';
import { decodeBase64url, encodeBase64url } from '../wire/msgpack/base64url.ts';
import type { UnixNanos } from '../wire/msgpack/time.ts';
import { FIRST_GENERATION } from '../wire/records/fleet-key/fleet-keys.ts';
import {
  OPERATOR_NAME_BYTES_MAX,
  type OperatorCertificate,
  type OperatorIdentity,
  operatorCertificateBytes,
  operatorCertificateCodec,
} from '../wire/records/operator-certificate.ts';
import { formatArmor, parseArmor } from './armor.ts';
import type { CertificateVerdicts } from './certificate-verdicts.ts';
import { type Ed25519Key, isUsableEd25519PublicKey } from './ed25519.ts';
import { decodePublicKey, newSigningKey, type SigningKey, signingKeyFromSeed } from './nkeys.ts';

export interface OperatorKey {
  readonly certificate: OperatorCertificate;
  sign(data: Uint8Array): Uint8Array;
  exposeSeed(): string;
}

export interface OperatorTerms {
  /** For logs and audit. */
  readonly name: string;
  readonly issued: UnixNanos;
  readonly expires: UnixNanos | undefined;
}

/** What the receiver goes by. */
export interface CertificateTrust {
  /** Public command keys: the current one and, for a while after a rotation, the one before. */
  readonly commandKeys: readonly Uint8Array[];
  readonly certificates: CertificateVerdicts;
  readonly now: UnixNanos;
}

const CERTIFICATE_LABEL = 'ZESTER OPERATOR CERTIFICATE';
const SEED_LABEL = 'ZESTER OPERATOR SEED';

export function newOperatorKey(
  random: Random,
  commandKey: Ed25519Key,
  terms: OperatorTerms,
  generation = FIRST_GENERATION,
): OperatorKey {
  const key = newSigningKey('user', random);
  const identity = { ...terms, publicKey: rawPublicKey(key) };
  return operatorKey(key, certifyOperator(commandKey, identity, generation));
}

/** Signs that `identity.publicKey` is the key of the operator of that name. `generation`: of the command key. */
export function certifyOperator(
  commandKey: Ed25519Key,
  { name, publicKey, issued, expires }: OperatorIdentity,
  generation = FIRST_GENERATION,
): OperatorCertificate {
  if (!isOperatorName(name)) throw zesterError('TRUST_OPERATOR_NAME', { max: OPERATOR_NAME_BYTES_MAX });
  const identity = { name, publicKey, issued, expires };
  const signature = commandKey.sign(operatorCertificateBytes(identity));
  return { ...identity, signature, generation: generation === FIRST_GENERATION ? 0 : generation };
}

/** The generation of the fleet key that signed a certificate, by its own word. */
export function generationOfCertificate({ generation }: OperatorCertificate): number {
  return Math.max(FIRST_GENERATION, generation);
}

/** The same key with another certificate, as a master made it anew. Undefined when that is about another key or name. */
export function withCertificate(key: OperatorKey, certificate: OperatorCertificate): OperatorKey | undefined {
  const isSame =
    certificate.name === key.certificate.name &&
    Buffer.from(certificate.publicKey).equals(key.certificate.publicKey);
  return isSame ? { ...key, certificate } : undefined;
}

/**
 * What is wrong with a certificate; undefined when it is good. The time of issue is not compared: a machine whose
 * clock is behind must not refuse a cancel.
 */
export function checkOperatorCertificate(
  { signature, generation: _, ...identity }: OperatorCertificate,
  { commandKeys, certificates, now }: CertificateTrust,
): 'unknown operator' | 'operator certificate expired' | undefined {
  const data = operatorCertificateBytes(identity);
  const known = commandKeys.some((key) => certificates.isSigned(key, data, signature));
  if (!known || !isUsableEd25519PublicKey(identity.publicKey)) return 'unknown operator';
  return identity.expires !== undefined && now >= identity.expires
    ? 'operator certificate expired'
    : undefined;
}

export function formatOperatorKey({ certificate, exposeSeed }: OperatorKey): string {
  const body = encodeBase64url(operatorCertificateCodec.encode(certificate));
  return [
    formatArmor({ label: CERTIFICATE_LABEL, body }),
    'Whoever can read the seed below can cancel jobs and call peels directly in your name.',
    '',
    formatArmor({ label: SEED_LABEL, body: exposeSeed() }),
  ].join('\n');
}

/** `source` names the file in errors. */
export function parseOperatorKey(text: string, source: string): OperatorKey {
  const [body, seed] = parseArmor(text, [CERTIFICATE_LABEL, SEED_LABEL]) ?? [];
  if (body === undefined || seed === undefined)
    throw invalidKey(source, 'it is not one certificate block followed by one seed block');
  const { certificate, key } = decodeParts(body, seed, source);
  if (!Buffer.from(rawPublicKey(key)).equals(certificate.publicKey))
    throw invalidKey(source, 'its certificate is about another key than its seed');
  return operatorKey(key, certificate);
}

/** The name is shown in logs and on terminals: nothing there may move the cursor or be endless. */
function isOperatorName(name: string): boolean {
  return (
    /^[^\p{C}\p{Z}](?:[^\p{C}]*[^\p{C}\p{Z}])?$/u.test(name) &&
    Buffer.byteLength(name) <= OPERATOR_NAME_BYTES_MAX
  );
}

function decodeParts(body: string, seed: string, source: string) {
  try {
    const certificate = operatorCertificateCodec.decode(decodeBase64url(body) ?? Buffer.of());
    return { certificate, key: signingKeyFromSeed(seed, 'user') };
  } catch (cause) {
    throw invalidKey(source, 'its certificate or its seed is damaged', cause);
  }
}

function operatorKey(key: SigningKey, certificate: OperatorCertificate): OperatorKey {
  return { certificate, sign: key.sign, exposeSeed: key.exposeSeed };
}

function rawPublicKey(key: SigningKey): Uint8Array {
  return decodePublicKey(key.publicKey, 'user');
}

function invalidKey(source: string, reason: string, cause?: unknown) {
  return zesterError('TRUST_OPERATOR_KEY_INVALID', { source, reason }, { cause });
}
