/**
 * `inspectAssets` compares the buckets, streams and object stores of the server with what `wire/` declares. It changes
 * nothing.
 */
import { JS_ERROR, streamInfoSubject } from '../wire/names/jetstream.ts';
import {
  type AssetSpecs,
  differences,
  type Settings,
  settingsIn,
  type WantedAsset,
  wantedAssets,
} from './assets.ts';
import { refusalError } from './jetstream-api.ts';
import type { Bus } from './port.ts';

export interface AssetState {
  /** Name of the stream behind the asset. */
  readonly asset: string;
  readonly tier: WantedAsset['tier'];
  /** Undefined when it is not there. */
  readonly found: FoundAsset | undefined;
}

export interface FoundAsset {
  /** Settings that are not as declared. */
  readonly drift: readonly string[];
  readonly replicas: number;
  /** Empty while there is none; a server that is no cluster has no leaders. */
  readonly leader: string | undefined;
  /** The other replicas. */
  readonly followers: readonly {
    readonly name: string;
    readonly current: boolean;
    readonly offline: boolean;
  }[];
}

export function inspectAssets(bus: Bus, specs: AssetSpecs): Promise<AssetState[]> {
  return Promise.all(wantedAssets(specs).map((wanted) => inspect(bus, wanted)));
}

async function inspect(bus: Bus, { tier, settings }: WantedAsset): Promise<AssetState> {
  const { name: asset } = settings;
  const subject = streamInfoSubject(asset);
  const info = await bus.tryApi(subject, {});
  if ('answer' in info) return { asset, tier, found: foundIn(info.answer, settings) };
  if (info.refusal.errorCode === JS_ERROR.streamNotFound) return { asset, tier, found: undefined };
  throw refusalError(subject, info.refusal);
}

function foundIn(answer: Settings, wanted: Settings): FoundAsset {
  const config = settingsIn(answer);
  const cluster = (answer.cluster ?? {}) as { leader?: unknown; name?: unknown; replicas?: unknown };
  const replicas = Array.isArray(cluster.replicas) ? (cluster.replicas as Settings[]) : [];
  const isClustered = typeof cluster.name === 'string' && cluster.name !== '';
  return {
    drift: differences(wanted, config),
    replicas: Number(config.num_replicas ?? 1),
    leader: isClustered ? String(cluster.leader ?? '') : undefined,
    followers: replicas.map(({ name, current, offline }) => ({
      name: String(name ?? 'unknown'),
      current: current === true,
      offline: offline === true,
    })),
  };
}
