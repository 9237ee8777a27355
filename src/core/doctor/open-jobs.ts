/** This check of `zester doctor` judges whether every unfinished job has a living master. */
import { count, fail, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface OpenJobFacts {
  readonly open: number;
  /** Those whose owner has no heartbeat, or is leaving. */
  readonly ownerless: readonly string[];
  readonly mastersAlive: number;
}

export function judgeOpenJobs({ open, ownerless, mastersAlive }: OpenJobFacts): Judgement {
  if (open === 0) return ok('no unfinished jobs');
  if (ownerless.length === 0) return ok(`${count(open, 'unfinished job')}, each with a living master`);
  const found = `${count(ownerless.length, 'unfinished job')} without a living master: ${nameSome(ownerless)}`;
  if (mastersAlive === 0) return fail(found, 'start a master; it takes them over');
  return warn(
    found,
    'a living master takes them over within a minute; if they stay, see the masters’ logs for “orphan”',
  );
}
