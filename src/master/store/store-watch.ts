/**
 * `watchStores` notices when NATS has come back older than it was (decision 11): it compares the streams of jobs with
 * what this master saw acknowledged and with what masters wrote down in `store-watch`, at the start, after every
 * reconnect and once a minute. What is found is logged once, counted, and written down for `zester doctor` and for
 * masters that start later.
 *
 * Reads go to the leader of each stream; an older answer must stay for `CONFIRM_READS` reads, because a leader that was
 * just elected may still be catching up. Writes are compare-and-set of one record: of several masters that notice the
 * same thing one writes it down, and a loser reads what the winner wrote. Dying between log and record loses only the
 * entry, unless another master noticed, too. A look that cannot read decides nothing and is repeated.
 *
 * Not seen: a whole NATS that is put back while no master runs, because the record goes back with it; and a store that
 * was purged, which is a wish and not a loss.
 */
import { readStore } from '../../bus/stream/read-store.ts';
import {
  LOSS_MEANS,
  LOSS_NEXT,
  lossOf,
  markOf,
  type NoticedLoss,
  rememberLook,
  type StoreNow,
  tellLoss,
} from '../../core/store-loss.ts';
import { sleep } from '../../runtime/clock.ts';
import { jitter } from '../../runtime/random.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { STORE_WATCH_KEY } from '../../wire/names/keys.ts';
import {
  formatStoreWatch,
  NO_STORE_WATCH,
  parseStoreWatch,
  type StoreMark,
  type StoreWatch,
  WATCHED_STORES,
} from '../../wire/records/store-watch.ts';
import type { MasterContext } from '../master-context.ts';

const SPREAD = 0.1;
/** An older answer counts when it is given again and again for this long. */
const CONFIRM_READS = 4;
const CONFIRM_PAUSE_MS = 2_000;
/** After an acknowledgement that was out of order: usually it means nothing. */
const DOUBT_LOOK_MS = 5_000;
const AGAIN_MS = 1_000;

export function watchStores(context: MasterContext): { stop(): void } {
  const { bus, runtime, settings, storeMarks, metrics, life } = context;
  const { clock, random, log } = runtime;
  const bucket = bus.bucket(BUCKETS.storeWatch.name);
  /** Noticed, and not yet in the record. */
  let unwritten: NoticedLoss[] = [];

  const loop = wakeLoop(runtime, look, (error) =>
    log.debug('stores could not be compared for now', { error }),
  );
  const statuses = bus.onStatus((status) => {
    if (status === 'connected') loop.wake();
    else storeMarks.freeze();
  });
  storeMarks.onDoubt = () => loop.wakeAfter(DOUBT_LOOK_MS);

  async function look(): Promise<void> {
    const { watch, revision } = await readRecord();
    const marks: Record<string, StoreMark> = {};
    await Promise.all(
      WATCHED_STORES.map(async (asset) => {
        const mark = await lookAt(asset, watch.marks[asset]);
        if (mark !== undefined) marks[asset] = mark;
      }),
    );
    const isWritten = await write(watch, rememberLook(watch, marks, unwritten), revision);
    if (isWritten) unwritten = [];
    loop.wakeAfter(unwritten.length > 0 ? AGAIN_MS : jitter(random, settings.storeLookMs, SPREAD));
  }

  /** How the stream stands now, after what was lost has been told. Undefined when it is not there. */
  async function lookAt(asset: string, recorded: StoreMark | undefined): Promise<StoreMark | undefined> {
    const marks = [storeMarks.of(asset), recorded].filter((mark) => mark !== undefined);
    const found = await compare(asset, marks);
    if (found === undefined) return undefined;
    if (found.noticed !== undefined) {
      unwritten.push(found.noticed);
      const { loss } = found.noticed;
      log.error(`NATS is older than it was: ${tellLoss(loss)}`, {
        ...loss,
        means: LOSS_MEANS,
        hint: LOSS_NEXT,
      });
      metrics.storeWentBack(asset);
    }
    const mark = markOf(found.now);
    storeMarks.settle(asset, mark);
    return mark;
  }

  async function compare(
    asset: string,
    marks: readonly StoreMark[],
  ): Promise<{ now: StoreNow; noticed: NoticedLoss | undefined } | undefined> {
    for (let reads = 1; ; reads++) {
      const now = await readStore(
        bus,
        asset,
        marks.map(({ sequence }) => sequence),
      );
      if (now === undefined) return undefined;
      const [noticed] = marks.flatMap((mark): NoticedLoss[] => {
        const loss = lossOf(asset, mark, now);
        return loss === undefined ? [] : [{ loss, wellMs: mark.seenMs }];
      });
      if (noticed === undefined || reads === CONFIRM_READS) return { now, noticed };
      await sleep(clock, CONFIRM_PAUSE_MS, life);
    }
  }

  async function readRecord(): Promise<{ watch: StoreWatch; revision: number | undefined }> {
    const read = await bucket.getLatest(STORE_WATCH_KEY);
    if (!read.found) return { watch: NO_STORE_WATCH, revision: undefined };
    const watch = parseStoreWatch(read.value);
    if (watch === undefined)
      log.warn('the record of how the stores were cannot be understood; it is begun anew');
    return { watch: watch ?? NO_STORE_WATCH, revision: read.revision };
  }

  /** False when another master was faster: then the next look sees what it wrote. */
  async function write(
    before: StoreWatch,
    after: StoreWatch,
    revision: number | undefined,
  ): Promise<boolean> {
    if (isSame(before, after)) return true;
    const value = formatStoreWatch(after);
    const outcome =
      revision === undefined
        ? await bucket.create(STORE_WATCH_KEY, value)
        : await bucket.update(STORE_WATCH_KEY, value, revision);
    return outcome.won;
  }

  loop.wake();
  return {
    stop() {
      statuses.unsubscribe();
      loop.stop();
    },
  };
}

/** Whether nothing was stored meanwhile: an idle fleet writes no record. */
function isSame(before: StoreWatch, after: StoreWatch): boolean {
  const state = ({ marks, losses }: StoreWatch) =>
    JSON.stringify([WATCHED_STORES.map((asset) => [marks[asset]?.created, marks[asset]?.sequence]), losses]);
  return state(before) === state(after);
}
