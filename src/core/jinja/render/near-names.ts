/**
 * `nearNames` finds the known names that are near enough to a mistyped one to be meant, nearest first. Templates choose
 * the names and a host may hand in very large dictionaries, so the work is bounded on every side.
 */
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
    const distance = mistakes(wrong.toLowerCase(), name.toLowerCase());
    if (distance <= farthest && distance < name.length) found.set(name, distance);
  }
  return [...found]
    .sort(([a, nearA], [b, nearB]) => nearA - nearB || (a < b ? -1 : 1))
    .slice(0, ANSWERS_MAX)
    .map(([name]) => name);
}

/** How many letters must be added, dropped, replaced or swapped with their neighbour to turn one name into the other. */
export function mistakes(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
