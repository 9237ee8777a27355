/**
 * `regexFlags` reads the flags of a regular expression as Salt users write them: names of Python, or the sum of its
 * numbers.
 */
import type { RegexFlags } from '../../../core/regex/pattern-tree.ts';
import { badArguments } from './edit-arguments.ts';

const BITS = {
  IGNORECASE: 2,
  LOCALE: 4,
  MULTILINE: 8,
  DOTALL: 16,
  UNICODE: 32,
  VERBOSE: 64,
  ASCII: 256,
} as const;
const SHORT = {
  I: 'IGNORECASE',
  M: 'MULTILINE',
  S: 'DOTALL',
  U: 'UNICODE',
  X: 'VERBOSE',
  L: 'LOCALE',
  A: 'ASCII',
} as const;
const KNOWN_BITS = Object.values(BITS).reduce<number>((all, bit) => all | bit, 0) & ~BITS.LOCALE;

export function regexFlags(functionName: string, words: readonly string[]): RegexFlags {
  const bits = words.reduce((all, word) => all | bitsOf(functionName, word), 0);
  if ((bits & ~KNOWN_BITS) !== 0)
    throw badArguments(
      functionName,
      'flags must be MULTILINE, IGNORECASE, DOTALL, VERBOSE, ASCII or UNICODE',
    );
  return {
    ignoreCase: (bits & BITS.IGNORECASE) !== 0,
    multiline: (bits & BITS.MULTILINE) !== 0,
    dotAll: (bits & BITS.DOTALL) !== 0,
    verbose: (bits & BITS.VERBOSE) !== 0,
    // Salt replaces in bytes, where Python's `\w` and `\b` know ASCII only.
    ascii: (bits & BITS.UNICODE) === 0,
  };
}

function bitsOf(functionName: string, word: string): number {
  if (/^\d{1,4}$/.test(word)) return Number(word);
  const upper = word.toUpperCase();
  const name = SHORT[upper as keyof typeof SHORT] ?? upper;
  if (Object.hasOwn(BITS, name)) return BITS[name as keyof typeof BITS];
  throw badArguments(
    functionName,
    `flags must be MULTILINE, IGNORECASE, DOTALL, VERBOSE, ASCII or UNICODE, not ${word}`,
  );
}
