/**
 * File trees are compared by path and hash, and two of them are the same when both are. Publisher, mirrors and whoever
 * shows a difference use the same functions: a digest of a whole tree, the difference of two, and that as it travels to a
 * person. Pure.
 */
import { fileKeyOf } from '../../wire/names/file-keys.ts';
import { DIFFERENCE_NAMES_MAX, type FilesDifference } from '../../wire/records/fileserver.ts';

/** SHA-256 of a text in UTF-8, as lower-case hex. Core has no hash function of its own. */
export type HashText = (text: string) => string;

export interface TreeFile {
  /** Relative, as the system port spells it. */
  readonly path: string;
  /** What its digest says of the content: a SHA-256, in a sealed set an HMAC. */
  readonly sha256: string;
}

export interface TreeDifference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Equal for equal trees, whatever the order in which they are given; that of no file is one too. */
export function treeDigest(files: readonly TreeFile[], hash: HashText): string {
  // Keys and not paths: those have one spelling in bytes also where a name is not UTF-8.
  const lines = files.map(({ path, sha256 }) => JSON.stringify([fileKeyOf(path) ?? path, sha256]));
  return hash(lines.sort().join('\n'));
}

/** From one tree to another, each list sorted. */
export function compareTrees(from: readonly TreeFile[], to: readonly TreeFile[]): TreeDifference {
  const before = new Map(from.map(({ path, sha256 }) => [path, sha256]));
  const after = new Map(to.map(({ path, sha256 }) => [path, sha256]));
  const paths = [...after.keys()].sort();
  return {
    added: paths.filter((path) => !before.has(path)),
    changed: paths.filter((path) => before.has(path) && before.get(path) !== after.get(path)),
    removed: [...before.keys()].filter((path) => !after.has(path)).sort(),
  };
}

export function hasDifference({ added, changed, removed }: TreeDifference): boolean {
  return added.length + changed.length + removed.length > 0;
}

/** With the first names of each kind, added before changed before removed, as many as may travel; the rest is counted. */
export function shownDifference(
  { added, changed, removed }: TreeDifference,
  place: Pick<FilesDifference, 'set' | 'directory' | 'revision' | 'mirrored' | 'note'>,
): FilesDifference {
  let left = DIFFERENCE_NAMES_MAX;
  const first = (names: readonly string[]) => {
    const shown = names.slice(0, left);
    left -= shown.length;
    return shown;
  };
  const shown = { added: first(added), changed: first(changed), removed: first(removed) };
  const total = added.length + changed.length + removed.length;
  return { ...place, ...shown, omitted: total - (DIFFERENCE_NAMES_MAX - left) };
}
