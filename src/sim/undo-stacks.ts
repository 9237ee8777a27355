/**
 * What reverts have to bring back, by the simulator's own books. A revert undoes one run: the latest that changed one of
 * the states it is asked for. Of a run whose end was not seen nobody knows what the journal has of it.
 */
import type { Image } from './site-tree.ts';

/** One state in one run, by path. */
export type Undo = ReadonlyMap<string, { readonly before: Image; readonly after: Image }>;

export interface RunToUndo {
  readonly run: number;
  /** `unknown`: the run may have changed it, or not. Undefined: it has not. */
  of(state: string): Undo | 'unknown' | undefined;
}

export class UndoStacks {
  /** By state and number of the run. */
  private readonly undos = new Map<string, Map<number, Undo>>();
  /** The latest run of each state of which nothing is known. */
  private readonly doubts = new Map<string, number>();

  push(state: string, run: number, undo: Undo): void {
    this.ofState(state).set(run, undo);
  }

  pop(state: string, run: number): void {
    this.ofState(state).delete(run);
  }

  /** Of what this run did to the state nothing is known. */
  doubt(state: string, run: number): void {
    this.ofState(state).delete(run);
    this.doubts.set(state, Math.max(run, this.doubts.get(state) ?? 0));
  }

  /** Nor of any run before. */
  doubtAll(state: string, run: number): void {
    this.undos.delete(state);
    this.doubt(state, run);
  }

  /** `unknown`: nobody can say which run a revert of these states undoes. Undefined: none. */
  latest(states: readonly string[]): RunToUndo | 'unknown' | undefined {
    const run = Math.max(0, ...states.flatMap((state) => [...this.ofState(state).keys()]));
    const doubt = Math.max(0, ...states.map((state) => this.doubts.get(state) ?? 0));
    if (doubt > run) return 'unknown';
    if (run === 0) return undefined;
    const ofUnknown = (state: string) => (this.doubts.get(state) === run ? 'unknown' : undefined);
    return { run, of: (state) => this.ofState(state).get(run) ?? ofUnknown(state) };
  }

  private ofState(state: string): Map<number, Undo> {
    const known = this.undos.get(state) ?? new Map<number, Undo>();
    this.undos.set(state, known);
    return known;
  }
}
