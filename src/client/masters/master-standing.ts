/** This file decides how each master stands. Pure: made from what `read-masters.ts` has read. */

import type { UnixNanos } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { MastersSeen, SeenMaster } from './read-masters.ts';

export type MasterCondition =
  /** Its heartbeat is there. */
  | 'alive'
  /** It has said that it is going; others take over its jobs. */
  | 'leaving'
  /** Its heartbeat is older than it may be, and the store has not taken it away yet. */
  | 'stale'
  /** It has no heartbeat, and still owns jobs or a lease. */
  | 'gone';

export interface MasterStanding {
  readonly id: string;
  readonly state: MasterCondition;
  readonly host: string;
  readonly pid: number | undefined;
  readonly version: string;
  readonly since: UnixNanos | undefined;
  /** By the index, as `job active` lists them: what a heartbeat says of them is up to 5 s old. */
  readonly jobs: number;
  readonly leases: readonly string[];
  readonly heartbeatAgeMs: number | undefined;
  /** Which of its stores take no write, or take long; empty when all is well. */
  readonly problem: string;
}

const ORDER: readonly MasterCondition[] = ['alive', 'leaving', 'stale', 'gone'];

/** The living first; then by start, the oldest first. */
export function masterStandings(seen: MastersSeen): MasterStanding[] {
  const beats = new Map(seen.beats.map((each) => [each.id, each]));
  const owners = seen.openJobs.map(({ owner }) => owner).filter((owner) => owner !== '');
  const ids = new Set([...beats.keys(), ...seen.leases.map(({ holder }) => holder), ...owners]);
  return [...ids]
    .map((id) => standingOf(id, beats.get(id), seen))
    .sort(
      (a, b) =>
        ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
        Number((a.since ?? 0n) - (b.since ?? 0n)) ||
        (a.id < b.id ? -1 : 1),
    );
}

function standingOf(id: string, seen: SeenMaster | undefined, all: MastersSeen): MasterStanding {
  const beat = seen?.beat;
  return {
    id,
    state: stateOf(seen, all.nowMs),
    host: beat?.host ?? '',
    pid: beat === undefined || beat.pid === 0 ? undefined : beat.pid,
    version: beat?.version ?? '',
    since: beat?.since,
    jobs: all.openJobs.filter(({ owner }) => owner === id).length,
    leases: all.leases.flatMap(({ name, holder }) => (holder === id ? [name] : [])).sort(),
    heartbeatAgeMs: seen === undefined ? undefined : Math.max(0, all.nowMs - seen.writtenMs),
    problem: beat?.storeProblem ?? '',
  };
}

function stateOf(seen: SeenMaster | undefined, nowMs: number): MasterCondition {
  if (seen === undefined) return 'gone';
  if (seen.beat?.leaving === true) return 'leaving';
  return nowMs - seen.writtenMs > BUCKETS.masterHeartbeat.ttlMs ? 'stale' : 'alive';
}
