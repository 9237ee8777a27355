/**
 * These functions make user JWTs: what lets somebody connect. Masters, admins and the system user are made by
 * `zester auth init` and carry their permissions themselves, so they are made anew when the grants change (auth-upgrade.ts). Peels are made at enrollment, by any master, with the
 * scoped signing key: their JWT carries a name and nothing else, and the server fills the name into the one template.
 *
 * That is why the name is checked here, before anything is signed: a peel called `*` would be granted the subjects of
 * every peel, one called `web.>` those of others.
 */
import { assert } from '../../core/assert.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Permissions } from '../../wire/names/grants.ts';
import { parsePeelId } from '../../wire/names/ids.ts';
import { decodePublicKey, type SigningKey } from '../nkeys.ts';
import { scopedUserClaims, userClaims } from './claims.ts';
import { encodeJwt } from './jwt.ts';

export interface PeelUser {
  /** Public key of the AGENTS account. */
  readonly agentsAccount: string;
  readonly peelId: string;
  /** The peel's own user key (U…); its seed never leaves the peel. */
  readonly userPublicKey: string;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** The JWT of one peel. Takes part of a millisecond; nothing is sent anywhere. */
export function mintPeelUser(scopedKey: SigningKey, peel: PeelUser): string {
  assert(scopedKey.role === 'account', 'peels are signed by the signing key of their account');
  assert(peel.expiresAtMs > peel.nowMs, 'a peel gets credentials that are not yet expired');
  if (parsePeelId(peel.peelId) === undefined)
    throw zesterError('TRUST_PEEL_ID_INVALID', { peel: peel.peelId });
  decodePublicKey(peel.userPublicKey, 'user');
  return encodeJwt(
    {
      subject: peel.userPublicKey,
      name: peel.peelId,
      issuedAtMs: peel.nowMs,
      expiresAtMs: peel.expiresAtMs,
      nats: scopedUserClaims(peel.agentsAccount),
    },
    scopedKey,
  );
}

export interface TrustedUser {
  readonly name: string;
  readonly userPublicKey: string;
  readonly permissions: Permissions;
  readonly nowMs: number;
  /** Public key of the account, when the signer is a signing key of it and not the account itself. */
  readonly account?: string;
}

/** The JWT of a master, an admin or the system user. It does not expire. */
export function mintTrustedUser(signer: SigningKey, user: TrustedUser): string {
  assert(signer.role === 'account', 'users are signed by an account');
  return encodeJwt(
    {
      subject: user.userPublicKey,
      name: user.name,
      issuedAtMs: user.nowMs,
      nats: userClaims(user.permissions, user.account),
    },
    signer,
  );
}
