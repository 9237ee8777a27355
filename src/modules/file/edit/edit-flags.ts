/**
 * `regexFlags` reads the flags of a regular expression as Salt users write them: names of Python, or the sum of its
 * numbers.
 */
import type { RegexFlags } from '../../../core/templates/template-regex.ts';
import { badArguments } from './edit-arguments.ts';

const BITS = { IGNORECASE: 2, LOCALE: 4, MULTILINE: 8, DOTALL: 16, UNICODE: 32, VERBOSE: 64 } as const;
const SHORT = {
  I: 'IGNORECASE',
  M: 'MULTILINE',
  S: 'DOTALL',
  U: 'UNICODE',
  X: 'VERBOSE',
  L: 'LOCALE',
} as const;
const KNOWN_BITS = BITS.IGNORECASE | BITS.MULTILINE | BITS.DOTALL | BITS.UNICODE;

export function regexFlags(functionName: string, words: readonly string[]): RegexFlags {
  const bits = words.reduce((all, word) => all | bitsOf(functionName, word), 0);
  if ((bits & ~KNOWN_BITS) !== 0)
    throw badArguments(functionName, 'flags must be MULTILINE, IGNORECASE, DOTALL; RE2 has no others');
  return {
    ignoreCase: (bits & BITS.IGNORECASE) !== 0,
    multiline: (bits & BITS.MULTILINE) !== 0,
    dotAll: (bits & BITS.DOTALL) !== 0,
  };
}

function bitsOf(functionName: string, word: string): number {
  if (/^\d{1,4}$/.test(word)) return Number(word);
  const upper = word.toUpperCase();
  const name = SHORT[upper as keyof typeof SHORT] ?? upper;
  if (Object.hasOwn(BITS, name)) return BITS[name as keyof typeof BITS];
  throw badArguments(functionName, `flags must be MULTILINE, IGNORECASE or DOTALL, not ${word}`);
}
