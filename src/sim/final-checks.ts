/**
 * The final checks say what must hold when the faults have stopped and the fleet has had time: every job ended, every
 * row true, nothing left.
 */
import { isTerminal } from '../core/jobs/job-lifecycle.ts';
import { isRealReturn, isSuccess, rowOf } from '../core/jobs/target-row.ts';
import type { Jid, PeelId } from '../wire/names/ids.ts';
import { parseJobReturnKey } from '../wire/names/keys.ts';
import type { Job } from '../wire/records/job.ts';
import { checkEnrollments, enrollmentsBehind } from './enroll/final-enroll-checks.ts';
import { BOX_IDS } from './enroll/sim-registrar.ts';
import { filesBehind } from './files/final-file-checks.ts';
import { isAdHoc, wrongAnswer } from './states/sim-state-jobs.ts';
import { ADHOC, adHocName } from './states/sim-states.ts';
import type { SimWorld } from './world/sim-world.ts';

/** Until everything a fault left behind is over: reconnects, restarts, takeovers, full queues. */
const AFTERMATH_MS = 120_000;

/** Whether there is nothing left to do. */
export function isQuiet(world: SimWorld): boolean {
  const records = [...world.observer.records.values()];
  return (
    world.client.waiting === 0 &&
    records.every((job) => isTerminal(job.status)) &&
    world.masters.every((master) => master.state()?.phase === 'ready' && master.state()?.jobs === 0) &&
    world.masters.every((master) => master.state()?.rowsWaiting === 0) &&
    world.peels.every((peel) => isIdle(peel.state())) &&
    filesBehind(world).length === 0 &&
    keysBehind(world).length === 0 &&
    enrollmentsBehind(world).length === 0
  );
}

/** What a rotation still has to do; nothing when all is well. */
function keysBehind({ rotations, peels }: SimWorld): readonly string[] {
  if (rotations.isOverlap) return [`generation ${rotations.newest} is still in its overlap`];
  return peels
    .filter(({ id }) => rotations.count > 0 && rotations.confirmedBy(id) < rotations.newest)
    .map(({ id }) => `${id} has generation ${rotations.confirmedBy(id)}, not ${rotations.newest}`);
}

function isIdle(state: ReturnType<SimWorld['peels'][number]['state']>): boolean {
  return state !== undefined && state.queued === 0 && state.running === 0 && state.spooled === 0;
}

/** A job that has all its returns ends, it does not wait for its deadline. For a fleet that has been well for a while. */
export function checkComplete(world: SimWorld): void {
  const { observer } = world;
  if (observer.forgotten) return;
  for (const { jid, status, targets } of observer.records.values())
    if (
      !isTerminal(status) &&
      targets.every((peel) => observer.returns.has(`${jid}.${peel}`) && isSteady(world, jid, peel))
    )
      observer.break(
        'a job with all its returns ends',
        `${jid} is ${status} and has ${targets.length} returns`,
      );
}

export function checkEnd(world: SimWorld): void {
  const { client, observer } = world;
  for (const master of world.masters) {
    const state = master.state();
    if (state?.phase !== 'ready' || state.jobs > 0 || state.rowsWaiting > 0)
      observer.break('with faults stopped, queues drain', `${master.name}: ${JSON.stringify(state)}`);
  }
  for (const peel of world.peels) {
    if (!isIdle(peel.state()))
      observer.break('with faults stopped, queues drain', `${peel.name}: ${JSON.stringify(peel.state())}`);
  }
  for (const peel of world.peels) peel.book.check('at the end');
  for (const text of filesBehind(world))
    observer.break('with faults stopped, everybody has the newest files', text);
  for (const text of keysBehind(world))
    observer.break('with faults stopped, a rotation ends and everybody has the newest key', text);
  checkEnrollments(world);
  for (const job of client.asked) checkJob(world, observer.records.get(job.jid), job);
  for (const job of client.asked.filter(isAdHoc)) checkAdHoc(world, job);
  if (observer.forgotten) return;
  for (const key of observer.effects.keys())
    if (!key.startsWith('direct-') && !observer.returns.has(key) && isSteadyKey(world, key))
      observer.break('what was run is returned', `${key} has no return`);
}

