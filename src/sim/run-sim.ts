/**
 * `runSim` is one run: the fleet starts, operators work, faults happen; then the faults stop, everything is healed, and the
 * fleet gets time to come to rest. It ends early at the first violation.
 */
import { isTerminal } from '../core/jobs/job-lifecycle.ts';
import type { LogLevel } from '../runtime/log.ts';
import type { Jid } from '../wire/names/ids.ts';
import { checkMachinesAnswer, machinesIn } from './enroll/final-enroll-checks.ts';
import { applyFault } from './faults/apply-fault.ts';
import type { PlannedFault } from './faults/faults.ts';
import { checkProbe } from './files/final-file-checks.ts';
import { checkComplete, checkEnd, isQuiet } from './final-checks.ts';
import type { Violation } from './sim-observer.ts';
import type { StateBook } from './states/state-book.ts';
import { SimWorld } from './world/sim-world.ts';
import type { TimelineEntry } from './world/trace.ts';

export interface SimOptions {
  readonly seed: number;
  readonly masters: number;
  readonly peels: number;
  readonly minutes: number;
  readonly jobsPerMinute: number;
  /** Edits of the files that masters publish. */
  readonly editsPerMinute: number;
  readonly logLevel: LogLevel;
  readonly faults: readonly PlannedFault[];
  readonly progress?: (virtualMs: number) => void;
}

export interface SimResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly faults: readonly PlannedFault[];
  readonly digest: string;
  readonly events: number;
  readonly virtualMs: number;
  readonly jobs: number;
  readonly counts: Readonly<
    Record<'published' | 'stored' | 'commands' | 'adoptions' | 'olderReports', number>
  >;
  /** Runs of states; states that a revert brought back; runs in whose middle the peel died. */
  readonly states: StateBook['counts'];
  readonly files: FileCounts;
  readonly trust: TrustCounts;
  readonly timeline: readonly TimelineEntry[];
}

export interface TrustCounts {
  /** Machines that got credentials. */
  readonly joined: number;
  readonly revoked: number;
  /** What peels said after their revocation was acknowledged, because a server had let them in again. */
  readonly revokedWords: number;
  /** Of the fleet key. */
  readonly rotations: number;
}

export interface FileCounts {
  /** Revisions of both sets. */
  readonly published: number;
  /** Runs whose files were compared with the revisions that they name. */
  readonly judged: number;
  /** Runs that failed because a secret had not come yet. */
  readonly secretsMissing: number;
}

const MINUTE_MS = 60_000;
/** Everything is started and connected before the first job and the first fault. */
const SETTLE_MS = 10_000;
/** How long after the last fault everything must be at rest: the longest job, its reclaim, and the store's retries. */
const REST_MS_MAX = 20 * MINUTE_MS;
const REST_STEP_MS = 5_000;
/** How soon after the last fault a job ends that has all its returns: two looks for a dead owner, and some slack. */
const SOON_MS = 150_000;
/** A delivery that died with its master comes again after the ack wait, and rows are corrected after that. */
const QUIET_MS = 90_000;
const PROBE_MS_MAX = 2 * MINUTE_MS;
const PROBE_STEP_MS = 500;

export async function runSim(options: SimOptions): Promise<SimResult> {
  const { seed, minutes, faults } = options;
  const world = new SimWorld(options);
  const { client, clock, observer, trace } = world;
  for (const node of [...world.masters, ...world.peels, ...world.boxes]) node.start();
  await clock.advance(SETTLE_MS);
  const untilMs = clock.monotonicMs() + minutes * MINUTE_MS;
  for (const fault of faults) clock.after(fault.atMs, () => applyFault(world, fault));
  client.workUntil(untilMs, MINUTE_MS / options.jobsPerMinute);
  world.operator.workUntil(untilMs, MINUTE_MS / options.editsPerMinute);
  world.rotating.workUntil(untilMs);
  world.registrar.workUntil(untilMs);
  const isBroken = () => observer.violations.length > 0;
  while (clock.monotonicMs() < untilMs && !isBroken()) {
    await clock.advance(Math.min(REST_STEP_MS, untilMs - clock.monotonicMs()));
    options.progress?.(clock.monotonicMs());
  }
  const restMs = clock.monotonicMs() + REST_MS_MAX;
  const soonMs = clock.monotonicMs() + SOON_MS;
  let quietSinceMs = clock.monotonicMs();
  healAll(world);
  world.operator.finish();
  world.registrar.finish();
  while (!isBroken() && clock.monotonicMs() < restMs) {
    await clock.advance(REST_STEP_MS);
    healAll(world);
    if (clock.monotonicMs() >= soonMs) checkComplete(world);
    if (!isQuiet(world)) quietSinceMs = clock.monotonicMs();
    else if (clock.monotonicMs() - quietSinceMs >= QUIET_MS) break;
    options.progress?.(clock.monotonicMs());
  }
  if (!isBroken()) checkEnd(world);
  if (!isBroken()) await probe(world);
  return {
    seed,
    violations: observer.violations,
    faults,
    digest: trace.digest(),
    events: trace.eventCount,
    virtualMs: clock.monotonicMs(),
    jobs: client.asked.length,
    counts: observer.counts,
    states: stateCounts(world),
    files: fileCounts(world),
    trust: trustCounts(world),
    timeline: trace.timeline,
  };
}

function stateCounts({ peels }: SimWorld): SimResult['states'] {
  const sum = (name: keyof SimResult['states']) =>
    peels.reduce((all, { book }) => all + book.counts[name], 0);
  return { runs: sum('runs'), restored: sum('restored'), died: sum('died') };
}

function fileCounts({ peels, files: { books } }: SimWorld): FileCounts {
  const sum = (name: 'judged' | 'secretsMissing') =>
    peels.reduce((all, { files }) => all + files.counts[name], 0);
  const published = books.states.revisions.length + books.settings.revisions.length;
  return { published, judged: sum('judged'), secretsMissing: sum('secretsMissing') };
}

function trustCounts({ enroll, rotations }: SimWorld): TrustCounts {
  const { joined, revoked } = enroll.book.counts;
  return { joined, revoked, revokedWords: enroll.counts.words, rotations: rotations.count };
}

/** A last run on every peel: it must find the newest files and secrets. */
async function probe(world: SimWorld): Promise<void> {
  const { client, clock, observer } = world;
  const [jid, joined] = [client.probe(), client.probeJoined(machinesIn(world))];
  const untilMs = clock.monotonicMs() + PROBE_MS_MAX;
  const isOver = (each: Jid) => isTerminal(observer.records.get(each)?.status ?? 'pending');
  const areOver = () => isOver(jid) && (joined === undefined || isOver(joined));
  while (!areOver() && clock.monotonicMs() < untilMs) await clock.advance(PROBE_STEP_MS);
  checkProbe(world, jid);
  if (joined !== undefined) checkMachinesAnswer(world, joined);
}

/** Also what a fault undoes later by itself: from now on nothing is wrong. */
function healAll(world: SimWorld): void {
  world.clearWeather();
  world.server.start();
  const nodes = [...world.masters, ...world.peels, ...world.boxes];
  for (const node of nodes) {
    node.thaw();
    node.heal();
    node.spare();
    node.start();
  }
  for (const node of nodes) node.setDisk(undefined);
}
