/**
 * The entries of the journal are the sum of the events that were written into it: runs, oldest first, and in each what
 * it did to which state. An event that is read twice changes nothing the second time.
 *
 * A state that was reverted stays on record as a short note, without its old contents: so a run that was undone can be
 * told from one that changed nothing.
 */
import type { StateName } from '../../core/states/compiled-state.ts';
import type { PathChange } from './image.ts';
import type { Foundations, UndoRun } from './undo-journal.ts';

/** Whose event it is: one state in one run. */
export interface EventOwner extends UndoRun {
  readonly state: StateName;
}

/** What one state did in one run. */
export type Deed =
  | { readonly do: 'changes'; readonly changes: readonly PathChange[] }
  /** Something that nobody can undo. */
  | { readonly do: 'act'; readonly what: string }
  /** More was changed than is kept, or it was forgotten for want of room. */
  | { readonly do: 'overflow' };

export interface Reverted {
  /** The job that did it. */
  readonly by: string;
  readonly atMs: number;
  /** What could not be undone and stays. */
  readonly kept: readonly string[];
}

export type UndoEvent =
  /** `id`: unlike any other; one that is read again under it is the same event. */
  | { readonly of: EventOwner; readonly id: string; readonly deed: Deed }
  /** Undone, all that can be. `true` was written by versions that then forgot the entry. */
  | { readonly of: EventOwner; readonly reverted: Reverted | true }
  /** What states of the run build on. */
  | { readonly run: UndoRun; readonly foundations: Foundations }
  /** Runs that began until then were forgotten for want of room. */
  | { readonly forgottenUntilMs: number };

export interface Entry {
  readonly of: EventOwner;
  /** By id, in the order in which they were written. */
  readonly deeds: Map<string, Deed>;
  reverted: Reverted | undefined;
  changeCount: number;
}

export interface Run {
  readonly of: UndoRun;
  /** In the order of their first events. */
  readonly entries: Map<StateName, Entry>;
  readonly foundations: Map<StateName, readonly StateName[]>;
  /** Name of the file that its first event stood in. */
  readonly since: string;
}

export class Entries {
  /** By jid, oldest first. */
  private readonly byJid = new Map<string, Run>();
  /** The latest run that did something to a state. */
  private readonly latestOf = new Map<StateName, string>();
  /** How often each old content is needed. */
  private readonly uses = new Map<string, number>();
  private unneeded: string[] = [];
  forgottenUntilMs: number | undefined;
  changeCount = 0;

  add(event: UndoEvent, file: string): void {
    if ('forgottenUntilMs' in event) {
      this.forgottenUntilMs = Math.max(this.forgottenUntilMs ?? 0, event.forgottenUntilMs);
    } else if ('foundations' in event) {
      const { foundations } = this.begun(event.run, file);
      for (const [state, names] of event.foundations) foundations.set(state, names);
    } else if ('reverted' in event) {
      if (event.reverted === true) this.removeEntry(event.of);
      else this.settle(this.entryOf(event.of, file), event.reverted);
    } else {
      this.addDeed(this.entryOf(event.of, file), event.id, event.deed);
    }
  }

  /** Oldest first. */
  runs(): Run[] {
    return [...this.byJid.values()].filter(({ entries }) => entries.size > 0);
  }

  run(jid: string): Run | undefined {
    const run = this.byJid.get(jid);
    return run === undefined || run.entries.size === 0 ? undefined : run;
  }

  get({ jid, state }: Pick<EventOwner, 'jid' | 'state'>): Entry | undefined {
    return this.byJid.get(jid)?.entries.get(state);
  }

  /**
   * Makes room: the oldest run goes as a whole, since half a run would be half an undo. Of the last one that is left,
   * which may be under way, the oldest states stay on record as too large. False when there is nothing left to give.
   */
  forgetSome(): boolean {
    const [oldest, next] = this.byJid.values();
    if (oldest === undefined) return false;
    if (next !== undefined) {
      for (const entry of oldest.entries.values()) this.clear(entry);
      this.byJid.delete(oldest.of.jid);
      this.forgottenUntilMs = Math.max(this.forgottenUntilMs ?? 0, oldest.of.atMs);
      return true;
    }
    const largest = [...oldest.entries.values()].find((entry) => changesOf(entry).length > 0);
    if (largest === undefined) return false;
    this.clear(largest);
    this.addDeed(largest, 'forgotten', { do: 'overflow' });
    return true;
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
    const { forgottenUntilMs } = this;
    return [
      ...(forgottenUntilMs === undefined ? [] : [{ forgottenUntilMs }]),
      ...this.runs().flatMap((run) => eventsOf(run)),
    ];
  }

