/**
 * `endJob` ends a job of which all that was published is known and all that was taken is stored, and of which nothing
 * more is taken: a row for every target that did not return, the final record, the index key gone, the status event
 * appended. In this order, and each step only after the one before is in the store.
 *
 * Safety: the record is written at the revision we own; who loses that write has lost the job and writes nothing more. A
 * return that another master stored meanwhile stands where our row of a silent target would: it is found and counted. One
 * that comes after such a row is the late-returns consumer's, which waits for the final record and corrects both.
 *
 * If we die
 *   before, or between rows            the record is still `running`: an adopter reads rows and stream and ends it
 *   after the record                   the index key is left over: the scanner sees a terminal job and deletes it
 *   after the index key                the status event is missing: it is for audit, nobody waits for it
 */
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import type { JobTally } from '../../core/jobs/job-tally.ts';
import { encodeValue } from '../../wire/msgpack/msgpack-encode.ts';
import { jobStatusSubject } from '../../wire/names/subjects.ts';
import type { Job } from '../../wire/records/job.ts';
import { jobEventCodec } from '../../wire/records/job-event.ts';
import type { Row } from '../../wire/records/job-return.ts';
import { unindexJob } from '../dispatch/active-index.ts';
import type { MasterContext } from '../master-context.ts';
import { retried, TRY_MS } from '../retry.ts';
import type { OwnedJob } from './owned-job.ts';

/** A job that can be counted. */
export interface SettledJob {
  readonly owned: OwnedJob;
  readonly tally: JobTally;
  /** Aborted when the job is not ours any more, or the master goes. */
  readonly signal: AbortSignal;
}

export async function endJob(context: MasterContext, settled: SettledJob): Promise<'ended' | 'lost'> {
  if (!settled.tally.allReturned() && !(await isStillOurs(context, settled))) return 'lost';
  await writeMissingRows(context, settled);
  const final = settled.tally.finalJob(settled.owned.execEpoch, context.now());
  if (!(await writeFinalRecord(context, settled, final))) return 'lost';
  context.metrics.jobEnded(final);
  const { jid, status } = final;
  const step = (what: string, attempt: () => Promise<unknown>) =>
    retried(context.runtime, settled.signal, `${what} of job ${jid}`, attempt);
  await step('index key', () => unindexJob(context, final));
  await step('status event', () => appendStatus(context, settled.owned.revision, final));
  const { targets, returned, succeeded } = settled.tally.counts();
  context.runtime.log.info('job ended', { jid, status, targets, returned, succeeded });
  return 'ended';
}

async function writeMissingRows(context: MasterContext, settled: SettledJob): Promise<void> {
  const { writer, presence } = context;
  const { tally, signal } = settled;
  const write = async (row: Row) => {
    const real = await writer.write(row, signal);
    if (real !== undefined) tally.noteStored(row.peelId, real);
  };
  await Promise.all(tally.missingRows(context.now(), presence.ageOf).map(write));
}

/** Again, before rows are made: reading the stream and storing what it has may have taken long. */
function isStillOurs({ jobs, runtime }: MasterContext, { owned, signal }: SettledJob): Promise<boolean> {
  const { jid } = owned.job;
  return retried(runtime, signal, `record of job ${jid}`, async () => {
    const there = await jobs.getLatest(jid);
    return there.revision === owned.revision;
  });
}

/** False when the record is somebody else's by now. */
function writeFinalRecord(context: MasterContext, settled: SettledJob, final: Job): Promise<boolean> {
  const { jobs, runtime, identity } = context;
  return retried(runtime, settled.signal, `final record of job ${final.jid}`, async () => {
    const written = await jobs.updateOrRead(final.jid, final, settled.owned.revision);
    if (written.isOurs) return true;
    // Beaten, or an earlier try took hold and only its answer was lost. It may have been recounted since, by anyone,
    // but only the owner ends a job.
    const { there } = written;
    return there.is === 'found' && there.value.owner === identity.masterId && isTerminal(there.value.status);
  });
}

function appendStatus(context: MasterContext, revision: number, final: Job) {
  const { jid, status, returnCount } = final;
  const reason = final.metadata.failed_reason;
  const event = jobEventCodec.encode({
    jid,
    type: reason === undefined ? 'completed' : 'failed',
    peelId: undefined,
    data: encodeValue(reason === undefined ? { status, returns: returnCount } : { status, reason }),
    timestamp: final.updated,
  });
  const messageId = context.keys.messageId(`status ${jid} ${revision}`);
  return context.bus.append(jobStatusSubject(jid), event, { messageId, timeoutMs: TRY_MS });
}
