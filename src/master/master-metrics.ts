/** The metrics of a master count its work, under the names of the wire reference; its parts get them from the context. */
import { isTerminal } from '../core/jobs/job-lifecycle.ts';
import { dispatchedAt } from '../core/jobs/job-record.ts';
import type { Metrics } from '../daemon/metrics.ts';
import { msFromNanos } from '../wire/msgpack/time.ts';
import type { PeelId } from '../wire/names/ids.ts';
import { PUBLISHER_LEASE_KEY } from '../wire/names/keys.ts';
import { ENROLLMENT_STATES, type EnrollmentState } from '../wire/records/enroll/enrollment.ts';
import { FILE_SETS } from '../wire/records/file-set.ts';
import type { Job } from '../wire/records/job.ts';
import { JOB_STATUSES } from '../wire/records/job-status.ts';
import { WATCHED_STORES } from '../wire/records/store-watch.ts';
import type { MasterState } from './start-master.ts';

export interface MasterMetrics {
  /** Its final record is in the store. */
  jobEnded(final: Job): void;
  /** `pending`: the client was told what is waited for, and asks again. */
  dispatchAnswered(result: 'dispatched' | 'pending' | 'refused'): void;
  /** A job of a dead master is ours now. */
  jobReclaimed(): void;
  /** `aborted`: something could not be read, so nothing was decided. */
  orphanScanned(result: 'done' | 'aborted'): void;
  /** An ack or a return that nobody asked this peel for. */
  strangerDropped(peel: PeelId): void;
  /** A stream of jobs has lost writes that it had acknowledged. */
  storeWentBack(asset: string): void;
  /** This master has written a new revision of a file set. */
  filesPublished(set: string): void;
  /** This master has brought an enrollment into this state. */
  enrollmentBecame(state: EnrollmentState): void;
  /** The enrollment door has answered. */
  doorAnswered(route: string, status: number): void;
  /** A connection to the enrollment door was closed before TLS began, at this limit. */
  doorClosed(limit: 'connections' | 'rate'): void;
  /** A NATS server had another account document than the record, and got the right one. */
  accountRestored(): void;
  /** This master has cut a peel off for flooding. */
  peelBanned(peel: PeelId): void;
}

/** Seconds. A quick command takes tenths of one, a state run minutes. */
const DURATION_BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const MS_PER_SECOND = 1_000;
const PUBLISHED_SETS = [FILE_SETS.settings.name, FILE_SETS.states.name, FILE_SETS.reactor.name];

