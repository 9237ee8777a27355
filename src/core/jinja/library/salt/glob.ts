/**
 * `matchesGlob` is Python's `fnmatch`: `*`, `?`, `[abc]`, `[!abc]`. It goes back only to the last star, so that its
 * time grows with the product of the two lengths at most.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  const letters = [...text];
  const parts = parseGlob(pattern);
  let at = 0;
  let part = 0;
  let retry: { at: number; part: number } | undefined;
  while (at < letters.length || part < parts.length) {
    const wanted = parts[part];
    if (wanted === '*') {
      retry = { at, part: part + 1 };
      part += 1;
    } else if (wanted !== undefined && at < letters.length && wanted(letters[at] ?? '')) {
      at += 1;
      part += 1;
    } else {
      if (retry === undefined || retry.at >= letters.length) return false;
      retry = { at: retry.at + 1, part: retry.part };
      at = retry.at;
      part = retry.part;
    }
  }
  return true;
}

type Accepts = (letter: string) => boolean;

function parseGlob(pattern: string): readonly ('*' | Accepts)[] {
  const letters = [...pattern];
  const parts: ('*' | Accepts)[] = [];
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i];
    if (letter === '*') parts.push('*');
    else if (letter === '?') parts.push(() => true);
    else if (letter === '[') {
      const end = setEnd(letters, i + 1);
      if (end === undefined) parts.push((other) => other === '[');
      else {
        parts.push(letterSet(letters.slice(i + 1, end)));
        i = end;
      }
    } else parts.push((other) => other === letter);
  }
  return parts;
}

/** Where the bracket closes; one right at the start is a letter of the set. */
function setEnd(letters: readonly string[], start: number): number | undefined {
  const first = letters[start] === '!' ? start + 1 : start;
  const end = letters.indexOf(']', first + 1);
  return end < 0 ? undefined : end;
}

function letterSet(inside: readonly string[]): Accepts {
  const negated = inside[0] === '!';
  const letters = negated ? inside.slice(1) : inside;
  const within = (letter: string): boolean => {
    for (let i = 0; i < letters.length; i++) {
      const low = letters[i] ?? '';
      const high = letters[i + 1] === '-' ? letters[i + 2] : undefined;
      if (high === undefined) {
        if (low === letter) return true;
      } else {
        if (letter >= low && letter <= high) return true;
        i += 2;
      }
    }
    return false;
  };
  return (letter) => within(letter) !== negated;
}
