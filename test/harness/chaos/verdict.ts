/** `findWrong` checks what must be true of every job when the troubles are over, however bad they were. */
import { isTerminal } from '../../../src/core/jobs/job-lifecycle.ts';
import { isRealReturn } from '../../../src/core/jobs/target-row.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { type Jid, parseJid } from '../../../src/wire/names/ids.ts';
import { ACTIVE_JOBS_PATTERN, parseJobReturnKey } from '../../../src/wire/names/keys.ts';
import { type Job, jobCodec } from '../../../src/wire/records/job.ts';
import { type Row, rowCodec } from '../../../src/wire/records/job-return.ts';
import type { JobStatus } from '../../../src/wire/records/job-status.ts';
import type { ProcessFleet } from '../programs/process-fleet.ts';
import type { ChaosLoad } from './load.ts';

/** Everything that is not as it must be; empty when all is well. */
export async function findWrong(fleet: ProcessFleet, load: ChaosLoad): Promise<string[]> {
  const records = await readRecords(fleet);
  const rows = await readRows(fleet);
  const effects = new Map(fleet.peels.map(({ name }) => [name, fleet.effects(name)]));
  const wrong = [...load.refused];
  for (const { jid } of load.promised)
    if (!records.has(jid)) wrong.push(`${jid}: promised, and there is no record`);
  for (const record of records.values())
    wrong.push(...wrongOfJob(record, rows.get(record.jid) ?? [], effects));
  wrong.push(...wrongEffects(effects, records));
  const active = await fleet.admin.bucket(BUCKETS.jobs.name).keys(ACTIVE_JOBS_PATTERN);
  wrong.push(...active.map((key) => `${key}: left in the index`));
  wrong.push(...[...fleet.masters, ...fleet.peels].flatMap(({ surprises }) => surprises));
  return wrong;
}

function wrongOfJob(
  record: Job,
  rows: readonly Row[],
  effects: ReadonlyMap<string, ReadonlyMap<string, number>>,
): string[] {
  const { jid, status, targets } = record;
  if (!isTerminal(status)) return [`${jid}: still ${status}, owned by ${record.owner}`];
  const wrong: string[] = [];
  const seen = rows.map(({ peelId }) => peelId).sort();
  if (seen.join() !== [...targets].sort().join()) wrong.push(`${jid}: rows of ${seen}, targets ${targets}`);
  for (const row of rows) {
    const ran = effects.get(row.peelId)?.get(jid) ?? 0;
    const { outcome } = row;
    if (outcome === 'returned' && ran !== 1)
      wrong.push(`${jid}: ${row.peelId} returned and ran ${ran} times`);
    // Everyone is back: what was accepted has come to an end, and has been told.
    if (outcome === 'running') wrong.push(`${jid}: ${row.peelId} still running`);
    if ((outcome === 'unreachable' || outcome === 'expired') && ran !== 0)
      wrong.push(`${jid}: ${row.peelId} is ${outcome} and ran ${ran} times`);
  }
  const real = rows.filter(isRealReturn);
  const good = rows.filter(({ outcome }) => outcome === 'returned').length;
  if (record.returnCount !== real.length)
    wrong.push(`${jid}: counts ${record.returnCount} of ${real.length} returns`);
  if (record.successCount !== good) wrong.push(`${jid}: counts ${record.successCount} of ${good} successes`);
  const meant =
    record.metadata.failed_reason === undefined ? statusOf(targets.length, real.length, good) : 'failed';
  if (status !== meant) wrong.push(`${jid}: is ${status}, its rows say ${meant}`);
  return wrong;
}

/** Decision 4, said once more. */
function statusOf(targets: number, returned: number, succeeded: number): JobStatus {
  if (returned === 0) return 'timeout';
  if (returned < targets) return 'partial';
  return succeeded === targets ? 'complete' : 'failed';
}

function wrongEffects(
  effects: ReadonlyMap<string, ReadonlyMap<string, number>>,
  records: ReadonlyMap<string, Job>,
): string[] {
  return [...effects].flatMap(([peel, counts]) =>
    [...counts].flatMap(([jid, count]) => [
      ...(count > 1 ? [`${jid}: ran ${count} times on ${peel}`] : []),
      ...(records.has(jid) ? [] : [`${jid}: ran on ${peel}, and there is no record`]),
    ]),
  );
}

async function readRecords(fleet: ProcessFleet): Promise<Map<string, Job>> {
  const entries = await fleet.admin.bucket(BUCKETS.jobs.name).entries('*');
  const jobs = entries.filter(({ key }) => parseJid(key) !== undefined);
  return new Map(jobs.map(({ key, value }) => [key, jobCodec.decode(value)]));
}

async function readRows(fleet: ProcessFleet): Promise<Map<Jid, Row[]>> {
  const rows = new Map<Jid, Row[]>();
  for (const { key, value } of await fleet.admin.bucket(BUCKETS.jobReturns.name).entries()) {
    const jid = parseJobReturnKey(key)?.jid;
    if (jid !== undefined) rows.set(jid, [...(rows.get(jid) ?? []), rowCodec.decode(value)]);
  }
  return rows;
}
