/** `readPeels` reads what the store knows of peels: who has facts, who has a heartbeat. */
import { openTable } from '../../bus/kv/table.ts';
import type { Bus } from '../../bus/port.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelHeartbeat } from '../../wire/records/heartbeat.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { unlessMissing } from '../unless-missing.ts';

export interface PeelsSeen {
  /** With facts or a heartbeat, sorted. */
  readonly known: readonly string[];
  /** Without a `beat` where it makes no sense: that it was written is known. */
  readonly beats: ReadonlyMap<
    string,
    { readonly beat: PeelHeartbeat | undefined; readonly writtenMs: number }
  >;
}

export async function readPeels(bus: Bus): Promise<PeelsSeen> {
  // Keys alone: what the facts say does not matter here.
  const facts = await unlessMissing(bus.bucket(BUCKETS.facts.name).keys(), []);
  const entries = await unlessMissing(openTable(bus, TABLES.peelHeartbeats).entries(), []);
  const beats = new Map(
    entries.map((entry) => [
      entry.key,
      { beat: entry.is === 'found' ? entry.value : undefined, writtenMs: entry.writtenMs },
    ]),
  );
  return { known: [...new Set([...facts, ...beats.keys()])].sort(), beats };
}
