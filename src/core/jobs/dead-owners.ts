/**
 * Which owners of jobs are dead. Deliberately slow to say so: only a heartbeat key that is missing in two looks in a row
 * counts, because taking a living master's jobs is worse than taking a dead one's a little later. Two kinds of owner are
 * gone at once (decision 7): one whose last heartbeat says that it is leaving, and one that ran on this very machine,
 * in this boot, as a process that is no more.
 *
 * Pure: a look that failed must not be judged at all, that is the caller's part.
 */
import type { MasterHeartbeat } from '../../wire/heartbeat.ts';
import type { MasterId } from '../../wire/ids.ts';

/** Looks in a row in which an owner must be missing. */
export const MISSES_TO_DEATH = 2;

export type OwnerSign = 'alive' | 'gone';

/** Where we are ourselves, to recognise a neighbour. */
export interface OwnPlace {
  readonly host: string;
  readonly bootId: string;
  readonly isProcessGone: (pid: number) => boolean;
}

/** What a heartbeat says about its master. One that cannot be read still proves that somebody wrote it. */
export function signOf(beat: MasterHeartbeat | undefined, here: OwnPlace): OwnerSign {
  if (beat === undefined) return 'alive';
  if (beat.leaving) return 'gone';
  const isNeighbour = beat.bootId !== '' && beat.bootId === here.bootId && beat.host === here.host;
  return isNeighbour && beat.pid > 0 && here.isProcessGone(beat.pid) ? 'gone' : 'alive';
}

export interface OwnersJudged {
  readonly dead: ReadonlySet<MasterId>;
  /** For the next look: how often each owner has been missing in a row. */
  readonly misses: ReadonlyMap<MasterId, number>;
}

/** `signs` has every master with a heartbeat key. An owner that is seen again starts from zero. */
export function judgeOwners(
  owners: Iterable<MasterId>,
  signs: ReadonlyMap<MasterId, OwnerSign>,
  before: ReadonlyMap<MasterId, number>,
): OwnersJudged {
  const dead = new Set<MasterId>();
  const misses = new Map<MasterId, number>();
  for (const owner of new Set(owners)) {
    const sign = signs.get(owner);
    if (sign === 'alive') continue;
    const missed = (before.get(owner) ?? 0) + 1;
    if (sign === 'gone' || missed >= MISSES_TO_DEATH) dead.add(owner);
    misses.set(owner, missed);
  }
  return { dead, misses };
}
