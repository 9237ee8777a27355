/**
 * Whether a cancel is signed by a master or an operator. One that is not is ignored, whoever published it. There is no
 * budget for the checks, as peels have one: only masters and admins can publish where masters listen.
 */
import type { Headers } from '../../bus/port.ts';
import { verifyCancel } from '../../trust/signed-proof.ts';
import { PROOF_HEADER } from '../../wire/names/headers.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { parseProof } from '../../wire/records/proof-header.ts';
import type { MasterContext } from '../master-context.ts';

export function isTrueCancel(context: MasterContext, jid: Jid, headers: Headers): boolean {
  const { certificates, keys } = context;
  const trust = { commandKeys: [keys.commandKey.publicKey], certificates, now: context.now() };
  const verdict = verifyCancel(parseProof(headers.get(PROOF_HEADER) ?? ''), jid, trust);
  if (!verdict.ok) context.runtime.log.warn('cancel refused', { jid, reason: verdict.reason });
  return verdict.ok;
}
