/**
 * This file decides which owners of jobs are dead. It is slow to say so on purpose: only a heartbeat key that is missing
 * in two looks in a row counts, because taking a living master's jobs is worse than taking a dead one's a little later.
 * Two kinds of owner are gone at once (decision 7): one whose last heartbeat says that it is leaving, and one that ran on
 * this very machine, in this boot, as a process that is no more.
 *
 * Pure: a look that failed must not be judged at all, that is the caller's part.
 */

import type { Jid, MasterId } from '../../wire/names/ids.ts';
import type { MasterHeartbeat } from '../../wire/records/heartbeat.ts';

/** Looks in a row in which an owner must be missing. */
export const MISSES_TO_DEATH = 2;

/** What a heartbeat key says of its master: it goes on, it handed its jobs over, or its process is no more. */
export type OwnerSign = 'alive' | 'leaving' | 'gone';

/** How an owner went. One that handed over did nothing wrong, and neither did its jobs (adoption.ts). */
export type Departure = 'left' | 'died';

/** Where we are ourselves, to recognise a neighbour. */
export interface OwnPlace {
  readonly masterId: MasterId;
  readonly pid: number;
  readonly host: string;
  readonly bootId: string;
  readonly isProcessGone: (pid: number) => boolean;
}

/** What a heartbeat says about its master. One that cannot be read still proves that somebody wrote it. */
export function signOf(beat: MasterHeartbeat | undefined, here: OwnPlace): OwnerSign {
  if (beat === undefined) return 'alive';
  if (beat.leaving) return 'leaving';
  const isNeighbour = beat.bootId !== '' && beat.bootId === here.bootId && beat.host === here.host;
  return isNeighbour && beat.pid > 0 && isGone(beat, here) ? 'gone' : 'alive';
}

/** A process whose number is ours by now is no more: in a container every master is number 1. */
function isGone({ masterId, pid }: MasterHeartbeat, here: OwnPlace): boolean {
  return pid === here.pid ? masterId !== here.masterId : here.isProcessGone(pid);
}

export interface Look {
  readonly owners: Iterable<MasterId>;
  /** Every master with a heartbeat key. */
  readonly signs: ReadonlyMap<MasterId, OwnerSign>;
  /** From the look before: how often each owner has been missing in a row. */
  readonly misses: ReadonlyMap<MasterId, number>;
  /** False for a look that came early: it may see an owner, but not miss one. */
  readonly counts: boolean;
}

export interface OwnersJudged {
  readonly dead: ReadonlyMap<MasterId, Departure>;
  readonly misses: ReadonlyMap<MasterId, number>;
}

/** An owner that is seen again starts from zero. */
export function judgeOwners({ owners, signs, misses: before, counts }: Look): OwnersJudged {
  const dead = new Map<MasterId, Departure>();
  const misses = new Map<MasterId, number>();
  for (const owner of new Set(owners)) {
    const sign = signs.get(owner);
    if (sign === 'alive') continue;
    const missed = (before.get(owner) ?? 0) + (counts ? 1 : 0);
    if (sign === 'leaving') dead.set(owner, 'left');
    else if (sign === 'gone' || missed >= MISSES_TO_DEATH) dead.set(owner, 'died');
    misses.set(owner, missed);
  }
  return { dead, misses };
}

/** A job that has not ended and that is not in our hands. */
export interface UnwatchedJob {
  readonly job: { readonly jid: Jid };
  readonly owner: MasterId;
}

/** What a look leaves to the next one. */
export interface ScanMemory {
  /** How often each owner has been missing in a row. */
  readonly misses: ReadonlyMap<MasterId, number>;
  /** Jobs that the last look which counted found to be ours. */
  readonly mislaid: ReadonlySet<Jid>;
}

export const NO_LOOK_BEFORE: ScanMemory = { misses: new Map(), mislaid: new Set() };

export interface JobsLook<Found> extends Pick<Look, 'signs' | 'counts'> {
  readonly me: MasterId;
  readonly found: readonly Found[];
  readonly memory: ScanMemory;
}

/**
 * The jobs that may be adopted: those of dead owners, and our own that we have let go, in two looks in a row. A NATS that
 * came back older has forgotten the end of these (decision 11), and nobody else may touch them while we live.
 */
export function findOrphans<Found extends UnwatchedJob>(
  look: JobsLook<Found>,
): {
  readonly orphans: (Found & { readonly departure: Departure })[];
  readonly dead: ReadonlyMap<MasterId, Departure>;
  readonly memory: ScanMemory;
} {
  const { me, found, signs, memory, counts } = look;
  const owners = found.map(({ owner }) => owner);
  const { dead, misses } = judgeOwners({ owners, signs, misses: memory.misses, counts });
  const own = new Set(found.filter(({ owner }) => owner === me).map(({ job }) => job.jid));
  const departureOf = ({ job, owner }: Found): Departure | undefined => {
    if (owner !== me) return dead.get(owner);
    return counts && memory.mislaid.has(job.jid) ? 'left' : undefined;
  };
  const orphans = found.flatMap((job) => {
    const departure = departureOf(job);
    return departure === undefined ? [] : [{ ...job, departure }];
  });
  return { orphans, dead, memory: { misses, mislaid: counts ? own : memory.mislaid } };
}
