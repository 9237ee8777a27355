/**
 * This file reads the mirror of a simulated peel from its disk, as somebody who opens the machine: which files are there,
 * by their hashes. What the product keeps beside them has a name of its own and does not count.
 */
import type { Looked } from '../../system/memory/memory-machine.ts';
import { sha256Of, type TreeIdentity } from './publish-book.ts';

const OWN_NAME = /(?:^|\/)\.zester-/;
/** In place, while files are replaced one by one: the tree is not used. */
const UNFINISHED = '.zester-incomplete';

/** Contents on a disk are replaced, never changed, and links share them. */
const hashes = new WeakMap<Uint8Array, string>();

/** Undefined: there is none, or it is marked as unfinished. */
export function mirroredTree(looked: readonly Looked[]): TreeIdentity | undefined {
  if (looked.some(({ path }) => path === UNFINISHED)) return undefined;
  const files = looked.filter(({ kind, path }) => kind !== 'directory' && !OWN_NAME.test(path));
  if (files.length === 0) return undefined;
  return new Map(files.map(({ path, bytes }) => [path, hashOf(bytes)]));
}

export function isSameTree(one: TreeIdentity, other: TreeIdentity): boolean {
  return one.size === other.size && [...one].every(([path, hash]) => other.get(path) === hash);
}

function hashOf(bytes: Uint8Array): string {
  const known = hashes.get(bytes) ?? sha256Of(bytes);
  hashes.set(bytes, known);
  return known;
}
