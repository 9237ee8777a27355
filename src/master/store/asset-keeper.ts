/**
 * `keepAssets` makes every bucket, stream and object store, and keeps them as declared: at the start, until it is done;
 * whenever the line is back, until it is done, because a server that was restarted has lost what it kept in memory; and
 * again every minute, because another program on the same NATS may change settings that safety rests on (decision 23d).
 *
 * Copies: as many as the settings say; otherwise as many as the cluster has servers, up to three, and never fewer than
 * there are already, so that masters that know of different numbers do not work against each other. A server counts as
 * soon as it is connected; where JetStream does not count it yet there are fewer copies, and every turn asks for more.
 * A critical asset with fewer copies than the cluster could keep is warned of, once, and again when it has happened
 * again; where that is not what the settings ask for, at the second turn, because a server that has just come joins
 * JetStream a moment later.
 */
import { type AssetReport, ensureAssets } from '../../bus/assets.ts';
import { copiesFor } from '../../core/copies.ts';
import { periodic } from '../../runtime/periodic.ts';
import { ALL_BUCKETS } from '../../wire/names/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../../wire/names/streams.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';

const SPREAD = 0.1;

const ASSETS = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };

/** Resolves when everything is there; afterwards it goes on by itself until the master's life ends. */
export async function keepAssets(
  context: MasterContext,
  countServers: () => Promise<number>,
): Promise<{ stop(): void }> {
  const { bus, runtime, settings, life } = context;
  /** Critical assets with too few copies, and for how many turns. */
  const thin = new Map<string, number>();
  const warnedAt = settings.replicas === undefined ? 2 : 1;
  const ensure = async () => {
    const servers = await countServers();
    const enough = copiesFor(servers);
    await ensureAssets(bus, ASSETS, settings.replicas ?? { atLeast: enough }, (report) => {
      tell(report);
      if (report.tier === 'critical') judgeCopies(report, enough, servers);
    });
  };
  const tell = ({ asset, action, drift, replicas, replicasBefore }: AssetReport) => {
    if (action === 'created') runtime.log.info('asset created', { asset, copies: replicas });
    if (action !== 'corrected') return;
    const settled = drift.filter((setting) => setting !== 'num_replicas');
    if (settled.length > 0)
      runtime.log.warn('asset was not as declared and was corrected', { asset, drift: settled });
    const change = { asset, copies: replicas, before: replicasBefore };
    if (replicas > replicasBefore) runtime.log.info('more copies of an asset are being made', change);
    if (replicas < replicasBefore) runtime.log.warn('fewer copies of an asset, as --replicas says', change);
  };
  const judgeCopies = ({ asset, replicas }: AssetReport, wanted: number, servers: number) => {
    const turns = replicas < wanted ? (thin.get(asset) ?? 0) + 1 : 0;
    thin.set(asset, turns);
    if (turns === warnedAt)
      runtime.log.warn('UNDER-REPLICATED: the loss of one server may lose this asset', {
        asset,
        copies: replicas,
        wanted,
        servers,
        hint: 'see `zester doctor`: a server may not have joined JetStream; or start masters without --replicas',
      });
  };
  await retried(runtime, life, 'buckets and streams', ensure);
  const period = { what: 'buckets and streams', everyMs: settings.assetCheckMs, spread: SPREAD };
  const turns = periodic(runtime, period, ensure);
  const lines = bus.onStatus((status) => {
    if (status !== 'connected') return;
    // Whoever just came back may not have its JetStream yet.
    retried(runtime, life, 'buckets and streams', ensure).catch((error: unknown) => {
      if (!life.aborted) runtime.log.warn('buckets and streams: not this time', { error });
    });
  });
  return {
    stop() {
      lines.unsubscribe();
      turns.stop();
    },
  };
}
