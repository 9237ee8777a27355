/**
 * Decides whether the changes of one state can be undone on the machine as it is now, and what that takes. Pure.
 *
 * A path goes back to what was there before the first change of it. That is proven to be ours to undo when everything
 * found there now, facet by facet, is something that one of the changes met or left: all were made, or some were never
 * made, or some are undone already, or a crash came in between. Anything else was done by somebody else, and then
 * nothing of the state is undone.
 */
import { modeAfterChown } from '../../system/mode-rules.ts';
import {
  describeImage,
  fits,
  NOTHING_THERE,
  octal,
  type PathChange,
  type PathImage,
  sameContent,
  sameWhereKnown,
} from './image.ts';

export interface Seen {
  readonly image: PathImage;
  /** Of a directory, without what a kill in mid-write left. */
  readonly names: readonly string[];
}

export interface Restore {
  readonly path: string;
  readonly from: PathImage;
  readonly to: PathImage;
}

export interface UndoVerdict {
  /** Why nothing may be undone; empty when it may. */
  readonly conflicts: readonly string[];
  /** In the order in which they can be made. Empty: everything is as it was before. */
  readonly restores: readonly Restore[];
  /** What stays, and why: directories that others use. */
  readonly kept: readonly string[];
}

const NAMES_SHOWN_MAX = 3;
/** A directory is made with this mode and gets its own, and its owner, a moment later. */
const UNFINISHED_DIRECTORY_MODE = 0o700;

export function judgeUndo(changes: readonly PathChange[], seen: ReadonlyMap<string, Seen>): UndoVerdict {
  const conflicts: string[] = [];
  /** What each path gets back to. */
  const goals = new Map<string, PathImage>();
  for (const [path, own] of byPathLastFirst(changes)) {
    const found = seen.get(path) ?? NOTHING_SEEN;
    const outcome = undoPath(own, found.image);
    if ('conflict' in outcome) conflicts.push(`${path}: ${outcome.conflict}`);
    else goals.set(path, outcome.goal);
    const stranger = found.names.find((name) => !seen.has(below(path, name)));
    if (own[0]?.after.is === 'absent' && stranger !== undefined)
      conflicts.push(`${path}: holds ${stranger}, which was put there since`);
  }
  return { conflicts, ...netRestores(goals, seen, conflicts) };
}

const NOTHING_SEEN: Seen = { image: NOTHING_THERE, names: [] };

function byPathLastFirst(changes: readonly PathChange[]): Map<string, PathChange[]> {
  const byPath = new Map<string, PathChange[]>();
  for (const change of [...changes].reverse()) {
    const own = byPath.get(change.path) ?? [];
    own.push(change);
    byPath.set(change.path, own);
  }
  return byPath;
}

/** `changes` are of one path, the last one first. */
function undoPath(
  changes: readonly PathChange[],
  found: PathImage,
): { readonly goal: PathImage } | { readonly conflict: string } {
  const goal = originalOf(changes, found);
  if (fits(found, goal)) return { goal: found };
  const known = changes.flatMap(({ before, after }) => [after, before]);
  const conflict = differenceFrom(known, found) ?? unrestorable(found, goal);
  return conflict === undefined ? { goal } : { conflict };
}

/** What was there before the first change. Steps that leave the content alone do not know it; a later one may. */
function originalOf(changes: readonly PathChange[], found: PathImage): PathImage {
  const [first = NOTHING_THERE] = changes.map(({ before }) => before).reverse();
  if (first.is !== 'file' || first.content !== undefined) return first;
  const contents = changes.flatMap(({ before }) => (before.is === 'file' ? (before.content ?? []) : []));
  return { ...first, content: contents.at(-1) ?? (found.is === 'file' ? found.content : undefined) };
}

/**
 * One restore for each path that ends up otherwise than it is. First what has to go, the deepest first, so that a
 * directory is empty when its turn comes; then what has to come, a directory before what it holds.
 */
function netRestores(
  goals: ReadonlyMap<string, PathImage>,
  seen: ReadonlyMap<string, Seen>,
  conflicts: string[],
): Pick<UndoVerdict, 'restores' | 'kept'> {
  const going: Restore[] = [];
  const coming: Restore[] = [];
  const kept: string[] = [];
  const staying = new Set<string>();
  const deepestFirst = [...goals].sort(([a], [b]) => b.length - a.length);
  for (const [path, to] of deepestFirst) {
    const { image: from, names } = seen.get(path) ?? NOTHING_SEEN;
    if (fits(from, to)) continue;
    const goes = from.is !== 'absent' && from.is !== to.is;
    const left = names.filter((name) => {
      const child = below(path, name);
      return staying.has(child) || goals.get(child)?.is !== 'absent';
    });
    if (goes && left.length > 0) {
      const why = `${path}: is not empty, it holds ${someOf(left)}`;
      if (to.is === 'absent') kept.push(why);
      else conflicts.push(why);
      staying.add(path);
    } else {
      (goes ? going : coming).push({ path, from, to });
    }
  }
  return { restores: [...going, ...coming.reverse()], kept };
}

/** Why `found` is nothing that the changes met or left, nor on the way between two of them; undefined when it is. */
function differenceFrom(known: readonly PathImage[], found: PathImage): string | undefined {
  const comesOrGoes = known.some(({ is }) => is === 'absent');
  if (found.is === 'absent') return comesOrGoes ? undefined : 'is gone';
  const alike = known.filter(({ is }) => is === found.is);
  if (alike.length === 0)
    return `is ${describeImage(found)}, the run left ${describeImage(known[0] ?? NOTHING_THERE)}`;
  if (found.is === 'link') {
    const same = alike.some((image) => image.is === 'link' && image.target === found.target);
    return same ? undefined : `points to ${found.target}`;
  }
  if (found.is === 'directory' && comesOrGoes && found.mode === UNFINISHED_DIRECTORY_MODE) return undefined;
  return contentDifference(found, alike) ?? attributeDifference(found, alike);
}

function contentDifference(found: PathImage, alike: readonly PathImage[]): string | undefined {
  if (found.is !== 'file') return undefined;
  const contents = alike.flatMap((image) => (image.is === 'file' ? (image.content ?? []) : []));
  const same = contents.length === 0 || contents.some((content) => sameContent(found.content, content));
  return same ? undefined : 'its content is not what the run left';
}

function attributeDifference(now: PathImage, known: readonly PathImage[]): string | undefined {
  if (now.is === 'absent' || now.is === 'link') return undefined;
  const images = known.flatMap((image) => (image.is === 'absent' || image.is === 'link' ? [] : [image]));
  const modes = images.flatMap(({ is, mode }) => [mode, modeAfterChown(is, mode)]);
  if (!modes.includes(now.mode))
    return `its mode is ${octal(now.mode)}, the run left ${octal(modes[0] ?? 0)}`;
  if (!images.some(({ uid }) => sameWhereKnown(now.uid, uid))) return `its owner is ${now.uid}`;
  if (!images.some(({ gid }) => sameWhereKnown(now.gid, gid))) return `its group is ${now.gid}`;
  return undefined;
}

/** Why what was there cannot be had back. */
function unrestorable(now: PathImage, before: PathImage): string | undefined {
  if (before.is === 'other' && now.is !== 'other') return 'a device or pipe cannot be made again';
  if (before.is === 'file' && before.content !== undefined && before.content.name === undefined)
    return `its old content of ${before.content.bytes} bytes was too large to keep`;
  return undefined;
}

function someOf(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN_MAX;
  return names.slice(0, NAMES_SHOWN_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function below(path: string, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`;
}
