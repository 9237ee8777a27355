/**
 * A record stream is a stream, or several, whose messages are read by their subject (as wire/records/job-words.ts does). Its users see records;
 * what cannot be read comes with the problem instead, because peels publish into the stream and may publish anything.
 * Appending stays with the bus: a message's id and proof belong to whoever sends it.
 */
import type { Decoded } from '../../wire/msgpack/decoded.ts';
import type { RecordStreamSpec } from '../../wire/records/record-stream-spec.ts';
import type { Bus, ReplayOptions, StoredMessage } from '../port.ts';
import { joinedStreams } from './joined-streams.ts';

/** A stored message and what it says. */
export interface StoredRecord<T> {
  readonly record: Decoded<T>;
  readonly message: StoredMessage;
}

export interface RecordStream<T> {
  /** The newest under a filter, by the leader's word. */
  last(filter: string): Promise<StoredRecord<T> | undefined>;
  replay(options: ReplayOptions, visit: (stored: StoredRecord<T>) => void): Promise<void>;
}

export function openRecordStream<T>(bus: Pick<Bus, 'stream'>, spec: RecordStreamSpec<T>): RecordStream<T> {
  const stream = joinedStreams(bus, spec.streams);
  const withRecord = (message: StoredMessage): StoredRecord<T> => ({
    record: spec.read(message.subject, message.data),
    message,
  });
  return {
    async last(filter) {
      const message = await stream.last(filter);
      return message === undefined ? undefined : withRecord(message);
    },
    replay: (options, visit) => stream.replay(options, (message) => visit(withRecord(message))),
  };
}
