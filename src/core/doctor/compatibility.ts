/** Whether programs of another implementation take part: with them commands go without proofs (decision 23h). */
import { count, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface CompatibilityFacts {
  /** Without what ours write into their heartbeats. */
  readonly foreignMasters: readonly string[];
  readonly foreignPeels: readonly string[];
}

export function judgeCompatibility({ foreignMasters, foreignPeels }: CompatibilityFacts): Judgement {
  if (foreignMasters.length + foreignPeels.length === 0)
    return ok('every master and peel is of this implementation');
  const parts = [
    ...(foreignMasters.length === 0
      ? []
      : [`${count(foreignMasters.length, 'master')}: ${nameSome(foreignMasters)}`]),
    ...(foreignPeels.length === 0
      ? []
      : [`${count(foreignPeels.length, 'peel')}: ${nameSome(foreignPeels)}`]),
  ];
  return warn(
    `of Zester 0.7, ${parts.join('; ')}: what they send and take carries no proof, so a hostile peel can forge it`,
    'replace them; then start every peel without --accept-unsigned',
  );
}
