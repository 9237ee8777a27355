/**
 * A trap stands between a master and its bus: it hears every call, and can hold it, slow it, fail it, or end the
 * process at it.
 */
import type { Bus } from '../../../src/bus/port.ts';
import { type Clock, sleep } from '../../../src/runtime/clock.ts';
import { type BusCall, interceptedBus } from './master-bus.ts';

export type Fits = (call: BusCall) => boolean;

/** Calls of this kind on subjects or keys like this. */
export const callOf =
  (op: string, on: RegExp): Fits =>
  (call) =>
    call.op === op && on.test(call.on);

export interface Held {
  /** How many calls wait. */
  readonly waiting: () => number;
  /** Lets them go, and all that come later. */
  readonly release: () => void;
}

type Act = (call: BusCall) => 'run' | 'die-before' | 'die-after' | Promise<void>;

export class Trap {
  readonly calls: BusCall[] = [];
  private readonly acts = new Set<Act>();
  private readonly deadly = new Set<Act>();
  private die: () => void = () => undefined;

  readonly bus = (bus: Bus): Bus => interceptedBus(bus, (call, run) => this.intercept(call, run));

  /** The process ends at the first call that fits: before its effect, or after it and before the answer. */
  kill(die: () => void, fits: Fits, when: 'before' | 'after'): void {
    this.die = die;
    const act: Act = (call) => (fits(call) ? `die-${when}` : 'run');
    this.deadly.add(act);
    this.acts.add(act);
  }

  /** Dies at the n-th call that fits; gives the calls that fitted so far. */
  killAt(die: () => void, nth: number, when: 'before' | 'after', fits: Fits): readonly BusCall[] {
    const seen: BusCall[] = [];
    this.kill(die, (call) => fits(call) && seen.push(call) === nth, when);
    return seen;
  }

  hold(fits: Fits): Held {
    let waiting = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const act: Act = (call) => {
      if (!fits(call)) return 'run';
      waiting += 1;
      return released;
    };
    this.acts.add(act);
    return {
      waiting: () => waiting,
      release: () => {
        this.acts.delete(act);
        release();
      },
    };
  }

  /** Until the returned function is called. */
  fail(fits: Fits, error: Error): () => void {
    const act: Act = (call) => (fits(call) ? Promise.reject(error) : 'run');
    this.acts.add(act);
    return () => this.acts.delete(act);
  }

  /** Every call that answers later answers later still. */
  slow(clock: Clock, delayMs: () => number): void {
    this.acts.add(() => sleep(clock, delayMs()));
  }

  /** Something is done before each call that fits. */
  before(fits: Fits, work: () => Promise<void>): void {
    this.acts.add((call) => (fits(call) ? work() : 'run'));
  }

  private intercept<T>(call: BusCall, run: () => T): T {
    this.calls.push(call);
    for (const act of this.acts) {
      const verdict = isAtOnce(call) && !this.deadly.has(act) ? 'run' : act(call);
      if (verdict === 'run') continue;
      if (verdict instanceof Promise) return verdict.then(run) as T;
      if (verdict === 'die-after') void Promise.resolve(run()).catch((error: unknown) => error);
      this.die();
      return new Promise(() => undefined) as T;
    }
    return run();
  }
}

/** Answers at once: it cannot be held, slowed or failed. */
function isAtOnce({ op }: BusCall): boolean {
  return op === 'publish' || op === 'ack';
}
