/** A record stream is one or several streams whose messages are records, told apart by their subjects; `bus/stream/record-stream.ts` opens it. */
import type { Decoded } from '../msgpack/decoded.ts';
import type { StreamSpec } from '../names/streams.ts';

export interface RecordStreamSpec<T> {
  readonly streams: readonly StreamSpec[];
  /** How a message is read: its subject says which record the bytes are. */
  readonly read: (subject: string, bytes: Uint8Array) => Decoded<T>;
}
