/** Whether every server of the cluster is there. */
import { count, fail, type Judgement, nameSome, ok, unknown, warn } from './finding.ts';

export type ClusterFacts =
  | {
      readonly answered: readonly string[];
      /** How many servers JetStream counts with; it remembers those that are away. */
      readonly size: number;
    }
  | { readonly notAsked: string };

const HOW_TO_ASK =
  'run doctor where sys.creds of this deployment is in the auth directory, or ask the servers with `nats server list`';

export function judgeCluster(facts: ClusterFacts): Judgement {
  if ('notAsked' in facts)
    return unknown(`how many servers there are could not be asked: ${facts.notAsked}`, HOW_TO_ASK);
  const { answered, size } = facts;
  const here = nameSome(answered);
  if (answered.length >= size) return ok(`${count(answered.length, 'server')}: ${here}`);
  const found = `${answered.length} of ${size} servers answer: ${here}`;
  const isMajority = answered.length > size / 2;
  return isMajority
    ? warn(found, 'start the missing server; until then the cluster bears one loss less')
    : fail(`${found}; without a majority nothing can be stored`, 'start the missing servers');
}
