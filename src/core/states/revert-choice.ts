/**
 * These rules decide what a revert is about: which run, and which of its states in which order. Pure; from the records
 * of the undo journal alone (decision 52), so no state file is read for it.
 *
 * Without a job id it is the last run on record, also where that is reverted already: to go further back one has to say
 * how far. Names narrow it. A name that the run has no record of is told, never passed over.
 */
import { nearestWord } from '../suggest.ts';
import type { StateName } from './compiled-state.ts';

/** A run as the journal has it. */
export interface RunOnRecord {
  readonly jid: string;
  readonly atMs: number;
  /** In the order in which they first changed something. */
  readonly states: readonly StateOnRecord[];
  /** What a state builds on; of those with a record and of what lies between them. */
  readonly foundations: ReadonlyMap<StateName, readonly StateName[]>;
}

export interface StateOnRecord {
  readonly name: StateName;
  /** Its old state is kept. Whether the machine is still as the run left it, only looking can tell. */
  readonly isUndoable: boolean;
  readonly reverted: { readonly by: string; readonly atMs: number } | undefined;
  /** What cannot be undone and why, one line each. */
  readonly kept: readonly string[];
}

export interface RevertChoice {
  /** Latest first: what was built last is taken down first. */
  readonly states: readonly StateOnRecord[];
  /** Asked for by a name that the run has no record of, and why that may be. */
  readonly unknown: readonly { readonly name: string; readonly why: string }[];
}

/**
 * `names`: as results show them, `file.managed:/etc/motd`, or without the function. None: all. The id of a state that was
 * written with `names` is no name of a state: ids may have colons, so it could mean another state too.
 */
export function chooseStates(run: RunOnRecord, names: readonly string[]): RevertChoice {
  const latestFirst = [...run.states].reverse();
  if (names.length === 0) return { states: latestFirst, unknown: [] };
  const known = latestFirst.flatMap(({ name }) => [name, idOf(name)]);
  return {
    states: latestFirst.filter(({ name }) => names.includes(name) || names.includes(idOf(name))),
    unknown: [...new Set(names)]
      .filter((name) => !known.includes(name))
      .map((name) => ({ name, why: whyUnknown(name, run, known) })),
  };
}

/** The states, near and far, that `name` builds on. */
export function foundationsBelow(name: StateName, { foundations }: RunOnRecord): ReadonlySet<StateName> {
  const below = new Set<StateName>();
  const toVisit = [name];
  for (let next = toVisit.pop(); next !== undefined; next = toVisit.pop())
    for (const base of foundations.get(next) ?? []) {
      if (below.has(base)) continue;
      below.add(base);
      toVisit.push(base);
    }
  return below;
}

/** How many of its states were. */
export type RevertedShare = 'none' | 'some' | 'all';

export function revertedShare({ states }: RunOnRecord): RevertedShare {
  const done = states.filter(({ reverted }) => reverted !== undefined).length;
  if (done === 0) return 'none';
  return done === states.length ? 'all' : 'some';
}

function whyUnknown(name: string, { jid, states }: RunOnRecord, known: readonly string[]): string {
  const part = states.find((state) => isPartOf(name, idOf(state.name)));
  const near = part?.name ?? nearestWord(name, known);
  const meant = near === undefined ? 'state.runs tells what it changed' : `did you mean ${near}?`;
  return `job ${jid} has no record of a state of this name; ${meant}`;
}

/** Whether it may be the id or the name of one of several states that `names` made: `dirs:/srv/a` has both. */
function isPartOf(name: string, id: string): boolean {
  return id.startsWith(`${name}:`) || id.endsWith(`:${name}`);
}

/** `file.managed:/etc/motd` is the state `/etc/motd`, `file.directory:dirs:/srv/a` is `dirs:/srv/a`. */
function idOf(name: StateName): string {
  return name.slice(name.indexOf(':') + 1);
}
