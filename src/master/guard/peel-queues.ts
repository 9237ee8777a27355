/**
 * Peel queues are what peels have published and the store has not written yet, one in front of each stream that they can write
 * to. nats-server 2.10 neither bounds them nor tells how long they are, and a purge does not reach them: whatever a flooder
 * has sent is worked off, at the pace of the disk, and everybody else waits behind it (decision 123).
 *
 * How long one is: how long a write takes that must be refused, because it expects a place in the stream that there is
 * not. It stands in line like all others and stores nothing.
 * Emptying it: the stream is closed for a moment, by limits under which everything is refused, which costs no disk. Nothing
 * that is stored goes away: a full stream that refuses what is new keeps what is old. Words of honest peels that are refused are
 * sent again by them. If we die while it is closed, any master puts the limits right within a minute (asset-keeper.ts).
 */
import { wantedAssets } from '../../bus/assets.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { ALL_BUCKETS } from '../../wire/names/buckets.ts';
import { peelEventsPattern } from '../../wire/names/event-subjects.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { streamInfoSubject, streamPurgeSubject, streamUpdateSubject } from '../../wire/names/jetstream.ts';
import { kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import { ALL_STREAMS, STREAMS } from '../../wire/names/streams.ts';
import { peelWordsSubject } from '../../wire/names/subjects.ts';
import type { MasterContext } from '../master-context.ts';

/** The stores that a peel can write to, as they should be. */
export const PEEL_ASSETS = wantedAssets({
  buckets: ALL_BUCKETS.filter((spec) => spec.peelWritable),
  streams: ALL_STREAMS.filter((spec) => spec.peelWritable),
  objectStores: [],
});
/** The stores that a peel can write to. */
export const PEEL_STORES: readonly string[] = PEEL_ASSETS.map(({ settings }) => settings.name);

/** A queue that takes longer than this is emptied. */
const LAG_MS_MAX = 400;
/** For everything that is in line to be refused: about a million a second. */
const REFUSED_MS_MAX = 20_000;
/** A token that is no id of anything: what is sent there is nobody's. */
const NOBODY = '_probe';
/** No stream ever has so many messages. */
const NO_SUCH_PLACE = Number.MAX_SAFE_INTEGER;
const CLOSED = { discard: 'new', max_msgs: 1, max_msg_size: 1 };
const NO_BYTES = new Uint8Array();

type Ground = Pick<MasterContext, 'bus' | 'runtime'>;

/** Empties those that have grown; which ones they were. */
export async function emptyQueues(context: Ground): Promise<string[]> {
  const emptied = await Promise.all(
    PEEL_ASSETS.map(async ({ settings }) => {
      if (await answersWithin(context, settings, LAG_MS_MAX)) return [];
      await emptyQueue(context, settings);
      return [settings.name];
    }),
  );
  return emptied.flat();
}

/** Takes what the peel has left in streams without end; its facts and heartbeats are a few values. */
export async function purgeWords({ bus }: Pick<MasterContext, 'bus'>, peel: PeelId): Promise<void> {
  const left = [
    [STREAMS.jobWords.name, peelWordsSubject(peel)],
    [STREAMS.jobAcks.name, peelWordsSubject(peel)],
    [STREAMS.events.name, peelEventsPattern(peel)],
    ...ALL_BUCKETS.filter(({ valuesMax }) => valuesMax > 0).map(
      ({ name }) => [kvStreamName(name), kvSubject(name, `${peel}.>`)] as const,
    ),
  ] as const;
  await Promise.all(left.map(([stream, filter]) => bus.api(streamPurgeSubject(stream), { filter })));
}

type AssetSettings = (typeof PEEL_ASSETS)[number]['settings'];

/** What is in line is refused, what is stored stays. */
export async function emptyQueue(context: Ground, settings: AssetSettings): Promise<void> {
  const { bus, runtime } = context;
  const { name } = settings;
  const { config } = await bus.api(streamInfoSubject(name), {});
  // As declared and not as found: another master may have closed it.
  const open = { ...(config as object), ...settings };
  await bus.api(streamUpdateSubject(name), { ...open, ...CLOSED });
  try {
    if (!(await answersWithin(context, settings, REFUSED_MS_MAX)))
      runtime.log.warn('what a flood left in line could not be refused in time', { asset: name });
  } finally {
    await bus.api(streamUpdateSubject(name), open);
  }
}

/** Whether a write that begins now is looked at within this time. */
async function answersWithin({ bus }: Ground, settings: AssetSettings, timeoutMs: number): Promise<boolean> {
  const [pattern = ''] = settings.subjects as readonly string[];
  const subject = pattern.replaceAll(/[*>]/g, NOBODY);
  try {
    await bus.stream(settings.name).appendAt(subject, NO_BYTES, NO_SUCH_PLACE, { timeoutMs });
    return true;
  } catch (error) {
    if (isZesterError(error, 'BUS_STORE') || isZesterError(error, 'BUS_STORE_UNAVAILABLE')) return true;
    if (isZesterError(error, 'BUS_TIMEOUT')) return false;
    throw error;
  }
}
