/**
 * The schedule says what goes wrong, when, and for how long: it is a pure function of a seed, so that a bad run can be
 * run again. Nobody has two troubles at a time; everything else may happen together.
 */
import type { Random } from '../../../src/runtime/random.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';

/** `stop` is in order; the others come without a word. `partition` is for both directions. */
export type TroubleKind = 'kill' | 'stop' | 'freeze' | 'partition';

export interface Trouble {
  readonly atMs: number;
  readonly kind: TroubleKind;
  readonly victim: string;
  readonly forMs: number;
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly lengthMs: number;
  readonly masters: readonly string[];
  readonly peels: readonly string[];
  readonly server: string;
  /** From one trouble to the next. */
  readonly pauseMs: MinMax;
  /** How many of them outlast a master's heartbeat and two looks of the others. */
  readonly longShare: number;
}

export interface MinMax {
  readonly min: number;
  readonly max: number;
}

/** After a trouble its victim is left in peace for so long. */
const REST_MS = 2_000;
const SHORT_MS = { min: 300, max: 5_000 };
const LONG_MS = { min: 16_000, max: 75_000 };
/** A server that is away stops everyone: shorter, and seldom. */
const SERVER_MS = { min: 300, max: 3_500 };
const SERVER_SHARE = 0.12;
const MASTER_SHARE = 0.48;

export function chaosSchedule(options: ScheduleOptions): Trouble[] {
  const random = seededRandom(options.seed);
  const freeAtMs = new Map<string, number>();
  const schedule: Trouble[] = [];
  for (let atMs = 0; atMs < options.lengthMs; atMs += Math.round(between(random, options.pauseMs))) {
    const trouble = oneTrouble(random, options, atMs);
    if ((freeAtMs.get(trouble.victim) ?? 0) > atMs) continue;
    const forMs = Math.min(trouble.forMs, options.lengthMs - atMs);
    freeAtMs.set(trouble.victim, atMs + forMs + REST_MS);
    schedule.push({ ...trouble, forMs });
  }
  return schedule;
}

function oneTrouble(random: Random, options: ScheduleOptions, atMs: number): Trouble {
  const draw = random.fraction();
  const isServer = draw < SERVER_SHARE;
  const isMaster = !isServer && draw < SERVER_SHARE + MASTER_SHARE;
  const victim = isServer ? options.server : pick(random, isMaster ? options.masters : options.peels);
  const kinds: readonly TroubleKind[] = ['kill', 'freeze', 'partition'];
  const kind = pick<TroubleKind>(random, isMaster ? [...kinds, 'stop'] : kinds);
  const isLong = !isServer && random.fraction() < options.longShare;
  const forMs = Math.round(between(random, isServer ? SERVER_MS : isLong ? LONG_MS : SHORT_MS));
  return { atMs, kind, victim, forMs };
}

export function between(random: Random, { min, max }: MinMax): number {
  return min + random.fraction() * (max - min);
}

export function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[Math.floor(random.fraction() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

/** As it is printed: one trouble a line. */
export function scheduleText(schedule: readonly Trouble[]): string {
  return schedule
    .map(
      ({ atMs, kind, victim, forMs }) =>
        `${(atMs / 1_000).toFixed(1)} s: ${kind} ${victim} for ${(forMs / 1_000).toFixed(1)} s`,
    )
    .join('\n');
}
