/** What masters wrote down of the streams of jobs, compared with what their leaders say now. Changes nothing. */
import type { Bus } from '../../bus/port.ts';
import { readStore } from '../../bus/stream/read-store.ts';
import type { StoreHistoryFacts } from '../../core/doctor/store-history.ts';
import { lossOf } from '../../core/store-loss.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { STORE_WATCH_KEY } from '../../wire/names/keys.ts';
import { parseStoreWatch, type StoreLoss, type StoreMark } from '../../wire/records/store-watch.ts';
import { unlessMissing } from '../unless-missing.ts';

export async function readStoreHistory(bus: Bus, nowMs: number): Promise<StoreHistoryFacts> {
  const read = await unlessMissing(bus.bucket(BUCKETS.storeWatch.name).getLatest(STORE_WATCH_KEY), undefined);
  const watch = read?.found === true ? parseStoreWatch(read.value) : undefined;
  if (watch === undefined) return 'absent';
  const marks = Object.entries(watch.marks);
  const compared = await Promise.all(marks.map(([asset, mark]) => compare(bus, asset, mark)));
  return { losses: watch.losses, unnoticed: compared.filter((loss) => loss !== undefined), nowMs };
}

async function compare(bus: Bus, asset: string, mark: StoreMark): Promise<StoreLoss | undefined> {
  const now = await readStore(bus, asset, [mark.sequence]);
  // One that is not there at all is found by the check of assets.
  return now === undefined ? undefined : lossOf(asset, mark, now);
}
