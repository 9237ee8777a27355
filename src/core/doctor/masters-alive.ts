/** This check of `zester doctor` judges whether there are masters, and enough that one may die. */
import { count, fail, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface MasterFacts {
  readonly alive: readonly string[];
  readonly leaving: readonly string[];
  /** Of the living: what is wrong with their stores. */
  readonly problems: readonly string[];
}

export function judgeMasters({ alive, leaving, problems }: MasterFacts): Judgement {
  const going = leaving.length === 0 ? '' : `; ${leaving.length} leaving`;
  if (alive.length === 0)
    return fail(
      `no master is alive${going}: no job is taken, running ones wait`,
      'start a master; it takes over what others left. See the log of the last one for why it ended',
    );
  const found = `${count(alive.length, 'master')} alive: ${nameSome(alive)}${going}`;
  if (problems.length > 0)
    return fail(
      `${found}; jobs wait for their stores: ${nameSome(problems)}`,
      'look at the check `floods`, at the disks of the NATS servers and at their logs',
    );
  if (alive.length > 1) return ok(found);
  return warn(`${found}; nobody takes over if it dies`, 'start a second master with the same auth directory');
}
