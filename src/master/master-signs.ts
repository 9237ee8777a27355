/**
 * The signs of life of all masters, read for one look of the orphan scan, and heard as they come. What counts as dead is
 * decided in core/jobs/dead-owners.ts; a reading that fails throws, and then nothing is decided.
 */
import type { KvRead, Watch } from '../bus/port.ts';
import { type OwnerSign, type OwnPlace, signOf } from '../core/jobs/dead-owners.ts';
import { BUCKETS } from '../wire/buckets.ts';
import { type MasterHeartbeat, masterHeartbeatCodec } from '../wire/heartbeat.ts';
import type { MasterId } from '../wire/ids.ts';
import { WireError } from '../wire/wire-error.ts';
import type { MasterContext } from './master-context.ts';

export interface MasterSigns {
  /** Every master with a heartbeat key, by the leader's word. */
  read(): Promise<ReadonlyMap<MasterId, OwnerSign>>;
  /** Calls back when a master says that it is leaving. A hint: what is missed is found by the next look. */
  onLeaving(leaves: () => void): Watch;
}

export function masterSigns({ bus, identity, runtime, isProcessGone }: MasterContext): MasterSigns {
  const bucket = bus.bucket(BUCKETS.masterHeartbeat.name);
  const here: OwnPlace = { host: identity.host, bootId: identity.bootId, isProcessGone };
  return {
    async read() {
      const entries = await bucket.entries();
      return new Map(entries.map((entry) => [entry.key as MasterId, signOf(decoded(entry), here)]));
    },
    onLeaving: (leaves) =>
      bucket.watch('>', {
        changed: (read) => {
          if (decoded(read)?.leaving === true && read.key !== identity.masterId) leaves();
        },
        trouble: (error) => runtime.log.debug('heartbeats of masters cannot be heard for now', { error }),
      }),
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
