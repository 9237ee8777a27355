/**
 * This check of `zester doctor` judges the versions of the nats-servers: new enough, none that is known to lose data,
 * all the same.
 */
import { compareVersions } from '../version-order.ts';
import { fail, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface VersionFacts {
  readonly servers: readonly { readonly name: string; readonly version: string }[];
  /** Zester needs this or newer. */
  readonly floor: string;
  /** False when only the server that we are connected to could be asked. */
  readonly isComplete: boolean;
}

interface KnownBad {
  readonly from: string;
  readonly to: string;
  readonly why: string;
  readonly fixedIn: string;
}

/** Releases with a defect that costs acknowledged data in ordinary trouble. */
const KNOWN_BAD: readonly KnownBad[] = [
  {
    from: '2.10.20',
    to: '2.10.22',
    why: 'a cluster can lose whole streams when servers are killed (nats-server issue 6888)',
    fixedIn: '2.10.23',
  },
];

export function judgeServerVersions({ servers, floor, isComplete }: VersionFacts): Judgement {
  const named = (some: VersionFacts['servers']) =>
    nameSome(some.map(({ name, version }) => `${name} ${version}`));
  const old = servers.filter(({ version }) => compareVersions(version, floor) < 0);
  if (old.length > 0)
    return fail(
      `${named(old)}: older than ${floor}`,
      `upgrade nats-server to ${floor} or newer on these servers`,
    );
  for (const { from, to, why, fixedIn } of KNOWN_BAD) {
    const hit = servers.filter(
      ({ version }) => compareVersions(version, from) >= 0 && compareVersions(version, to) <= 0,
    );
    if (hit.length > 0) return fail(`${named(hit)}: ${why}`, `upgrade nats-server to ${fixedIn} or newer`);
  }
  const versions = [...new Set(servers.map(({ version }) => version))].sort(compareVersions);
  if (versions.length > 1)
    return warn(
      `different versions in one cluster: ${named(servers)}`,
      `bring all servers to ${versions.at(-1)}`,
    );
  const who = isComplete ? 'all servers' : 'the server we are connected to; the others could not be asked';
  return ok(`nats-server ${versions.join()} (${who})`);
}
