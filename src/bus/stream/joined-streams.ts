/**
 * `joinedStreams` reads several streams as if they were one: what peels say of jobs is in more than one of them, and in another
 * one still where a version before put it (decision 123). One that was never made holds nothing: its masters are older than we
 * are. One that cannot be read throws, as everywhere on the bus.
 */
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { Bus, ReplayOptions, StoredMessage, Stream } from '../port.ts';

/** Sequences are of the stream that a message is in: they do not compare. */
export type JoinedStreams = Pick<Stream, 'last' | 'replay'>;

export function joinedStreams(
  bus: Pick<Bus, 'stream'>,
  specs: readonly { readonly name: string }[],
): JoinedStreams {
  const streams = specs.map(({ name }) => bus.stream(name));
  return {
    /** The newest of all, by when it was stored. */
    async last(filter) {
      const found = await Promise.all(streams.map((stream) => unlessUnmade(stream.last(filter))));
      return found
        .filter((message) => message !== undefined)
        .reduce<StoredMessage | undefined>(
          (newest, message) =>
            newest === undefined || message.publishedMs > newest.publishedMs ? message : newest,
          undefined,
        );
    },
    async replay(options: ReplayOptions, visit) {
      if (options.lastPerSubject === true) {
        await Promise.all(streams.map((stream) => unlessUnmade(stream.replay(options, visit))));
        return;
      }
      const found: StoredMessage[] = [];
      const keep = (message: StoredMessage) => void found.push(message);
      await Promise.all(streams.map((stream) => unlessUnmade(stream.replay(options, keep))));
      for (const message of found.sort((a, b) => a.publishedMs - b.publishedMs)) visit(message);
    },
  };
}

async function unlessUnmade<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isZesterError(error, 'BUS_STORE_MISSING')) return undefined;
    throw error;
  }
}
