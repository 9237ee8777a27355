/**
 * This check of `zester doctor` judges whether the cluster is whole: the servers that the configured routes speak of,
 * those that answer, and those that JetStream counts with (its meta group) should be the same.
 */
import { type ClusterShape, serverCount } from '../cluster-shape.ts';
import { COPIES_MAX } from '../copies.ts';
import { count, fail, type Judgement, nameSome, ok, unknown, warn } from './finding.ts';

export type ClusterFacts = ClusterShape | { readonly notAsked: string };

const HOW_TO_ASK =
  'run doctor where sys.creds of this deployment is in the auth directory, or ask the servers with `nats server list`';

export function judgeCluster(facts: ClusterFacts): Judgement {
  if ('notAsked' in facts)
    return unknown(`how many servers there are could not be asked: ${facts.notAsked}`, HOW_TO_ASK);
  return judgeOutsiders(facts) ?? judgeAbsent(facts) ?? judgeNamed(facts) ?? ok(whoIsHere(facts));
}

/** Servers that are up and connected, on which JetStream keeps nothing. */
function judgeOutsiders({ seen, metaSize, members }: ClusterShape): Judgement | undefined {
  const outside = members === undefined ? [] : seen.filter((name) => !members.includes(name));
  if (outside.length === 0 && seen.length <= metaSize) return undefined;
  const isKnown = outside.length > 0;
  const who = isKnown ? nameSome(outside) : `${seen.length - metaSize} of them`;
  return fail(
    `${count(seen.length, 'server')} answer, but JetStream counts with ${metaSize}: ${who} never joined its meta group, and no copy is kept there`,
    `restart nats-server on ${isKnown ? who : 'one after the other'}: it joins within seconds, and masters make the missing copies within a minute. One that was removed from JetStream by name joins only under another server_name`,
  );
}

/** Servers that JetStream counts with, and that do not answer. */
function judgeAbsent({ seen, metaSize }: ClusterShape): Judgement | undefined {
  if (seen.length >= metaSize) return undefined;
  const found = `${seen.length} of ${metaSize} servers answer: ${nameSome(seen)}`;
  const isMajority = seen.length > metaSize / 2;
  return isMajority
    ? warn(found, 'start the missing server; until then the cluster bears one loss less')
    : fail(`${found}; without a majority nothing can be stored`, 'start the missing servers');
}

/** Servers that the configurations speak of, and that nobody has ever seen. */
function judgeNamed(shape: ClusterShape): Judgement | undefined {
  const { named } = shape;
  const here = serverCount(shape);
  if (named <= here) return undefined;
  const found = `the configured routes name ${named} servers, but only ${count(here, 'server')} ever joined: ${nameSome(shape.seen)}`;
  const fix =
    'start the server that is missing, or see in its log why it does not reach the others; if there is none any more, take it out of their `routes`';
  return here < COPIES_MAX ? fail(`${found}; so there are fewer copies than planned`, fix) : warn(found, fix);
}

function whoIsHere({ seen }: ClusterShape): string {
  return `${count(seen.length, 'server')}: ${nameSome(seen)}`;
}
