/**
 * These functions describe the three accounts (decision 23a). A hostile peel may share no account with JetStream,
 * because the server does not check reply subjects: inside one account any granted request lets it publish anywhere,
 * with the account's rights.
 *
 *   ZESTER  masters and admins, JetStream; exports to AGENTS the subjects that peels need, and nothing else
 *   AGENTS  peels; no JetStream; imports those subjects; a scoped signing key, the agents key, is the only way to become a
 *           user. While it is rotated there are two
 *   SYS     the server's own account; one user, who pushes account updates (revocations)
 *
 * These are pure descriptions. `topology.ts` signs them at `zester auth init`; a master signs AGENTS again whenever a
 * peel is revoked, from the stored JWT plus the new list (`resignAccount`), and all of them when the grants have changed
 * (`withTheseGrants`).
 */
import {
  AGENT_CONNECTIONS_MAX,
  PEEL_PAYLOAD_BYTES_MAX,
  PEEL_SUBSCRIPTIONS_MAX,
} from '../../core/server-limits.ts';
import {
  type ACCOUNTS,
  AGENT_EXPORTS,
  GRANTS_VERSION,
  PEEL_TEMPLATE_NAME,
  peelGrant,
} from '../../wire/names/grants.ts';
import type { SigningKey } from '../nkeys.ts';
import {
  type AccountBody,
  type AccountLimits,
  type AgentsKeys,
  accountClaims,
  agentsKeysOf,
  grantsVersionOf,
  NO_LIMIT,
  operatorGenerationOf,
  type Revocations,
  scopedSigningKey,
  withAgentsKeys,
  withKeyTagsOf,
  withOperatorGeneration,
  withRevocations,
} from './claims.ts';
import { decodeJwt, encodeJwt } from './jwt.ts';

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
/**
 * Of one connection of a peel. At `subs` the server refuses more and says so; a longer message ends the connection: an honest peel keeps to it,
 * as the server tells it. `data` stays open: no server looks at it.
 */
const PEEL_LIMITS = { subs: PEEL_SUBSCRIPTIONS_MAX, payload: PEEL_PAYLOAD_BYTES_MAX };
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

/** Peels of any of these keys get the same template. */
export function agentsAccount(control: string, scopedKeys: readonly string[]): AccountBody {
  return accountClaims({
    // No leaf nodes: one would join the account without any user's permissions.
    limits: {
      ...UNLIMITED,
      ...NO_JETSTREAM,
      ...PEEL_LIMITS,
      conn: AGENT_CONNECTIONS_MAX,
      exports: 0,
      leaf: 0,
    },
    imports: AGENT_EXPORTS.map(({ subject, kind }) => ({
      name: subject,
      subject,
      account: control,
      type: kind,
    })),
    signingKeys: scopedKeys.map((key) =>
      scopedSigningKey(key, 'peel', peelGrant(PEEL_TEMPLATE_NAME), PEEL_LIMITS),
    ),
  });
}

/** The signing key makes the system user, which brings its own permissions: the seed of SYS itself is forgotten. */
export function systemAccount(signingKey: string): AccountBody {
  return accountClaims({ limits: { ...UNLIMITED, ...NO_JETSTREAM }, signingKeys: [signingKey] });
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
 * pass the full list: the server takes any validly signed JWT, also an older one, which would un-revoke. Grants stay as
 * they are, also those of a newer version than ours.
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
  const issuedAtMs = Math.max(nowMs, (iat + 1) * 1000);
  return encodeJwt(
    { subject: sub, name, issuedAtMs, nats: withRevocations(nats, revocations) },
    operatorSigningKey,
  );
}

/** The account AGENTS of `jwt` with these keys in place of its own; the same text where it has them. Signed later, as above. */
export function rekeyAgents(
  jwt: string,
  wanted: AgentsKeys,
  nowMs: number,
  operatorSigningKey: SigningKey,
): string {
  const { sub, name, iat, nats } = decodeJwt<AccountBody>(jwt, 'account');
  const known = agentsKeysOf(nats);
  if (known.generation === wanted.generation && known.keys.join() === wanted.keys.join()) return jwt;
  const issuedAtMs = Math.max(nowMs, (iat + 1) * 1000);
  return encodeJwt(
    { subject: sub, name, issuedAtMs, nats: withAgentsKeys(nats, wanted) },
    operatorSigningKey,
  );
}

/** The JWTs of the three accounts. */
export interface AccountTexts {
  readonly control: string;
  readonly agents: string;
  readonly system: string;
}

/**
 * The same accounts, with the grants of this program where they have older ones: keys and revocations stay. Signed later than
 * the old ones, as in `resignAccount`. Accounts that have these grants, or newer ones, come back as they are.
 */
export function withTheseGrants(
  texts: AccountTexts,
  systemSigningKey: string,
  nowMs: number,
  operatorSigningKey: SigningKey,
): AccountTexts {
  const control = decodeJwt<AccountBody>(texts.control, 'account');
  const renewed = (jwt: string, bodyOf: (old: AccountBody) => AccountBody): string => {
    const { sub, name, iat, nats } = decodeJwt<AccountBody>(jwt, 'account');
    if (grantsVersionOf(nats) >= GRANTS_VERSION) return jwt;
    const issuedAtMs = Math.max(nowMs, (iat + 1) * 1000);
    const body = withRevocations(bodyOf(nats), nats.revocations ?? {});
    return encodeJwt({ subject: sub, name, issuedAtMs, nats: withKeyTagsOf(body, nats) }, operatorSigningKey);
  };
  return {
    control: renewed(texts.control, controlAccount),
    agents: renewed(texts.agents, (old) => agentsAccount(control.sub, signingKeysOf(old))),
    system: renewed(texts.system, () => systemAccount(systemSigningKey)),
  };
}

/** What signs documents from now on: another generation of the operator's signing key, and what comes from it. */
export interface NextOperator {
  readonly operatorSigning: SigningKey;
  readonly systemSigning: SigningKey;
  readonly generation: number;
}

/** The same accounts, signed by this generation of the operator's key; those of it, or of a newer one, come back as they are. */
export function resignByOperator(texts: AccountTexts, next: NextOperator, nowMs: number): AccountTexts {
  const { operatorSigning, systemSigning, generation } = next;
  const resigned = (jwt: string, bodyOf = (old: AccountBody) => old): string => {
    const { sub, name, iat, nats } = decodeJwt<AccountBody>(jwt, 'account');
    if (operatorGenerationOf(nats) >= generation) return jwt;
    const issuedAtMs = Math.max(nowMs, (iat + 1) * 1000);
    const body = withOperatorGeneration(bodyOf(nats), generation);
    return encodeJwt({ subject: sub, name, issuedAtMs, nats: body }, operatorSigning);
  };
  return {
    control: resigned(texts.control),
    agents: resigned(texts.agents),
    system: resigned(texts.system, (old) => ({ ...old, signing_keys: [systemSigning.publicKey] })),
  };
}

/** The public keys that may sign users of the account, besides itself. */
export function signingKeysOf({ signing_keys: keys = [] }: AccountBody): string[] {
  return keys.map((each) => (typeof each === 'string' ? each : each.key));
}
