/**
 * Undo runs are the simulator's own record of what reverts have to bring back: which run changed which states. A revert
 * undoes one run, the last one or the one it names. Of a run whose end was not seen nobody knows what the journal has
 * of it.
 */
import type { Image } from './site-tree.ts';

/** One state in one run, by path. */
export type Undo = ReadonlyMap<string, { readonly before: Image; readonly after: Image }>;

/** `unknown`: the run may have changed it, or not, or that may be undone. */
export type ExpectedUndo = Undo | 'unknown' | 'reverted';

export interface RunToUndo {
  readonly run: number;
  readonly records: ReadonlyMap<string, ExpectedUndo>;
}

export class UndoRuns {
  /** By the number of the run, which counts up, and the name of the state. */
  private readonly runs = new Map<number, Map<string, ExpectedUndo>>();
  private readonly numbers = new Map<string, number>();

  /** From now on the run can be found by its job. */
  begin(run: number, jid: string): void {
    this.runs.set(run, new Map());
    this.numbers.set(jid, run);
  }

  note(state: string, run: number, record: ExpectedUndo): void {
    this.runs.get(run)?.set(state, record);
  }

  /** Of no record one knows whether it is still there. */
  doubtAll(): void {
    for (const records of this.runs.values())
      for (const state of records.keys()) records.set(state, 'unknown');
  }

  /** Undefined: none. `unknown`: nobody can say which run a revert without a job id undoes. */
  target(jid: string | undefined): RunToUndo | 'unknown' | undefined {
    const latestFirst = [...this.runs].filter(([, records]) => records.size > 0).reverse();
    if (jid !== undefined) {
      const number = this.numbers.get(jid);
      const found = latestFirst.find(([run]) => run === number);
      return found && { run: found[0], records: found[1] };
    }
    const [last] = latestFirst;
    if (last === undefined) return undefined;
    const [run, records] = last;
    return isAllUnknown(records) ? 'unknown' : { run, records };
  }
}

export function isAllUnknown(records: ReadonlyMap<string, ExpectedUndo>): boolean {
  return [...records.values()].every((record) => record === 'unknown');
}
