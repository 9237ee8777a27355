/**
 * The runtime is what every shell gets from outside: time, chance and a place to write what happened.
 *
 * The toolbox for work that goes on at the same time or again and again stands beside it:
 *
 *   semaphore.ts        at most so many at a time            periodic.ts         again and again, never twice at a time
 *   keyed-mutex.ts      one at a time for each key           wake-loop.ts        whenever it is woken, one at a time
 *   concurrent-map.ts   a list, a few at a time              gather.ts           what comes close together, at once
 *   abortable-wait.ts   waits that end early                 signals.ts          abort signals for long lives and time limits
 *
 * Two tools are pure and stand in core/, because core uses them as well: lru-map.ts and backoff.ts.
 */
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Random } from './random.ts';

export interface Runtime {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
