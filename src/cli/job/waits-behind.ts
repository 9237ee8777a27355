/** This file words "waits behind job X": of one target, of some, of a whole job. What a peel said is a stranger's text. */

import { printableLine } from '../../core/printable.ts';
import { parseJid } from '../../wire/names/ids.ts';

/** Different things that targets wait behind, named before the rest is counted. */
const NAMED_MAX = 2;
const WORDS_CHARS_MAX = 40;

export function behindText(behind: string): string {
  return parseJid(behind) === undefined
    ? `other work (${printableLine(behind, WORDS_CHARS_MAX)})`
    : `job ${behind}`;
}

/** `job A`, `job A and job B`, `job A, job B and 3 more`. */
export function behindAll(behind: Iterable<string>): string {
  const each = [...new Set(behind)];
  const named = each.slice(0, NAMED_MAX).map(behindText);
  if (each.length > NAMED_MAX) return `${named.join(', ')} and ${each.length - NAMED_MAX} more`;
  return named.join(' and ');
}
