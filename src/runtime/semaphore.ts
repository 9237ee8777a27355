/**
 * A semaphore lets in at most `max` pieces of work at a time. Whoever comes later waits in order, and a place that gets
 * free goes straight to the next in line. Whoever does not want to wait any more leaves the line at once.
 *
 * A piece of work that fails frees its place too. Bound: the line has none of its own; whoever calls bounds how many wait.
 */
export class Semaphore {
  private readonly max: number;
  private readonly line: (() => void)[] = [];
  private taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Those that have no place yet. */
  get waiting(): number {
    return this.line.length;
  }

  /** Those that are at work. */
  get busy(): number {
    return this.taken;
  }

  /** Rejects with the reason of `leaving` when that aborts before its turn; then `work` is not begun. */
  async run<T>(work: () => Promise<T>, leaving?: AbortSignal): Promise<T> {
    leaving?.throwIfAborted();
    if (this.taken < this.max) this.taken += 1;
    else await this.turn(leaving);
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      if (next === undefined) this.taken -= 1;
      else next();
    }
  }

  private turn(leaving: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        leaving?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.line.splice(this.line.indexOf(enter), 1);
        reject(leaving?.reason as Error);
      };
      this.line.push(enter);
      leaving?.addEventListener('abort', leave, { once: true });
    });
  }
}
