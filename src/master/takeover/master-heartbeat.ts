/**
 * The heartbeat of this master is written under its own key. While it is there nobody takes our jobs; the bucket lets it
 * expire after three missed ones. The last one says that we are leaving, so that others adopt at once (decision 7).
 */
import { openTable } from '../../bus/kv/table.ts';
import { withRetries } from '../../bus/retry-budget.ts';
import { periodic } from '../../runtime/periodic.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';

const SPREAD = 0.1;

/** The list is for people; `jobs` has the count. */
const JOBS_LISTED_MAX = 1_000;
/** One that was lost with a node must not cost the time of the next ones. */
const PUT_MS = 2_000;

export interface RunningHeartbeat {
  /** The last one. */
  leave(): Promise<void>;
  stop(): void;
}

/** What a heartbeat tells, and who hears of it. */
export interface HeartbeatParts {
  readonly jids: () => Jid[];
  /** Empty when nothing is wrong. */
  readonly filesProblem: () => string;
  readonly storeProblem: () => string;
  /** One came so late that ours had expired: we were frozen or cut off, and others may have taken our jobs. */
  readonly missed: () => void;
}

/** Resolves after the first beat: before it nobody should see a job of ours. */
export async function startMasterHeartbeat(
  context: MasterContext,
  { jids, filesProblem, storeProblem, missed }: HeartbeatParts,
): Promise<RunningHeartbeat> {
  const { bus, identity, runtime, settings, life, sign } = context;
  const { masterId } = identity;
  const heartbeats = openTable(bus, TABLES.masterHeartbeats);
  const since = context.now();

  const beat = async (leaving = false): Promise<void> => {
    const jobs = jids();
    const value = {
      ...identity,
      activeJobs: jobs.slice(0, JOBS_LISTED_MAX),
      timestamp: context.now(),
      leaving,
      since,
      jobs: jobs.length,
      filesProblem: filesProblem(),
      storeProblem: storeProblem(),
      fleetGeneration: context.fleetKeys.generation(),
      agentsGeneration: context.agentsKeys.generation(),
    };
    const begunMs = runtime.clock.monotonicMs();
    await heartbeats.put(masterId, value, { timeoutMs: PUT_MS });
    if (sign.shown(begunMs) && !leaving) missed();
  };

  await retried(runtime, life, 'first heartbeat', () => beat());
  // In an election every try counts: our key lives for three beats, and the next one would come a whole beat later.
  let isStopped = false;
  // A try after the last word would take it back.
  const beatOn = async () => {
    if (!isStopped && !life.aborted) await beat();
  };
  const insist = () => withRetries(runtime, { ms: BUCKETS.masterHeartbeat.ttlMs }, 'heartbeat', beatOn);
  const beating = periodic(
    runtime,
    { what: 'heartbeat', everyMs: settings.heartbeatMs, spread: SPREAD },
    insist,
  );
  const stop = () => {
    isStopped = true;
    beating.stop();
  };
  return {
    stop,
    async leave() {
      stop();
      // Once in any case: also a stop that has run out of time says it.
      await beat(true).catch(() =>
        retried(runtime, life, 'last heartbeat', async () => {
          // Cut off nobody hears it, and a stop should not wait for that: our key expires.
          if (bus.status() === 'connected') await beat(true);
        }),
      );
    },
  };
}