function checkJob(world: SimWorld, record: Job | undefined, asked: Job): void {
  const { client, observer } = world;
  const { jid } = asked;
  if (record === undefined) {
    if (client.confirmed.has(jid) && !observer.forgotten)
      observer.break('a confirmed job is not lost', `${jid} has no record`);
    return;
  }
  if (!isTerminal(record.status)) {
    observer.break('with faults stopped, every job ends', `${jid} is ${record.status}`);
    return;
  }
  // Of forgotten writes only this much is promised: nothing is stuck (decision 11).
  if (observer.forgotten) return;
  let returned = 0;
  for (const peel of record.targets) {
    const key = `${jid}.${peel}`;
    const row = observer.rows.get(key);
    const inStream = observer.returns.get(key);
    const effects = observer.effects.get(key) ?? 0;
    if (row === undefined) {
      observer.break('a finalized job has one row per target', `${key} has none`);
      continue;
    }
    if (isRealReturn(row)) returned += 1;
    if (!isSteady(world, jid, peel)) continue;
    if (inStream !== undefined && !isRealReturn(row))
      observer.break('a return in the stream is in the record', `${key} is ${row.outcome}`);
    if (isSuccess(row) && effects !== 1)
      observer.break('a row is true to what the peel did', `${key} returned and ran ${effects} times`);
    const wrong = isSuccess(row) ? wrongAnswer(asked, row) : undefined;
    if (wrong !== undefined)
      observer.break('one row for each state, in the order they ran', `${key}: ${wrong}`);
    if (row.outcome === 'unreachable' && observer.acked.has(key))
      observer.break('a row is true to what the peel did', `${key} is unreachable, but it acked`);
    if (row.outcome === 'unreachable' && !BOX_IDS.includes(peel) && wasWell(world, peel, asked))
      observer.break('who is well is reached, also while keys rotate', `${key} is unreachable`);
    if (row.outcome === 'expired' && effects > 0 && row.duration === 0n)
      observer.break('a row is true to what the peel did', `${key} is expired, but it ran`);
  }
  if (record.returnCount !== returned)
    observer.break('the record counts what its rows say', `${jid}: ${record.returnCount} and ${returned}`);
}

/** One machine has had this id since the job was asked for. */
function isSteady({ client, enroll }: SimWorld, jid: Jid, peel: PeelId): boolean {
  return !BOX_IDS.includes(peel) || enroll.book.isSteady(peel, client.askedMs.get(jid) ?? 0);
}

function isSteadyKey(world: SimWorld, key: string): boolean {
  const place = parseJobReturnKey(key);
  return place === undefined || isSteady(world, place.jid, place.peel);
}

/** Nothing was wrong with the peel, the masters and the server from before the job until it was over. */
function wasWell({ client, masters, troubles }: SimWorld, peel: PeelId, { jid, timeout }: Job): boolean {
  const askedMs = client.askedMs.get(jid) ?? 0;
  const nodes = [peel, 'server', ...masters.map(({ name }) => name)];
  return troubles.wereWell(nodes, askedMs, askedMs + Number(timeout) / 1e6, AFTERMATH_MS);
}

/** A file that only this job asked for, and only on its targets. */
function checkAdHoc({ peels, observer }: SimWorld, { jid, args }: Job): void {
  for (const peel of peels) {
    const key = `${jid}.${peel.id}`;
    const mayActed = observer.effects.has(key) && args.test !== true;
    const said = observer.returns.get(key);
    const content = peel.adHocFile(jid);
    const isRight =
      content === undefined
        ? !(mayActed && said !== undefined && isSuccess(rowOf(said))) ||
          peel.book.wasTakenBack(adHocName(`${ADHOC}${jid}`))
        : mayActed && content === `${jid}\n`;
    if (!isRight) observer.break('a state leaves what it declares', `${key} has ${JSON.stringify(content)}`);
  }
}
