/**
 * Cancels and their signatures. One without a proof comes from a Zester that does not sign; only members of our own
 * account can publish it, so the owner of the job honours it and signs a copy for the peels, which believe nothing else.
 */
import type { Headers } from '../bus/port.ts';
import { signCancelAsMaster, verifyCancel } from '../trust/signed-proof.ts';
import { PROOF_HEADER } from '../wire/headers.ts';
import type { Jid } from '../wire/ids.ts';
import { CANCEL_ACTION, cancelCodec } from '../wire/job-event.ts';
import { formatProof, parseProof } from '../wire/proof-header.ts';
import { jobCancelSubject } from '../wire/subjects.ts';
import type { MasterContext } from './master-context.ts';

export type CancelVerdict = 'signed' | 'unsigned' | 'refused';

export function judgeCancel(context: MasterContext, jid: Jid, headers: Headers): CancelVerdict {
  const text = headers.get(PROOF_HEADER);
  if (text === undefined) return 'unsigned';
  const trust = { commandKeys: [context.keys.commandKey.publicKey], now: context.now() };
  const verdict = verifyCancel(parseProof(text), jid, trust);
  if (verdict.ok) return 'signed';
  context.runtime.log.warn('cancel refused', { jid, reason: verdict.reason });
  return 'refused';
}

/** The copy that peels believe. It comes back to us too, as a cancel of a job that is canceled already. */
export function publishSignedCancel({ bus, keys, runtime }: MasterContext, jid: Jid): void {
  const proof = formatProof(signCancelAsMaster(keys.commandKey, jid));
  const data = cancelCodec.encode({ action: CANCEL_ACTION });
  try {
    bus.publish(jobCancelSubject(jid), data, { headers: new Map([[PROOF_HEADER, proof]]) });
  } catch (error) {
    runtime.log.warn('signed copy of a cancel could not be published', { jid, error });
  }
}
