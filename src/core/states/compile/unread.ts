/**
 * `Unread` remembers which files and ids could not be read. A mistake is told once: nobody hears that a state is
 * missing which may stand in a file or below an id that was just reported as broken.
 */
import type { ProblemList } from './problem-list.ts';

export class Unread {
  private readonly problems: ProblemList;
  private readonly ids = new Set<string>();
  private incomplete = false;

  constructor(problems: ProblemList) {
    this.problems = problems;
  }

  /** A whole file, or what is beyond a limit: any id may be missing. */
  noteIncomplete(): void {
    this.incomplete = true;
  }

  /** Runs what reads an id, and remembers the id where that found a mistake. */
  watching<Result>(id: string, read: () => Result): Result {
    const before = this.problems.errorCount;
    const result = read();
    if (this.problems.errorCount > before) this.ids.add(id);
    return result;
  }

  mayHold(id: string): boolean {
    return this.incomplete || this.ids.has(id);
  }
}
