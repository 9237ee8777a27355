/**
 * Sees to it that every bucket, stream and object store is there and as declared: at the start, until it is done, and
 * again every minute, because another program on the same NATS may change settings that safety rests on (decision 23d).
 */
import { type AssetReport, ensureAssets } from '../bus/assets.ts';
import { ALL_BUCKETS } from '../wire/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../wire/streams.ts';
import { every } from './every.ts';
import type { MasterContext } from './master-context.ts';
import { retried } from './retry.ts';

const ASSETS = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };

/** Resolves when everything is there; afterwards it goes on by itself until the master's life ends. */
export async function keepAssets(context: MasterContext): Promise<{ stop(): void }> {
  const { bus, runtime, settings, life } = context;
  const ensure = async () => {
    for (const report of await ensureAssets(bus, ASSETS, settings.replicas)) tell(report);
  };
  const tell = ({ asset, action, drift }: AssetReport) => {
    if (action === 'created') runtime.log.info('asset created', { asset });
    if (action === 'corrected')
      runtime.log.warn('asset was not as declared and was corrected', { asset, drift });
  };
  await retried(runtime, life, 'buckets and streams', ensure);
  return every(runtime, settings.assetCheckMs, 'buckets and streams', ensure);
}
