/**
 * A set loop decides when a set has its turn: now and then, soon after a hint from its directory, at once when it is asked.
 * One turn at a time. Hints only hurry it: what none told of is found by the check every `CHECK_MS`.
 *
 * A hint waits until it has been quiet for `QUIET_MS`, because whoever saves ten files saves them one after the other, and
 * for no longer than `HINT_MS_MAX`. A turn in which something moved is repeated soon, with growing pauses; one that failed
 * too, by the rules of a wake loop. A request gets the first turn that begins after it and in which nothing moved, with all
 * that it asked for: it sees everything that was there when it was asked. What has moved for `MOVES_WAITED_MAX` turns may go
 * on for ever, so it is told as it is then. Whoever asks bounds how many wait.
 */
import { type Backoff, backoffMs } from '../../core/backoff.ts';
import { jitter } from '../../runtime/random.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import type { TurnOptions } from './set-publisher.ts';

export const CHECK_MS = 30_000;
const CHECK_SPREAD = 0.1;
const QUIET_MS = 300;
const HINT_MS_MAX = 900;
const MOVING: Backoff = { firstMs: 300, maxMs: 5_000 };
/** About ten seconds. */
const MOVES_WAITED_MAX = 5;

export interface SetLoop<Turn> {
  /** Something in the directory may have changed. */
  hint(): void;
  /** As soon as the one that is under way has ended. */
  wake(options?: Partial<TurnOptions>): void;
  request(options: TurnOptions): Promise<Turn>;
  /** How the last turn ended; undefined before the first. */
  latest(): Turn | undefined;
  /** Begins no further turn; resolves when the one that is under way has ended. */
  stop(): Promise<void>;
}

export interface SetLoopParts<Turn> {
  readonly runtime: Runtime;
  readonly turn: (options: TurnOptions) => Promise<Turn>;
  /** What a turn that threw counts as. */
  readonly failed: (error: Error, before: Turn | undefined) => Turn;
}

export function setLoop<Turn extends { readonly isMoving: boolean }>({
  runtime,
  turn,
  failed,
}: SetLoopParts<Turn>): SetLoop<Turn> {
  const { clock, random } = runtime;
  let latest: Turn | undefined;
  let wanted: TurnOptions = { again: false, force: false };
  let waiting: ((turn: Turn) => void)[] = [];
  /** When the first hint came that no turn has answered. */
  let hintedMs: number | undefined;
  let moves = 0;
  let underWay: Promise<void> = Promise.resolve();
  const loop = wakeLoop(runtime, step, undefined);

  async function step(): Promise<void> {
    underWay = onceMore();
    await underWay;
  }

  async function onceMore(): Promise<void> {
    const options = wanted;
    const asked = waiting;
    wanted = { again: false, force: false };
    waiting = [];
    hintedMs = undefined;
    try {
      latest = await turn(options);
      moves = latest.isMoving ? moves + 1 : 0;
      if (hintedMs === undefined)
        loop.wakeAfter(moves > 0 ? backoffMs(MOVING, moves) : jitter(random, CHECK_MS, CHECK_SPREAD));
    } catch (error) {
      latest = failed(error as Error, latest);
      moves = 0;
      throw error;
    } finally {
      if (asked.length > 0 && moves > 0 && moves < MOVES_WAITED_MAX && !loop.stopped()) {
        waiting.unshift(...asked);
        want(options);
      } else answer(asked);
    }
  }

  function answer(asked: readonly ((turn: Turn) => void)[]): void {
    if (latest !== undefined) for (const tell of asked) tell(latest);
  }

  function want(options: Partial<TurnOptions>): void {
    wanted = {
      again: wanted.again || options.again === true,
      force: wanted.force || options.force === true,
    };
  }

  return {
    hint() {
      if (loop.stopped()) return;
      const nowMs = clock.monotonicMs();
      hintedMs ??= nowMs;
      loop.wakeAfter(Math.min(QUIET_MS, Math.max(0, hintedMs + HINT_MS_MAX - nowMs)));
    },
    wake(options = {}) {
      want(options);
      loop.wake();
    },
    request(options) {
      return new Promise((resolve) => {
        waiting.push(resolve);
        this.wake(options);
      });
    },
    latest: () => latest,
    async stop() {
      loop.stop();
      await underWay.catch(() => undefined);
      answer(waiting.splice(0));
    },
  };
}
