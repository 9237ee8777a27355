/**
 * These rules say what a join token lets in, and how its uses are counted. A token is text, `tok-<KSUID>.<secret>`; masters keep a
 * hash of the secret half. What is wrong with a token is told only to who has proven to hold it: an unknown one and one with
 * a wrong secret get the same answer, so that nobody learns which tokens there are.
 *
 * A use is the id of an enrollment in the list of the token, so the same enrollment is counted once however often it asks.
 *
 * Whom an operator has shut out, an operator lets in again: a token approves neither a key that was revoked nor an id that was. Such
 * a request waits for a decision like one without a token.
 */
import { type JoinTokenId, type PeelId, parseJoinTokenId } from '../../../wire/names/ids.ts';
import { type JoinToken, TOKEN_USES_MAX } from '../../../wire/records/enroll/join-token.ts';
import { compileGlob } from '../../target/glob.ts';

/** The secret half is made by us: 32 bytes in base64url. Room for others. */
const SECRET = /^[A-Za-z0-9_-]{16,128}$/;
const HASH = /^[0-9a-f]{64}$/;
const PATTERN = /^[a-zA-Z0-9_*?[\]!^-]{1,128}$/;
/** What lives longer than this is no token for an autoscaler but a second password of the fleet. */
const TOKEN_LIFE_DAYS_MAX = 366;
const NANOS_PER_DAY = 86_400_000_000_000n;

export interface TokenText {
  readonly id: JoinTokenId;
  readonly secret: string;
}

/** Undefined for what is no token. */
export function parseTokenText(text: string): TokenText | undefined {
  const [id = '', secret = '', ...more] = text.split('.');
  const tokenId = parseJoinTokenId(id);
  return tokenId === undefined || more.length > 0 || !SECRET.test(secret)
    ? undefined
    : { id: tokenId, secret };
}

export interface TokenUse {
  /** SHA-256 of the secret that was given, hexadecimal. */
  readonly hash: string;
  readonly peel: PeelId;
  /** Undefined before there is one. */
  readonly enrollment: string | undefined;
  readonly now: bigint;
}

export type TokenVerdict =
  | { readonly is: 'good'; readonly isCounted: boolean }
  /** Unknown, or of another secret. */
  | { readonly is: 'unknown' }
  | { readonly is: 'refused'; readonly problem: string };

export function judgeToken(token: JoinToken | undefined, use: TokenUse): TokenVerdict {
  if (token === undefined || !isSameHash(token.hash, use.hash)) return { is: 'unknown' };
  const isCounted = use.enrollment !== undefined && token.enrollments.includes(use.enrollment);
  const problem = problemOf(token, use, isCounted);
  return problem === undefined ? { is: 'good', isCounted } : { is: 'refused', problem };
}

/** Also of a use that was counted: a token that was revoked in between lets nobody in any more. */
function problemOf(token: JoinToken, { peel, now }: TokenUse, isCounted: boolean): string | undefined {
  if (token.revokedAt !== undefined) return 'it was revoked';
  if (now >= token.expiresAt) return 'it has expired';
  if (!covers(token.peelPattern, peel)) return `it does not cover the peel id ${peel}`;
  if (!isCounted && token.enrollments.length >= token.usesMax) return 'it is used up';
  return undefined;
}

export function tokenUsed(token: JoinToken, enrollment: string): JoinToken {
  return { ...token, enrollments: [...token.enrollments, enrollment] };
}

/** Of what the masters know of revocations. */
export interface KnownRevocations {
  /** An enrollment of the peel id was revoked, and none of it is in use now. */
  readonly isIdRevoked: boolean;
  /** An enrollment with this key was revoked, of any id. */
  readonly isKeyRevoked: boolean;
}

/** Why a good token does not approve this request, for people; undefined: it does. */
export function shutOutProblem(
  peel: PeelId,
  { isIdRevoked, isKeyRevoked }: KnownRevocations,
): string | undefined {
  if (!isIdRevoked && !isKeyRevoked) return undefined;
  const what = isKeyRevoked ? 'the key of this machine' : `an enrollment of ${peel}`;
  return `${what} was revoked before, so the join token does not count: an operator decides`;
}

export type TokenState = 'good' | 'used up' | 'expired' | 'revoked';

/** How a token stands, whoever comes with it. */
export function tokenState(
  { revokedAt, expiresAt, enrollments, usesMax }: JoinToken,
  now: bigint,
): TokenState {
  if (revokedAt !== undefined) return 'revoked';
  if (now >= expiresAt) return 'expired';
  return enrollments.length >= usesMax ? 'used up' : 'good';
}

/** What is wrong with a token that somebody wants to make; undefined when nothing is. */
export function newTokenProblem(
  {
    hash,
    usesMax,
    peelPattern,
    expiresAt,
  }: Pick<JoinToken, 'hash' | 'usesMax' | 'peelPattern' | 'expiresAt'>,
  now: bigint,
): string | undefined {
  if (!HASH.test(hash)) return 'its hash is not 64 hexadecimal digits';
  if (!Number.isSafeInteger(usesMax) || usesMax < 1 || usesMax > TOKEN_USES_MAX)
    return `its uses are a number from 1 to ${TOKEN_USES_MAX}`;
  if (!PATTERN.test(peelPattern)) return 'its pattern of peel ids is no glob such as web-*';
  const glob = compileGlob(peelPattern);
  if (typeof glob !== 'function') return `its pattern of peel ids is wrong: ${glob.problem}`;
  if (expiresAt <= now) return 'it would be expired at once';
  if (expiresAt > now + BigInt(TOKEN_LIFE_DAYS_MAX) * NANOS_PER_DAY)
    return `it would be good for more than ${TOKEN_LIFE_DAYS_MAX} days`;
  return undefined;
}

function covers(pattern: string, peel: PeelId): boolean {
  const glob = compileGlob(pattern);
  return typeof glob === 'function' && glob(peel);
}

/** Every character is looked at: how long it takes tells nothing. */
function isSameHash(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
