/**
 * `masterSigns` reads the heartbeats of all masters for one look of the orphan scan, and hears them as they come. What
 * counts as dead is decided in core/jobs/dead-owners.ts; a reading that fails throws, and then nothing is decided.
 */
import { openTable } from '../../bus/kv/table.ts';
import type { Watch } from '../../bus/port.ts';
import { type OwnerSign, type OwnPlace, signOf } from '../../core/jobs/dead-owners.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import { TABLES } from '../../wire/records/tables.ts';
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
  const heartbeats = openTable(bus, TABLES.masterHeartbeats);
  const here: OwnPlace = { ...identity, isProcessGone };
  return {
    async read() {
      const entries = await heartbeats.entries();
      const beatOf = (entry: (typeof entries)[number]) => (entry.is === 'found' ? entry.value : undefined);
      return new Map(entries.map((entry) => [entry.key as MasterId, signOf(beatOf(entry), here)]));
    },
    onGone(gone) {
      const deaths = new NeighbourDeaths(context, here, gone);
      const watch = heartbeats.watch({
        changed: (read) => {
          if (read.is !== 'found' || read.value.masterId === identity.masterId) return;
          deaths.heard(read.value);
          if (read.value.leaving) gone();
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
