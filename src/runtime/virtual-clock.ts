/**
 * A virtual clock stands still until it is told to move. Timers fire in order of their due time, those of one instant
 * in the order they were set, so that a run is the same every time.
 */
import { assert } from '../core/assert.ts';
import type { Clock, Timer } from './clock.ts';

export interface VirtualClock extends Clock {
  /** Moves time forward, firing every timer that comes due, and lets promise callbacks run between timers. */
  advance(byMs: number): Promise<void>;
  /** Fires the earliest timer, moving time to it. False when none is set. */
  fireNext(): boolean;
  /** Milliseconds until the earliest timer, or undefined when none is set. */
  nextInMs(): number | undefined;
  /** Moves wall time alone, as NTP or an operator would; timers and monotonic time do not notice. */
  jumpWall(byMs: number): void;
}

interface PendingTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
  isRemoved: boolean;
}

export function virtualClock(startMs = Date.UTC(2026, 0, 1)): VirtualClock {
  const timers = new TimerHeap();
  let elapsedMs = 0;
  let wallOffsetMs = startMs;
  let order = 0;

  function fireNext(): boolean {
    const timer = timers.pop();
    if (timer === undefined) return false;
    elapsedMs = Math.max(elapsedMs, timer.dueMs);
    timer.run();
    return true;
  }

  return {
    // Whole, as the system's: timers with jitter leave fractions behind.
    nowMs: () => Math.floor(wallOffsetMs + elapsedMs),
    monotonicMs: () => elapsedMs,
    after(delayMs, run): Timer {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), order: order++, run, isRemoved: false };
      timers.push(timer);
      return {
        cancel: () => {
          timer.isRemoved = true;
        },
      };
    },
    fireNext,
    nextInMs() {
      const next = timers.peek();
      return next === undefined ? undefined : Math.max(0, next.dueMs - elapsedMs);
    },
    jumpWall(byMs) {
      wallOffsetMs += byMs;
    },
    async advance(byMs) {
      assert(byMs >= 0, 'virtual time cannot go back');
      const untilMs = elapsedMs + byMs;
      await settle();
      let isDone = false;
      const fireIfDue = () => {
        const next = timers.peek();
        isDone ||= next === undefined || next.dueMs > untilMs;
        if (!isDone) fireNext();
      };
      while (!isDone) await inTurn(fireIfDue);
      elapsedMs = untilMs;
      await settle();
    },
  };
}

/** Lets every promise callback that is ready run, and those that they make ready. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Times that `inTurn` calls in one turn of the event loop, whose other work would cost more than a timer does. */
const CALLS_PER_TURN = 64;

/** Calls again and again; between two calls every promise callback that is ready runs, as it does after `settle`. */
function inTurn(call: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const guarded = () => {
      try {
        call();
      } catch (error) {
        reject(error as Error);
      }
    };
    for (let i = 0; i < CALLS_PER_TURN; i++) setImmediate(guarded);
    setImmediate(resolve);
  });
}

/** A binary heap by due time, then by order of setting. Timers that are marked as removed are dropped when they surface. */
class TimerHeap {
  private readonly items: PendingTimer[] = [];

  push(timer: PendingTimer): void {
    this.items.push(timer);
    let child = this.items.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.swapIfEarlier(child, parent)) break;
      child = parent;
    }
  }

  peek(): PendingTimer | undefined {
    this.dropRemoved();
    return this.items[0];
  }

  pop(): PendingTimer | undefined {
    this.dropRemoved();
    return this.takeRoot();
  }

  private dropRemoved(): void {
    while (this.items[0]?.isRemoved === true) this.takeRoot();
  }

  private takeRoot(): PendingTimer | undefined {
    const root = this.items[0];
    const last = this.items.pop();
    if (root === undefined || last === undefined) return undefined;
    if (this.items.length > 0) {
      this.items[0] = last;
      this.sink();
    }
    return root;
  }

  private sink(): void {
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      const right = left + 1;
      const child = right < this.items.length && earlier(this.at(right), this.at(left)) ? right : left;
      if (child >= this.items.length || !this.swapIfEarlier(child, parent)) return;
      parent = child;
    }
  }

  private swapIfEarlier(child: number, parent: number): boolean {
    const below = this.at(child);
    const above = this.at(parent);
    if (!earlier(below, above)) return false;
    this.items[child] = above;
    this.items[parent] = below;
    return true;
  }

  private at(index: number): PendingTimer {
    const item = this.items[index];
    assert(item !== undefined, 'heap index out of range');
    return item;
  }
}

function earlier(a: PendingTimer, b: PendingTimer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}
