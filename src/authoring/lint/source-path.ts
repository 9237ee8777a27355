/**
 * `pathInTree` finds the path in the tree of state files that a `source` names; undefined for a path of the machine and
 * for anything else.
 */
export function pathInTree(source: string): string | undefined {
  return /^(?:salt|zester):\/\/\/?([^?]*)/.exec(source)?.[1]?.replace(/\/+$/, '');
}
