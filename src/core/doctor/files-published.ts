/**
 * This check of `zester doctor` judges whether files get from the directories of masters into the store: whether one of the
 * masters publishes, whether every set can be published, and whether the others have the same files (decision 117).
 */
import { isTroubleState } from '../files/set-state.ts';
import { fail, type Judgement, ok, warn } from './finding.ts';

export interface FilesPublishedFacts {
  /** Who answers as the publisher, or why nobody does. */
  readonly publisher: { readonly name: string } | { readonly nobody: string };
  readonly sets: readonly PublishedSetFacts[];
  /** Masters that have something to say about their directories, with their own words. */
  readonly masters: readonly { readonly name: string; readonly problem: string }[];
}

export interface PublishedSetFacts {
  readonly set: string;
  readonly published: 'whole' | 'torn' | 'empty';
  readonly revision: number;
  /** Why it is torn. */
  readonly problem: string;
  /** What the publisher says of it; empty where nobody publishes. */
  readonly state: string;
  readonly note: string;
}

const STATUS = '`zester files status` tells more';

export function judgeFilesPublished(facts: FilesPublishedFacts): Judgement {
  const { publisher, sets } = facts;
  return (
    judgeNobody(facts) ??
    judgeTrouble(sets) ??
    judgeTorn(sets) ??
    judgeEmptied(sets) ??
    judgeNoSource(facts) ??
    judgeOthers(facts) ??
    ok(`${'name' in publisher ? publisher.name : 'nobody'} publishes: ${sets.map(setText).join(', ')}`)
  );
}

function judgeNobody({ publisher, sets }: FilesPublishedFacts): Judgement | undefined {
  if ('name' in publisher) return undefined;
  const there = sets.filter(({ published }) => published !== 'empty').map(setText);
  const kept = there.length === 0 ? '' : `; peels keep what is published: ${there.join(', ')}`;
  return fail(
    `no edit of a file gets to the fleet: ${publisher.nobody}${kept}`,
    'where one died just now, another takes over within 15 s; otherwise start a master, or see in the logs why none holds the lease `publisher`',
  );
}

function judgeTrouble(sets: readonly PublishedSetFacts[]): Judgement | undefined {
  const [worst, ...more] = sets.filter(({ state }) => isTroubleState(state));
  if (worst === undefined) return undefined;
  const others = more.length === 0 ? '' : ` (and ${more.map(({ set }) => set).join(', ')})`;
  const { told, next } = noteParts(worst.note);
  return fail(
    `${worst.set} cannot be published, ${worst.state}: ${told}${others}`,
    next === '' ? STATUS : `${next}; ${STATUS}`,
  );
}

function judgeTorn(sets: readonly PublishedSetFacts[]): Judgement | undefined {
  const torn = sets.find(({ published }) => published === 'torn');
  if (torn === undefined) return undefined;
  return warn(
    `${torn.set} is incomplete in the store, and peels keep what they have: ${torn.problem}`,
    'a publish may be under way: try again. If it stays, run `zester files publish --force`',
  );
}

/** A mount that is missing, say. What is published stays, and so do edits that nobody sees. */
function judgeEmptied(sets: readonly PublishedSetFacts[]): Judgement | undefined {
  const emptied = sets.find(({ state, published }) => state === 'empty' && published !== 'empty');
  if (emptied === undefined) return undefined;
  const { told, next } = noteParts(emptied.note);
  return warn(`${emptied.set} on the publisher: ${told}`, next === '' ? STATUS : next);
}

/** Something was published once, and the master that publishes now has no directory for it. */
function judgeNoSource({ publisher, sets }: FilesPublishedFacts): Judgement | undefined {
  const without = sets.filter(({ state, published }) => state === 'absent' && published !== 'empty');
  if (without.length === 0 || !('name' in publisher)) return undefined;
  const names = without.map(({ set }) => set).join(', ');
  return warn(
    `${publisher.name} publishes and has no directory for ${names}: edits on other masters wait`,
    `make the directory on that machine and start its master again with --${without[0]?.set}; an empty one is filled`,
  );
}

function judgeOthers({ masters }: FilesPublishedFacts): Judgement | undefined {
  const [first, ...more] = masters;
  if (first === undefined) return undefined;
  const others = more.length === 0 ? '' : `; also ${more.map(({ name }) => name).join(', ')}`;
  return warn(
    `the directory of ${first.name} is not as published: ${first.problem}${others}`,
    'if that master takes over, it publishes its edits, or nothing while there is a conflict: put its directory in order',
  );
}

function setText({ set, published, revision }: PublishedSetFacts): string {
  if (published === 'empty') return `${set} none`;
  return published === 'torn' ? `${set} torn` : `${set} ${revision}`;
}

/** Notes say what to do in a line of its own. */
function noteParts(note: string): { readonly told: string; readonly next: string } {
  const lines = note.split('\n').map((line) => line.trim());
  const next = lines.find((line) => line.startsWith('next: '))?.slice('next: '.length) ?? '';
  return {
    told: lines
      .filter((line) => !line.startsWith('next: '))
      .slice(0, 2)
      .join(' '),
    next,
  };
}
