/** This rule says how many copies of what is stored a cluster should keep, where nobody says otherwise. */

/** More copies cost each write more than they protect. */
export const COPIES_MAX = 3;

export function copiesFor(servers: number): number {
  return Math.max(1, Math.min(COPIES_MAX, servers));
}
