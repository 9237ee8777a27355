/**
 * `newTopology` makes the whole of a deployment's trust from nothing: keys from chance, and the JWTs that tie them
 * together.
 *
 *   operator identity   signs the operator JWT: once, and again when the operator's signing key is rotated. Kept in a safe
 *   operator signing    signs the accounts; masters keep it, to push revocations
 *   ZESTER (control)    signs masters and admins; its seed is the root of the command key and the curve key, so all
 *                       masters share it
 *   AGENTS              signs nothing; its identity is forgotten, so a peel can only be made by the scoped key
 *   AGENTS scoped key   signs peels; all masters share it
 *   SYS                 signs nothing; its identity is forgotten
 *   SYS signing key     signs the system user; derived from the operator's signing key, so every master has it
 */

import type { Random } from '../../runtime/random.ts';
import { ACCOUNTS } from '../../wire/names/grants.ts';
import { newSigningKey, type SigningKey } from '../nkeys.ts';
import { agentsAccount, controlAccount, signAccount, systemAccount } from './accounts.ts';
import { type OperatorBody, operatorClaims } from './claims.ts';
import { encodeJwt } from './jwt.ts';
import { systemSigningKeyOf } from './system-signing-key.ts';

const OPERATOR_NAME = 'zester-op';

export interface SignedAccount {
  readonly publicKey: string;
  readonly jwt: string;
}

/** What a NATS server must know: public, safe to hand out. */
export interface PublicTrust {
  readonly operatorJwt: string;
  readonly control: SignedAccount;
  readonly agents: SignedAccount;
  readonly system: SignedAccount;
}

export interface Topology {
  readonly public: PublicTrust;
  readonly operatorIdentity: SigningKey;
  readonly operatorSigning: SigningKey;
  readonly control: SigningKey;
  readonly agentsSigning: SigningKey;
  readonly systemSigning: SigningKey;
}

export function newTopology(random: Random, nowMs: number): Topology {
  const operator = newSigningKey('operator', random);
  const operatorSigning = newSigningKey('operator', random);
  const control = newSigningKey('account', random);
  const agents = newSigningKey('account', random);
  const agentsSigning = newSigningKey('account', random);
  const system = newSigningKey('account', random);
  const systemSigning = systemSigningKeyOf(operatorSigning);
  const body = operatorClaims(operatorSigning.publicKey, system.publicKey);
  const operatorJwt = signOperator(operator, body, nowMs);
  const signed = (
    name: (typeof ACCOUNTS)[keyof typeof ACCOUNTS],
    { publicKey }: SigningKey,
    body: ReturnType<typeof systemAccount>,
  ): SignedAccount => ({ publicKey, jwt: signAccount({ name, publicKey, body }, nowMs, operatorSigning) });
  return {
    public: {
      operatorJwt,
      control: signed(ACCOUNTS.control, control, controlAccount()),
      agents: signed(ACCOUNTS.agents, agents, agentsAccount(control.publicKey, [agentsSigning.publicKey])),
      system: signed(ACCOUNTS.system, system, systemAccount(systemSigning.publicKey)),
    },
    operatorIdentity: operator,
    operatorSigning,
    control,
    agentsSigning,
    systemSigning,
  };
}

export function signOperator(identity: SigningKey, nats: OperatorBody, nowMs: number): string {
  return encodeJwt({ subject: identity.publicKey, name: OPERATOR_NAME, issuedAtMs: nowMs, nats }, identity);
}
