/**
 * `SimRotations` is the operator who rotates the fleet key now and then, and has the own certificate renewed by the newest
 * generation. Who comes too late with that makes a new one on a master. And the agents key: mostly at once, as if it were stolen, because
 * masters refuse an overlap while a peel is online that never enrolled.
 */
import type { ClientContext } from '../../client/client-context.ts';
import { renewOperator, rotateKey } from '../../client/fleet-key/ask-fleet-key.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import { newOperatorKey, type OperatorKey } from '../../trust/operator-key.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { RotationBook } from './rotation-book.ts';

export interface RotationParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly book: RotationBook;
  /** Whose answers may fail. */
  readonly client: () => ClientContext;
  readonly useKey: (key: OperatorKey) => void;
  readonly watched: (question: Promise<void>) => void;
  readonly note: (what: string) => void;
}

/** So short that several rotations fit into a run. */
export const OVERLAP_MIN_MS = 15_000;
export const OVERLAP_MAX_MS = 60_000;
const EVERY_MS = 150_000;
const RENEW_AFTER_MS_MAX = 30_000;
const AGENTS_SHARE = 0.4;
const AT_ONCE_SHARE = 0.7;

export class SimRotations {
  private readonly parts: RotationParts;

  constructor(parts: RotationParts) {
    this.parts = parts;
  }

  workUntil(untilMs: number): void {
    const { clock, random, watched } = this.parts;
    clock.after(-Math.log(1 - random.fraction()) * EVERY_MS, () => {
      if (clock.monotonicMs() > untilMs) return;
      watched(this.rotate());
      this.workUntil(untilMs);
    });
  }

  private async rotate(): Promise<void> {
    const { clock, random, watched, note, client } = this.parts;
    if (random.fraction() < AGENTS_SHARE) {
      note('rotates the agents key');
      await rotateKey(client(), 'agents', random.fraction() < AT_ONCE_SHARE);
      return;
    }
    note('rotates the fleet key');
    await rotateKey(client(), 'fleet');
    clock.after(random.fraction() * RENEW_AFTER_MS_MAX, () => watched(this.renew()));
  }

  private async renew(): Promise<void> {
    const { client, useKey } = this.parts;
    try {
      useKey(await renewOperator(client(), client().operatorKey()));
    } catch (error) {
      if (!isZesterError(error)) throw error;
      this.makeKey();
    }
  }

  /** `zester auth operator issue`, on a master. */
  private makeKey(): void {
    const { book, random, clock, useKey } = this.parts;
    const key = book.keyOf(book.newest);
    if (key === undefined) return;
    const terms = { name: 'sim', issued: nanosFromMs(clock.nowMs()), expires: undefined };
    useKey(newOperatorKey(random, key.commandKey, terms, key.generation));
  }
}
