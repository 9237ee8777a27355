/**
 * A life is one run of a simulated process, from its start to its death. Everything that calls into it (a timer, a
 * message, an answer) goes through `run`: a dead life is never called again, a frozen one when it thaws, in the order
 * things came.
 */
import type { Clock, Timer } from '../../runtime/clock.ts';

export class Life {
  private isDead = false;
  private isFrozen = false;
  private readonly backlog: (() => void)[] = [];

  get alive(): boolean {
    return !this.isDead;
  }

  get frozen(): boolean {
    return this.isFrozen;
  }

  run(call: () => void): void {
    if (this.isDead) return;
    if (this.isFrozen) this.backlog.push(call);
    else call();
  }

  /** kill -9. */
  end(): void {
    this.isDead = true;
    this.backlog.length = 0;
  }

  /** SIGSTOP. */
  freeze(): void {
    this.isFrozen = true;
  }

  /** SIGCONT. */
  thaw(): void {
    this.isFrozen = false;
    for (const call of this.backlog.splice(0)) this.run(call);
  }

  /** The world's clock as this process has it: with a wall time of its own, and timers that end with the life. */
  clock(world: Clock, skewMs: () => number): Clock {
    return {
      nowMs: () => world.nowMs() + skewMs(),
      monotonicMs: () => world.monotonicMs(),
      after: (delayMs, call): Timer => world.after(delayMs, () => this.run(call)),
    };
  }
}
