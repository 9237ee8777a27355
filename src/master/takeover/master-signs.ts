/**
 * The signs of life of all masters, read for one look of the orphan scan, and heard as they come. What counts as dead is
 * decided in core/jobs/dead-owners.ts; a reading that fails throws, and then nothing is decided.
 */
import type { KvRead, Watch } from '../../bus/port.ts';
import { type OwnerSign, type OwnPlace, signOf } from '../../core/jobs/dead-owners.ts';
import { WireError } from '../../wire/msgpack/wire-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import { type MasterHeartbeat, masterHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import type { MasterContext } from '../master-context.ts';
import { NeighbourDeaths } from './neighbour-deaths.ts';

export interface MasterSigns {
  /** Every master with a heartbeat key, by the leader's word. */
  read(): Promise<ReadonlyMap<MasterId, OwnerSign>>;
  /** Calls back when a master is leaving, or has died beside us. A hint: what is missed is found by the next look. */
  onGone(gone: () => void): Watch;
}

export function masterSigns(context: MasterContext): MasterSigns {
  const { bus, identity, runtime, isProcessGone } = context;
  const bucket = bus.bucket(BUCKETS.masterHeartbeat.name);
  const here: OwnPlace = { ...identity, isProcessGone };
  return {
    async read() {
      const entries = await bucket.entries();
      return new Map(entries.map((entry) => [entry.key as MasterId, signOf(decoded(entry), here)]));
    },
    onGone(gone) {
      const deaths = new NeighbourDeaths(context, here, gone);
      const watch = bucket.watch('>', {
        changed: (read) => {
          const beat = decoded(read);
          if (beat === undefined || beat.masterId === identity.masterId) return;
          deaths.heard(beat);
          if (beat.leaving) gone();
        },
        trouble: (error) => runtime.log.debug('heartbeats of masters cannot be heard for now', { error }),
      });
      return {
        stop() {
          watch.stop();
          deaths.stop();
        },
      };
    },
  };
}

function decoded(read: KvRead): MasterHeartbeat | undefined {
  if (!read.found) return undefined;
  try {
    return masterHeartbeatCodec.decode(read.value);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
