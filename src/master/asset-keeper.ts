/**
 * Sees to it that every bucket, stream and object store is there and as declared: at the start, until it is done, and
 * again every minute, because another program on the same NATS may change settings that safety rests on (decision 23d).
 *
 * Copies: as many as the settings say; otherwise as many as the cluster has servers, up to three, and never fewer than
 * there are already, so that masters that know of different numbers do not work against each other. Where the servers
 * will not have so many, there are fewer until they do. A critical asset with fewer copies than the cluster could keep
 * is warned of, once, and again when it has happened again.
 */
import { type AssetReport, ensureAssets } from '../bus/assets.ts';
import { copiesFor } from '../core/copies.ts';
import { ALL_BUCKETS } from '../wire/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../wire/streams.ts';
import { every } from './every.ts';
import type { MasterContext } from './master-context.ts';
import { retried } from './retry.ts';

const ASSETS = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };

/** Resolves when everything is there; afterwards it goes on by itself until the master's life ends. */
export async function keepAssets(
  context: MasterContext,
  countServers: () => Promise<number>,
): Promise<{ stop(): void }> {
  const { bus, runtime, settings, life } = context;
  const thin = new Set<string>();
  const ensure = async () => {
    const servers = await countServers();
    const enough = copiesFor(servers);
    const reports = await ensureAssets(bus, ASSETS, settings.replicas ?? { atLeast: enough });
    for (const report of reports) {
      tell(report);
      if (report.tier === 'critical') judgeCopies(report, enough, servers);
    }
  };
  const tell = ({ asset, action, drift }: AssetReport) => {
    if (action === 'created') runtime.log.info('asset created', { asset });
    if (action === 'corrected')
      runtime.log.warn('asset was not as declared and was corrected', { asset, drift });
  };
  const judgeCopies = ({ asset, replicas }: AssetReport, wanted: number, servers: number) => {
    if (replicas >= wanted) thin.delete(asset);
    else if (!thin.has(asset)) {
      thin.add(asset);
      runtime.log.warn('UNDER-REPLICATED: the loss of one server may lose this asset', {
        asset,
        copies: replicas,
        wanted,
        servers,
        hint: 'see `zester doctor`; start masters without --replicas, or with more',
      });
    }
  };
  await retried(runtime, life, 'buckets and streams', ensure);
  return every(runtime, settings.assetCheckMs, 'buckets and streams', ensure);
}
