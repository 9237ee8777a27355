/**
 * Hears every cancel, as all masters do, and hands on those that are worth something, to whatever of ours has the job.
 * Nothing is passed on: peels and the other masters have heard it too. A cancel of a job that nobody owns stays in the
 * stream for whoever adopts it.
 */
import type { Message, Subscription } from '../../bus/port.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { ANY, jobCancelSubject, parseJobSubject } from '../../wire/names/subjects.ts';
import type { MasterContext } from '../master-context.ts';
import { isTrueCancel } from './cancels.ts';

export function serveCancels(context: MasterContext, cancel: (jid: Jid) => void): Promise<Subscription> {
  return context.bus.subscribe(jobCancelSubject(ANY), ({ subject, headers }: Message) => {
    const job = parseJobSubject(subject);
    if (job?.kind !== 'cancel') return;
    if (isTrueCancel(context, job.jid, headers)) cancel(job.jid);
  });
}
