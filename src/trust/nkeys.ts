/**
 * These functions make and read nkeys, the keys of NATS: Ed25519 and X25519 keys as text that says what it is for. The
 * first letter is the role (O operator, A account, U user, X curve; S before it: seed), a CRC16 at the end catches
 * typing errors.
 *
 * Our own, on node:crypto, because the library signs with tweetnacl: 114 signatures a second where a master that
 * enrolls a fleet needs thousands. Same text, same signatures: the tests hold one against the other.
 *
 * Decoding is strict (length, alphabet, checksum, role, no spare bits), so a key has one spelling and can be compared
 * as text. Errors never repeat the text: it may be a seed.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import { digest } from '../runtime/digest.ts';
import type { Random } from '../runtime/random.ts';
import { decodeBase32, encodeBase32 } from './base32.ts';
import { ed25519Key, isUsableEd25519PublicKey, verifyEd25519 } from './ed25519.ts';
import { x25519Key } from './x25519.ts';

export type SigningRole = 'operator' | 'account' | 'user';
export type KeyRole = SigningRole | 'curve';

/** Ed25519 with a role. The seed is behind a call so that logging a key does not print it. */
export interface SigningKey {
  readonly role: SigningRole;
  readonly publicKey: string;
  sign(data: Uint8Array): Uint8Array;
  verify(data: Uint8Array, signature: Uint8Array): boolean;
  exposeSeed(): string;
}

/** X25519 for sealed boxes and command proofs. */
export interface CurveKey {
  readonly publicKey: string;
  /** The raw secret shared with `peer` (text form); undefined when that is not a usable curve key. */
  agree(peer: string): Uint8Array | undefined;
  exposeSeed(): string;
}

const RAW_BYTES = 32;
const CHECKSUM_BYTES = 2;
const SEED_MARK = 18 << 3;
const ROLE_BYTE: Readonly<Record<KeyRole, number>> = {
  operator: 14 << 3,
  account: 0,
  user: 20 << 3,
  curve: 23 << 3,
};

export function newSigningKey(role: SigningRole, random: Random): SigningKey {
  return signingKey(role, random.bytes(RAW_BYTES));
}

/** From 32 bytes that nobody can guess: of a key derivation. */
export function signingKeyFromRaw(role: SigningRole, raw: Uint8Array): SigningKey {
  return signingKey(role, raw);
}

/** The key of a seed text; throws when it is not a seed of that role. */
export function signingKeyFromSeed(seed: string, role: SigningRole): SigningKey {
  return signingKey(role, decodeSeed(seed, role));
}

/**
 * The curve key that belongs to a signing key: the same 32 bytes, taken as an X25519 private key (not the Ed25519 to
 * X25519 conversion). A peel has it from its user seed, masters from the account seed.
 */
export function curveKeyOf(key: SigningKey): CurveKey {
  return curveKey(rawSeedOf(key));
}

/** One that belongs to nobody else: for a message whose sender need not be known. */
export function newCurveKey(random: Random): CurveKey {
  return curveKey(random.bytes(RAW_BYTES));
}

export function curveKeyFromSeed(seed: string): CurveKey {
  return curveKey(decodeSeed(seed, 'curve'));
}

/** The 32 raw bytes behind a signing key: input of key derivation (command-key.ts). */
export function rawSeedOf(key: SigningKey): Uint8Array {
  return decodeSeed(key.exposeSeed(), key.role);
}

/** Checks a signature against a public key in text form. */
export function verifyWithPublicKey(
  publicKey: string,
  role: SigningRole,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  return verifyEd25519(decodePublicKey(publicKey, role), data, signature);
}

/** The 32 raw bytes of a public key text; throws when it is not a usable public key of that role. */
export function decodePublicKey(text: string, role: KeyRole): Uint8Array {
  const what = `${role} public key`;
  const bytes = checkedBytes(text, what, 1 + RAW_BYTES);
  if (bytes[0] !== ROLE_BYTE[role]) throw invalidKey(what, 'it is a key of another kind');
  const raw = bytes.subarray(1);
  if (role !== 'curve' && !isUsableEd25519PublicKey(raw)) throw invalidKey(what, 'it is of small order');
  return raw;
}

export function isPublicKey(text: string, role: KeyRole): boolean {
  try {
    decodePublicKey(text, role);
    return true;
  } catch {
    return false;
  }
}

/** Of the text of a public key: what people compare, on the machine and at the operator's terminal. */
export function keyFingerprint(publicKey: string): string {
  return `sha256:${Buffer.from(digest('sha256', Buffer.from(publicKey))).toString('hex')}`;
}

export function encodePublicKey(role: KeyRole, raw: Uint8Array): string {
  return withChecksum(Buffer.concat([Buffer.of(ROLE_BYTE[role]), raw]));
}

function signingKey(role: SigningRole, raw: Uint8Array): SigningKey {
  const key = ed25519Key(raw);
  const seed = encodeSeed(role, raw);
  return {
    role,
    publicKey: encodePublicKey(role, key.publicKey),
    sign: key.sign,
    verify: (data, signature) => verifyEd25519(key.publicKey, data, signature),
    exposeSeed: () => seed,
  };
}

function curveKey(raw: Uint8Array): CurveKey {
  const key = x25519Key(raw);
  const seed = encodeSeed('curve', raw);
  return {
    publicKey: encodePublicKey('curve', key.publicKey),
    agree: (peer) => (isPublicKey(peer, 'curve') ? key.agree(decodePublicKey(peer, 'curve')) : undefined),
    exposeSeed: () => seed,
  };
}

/** A seed starts with two letters, S and the role's; base 32 has 5 bits a letter, so the role is split over two bytes. */
function encodeSeed(role: KeyRole, raw: Uint8Array): string {
  const roleByte = ROLE_BYTE[role];
  return withChecksum(Buffer.concat([Buffer.of(SEED_MARK | (roleByte >> 5), (roleByte & 31) << 3), raw]));
}

function decodeSeed(text: string, role: KeyRole): Uint8Array {
  const what = `${role} seed`;
  const bytes = Buffer.from(checkedBytes(text, what, 2 + RAW_BYTES));
  const [first, second] = [bytes.readUInt8(0), bytes.readUInt8(1)];
  if ((first & 0xf8) !== SEED_MARK) throw invalidKey(what, 'it does not begin with S');
  if ((second & 7) !== 0) throw invalidKey(what, 'it has spare bits');
  if ((((first & 7) << 5) | (second >> 3)) !== ROLE_BYTE[role])
    throw invalidKey(what, 'it is a seed of another kind');
  return bytes.subarray(2);
}

function withChecksum(bytes: Buffer): string {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt16LE(crc16(bytes));
  return encodeBase32(Buffer.concat([bytes, checksum]));
}

function checkedBytes(text: string, what: string, length: number): Uint8Array {
  const chars = Math.ceil(((length + CHECKSUM_BYTES) * 8) / 5);
  if (text.length !== chars)
    throw invalidKey(what, `it has ${text.length} characters where ${chars} are needed`);
  const bytes = decodeBase32(text);
  if (bytes === undefined) throw invalidKey(what, 'it has characters other than A-Z and 2-7, or spare bits');
  const body = bytes.subarray(0, length);
  if (Buffer.from(bytes).readUInt16LE(length) !== crc16(body))
    throw invalidKey(what, 'its checksum is wrong');
  return body;
}

/** CRC-16/XMODEM. Bit by bit: 36 bytes do not need a table. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}

function invalidKey(what: string, reason: string) {
  return zesterError('TRUST_KEY_INVALID', { what, reason });
}
