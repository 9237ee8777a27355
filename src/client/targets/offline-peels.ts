/**
 * Which of these peels have no heartbeat. Asked by keys with a value: a heartbeat that was deleted leaves a mark, and a mark
 * is no heartbeat. A peel that came up just now may be among them.
 */
import type { Bus } from '../../bus/port.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';

export async function offlinePeels(bus: Bus, peels: readonly PeelId[]): Promise<ReadonlySet<PeelId>> {
  const beating = new Set(await bus.bucket(BUCKETS.peelHeartbeat.name).keys());
  return new Set(peels.filter((peel) => !beating.has(peel)));
}
