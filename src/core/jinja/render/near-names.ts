/**
 * `nearNames` finds the known names that are near enough to a mistyped one to be meant, nearest first. Templates choose
 * the names and a host may hand in very large dictionaries, so the work is bounded on every side.
 */
import { editDistance } from '../../suggest.ts';

const NAME_CHARS_MAX = 48;
const CANDIDATES_MAX = 2000;
const ANSWERS_MAX = 3;

export function nearNames(wrong: string, known: Iterable<string>): string[] {
  if (wrong === '' || wrong.length > NAME_CHARS_MAX) return [];
  // One mistake in a short name, one in three letters of a longer one.
  const farthest = Math.max(1, Math.floor(wrong.length / 3));
  const found = new Map<string, number>();
  let seen = 0;
  for (const name of known) {
    if (++seen > CANDIDATES_MAX) break;
    if (name === wrong || Math.abs(name.length - wrong.length) > farthest) continue;
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance <= farthest && distance < name.length) found.set(name, distance);
  }
  return [...found]
    .sort(([a, nearA], [b, nearB]) => nearA - nearB || (a < b ? -1 : 1))
    .slice(0, ANSWERS_MAX)
    .map(([name]) => name);
}
