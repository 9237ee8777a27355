/** At most so many at a time; whoever comes later waits in order. A slot goes straight to the next in line. */
export class Slots {
  private readonly max: number;
  private readonly line: (() => void)[] = [];
  private taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Those that have no slot yet. */
  get waiting(): number {
    return this.line.length;
  }

  get busy(): number {
    return this.taken;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken < this.max) this.taken += 1;
    else await new Promise<void>((resolve) => this.line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      if (next === undefined) this.taken -= 1;
      else next();
    }
  }
}
