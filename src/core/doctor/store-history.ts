/**
 * This check of `zester doctor` judges whether NATS has come back older than it was: by what masters noticed, and by
 * what they last wrote down of the streams.
 */
import type { StoreLoss } from '../../wire/records/store-watch.ts';
import { formatDuration } from '../duration.ts';
import { LOSS_MEANS, LOSS_NEXT, tellLoss } from '../store-loss.ts';
import { fail, type Judgement, ok, unknown, warn } from './finding.ts';

export type StoreHistoryFacts =
  | {
      /** What masters noticed, oldest first. */
      readonly losses: readonly StoreLoss[];
      /** What shows now and no master has noticed yet. */
      readonly unnoticed: readonly StoreLoss[];
      readonly nowMs: number;
    }
  /** No master has written down how the streams are. */
  | 'absent';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** By then every record and row of that time has expired. */
const TOLD_MS = 7 * DAY_MS;

export function judgeStoreHistory(facts: StoreHistoryFacts): Judgement {
  if (facts === 'absent')
    return unknown(
      'no master has written down yet how the streams are',
      'start a master of this version: it does so within a minute',
    );
  const { losses, unnoticed, nowMs } = facts;
  const [now] = unnoticed;
  if (now !== undefined) return fail(`NATS is older than it was: ${tellLoss(now)}; ${LOSS_MEANS}`, LOSS_NEXT);
  const told = losses.filter(({ noticedMs }) => nowMs - noticedMs < TOLD_MS);
  const last = told.at(-1);
  if (last === undefined) return ok('no stream of jobs is older than it was');
  const more = told.length > 1 ? ` (and ${told.length - 1} more within 7 days)` : '';
  const ageMs = nowMs - last.noticedMs;
  const found = `NATS came back older, noticed ${formatDuration(Math.floor(Math.max(0, ageMs) / MINUTE_MS) * MINUTE_MS)} ago: ${tellLoss(last)}${more}; ${LOSS_MEANS}`;
  return ageMs < DAY_MS ? fail(found, LOSS_NEXT) : warn(found, LOSS_NEXT);
}
