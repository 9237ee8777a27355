/** `nearestWord` finds the known word that is nearest to a mistyped one, when it is near enough to be meant. */
const WORD_CHARS_MAX = 64;

export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length > WORD_CHARS_MAX) return undefined;
  let best: string | undefined;
  // One mistake in a short word, one in three letters of a longer one.
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The hint for a name that is not there. */
export function didYouMean(word: string, known: Iterable<string>, otherwise?: string): string | undefined {
  const near = nearestWord(word, known);
  return near === undefined ? otherwise : `did you mean ${near}?`;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
