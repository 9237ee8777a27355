/**
 * What a revert of each state has to bring back, newest last, by the simulator's own books. After a run of which the end
 * was not seen nobody knows what the journal has: then nothing is expected until the state has changed something anew.
 */
import type { Image } from './site-tree.ts';

/** One state in one run, by path. */
export type Undo = ReadonlyMap<string, { readonly before: Image; readonly after: Image }>;

export class UndoStacks {
  private readonly stacks = new Map<string, Undo[]>();
  private readonly doubted = new Set<string>();

  /** `unknown`: there may be something, or not. Undefined: there is nothing. */
  top(state: string): Undo | 'unknown' | undefined {
    return this.stacks.get(state)?.at(-1) ?? (this.doubted.has(state) ? 'unknown' : undefined);
  }

  push(state: string, undo: Undo): void {
    this.stacks.set(state, [...(this.stacks.get(state) ?? []), undo]);
  }

  pop(state: string): void {
    this.stacks.get(state)?.pop();
  }

  doubt(state: string): void {
    this.stacks.delete(state);
    this.doubted.add(state);
  }
}
