/**
 * What the journal knows, as the sum of what was written into it. An event that is read twice, as after a crash while
 * files were being written anew, changes nothing the second time.
 */
import type { StateName } from '../../core/states/compiled-state.ts';
import type { Change } from './image.ts';
import type { UndoRun } from './undo-journal.ts';

/** Whose event it is: one state in one run. */
export interface Owner extends UndoRun {
  readonly state: StateName;
}

/** What one state did in one run. */
export type Deed =
  | { readonly do: 'changes'; readonly changes: readonly Change[] }
  /** Something that nobody can undo. */
  | { readonly do: 'act'; readonly what: string }
  /** More was changed than is kept. */
  | { readonly do: 'overflow' };

export type UndoEvent =
  /** `id`: unlike any other; one that is read again under it is the same event. */
  | { readonly of: Owner; readonly id: string; readonly deed: Deed }
  /** Undone, all that can be: it is forgotten. */
  | { readonly of: Owner; readonly reverted: true };

export interface Entry {
  readonly of: Owner;
  /** By id, in the order in which they were written. */
  readonly deeds: Map<string, Deed>;
  /** Name of the file that its first event stood in. */
  readonly since: string;
  changeCount: number;
}

export class Entries {
  /** Oldest first, both. */
  private readonly byKey = new Map<string, Entry>();
  private readonly byState = new Map<StateName, Entry[]>();
  /** How often each old content is needed. */
  private readonly uses = new Map<string, number>();
  private unneeded: string[] = [];
  changeCount = 0;

  add(event: UndoEvent, file: string): void {
    const known = this.get(event.of);
    if ('reverted' in event) {
      if (known !== undefined) this.remove(known);
      return;
    }
    if (known?.deeds.has(event.id)) return;
    const entry = known ?? this.begin(event.of, file);
    const count = event.deed.do === 'changes' ? event.deed.changes.length : 1;
    entry.deeds.set(event.id, event.deed);
    entry.changeCount += count;
    this.changeCount += count;
    for (const name of contentNamesIn(event.deed)) this.uses.set(name, (this.uses.get(name) ?? 0) + 1);
  }

  get(of: Owner): Entry | undefined {
    return this.byKey.get(keyOf(of));
  }

  latest(state: StateName): Entry | undefined {
    return this.byState.get(state)?.at(-1);
  }

  of(state: StateName, jid: string): Entry | undefined {
    return this.byState.get(state)?.findLast((entry) => entry.of.jid === jid);
  }

  /** The newest entry of any of the states; one that holds more than notes about programs goes before one that does not. */
  latestOf(states: ReadonlySet<StateName>): Entry | undefined {
    const theirs = [...this.byKey.values()].filter(({ of }) => states.has(of.state));
    return theirs.findLast((entry) => !isActsOnly(entry)) ?? theirs.at(-1);
  }

  oldest(): Entry | undefined {
    return this.byKey.values().next().value;
  }

  remove(entry: Entry): void {
    const { of, deeds } = entry;
    this.byKey.delete(keyOf(of));
    const left = this.byState.get(of.state)?.filter((each) => each !== entry) ?? [];
    if (left.length > 0) this.byState.set(of.state, left);
    else this.byState.delete(of.state);
    this.changeCount -= entry.changeCount;
    for (const name of [...deeds.values()].flatMap(contentNamesIn)) this.release(name);
  }

  needs(name: string): boolean {
    return this.uses.has(name);
  }

  /** The old contents that nobody needs any more, each once. */
  takeUnneeded(): string[] {
    const names = this.unneeded.filter((name) => !this.uses.has(name));
    this.unneeded = [];
    return names;
  }

  /** Everything again, as events. */
  events(): UndoEvent[] {
    return [...this.byKey.values()].flatMap(({ of, deeds }) =>
      [...deeds].map(([id, deed]) => ({ of, id, deed })),
    );
  }

  /** Of a program that runs every time the last time is enough: notes nobody can undo must not push out old contents. */
  private begin(of: Owner, file: string): Entry {
    const before = this.latest(of.state);
    if (before !== undefined && isActsOnly(before)) this.remove(before);
    const entry = { of, deeds: new Map(), since: file, changeCount: 0 };
    this.byKey.set(keyOf(of), entry);
    this.byState.set(of.state, [...(this.byState.get(of.state) ?? []), entry]);
    return entry;
  }

  private release(name: string): void {
    const left = (this.uses.get(name) ?? 0) - 1;
    if (left > 0) {
      this.uses.set(name, left);
      return;
    }
    this.uses.delete(name);
    this.unneeded.push(name);
  }
}

/** The old contents that a revert would need. */
export function contentNamesIn(deed: Deed): string[] {
  if (deed.do !== 'changes') return [];
  return deed.changes.flatMap(({ before }) =>
    before.is === 'file' && before.content?.name !== undefined ? [before.content.name] : [],
  );
}

export function changesOf({ deeds }: Entry): Change[] {
  return [...deeds.values()].flatMap((deed) => (deed.do === 'changes' ? deed.changes : []));
}

export function actsOf({ deeds }: Entry): string[] {
  return [...deeds.values()].flatMap((deed) => (deed.do === 'act' ? [deed.what] : []));
}

function isActsOnly({ deeds }: Entry): boolean {
  return [...deeds.values()].every((deed) => deed.do === 'act');
}

export function hasOverflowed({ deeds }: Entry): boolean {
  return [...deeds.values()].some((deed) => deed.do === 'overflow');
}

function keyOf({ state, jid }: Owner): string {
  return `${jid}\n${state}`;
}
