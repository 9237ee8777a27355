/**
 * The store clock tells what time it is where a stream is kept, by the word of its leader, and between which moments
 * here it said so.
 */
import type { Clock } from '../../runtime/clock.ts';
import { msFromNanos, parseRfc3339 } from '../../wire/msgpack/time.ts';
import { streamInfoSubject } from '../../wire/names/jetstream.ts';
import type { Bus } from '../port.ts';

export interface StoreClock {
  readonly storeMs: number;
  readonly askedMs: number;
  readonly answeredMs: number;
}

/** Undefined when the server does not tell. */
export async function readStoreClock(
  bus: Bus,
  stream: string,
  clock: Clock,
): Promise<StoreClock | undefined> {
  const askedMs = clock.nowMs();
  const { ts } = await bus.api(streamInfoSubject(stream), {});
  const answeredMs = clock.nowMs();
  const time = typeof ts === 'string' ? parseRfc3339(ts) : undefined;
  return time === undefined ? undefined : { storeMs: msFromNanos(time), askedMs, answeredMs };
}
