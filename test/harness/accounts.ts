/** `changedAccount` makes variants of account documents for tests. */
import type { AccountBody } from '../../src/trust/accounts/claims.ts';
import { decodeJwt, encodeJwt } from '../../src/trust/accounts/jwt.ts';
import type { SigningKey } from '../../src/trust/nkeys.ts';

/** The same account, changed at will and signed `laterS` seconds after it. */
export function changedAccount(
  jwt: string,
  operatorSigning: SigningKey,
  change: (body: AccountBody) => AccountBody,
  laterS = 1,
): string {
  const { sub, name, iat, nats } = decodeJwt<AccountBody>(jwt, 'account');
  const input = { subject: sub, name, issuedAtMs: (iat + laterS) * 1_000, nats: change(nats) };
  return encodeJwt(input, operatorSigning);
}
