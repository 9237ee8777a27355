/**
 * `runOnPeel` runs one function on one peel as a job, and gives what it answered: for commands that ask a single machine and
 * want a value. The job is like any other: it has a record, and `zester job list` shows it. If we are stopped in between, it
 * goes on without us.
 *
 * A peel without a heartbeat is not asked: whoever looks at something wants to know now.
 */
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { isRealReturn } from '../../core/jobs/target-row.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import type { Row } from '../../wire/records/job-return.ts';
import type { ClientContext } from '../client-context.ts';
import { findPeel, offlinePeels } from '../peels/list-peels.ts';
import { resolveTargets } from '../targets/resolve-targets.ts';
import { JobFollower } from './job-follower.ts';
import { type CallRequest, newJob } from './new-job.ts';
import { responseIn } from './return-response.ts';
import { submitJob } from './submit-job.ts';

export interface PeelAnswer {
  readonly peel: PeelId;
  readonly result: StateResult;
}

/**
 * `name`: the id of a peel, or its name with dots. Throws CLI_PEEL_UNKNOWN, CLI_PEEL_AWAY, CLI_PEEL_SILENT, or CLI_PEEL_FAILED
 * with what the peel said.
 */
export async function runOnPeel(client: ClientContext, name: string, call: CallRequest): Promise<PeelAnswer> {
  const peel = await peelCalled(client, name);
  if ((await offlinePeels(client, [peel])).size > 0) throw zesterError('CLI_PEEL_AWAY', { peel });
  const job = newJob(client, { ...call, targets: [peel], targetExpr: peel });
  const { jid } = job;
  const follower = new JobFollower(client, { jid, targets: [peel] });
  try {
    await follower.start();
    await submitJob(client, job);
    await follower.untilEnd(call.timeoutMs);
  } finally {
    follower.stop();
  }
  const row = follower.returns.get(peel);
  if (row === undefined || !isRealReturn(row)) throw zesterError('CLI_PEEL_SILENT', { peel, jid });
  return { peel, result: resultIn(row, peel) };
}

/** A master is asked; the facts of everybody are read only for "did you mean". */
async function peelCalled(client: ClientContext, name: string): Promise<PeelId> {
  const id = parsePeelId(name.replaceAll('.', '_'));
  try {
    const [peel] = id === undefined ? [] : await resolveTargets(client, `L@${id}`);
    if (peel !== undefined) return peel;
  } catch (error) {
    if (!isZesterError(error, 'CLI_NO_MATCH')) throw error;
  }
  return (await findPeel(client, name)).id as PeelId;
}

function resultIn(row: Row, peel: PeelId): StateResult {
  const response = responseIn(row);
  const failed = (reason: string) => zesterError('CLI_PEEL_FAILED', { peel, reason });
  if (response === undefined) throw failed(row.error || 'it gave no answer');
  if (!response.isReadable) throw failed(`its answer cannot be read: ${response.problem}`);
  const { success, error, results } = response.value;
  const [result] = results;
  if (!success || result === undefined)
    throw failed(error || result?.error || row.error || 'it gave no answer');
  return result;
}
