/** The runtime is what every shell gets from outside: time, chance and a place to write what happened. */
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Random } from './random.ts';

export interface Runtime {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
