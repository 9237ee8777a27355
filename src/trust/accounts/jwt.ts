/**
 * These functions write and read NATS JWTs, version 2: `header.claims.signature`, each base64url without padding,
 * signed with the issuer's nkey over the first two parts. The id (`jti`) is a hash of the claims, so equal claims give
 * an equal text.
 *
 * `decodeJwt` proves that whoever holds the key named in `iss` wrote these claims. It does not say that this issuer
 * may: the caller compares `iss` with a key that it trusts, and `exp` with its clock.
 */
import { createHash } from 'node:crypto';
import { zesterError } from '../../core/errors/zester-error.ts';
import { encodeBase32 } from '../base32.ts';
import { isPublicKey, type SigningKey, type SigningRole, verifyWithPublicKey } from '../nkeys.ts';

/** What a JWT speaks about. */
export type JwtType = SigningRole;

export interface JwtBody {
  readonly type: JwtType;
  readonly version: 2;
}

export interface JwtClaims<Body extends JwtBody = JwtBody> {
  /** Seconds since 1970 after which the server refuses it; absent: never. */
  readonly exp?: number;
  readonly jti: string;
  readonly iat: number;
  readonly iss: string;
  readonly name: string;
  readonly sub: string;
  readonly nats: Body;
}

export interface JwtInput<Body extends JwtBody> {
  readonly subject: string;
  readonly name: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs?: number;
  readonly nats: Body;
}

/** An account JWT with thousands of revocations stays far below; more could not be pushed in one message anyway. */
const JWT_CHARS_MAX = 1_000_000;
const HEADER = base64url(JSON.stringify({ typ: 'JWT', alg: 'ed25519-nkey' }));
const ISSUER_ROLE: Readonly<Record<JwtType, SigningRole>> = {
  operator: 'operator',
  account: 'operator',
  user: 'account',
};

export function encodeJwt<Body extends JwtBody>(input: JwtInput<Body>, signer: SigningKey): string {
  const claims = {
    ...(input.expiresAtMs === undefined ? {} : { exp: Math.floor(input.expiresAtMs / 1000) }),
    iat: Math.floor(input.issuedAtMs / 1000),
    iss: signer.publicKey,
    name: input.name,
    sub: input.subject,
    nats: input.nats,
  };
  const jti = encodeBase32(createHash('sha512-256').update(JSON.stringify(claims)).digest());
  const signed = `${HEADER}.${base64url(JSON.stringify({ jti, ...claims }))}`;
  return `${signed}.${base64url(signer.sign(Buffer.from(signed)))}`;
}

/** The claims of a JWT of this type whose signature fits its own `iss`; anything else throws. */
export function decodeJwt<Body extends JwtBody>(text: string, type: Body['type']): JwtClaims<Body> {
  if (text.length > JWT_CHARS_MAX) throw invalidJwt(type, `it is longer than ${JWT_CHARS_MAX} characters`);
  const parts = text.split('.');
  const [header, body, signature] = parts;
  if (parts.length !== 3 || header === undefined || body === undefined || signature === undefined)
    throw invalidJwt(type, 'it does not have three parts');
  checkHeader(header, type);
  const claims = parseClaims<Body>(body, type);
  const signed = Buffer.from(`${header}.${body}`);
  if (!verifyWithPublicKey(claims.iss, ISSUER_ROLE[type], signed, fromBase64url(signature, type)))
    throw invalidJwt(type, 'its signature does not fit');
  return claims;
}

export function isExpired(claims: JwtClaims, nowMs: number): boolean {
  return claims.exp !== undefined && nowMs >= claims.exp * 1000;
}

function checkHeader(text: string, type: JwtType): void {
  const header = parseObject(text, type);
  if (header.typ !== 'JWT' || header.alg !== 'ed25519-nkey')
    throw invalidJwt(type, 'its header does not name ed25519-nkey');
}

function parseClaims<Body extends JwtBody>(text: string, type: JwtType): JwtClaims<Body> {
  const claims = parseObject(text, type);
  const { iss, sub, iat, exp, jti, name, nats } = claims;
  if (typeof jti !== 'string' || typeof name !== 'string') throw invalidJwt(type, 'it has no id or no name');
  if (!isSeconds(iat) || !(exp === undefined || isSeconds(exp)))
    throw invalidJwt(type, 'its times are not whole seconds');
  if (typeof iss !== 'string' || !isPublicKey(iss, ISSUER_ROLE[type]))
    throw invalidJwt(type, `its issuer is not an ${ISSUER_ROLE[type]} key`);
  if (typeof sub !== 'string' || !isPublicKey(sub, type))
    throw invalidJwt(type, `its subject is not the key of a NATS ${type}`);
  if (!isObject(nats) || nats.type !== type || nats.version !== 2)
    throw invalidJwt(type, `it is not a version 2 JWT about a NATS ${type}`);
  return claims as unknown as JwtClaims<Body>;
}

function parseObject(text: string, type: JwtType): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64url(text, type)));
  } catch (cause) {
    throw invalidJwt(type, 'it is not JSON in base64url', cause);
  }
  if (!isObject(value)) throw invalidJwt(type, 'it is not a JSON object');
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function base64url(data: string | Uint8Array): string {
  return Buffer.from(data as Uint8Array).toString('base64url');
}

/** Node skips what it does not know; encoding again shows whether it did. */
function fromBase64url(text: string, type: JwtType): Uint8Array {
  const bytes = Buffer.from(text, 'base64url');
  if (base64url(bytes) !== text) throw invalidJwt(type, 'it is not base64url without padding');
  return bytes;
}

function invalidJwt(type: JwtType, reason: string, cause?: unknown) {
  return zesterError('TRUST_JWT_INVALID', { type, reason }, { cause });
}
