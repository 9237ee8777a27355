/**
 * These functions write and read the .creds file of NATS: a user JWT and the seed of that user, each between its own
 * marker lines. Written by `zester auth init` and at enrollment, read again at every connection attempt, so that
 * renewed credentials are picked up without a restart.
 *
 * Parsing is strict where the NATS client is lenient: exactly these two blocks in this order, and the seed must be the
 * one that the JWT is about. A file that was cut off by a full disk is an error here, not a login failure later.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { UserBody } from './accounts/claims.ts';
import { decodeJwt, type JwtClaims } from './accounts/jwt.ts';
import { formatArmor, parseArmor } from './armor.ts';
import { type SigningKey, signingKeyFromSeed } from './nkeys.ts';

export interface Creds {
  readonly jwt: string;
  readonly claims: JwtClaims<UserBody>;
  readonly key: SigningKey;
}

const JWT_LABEL = 'NATS USER JWT';
const SEED_LABEL = 'USER NKEY SEED';

export function formatCreds(jwt: string, key: SigningKey): string {
  return [
    formatArmor({ label: JWT_LABEL, body: jwt }),
    '************************* IMPORTANT *************************',
    'The seed below proves who you are: whoever can read it can be you.',
    'Keep this file readable by its owner only.',
    '',
    formatArmor({ label: SEED_LABEL, body: key.exposeSeed() }),
  ].join('\n');
}

/** `source` names the file (or wherever the text came from) in errors. */
export function parseCreds(text: string, source: string): Creds {
  const [jwt, seed] = parseArmor(text, [JWT_LABEL, SEED_LABEL]) ?? [];
  if (jwt === undefined || seed === undefined)
    throw invalidCreds(source, 'it is not one JWT block followed by one seed block');
  const { claims, key } = decodeParts(jwt, seed, source);
  if (claims.sub !== key.publicKey) throw invalidCreds(source, 'its JWT is about another key than its seed');
  return { jwt, claims, key };
}

function decodeParts(jwt: string, seed: string, source: string): Omit<Creds, 'jwt'> {
  try {
    return { claims: decodeJwt<UserBody>(jwt, 'user'), key: signingKeyFromSeed(seed, 'user') };
  } catch (cause) {
    throw invalidCreds(source, 'its JWT or its seed is damaged', cause);
  }
}

function invalidCreds(source: string, reason: string, cause?: unknown) {
  return zesterError('TRUST_CREDS_INVALID', { source, reason }, { cause });
}
