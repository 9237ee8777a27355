/**
 * The standing of a source directory says what is to be done about it: whether it is as published, is to be published, or
 * is to be brought up to date. Any number of masters have a directory for the same set and one of them publishes, so a
 * master that takes over must never publish a tree that is older than what is published, and no file that a person edited
 * may ever be overwritten. Pure (decision 117).
 *
 * Three trees are compared: `local`, what the directory has now; `published`, what the store has; and `base`, the published
 * tree with which the directory was last in step, which this master wrote down. Who differs from the base has moved on:
 *
 *   local = published                          in step
 *   local = base, published newer              the directory is behind: it is updated
 *   local ≠ base, published = base             an edit: the publisher publishes it, any other master waits
 *   local ≠ base, published newer              both moved on: a conflict, and nobody touches anything
 *   no base, local ≠ published                 a conflict too, unless the directory is empty: then it is filled
 *   nothing published                          the publisher publishes
 *   published, and it cannot be read           a conflict as well
 *
 * Newer means a higher revision. A store that was put back to an older state (a restored backup) has a lower revision that
 * was written earlier: what is published then counts as if it were the base, so the directory is published again and not
 * overwritten. A lower revision that was written later (the store began anew, somebody else published) is a conflict.
 *
 * A directory that is behind may be half updated, because its master died over it: every file is then as in the base, as
 * in a tree it was being updated to, or as published. That is what `local = base` means here: no file that is none of these.
 * Such a mixture was never anybody's tree, so it is finished and never published. A master that died between its publish
 * and the note of it knows its own tree when it sees it published (`publishing`); if somebody else has published over it
 * meanwhile it does not, and then there is a conflict that nobody made: also where that is the tree of the base once more.
 *
 * Masters may share a directory. An edit that is taken back right after it was published looks, to a master that does not
 * publish, like a directory that is behind: so that is believed only when it has been so for `BEHIND_MS`, in which the
 * publisher has seen the directory too.
 *
 * An empty directory is never published, and one that had files is not filled again: somebody may be about to replace them.
 */
import { never } from '../assert.ts';

/** A tree by its contents. */
export interface TreeSight {
  /** Equal for equal trees. */
  readonly digest: string;
  /** By path, what the content hashes to. */
  readonly files: ReadonlyMap<string, string>;
}

/** A tree as the store had it, with what tells which of two is the newer one. */
export interface PublishedSight extends TreeSight {
  readonly revision: number;
  /** On the store's clock. */
  readonly writtenMs: number;
}

export interface StandingFacts {
  readonly local: TreeSight;
  /** `unreadable`: something is published and cannot be understood. */
  readonly published: PublishedSight | 'nothing' | 'unreadable';
  readonly base: PublishedSight | undefined;
  /** Digests of the trees that this master has tried to publish since it was in step: each may have got there. */
  readonly publishing: readonly string[];
  /** The trees that the directory was being updated to then, one after the other. Empty: it was not. */
  readonly updating: readonly ReadonlyMap<string, string>[];
  /** For how long this master has known what is published now. */
  readonly publishedForMs: number;
  readonly isPublisher: boolean;
  /** An operator says that this master's tree is the right one. It settles conflicts and nothing else. */
  readonly force: boolean;
}

/** A publisher looks at its directory within a second of an edit. */
export const BEHIND_MS = 2_000;

export type SourceStanding =
  | { readonly is: 'in step' }
  | { readonly is: 'publish'; readonly why: 'first' | 'edit' | 'store went back' | 'forced' }
  | { readonly is: 'update directory'; readonly why: 'behind' | 'new here' }
  | {
      readonly is: 'wait';
      readonly why: 'not the publisher' | 'nothing to publish' | 'emptied' | 'just published';
    }
  | {
      readonly is: 'conflict';
      readonly why: 'both changed' | 'no common past' | 'store began anew' | 'half updated' | 'unreadable';
    };

