/** This check of `zester doctor` judges whether the shared consumer of returns keeps up. */
import { count, type Judgement, ok, warn } from './finding.ts';

export type LagFacts =
  | { readonly waiting: number; readonly inWork: number; readonly redelivered: number }
  /** It is made by the first master. */
  | 'absent';

const WAITING_MAX = 1_000;

export function judgeLag(facts: LagFacts): Judgement {
  if (facts === 'absent')
    return warn(
      'the consumer is not there: late returns are not recorded',
      'start a master; it makes the consumer',
    );
  const { waiting, inWork, redelivered } = facts;
  const found = `${count(waiting, 'return')} waiting, ${inWork} in work, ${redelivered} delivered again`;
  if (waiting <= WAITING_MAX) return ok(found);
  return warn(found, 'add a master, or see in the masters’ logs and metrics why rows are stored slowly');
}
