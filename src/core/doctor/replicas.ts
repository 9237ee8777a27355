/**
 * This check of `zester doctor` judges whether everything is kept in as many replicas as the cluster allows, and all of
 * them are there.
 */
import { COPIES_MAX, copiesFor } from '../copies.ts';
import { count, fail, type Judgement, nameSome, ok, unknown, warn } from './finding.ts';

export interface ReplicaFacts {
  readonly assets: readonly ReplicatedAsset[];
  /** Undefined when it could not be asked. */
  readonly servers: number | undefined;
}

export interface ReplicatedAsset {
  readonly asset: string;
  readonly tier: 'critical' | 'ephemeral';
  readonly replicas: number;
  /** Undefined on a server that is no cluster; empty while an election goes on. */
  readonly leader: string | undefined;
  readonly followers: readonly {
    readonly name: string;
    readonly current: boolean;
    readonly offline: boolean;
  }[];
}

const MORE_COPIES =
  'masters make them within a minute, once every server counts (nats-servers) and unless they were started with --replicas: restart them without it';

export function judgeReplicas({ assets, servers }: ReplicaFacts): Judgement {
  const names = (some: readonly ReplicatedAsset[]) => nameSome(some.map(({ asset }) => asset));
  if (assets.length === 0) return unknown('no asset is there', 'start a master: it makes every asset');
  const headless = assets.filter(({ leader }) => leader === '');
  if (headless.length > 0)
    return fail(
      `no leader: ${names(headless)}`,
      'wait for the election; if it lasts, start the servers that are away',
    );
  const wanted = servers === undefined ? undefined : copiesFor(servers);
  const critical = assets.filter(({ tier }) => tier === 'critical');
  const thin = critical.filter(({ replicas }) => replicas < (wanted ?? 0));
  if (thin.length > 0)
    return fail(
      `${count(thin.length, 'critical asset')} with fewer than ${wanted} copies on ${count(servers ?? 0, 'server')}: ${names(thin)}; the loss of one server may lose them`,
      MORE_COPIES,
    );
  const away = [...new Set(assets.flatMap(({ followers }) => missing(followers)))].sort();
  if (away.length > 0)
    return warn(
      `copies are behind or away on ${nameSome(away)}`,
      'start these servers, or wait until they have caught up',
    );
  const fewest = Math.min(...critical.map(({ replicas }) => replicas));
  const found = `${count(fewest, 'copy', 'copies')} of each of ${count(assets.length, 'asset')}`;
  if (servers === undefined && fewest < COPIES_MAX)
    return unknown(`${found}; how many servers there are could not be asked`, MORE_COPIES);
  return ok(servers === undefined ? found : `${found} on ${count(servers, 'server')}`);
}

function missing(followers: ReplicatedAsset['followers']): string[] {
  return followers.filter(({ current, offline }) => !current || offline).map(({ name }) => name);
}
