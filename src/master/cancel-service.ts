/**
 * Hears every cancel, as all masters do, and hands it to the watcher if the job is ours. Nothing is passed on: peels and
 * the other masters have heard it too. A cancel of a job that nobody owns stays in the stream for whoever adopts it.
 */
import type { Message, Subscription } from '../bus/port.ts';
import { ANY, jobCancelSubject, parseJobSubject } from '../wire/subjects.ts';
import { judgeCancel } from './cancel-proof.ts';
import type { MasterContext } from './master-context.ts';
import type { WatchedJobs } from './watched-jobs.ts';

export function serveCancels(context: MasterContext, watched: WatchedJobs): Promise<Subscription> {
  return context.bus.subscribe(jobCancelSubject(ANY), ({ subject, headers }: Message) => {
    const job = parseJobSubject(subject);
    if (job?.kind !== 'cancel') return;
    const verdict = judgeCancel(context, job.jid, headers);
    if (verdict !== 'refused') watched.cancel(job.jid, verdict);
  });
}
