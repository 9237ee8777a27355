/**
 * Which of these peels have no heartbeat. Asked by keys with a value: a heartbeat that was deleted leaves a mark, and a mark
 * is no heartbeat. A peel that came up just now may be among them.
 */
import { openTable } from '../../bus/kv/table.ts';
import { unlessAborted } from '../../runtime/unless-aborted.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext } from '../client-context.ts';

export async function offlinePeels(
  { bus, signal }: ClientContext,
  peels: readonly PeelId[],
): Promise<ReadonlySet<PeelId>> {
  const beating = new Set(await unlessAborted(openTable(bus, TABLES.peelHeartbeats).ids(), signal));
  return new Set(peels.filter((peel) => !beating.has(peel)));
}
