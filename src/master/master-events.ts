/**
 * `appendMasterEvent` tells the reactor something that masters saw or did: an event of origin `_master` in stream `events`. Its id says
 * what happened, and the message id follows from it: told twice, by whichever masters, it is stored once within the duplicate
 * window of the stream, and beyond it readers know it by its id. Rejects when the store does not take it; whether it is tried
 * again is up to who tells.
 */
import type { UnixNanos } from '../wire/msgpack/time.ts';
import type { WireMap } from '../wire/msgpack/wire-value.ts';
import { masterEventSubject } from '../wire/names/event-subjects.ts';
import type { EventTag } from '../wire/names/ids.ts';
import { eventCodec } from '../wire/records/event.ts';
import { PROTOCOL_VERSION } from '../wire/records/job.ts';
import type { MasterContext } from './master-context.ts';

export interface MasterEvent {
  readonly id: string;
  readonly tag: EventTag;
  readonly data: WireMap;
  /** When it happened. */
  readonly timestamp: UnixNanos;
}

export async function appendMasterEvent(
  { bus, keys }: Pick<MasterContext, 'bus' | 'keys'>,
  event: MasterEvent,
): Promise<void> {
  const bytes = eventCodec.encode(eventCodec.create({ ...event, protocol: PROTOCOL_VERSION }));
  const messageId = keys.messageId(`master-event:${event.id}`);
  await bus.append(masterEventSubject(event.tag), bytes, { messageId });
}
