/**
 * `checkPeelJwt` looks at credentials that a master hands out, at enrollment and at renewal, before they are written: they must be a
 * user JWT for this key and this name. A master that is broken, or an answer that went astray, must not cost a peel the
 * credentials that it has.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import type { UserBody } from '../../trust/accounts/claims.ts';
import { decodeJwt, isExpired, type JwtClaims } from '../../trust/accounts/jwt.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';

export interface WantedJwt {
  /** Who gave it, for errors. */
  readonly source: string;
  readonly peelId: string;
  readonly publicKey: string;
}

const NAME_CHARS_MAX = 140;

export function checkPeelJwt(jwt: string, wanted: WantedJwt, nowMs: number): JwtClaims<UserBody> {
  const { source, peelId, publicKey } = wanted;
  const bad = (problem: string, cause?: unknown) =>
    zesterError('JOIN_WRONG_CREDENTIALS', { source, problem }, { cause });
  const claims = decoded(jwt, bad);
  if (claims.sub !== publicKey) throw bad('they are for another key');
  if (claims.name !== peelId)
    throw bad(`they are for ${printableLine(claims.name, NAME_CHARS_MAX)}, not ${peelId}`);
  if (isExpired(claims, nowMs)) {
    const [ended, now] = [(claims.exp ?? 0) * 1000, nowMs].map((ms) =>
      formatRfc3339(nanosFromMs(Math.floor(ms))),
    );
    throw bad(`they expired at ${ended}, and the clock of this machine says ${now}: is it right?`);
  }
  return claims;
}

function decoded(jwt: string, bad: (problem: string, cause?: unknown) => Error): JwtClaims<UserBody> {
  try {
    return decodeJwt<UserBody>(jwt, 'user');
  } catch (cause) {
    throw bad('they are no user JWT', cause);
  }
}
