/** What the store knows of peels: who has facts, who beats. */
import type { Bus } from '../../bus/port.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { type PeelHeartbeat, peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { tryDecode } from '../try-decode.ts';
import { unlessMissing } from '../unless-missing.ts';

export interface PeelsSeen {
  /** With facts or a heartbeat, sorted. */
  readonly known: readonly string[];
  readonly beats: ReadonlyMap<
    string,
    { readonly beat: PeelHeartbeat | undefined; readonly writtenMs: number }
  >;
}

export async function readPeels(bus: Bus): Promise<PeelsSeen> {
  const facts = await unlessMissing(bus.bucket(BUCKETS.facts.name).keys(), []);
  const entries = await unlessMissing(bus.bucket(BUCKETS.peelHeartbeat.name).entries(), []);
  const beats = new Map(
    entries.map(({ key, value, writtenMs }) => [
      key,
      { beat: tryDecode(peelHeartbeatCodec, value), writtenMs },
    ]),
  );
  return { known: [...new Set([...facts, ...beats.keys()])].sort(), beats };
}
