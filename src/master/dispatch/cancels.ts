/**
 * Every master hears every cancel of a job, and hands it to whatever of its own has that job. Nothing is passed on:
 * peels and the other masters have heard it too, and a cancel of a job that nobody owns stays in the stream for whoever
 * adopts it. One that is not signed by a master or an operator is ignored, whoever published it. There is no budget for the
 * checks, as peels have one: only masters and admins can publish where masters listen.
 */
import type { Headers, Message, Subscription } from '../../bus/port.ts';
import { verifyCancel } from '../../trust/signed-proof.ts';
import { PROOF_HEADER } from '../../wire/names/headers.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { ANY, jobCancelSubject, parseJobSubject } from '../../wire/names/subjects.ts';
import { parseProof } from '../../wire/records/proof-header.ts';
import type { MasterContext } from '../master-context.ts';

export function serveCancels(context: MasterContext, cancel: (jid: Jid) => void): Promise<Subscription> {
  return context.bus.subscribe(jobCancelSubject(ANY), ({ subject, headers }: Message) => {
    const job = parseJobSubject(subject);
    if (job?.kind !== 'cancel') return;
    if (isTrueCancel(context, job.jid, headers)) cancel(job.jid);
  });
}

export function isTrueCancel(context: MasterContext, jid: Jid, headers: Headers): boolean {
  const { certificates, keys } = context;
  const trust = {
    commandKeys: keys.good().map(({ commandKey }) => commandKey.publicKey),
    certificates,
    now: context.now(),
  };
  const verdict = verifyCancel(parseProof(headers.get(PROOF_HEADER) ?? ''), jid, trust);
  if (!verdict.ok) context.runtime.log.warn('cancel refused', { jid, reason: verdict.reason });
  return verdict.ok;
}
