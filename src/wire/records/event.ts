/**
 * An event is something that happened, on its way to the reactor. Its subject proves origin and tag
 * (event-subjects.ts); the payload repeats the tag, and a reader drops it when they differ.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { integer, name, text, time, valueMap } from '../msgpack/field-types.ts';
import type { UnixNanos } from '../msgpack/time.ts';
import type { WireMap } from '../msgpack/wire-value.ts';

/** Not called Event: that is a global of the platform. */
export interface ZesterEvent {
  readonly id: string;
  readonly tag: string;
  readonly data: WireMap;
  readonly timestamp: UnixNanos;
  readonly protocol: number;
  readonly origin: string;
  readonly depth: number;
}

export const eventCodec: RecordCodec<ZesterEvent> = record<ZesterEvent>(
  'Event',
  "Something happened on a peel, a master, an admin's desk.",
  {
    id: { key: 'id', type: name, doc: 'Unique; reactions derive their own ids from it.' },
    tag: { key: 'tag', type: text, doc: 'Slash form; must be what the subject says.' },
    data: { key: 'data', type: valueMap, omitEmpty: true, doc: 'Whatever the sender adds.' },
    timestamp: { key: 'ts', type: time, doc: 'When it happened.' },
    protocol: { key: 'v', type: integer, omitEmpty: true, doc: 'Protocol of the sender; 0 was never set.' },
    origin: { key: 'origin', type: text, omitEmpty: true, doc: '`reaction:<rule>` when a reaction made it.' },
    depth: { key: 'depth', type: integer, omitEmpty: true, doc: 'How many reactions led here.' },
  },
);
