/**
 * Python's `\s` and `\w` as the inside of a character class. JavaScript's differ: its `\s` has U+FEFF and lacks the
 * separators U+001C to U+001F and U+0085, its `\w` knows only ASCII. For expressions with the flag `u`.
 */
export const SPACE =
  '\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

export const WORD = '\\p{L}\\p{N}_';

const SPACES = new RegExp(`[${SPACE}]+`, 'u');

/** `text.split()`: no empty words. */
export function splitWords(text: string): string[] {
  return text.split(SPACES).filter((word) => word !== '');
}
