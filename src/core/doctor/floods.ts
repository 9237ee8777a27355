/** This check of `zester doctor` names peels that flooded the bus: those that are kept out now, and those that were lately. */
import { count, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface FloodFacts {
  readonly bans: readonly {
    readonly peel: string;
    readonly untilMs: number;
    readonly reason: string;
    readonly count: number;
    /** Who ended it before its time; empty: nobody. */
    readonly liftedBy: string;
  }[];
  readonly nowMs: number;
}

const DAY_MS = 86_400_000;

export function judgeFloods({ bans, nowMs }: FloodFacts): Judgement {
  const out = bans.filter(({ untilMs }) => untilMs > nowMs);
  const lately = bans.filter(({ untilMs }) => untilMs <= nowMs && nowMs - untilMs < DAY_MS);
  const names = lately.map(({ peel, liftedBy }) =>
    liftedBy === '' ? peel : `${peel} (let in by ${liftedBy})`,
  );
  const past = names.length === 0 ? '' : `; kept out within the last day: ${nameSome(names)}`;
  if (out.length === 0) return ok(`no peel floods the bus${past}`);
  const told = out.map(
    ({ peel, untilMs, reason, count: times }) =>
      `${peel} ${reason}; kept out for ${Math.ceil((untilMs - nowMs) / 1_000)} s more, ${count(times, 'time')} lately`,
  );
  return warn(
    `${nameSome(told)}${past}`,
    'look at that machine: whoever has its key floods. It comes back by itself; `zester peel unban` lets it in at once, `zester enroll revoke --peel` keeps it out for good',
  );
}