  private begun({ jid, atMs }: UndoRun, file: string): Run {
    const known = this.byJid.get(jid);
    if (known !== undefined) return known;
    const run: Run = { of: { jid, atMs }, entries: new Map(), foundations: new Map(), since: file };
    this.byJid.set(jid, run);
    return run;
  }

  private entryOf(of: EventOwner, file: string): Entry {
    const { entries } = this.begun(of, file);
    const known = entries.get(of.state);
    if (known !== undefined) return known;
    this.forgetProgramBefore(of.state);
    const entry: Entry = { of, deeds: new Map(), reverted: undefined, changeCount: 0 };
    entries.set(of.state, entry);
    this.latestOf.set(of.state, of.jid);
    return entry;
  }

  /**
   * Of a program that runs every time the last time is enough: notes nobody can undo must not push out old contents.
   * Where its run has more to undo than that, the note stays, for a revert to name it.
   */
  private forgetProgramBefore(state: StateName): void {
    const run = this.byJid.get(this.latestOf.get(state) ?? '');
    const before = run?.entries.get(state);
    if (run === undefined || before === undefined) return;
    if ([...run.entries.values()].every(isProgramOnly)) this.removeEntry(before.of);
  }

  private addDeed(entry: Entry, id: string, deed: Deed): void {
    if (entry.deeds.has(id)) return;
    const count = deed.do === 'changes' ? deed.changes.length : 1;
    entry.deeds.set(id, deed);
    entry.reverted = undefined;
    this.count(entry, entry.changeCount + count);
    for (const name of contentNamesIn(deed)) this.uses.set(name, (this.uses.get(name) ?? 0) + 1);
  }

  private settle(entry: Entry, reverted: Reverted): void {
    this.clear(entry);
    entry.reverted = reverted;
    this.count(entry, 1);
  }

  private removeEntry({ jid, state }: Pick<EventOwner, 'jid' | 'state'>): void {
    const run = this.byJid.get(jid);
    const entry = run?.entries.get(state);
    if (run === undefined || entry === undefined) return;
    this.clear(entry);
    run.entries.delete(state);
    if (run.entries.size === 0) this.byJid.delete(jid);
  }

  private clear(entry: Entry): void {
    const names = [...entry.deeds.values()].flatMap(contentNamesIn);
    entry.deeds.clear();
    this.count(entry, 0);
    for (const name of names) this.release(name);
  }

  private count(entry: Entry, changeCount: number): void {
    this.changeCount += changeCount - entry.changeCount;
    entry.changeCount = changeCount;
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

function eventsOf({ of: run, entries, foundations }: Run): UndoEvent[] {
  return [
    ...(foundations.size === 0 ? [] : [{ run, foundations: [...foundations] }]),
    ...[...entries.values()].flatMap(({ of, deeds, reverted }): UndoEvent[] =>
      reverted === undefined ? [...deeds].map(([id, deed]) => ({ of, id, deed })) : [{ of, reverted }],
    ),
  ];
}

/** The old contents that a revert would need. */
export function contentNamesIn(deed: Deed): string[] {
  if (deed.do !== 'changes') return [];
  return deed.changes.flatMap(({ before }) =>
    before.is === 'file' && before.content?.name !== undefined ? [before.content.name] : [],
  );
}

export function changesOf({ deeds }: Entry): PathChange[] {
  return [...deeds.values()].flatMap((deed) => (deed.do === 'changes' ? deed.changes : []));
}

export function actsOf({ deeds }: Entry): string[] {
  return [...deeds.values()].flatMap((deed) => (deed.do === 'act' ? [deed.what] : []));
}

export function hasOverflowed({ deeds }: Entry): boolean {
  return [...deeds.values()].some((deed) => deed.do === 'overflow');
}

function isProgramOnly({ deeds, reverted }: Entry): boolean {
  return reverted === undefined && [...deeds.values()].every((deed) => deed.do === 'act');
}
