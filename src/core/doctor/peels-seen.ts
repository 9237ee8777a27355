/** This check of `zester doctor` judges whether the peels that are known are heard of. */
import { count, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface PeelFacts {
  /** With facts or a heartbeat. */
  readonly known: number;
  /** Known, without a living heartbeat. */
  readonly silent: readonly string[];
}

export function judgePeels({ known, silent }: PeelFacts): Judgement {
  if (known === 0)
    return warn('no peel has ever been heard of', 'start zester-peel on a machine, with its credentials');
  if (silent.length === 0) return ok(`${count(known, 'peel')}, all heard of`);
  return warn(
    `${silent.length} of ${count(known, 'peel')} silent: ${nameSome(silent)}`,
    'see whether these machines are up and their zester-peel is connected: its log, and /readyz on the machine',
  );
}