export function masterMetrics(metrics: Metrics): MasterMetrics {
  const jobs = metrics.counter({
    name: 'zester_jobs_total',
    help: 'Jobs that this master has ended, by their final status.',
    labels: ['status'],
  });
  const durations = metrics.histogram({
    name: 'zester_job_duration_seconds',
    help: 'From the dispatch of a job to its final record.',
    labels: ['function'],
    bounds: DURATION_BOUNDS,
  });
  const dispatches = metrics.counter({
    name: 'zester_dispatches_total',
    help: 'Dispatch requests that this master has answered.',
    labels: ['result'],
  });
  const reclaims = metrics.counter({
    name: 'zester_job_reclaims_total',
    help: 'Jobs that this master took over from a dead one.',
  });
  const scans = metrics.counter({
    name: 'zester_orphan_scans_total',
    help: 'Looks for jobs of dead masters; aborted ones decided nothing.',
    labels: ['result'],
  });
  // Only peels that misbehave have a series, and no more of them than Metrics allows.
  const strangers = metrics.counter({
    name: 'zester_stranger_words_total',
    help: 'Acks and returns that were dropped: of no job, of no target, or no record.',
    labels: ['peel'],
  });
  const storeLosses = metrics.counter({
    name: 'zester_store_went_back_total',
    help: 'How often a stream of jobs was found older than it had been: acknowledged writes are lost.',
    labels: ['asset'],
  });
  const publishes = metrics.counter({
    name: 'zester_files_published_total',
    help: 'Revisions of file sets that this master has published.',
    labels: ['set'],
  });
  const enrollments = metrics.counter({
    name: 'zester_enrollments_total',
    help: 'Steps of enrollments that this master has taken, by the state they led to.',
    labels: ['state'],
  });
  const doorAnswers = metrics.counter({
    name: 'zester_enroll_requests_total',
    help: 'Requests that the enrollment door of this master has answered.',
    labels: ['route', 'status'],
  });
  const doorClosings = metrics.counter({
    name: 'zester_enroll_connections_refused_total',
    help: 'Connections to the enrollment door of this master that were closed before TLS began: too many open, or too many in a second.',
    labels: ['limit'],
  });
  const restored = metrics.counter({
    name: 'zester_account_documents_restored_total',
    help: 'Account documents that a NATS server had and that were not those that count; replaced by this master.',
  });
  restored.add({}, 0);
  const bans = metrics.counter({
    name: 'zester_flood_bans_total',
    help: 'Peels that this master has cut off for flooding the bus.',
    labels: ['peel'],
  });
  // So that a rate can be told from the first one on.
  for (const state of ENROLLMENT_STATES) enrollments.add({ state }, 0);
  for (const limit of ['connections', 'rate']) doorClosings.add({ limit }, 0);
  for (const set of PUBLISHED_SETS) publishes.add({ set }, 0);
  for (const asset of WATCHED_STORES) storeLosses.add({ asset }, 0);
  for (const status of JOB_STATUSES.filter(isTerminal)) jobs.add({ status }, 0);
  for (const result of ['dispatched', 'pending', 'refused']) dispatches.add({ result }, 0);
  for (const result of ['done', 'aborted']) scans.add({ result }, 0);
  return {
    jobEnded(final) {
      const tookMs = Math.max(0, msFromNanos(final.updated - dispatchedAt(final)));
      jobs.add({ status: final.status });
      durations.observe(tookMs / MS_PER_SECOND, { function: final.function });
    },
    dispatchAnswered: (result) => dispatches.add({ result }),
    jobReclaimed: () => reclaims.add(),
    orphanScanned: (result) => scans.add({ result }),
    strangerDropped: (peel) => strangers.add({ peel }),
    storeWentBack: (asset) => storeLosses.add({ asset }),
    filesPublished: (set) => publishes.add({ set }),
    enrollmentBecame: (state) => enrollments.add({ state }),
    doorAnswered: (route, status) => doorAnswers.add({ route, status: String(status) }),
    doorClosed: (limit) => doorClosings.add({ limit }),
    accountRestored: () => restored.add(),
    peelBanned: (peel) => bans.add({ peel }),
  };
}

/** What is read from its state whenever somebody asks. */
export function masterGauges(metrics: Metrics, state: () => MasterState): void {
  const gauge = (name: string, help: string, read: (now: MasterState) => number) =>
    metrics.gauge({ name, help }, () => read(state()));
  gauge('zester_connected_peels', 'Peels with a living heartbeat.', ({ peelsOnline }) => peelsOnline);
  gauge(
    'zester_master_publisher_leader',
    'Whether this master holds the lease of the publisher: 1 or 0.',
    (now) => (now.leases.includes(PUBLISHER_LEASE_KEY) ? 1 : 0),
  );
  gauge(
    'zester_files_problem',
    'Whether a person should look at the source directories of this master (`zester files status`): 1 or 0.',
    (now) => (now.filesProblem === '' ? 0 : 1),
  );
  metrics.gauge(
    { name: 'zester_enrollments', help: 'Enrollments that there are, by state.', labels: ['state'] },
    () => Object.entries(state().enrollments).map(([is, count]) => [{ state: is }, count] as const),
  );
  gauge(
    'zester_accounts_problem',
    'Whether the NATS servers lack an account document, or cannot be asked: 1 or 0.',
    (now) => (now.accountsProblem === '' ? 0 : 1),
  );
  gauge('zester_known_peels', 'Peels with facts.', ({ peels }) => peels);
  gauge('zester_job_active', 'Jobs that this master watches.', ({ jobs }) => jobs);
  gauge('zester_dispatches_waiting', 'Dispatches that wait for their turn.', (now) => now.dispatchesWaiting);
  gauge(
    'zester_dispatches_retrying',
    'Dispatches of which the store has not taken a step yet.',
    (now) => now.dispatchesRetrying,
  );
  gauge('zester_rows_waiting', 'Returns that are not stored yet.', (now) => now.rowsWaiting);
  gauge(
    'zester_interrupted_claims',
    'Claims that got stuck and wait for their client.',
    (now) => now.interruptedClaims,
  );
}