export function sourceStanding(facts: StandingFacts): SourceStanding {
  const { local, published, isPublisher, force } = facts;
  const standing = standingOf(facts, published);
  const isSettled = standing.is === 'conflict' && force && isPublisher && local.files.size > 0;
  const settled: SourceStanding = isSettled ? { is: 'publish', why: 'forced' } : standing;
  return settled.is === 'publish' && !isPublisher ? { is: 'wait', why: 'not the publisher' } : settled;
}

function standingOf(facts: StandingFacts, published: StandingFacts['published']): SourceStanding {
  if (published === 'unreadable') return { is: 'conflict', why: 'unreadable' };
  return published === 'nothing' ? firstStanding(facts) : standingBeside(facts, published);
}

function firstStanding({ local, base, updating }: StandingFacts): SourceStanding {
  if (local.files.size === 0) return { is: 'wait', why: 'nothing to publish' };
  const wholes = [base?.files ?? EMPTY, ...updating];
  const isWhole = updating.length === 0 || wholes.some((tree) => isSameTree(local.files, tree));
  return isWhole ? { is: 'publish', why: 'first' } : { is: 'conflict', why: 'half updated' };
}

function standingBeside(facts: StandingFacts, published: PublishedSight): SourceStanding {
  const { local, updating } = facts;
  if (local.digest === published.digest) return { is: 'in step' };
  // Ours got there, and only the note of it is missing.
  const base = facts.publishing.includes(published.digest) ? published : facts.base;
  const age = base === undefined ? 'newer' : ageBeside(published, base, facts.publishing.length > 0);
  if (updating.length > 0) {
    if (isUntouched(local, [base?.files ?? EMPTY, ...updating, published.files]))
      return { is: 'update directory', why: 'behind' };
    return { is: 'conflict', why: age === 'newer' ? 'both changed' : 'half updated' };
  }
  if (local.files.size === 0)
    return base === undefined ? { is: 'update directory', why: 'new here' } : { is: 'wait', why: 'emptied' };
  if (base === undefined) return { is: 'conflict', why: 'no common past' };
  switch (age) {
    case 'same':
      return { is: 'publish', why: 'edit' };
    case 'older':
      return { is: 'publish', why: 'store went back' };
    case 'newer':
      if (isUntouched(local, [base.files, published.files]))
        return facts.publishedForMs < BEHIND_MS
          ? { is: 'wait', why: 'just published' }
          : { is: 'update directory', why: 'behind' };
      return { is: 'conflict', why: 'both changed' };
    case 'unclear':
      return { is: 'conflict', why: 'store began anew' };
    default:
      return never(age);
  }
}

function ageBeside(
  published: PublishedSight,
  base: PublishedSight,
  mayHavePublished: boolean,
): 'same' | 'newer' | 'older' | 'unclear' {
  // The same tree at a later revision, and ours may have been published in between: then somebody has gone back from it.
  if (published.digest === base.digest)
    return mayHavePublished && published.revision > base.revision ? 'newer' : 'same';
  if (published.revision > base.revision) return 'newer';
  return published.writtenMs < base.writtenMs ? 'older' : 'unclear';
}

const EMPTY: ReadonlyMap<string, string> = new Map();

/** Whether every file is as in one of these trees, which the store had: replacing it loses nobody's work. */
function isUntouched(local: TreeSight, trees: readonly ReadonlyMap<string, string>[]): boolean {
  const isKnown = knownVersions(trees);
  const paths = new Set([local.files, ...trees].flatMap((tree) => [...tree.keys()]));
  return [...paths].every((path) => isKnown(path, local.files.get(path)));
}

/** Whether a file with this content, or without one, is as in one of these trees. */
export function knownVersions(
  trees: readonly ReadonlyMap<string, string>[],
): (path: string, version: string | undefined) => boolean {
  return (path, version) => trees.some((tree) => tree.get(path) === version);
}

function isSameTree(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([path, version]) => other.get(path) === version);
}
