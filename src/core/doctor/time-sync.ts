/** This check of `zester doctor` judges whether something keeps the clock of this machine right. */
import { type Judgement, ok, unknown, warn } from './finding.ts';

export interface TimeSyncFacts {
  readonly state: 'synchronized' | 'unsynchronized' | 'unknown';
  /** One sentence. */
  readonly why: string;
}

export function judgeTimeSync({ state, why }: TimeSyncFacts): Judgement {
  if (state === 'synchronized') return ok(why);
  if (state === 'unsynchronized')
    return warn(why, 'give chrony or systemd-timesyncd a time source that it reaches');
  return unknown(why, 'in a container ask on its host; elsewhere install chrony or systemd-timesyncd');
}
