/**
 * These functions describe the three accounts (decision 23a). A hostile peel may share no account with JetStream,
 * because the server does not check reply subjects: inside one account any granted request lets it publish anywhere,
 * with the account's rights.
 *
 *   ZESTER  masters and admins, JetStream; exports to AGENTS the subjects that peels need, and nothing else
 *   AGENTS  peels; no JetStream; imports those subjects; one scoped signing key is the only way to become a user
 *   SYS     the server's own account; one user, who pushes account updates (revocations)
 *
 * These are pure descriptions. `topology.ts` signs them at `zester auth init`; a master signs AGENTS again whenever a
 * peel is revoked, from the stored JWT plus the new list (`resignAccount`).
 */
import { type ACCOUNTS, AGENT_EXPORTS, PEEL_TEMPLATE_NAME, peelGrant } from '../../wire/names/grants.ts';
import type { SigningKey } from '../nkeys.ts';
import {
  type AccountBody,
  type AccountLimits,
  accountClaims,
  NO_LIMIT,
  type Revocations,
  scopedSigningKey,
} from './claims.ts';
import { decodeJwt, encodeJwt } from './jwt.ts';

/** A peel needs about twenty subscriptions. At the limit the server refuses more and tells the peel so. */
const PEEL_SUBS_MAX = 1_024;

const UNLIMITED: AccountLimits = {
  subs: NO_LIMIT,
  data: NO_LIMIT,
  payload: NO_LIMIT,
  imports: NO_LIMIT,
  exports: NO_LIMIT,
  wildcards: true,
  conn: NO_LIMIT,
  leaf: NO_LIMIT,
  mem_storage: NO_LIMIT,
  disk_storage: NO_LIMIT,
  streams: NO_LIMIT,
  consumer: NO_LIMIT,
};
const NO_JETSTREAM = { mem_storage: 0, disk_storage: 0, streams: 0, consumer: 0 };

export function controlAccount(): AccountBody {
  return accountClaims({
    limits: UNLIMITED,
    exports: AGENT_EXPORTS.map(({ subject, kind }) => ({
      name: subject,
      subject,
      type: kind,
      // One answer for one request: the server forgets the reply subject after the first.
      ...(kind === 'service' ? { response_type: 'Singleton' as const } : {}),
    })),
  });
}

export function agentsAccount(control: string, scopedKey: string): AccountBody {
  return accountClaims({
    // No leaf nodes: one would join the account without any user's permissions.
    limits: { ...UNLIMITED, ...NO_JETSTREAM, exports: 0, leaf: 0 },
    imports: AGENT_EXPORTS.map(({ subject, kind }) => ({
      name: subject,
      subject,
      account: control,
      type: kind,
    })),
    signingKeys: [scopedSigningKey(scopedKey, 'peel', peelGrant(PEEL_TEMPLATE_NAME), PEEL_SUBS_MAX)],
  });
}

export function systemAccount(): AccountBody {
  return accountClaims({ limits: { ...UNLIMITED, ...NO_JETSTREAM } });
}

export interface AccountToSign {
  readonly name: (typeof ACCOUNTS)[keyof typeof ACCOUNTS];
  readonly publicKey: string;
  readonly body: AccountBody;
}

export function signAccount(account: AccountToSign, nowMs: number, operatorSigningKey: SigningKey): string {
  const { name, publicKey, body } = account;
  return encodeJwt({ subject: publicKey, name, issuedAtMs: nowMs, nats: body }, operatorSigningKey);
}

/**
 * The account of `jwt` with these revocations in place of its old ones. The caller must be the only writer and must
 * pass the full list: the server takes any validly signed JWT, also an older one, which would un-revoke.
 *
 * The new JWT is always issued later than the old one, even when the clock stands or went back: at a restart the server
 * keeps its stored JWT only if that was issued at least a second after the preloaded one. Issued in the same second, it
 * would lose, and the revoked would be let in again.
 */
export function resignAccount(
  jwt: string,
  revocations: Revocations,
  nowMs: number,
  operatorSigningKey: SigningKey,
): string {
  const { sub, name, iat, nats } = decodeJwt<AccountBody>(jwt, 'account');
  const { signing_keys: signingKeys, ...rest } = nats;
  const body = accountClaims({ ...rest, ...(signingKeys ? { signingKeys } : {}), revocations });
  const issuedAtMs = Math.max(nowMs, (iat + 1) * 1000);
  return encodeJwt({ subject: sub, name, issuedAtMs, nats: body }, operatorSigningKey);
}
