/** `replaceMatches` replaces what a pattern finds in a text; where it finds nothing, a text can be added instead. */
import type { TextRegex } from '../../../core/regex/text-regex.ts';
import { addMissing } from './edit-add.ts';
import type { Replacement } from './edit-replacement.ts';
import type { Edited } from './edit-text.ts';

export interface ReplaceRule {
  readonly regex: TextRegex;
  readonly replacement: Replacement;
  /** How many matches at most; 0 for all. */
  readonly count: number;
  readonly notFound: { readonly content: string; readonly at: 'start' | 'end' } | undefined;
}

/** A pattern that fits nothing and everywhere, with a long replacement, would fill the memory. */
export const REPLACED_CHARS_MAX = 16 * 1024 * 1024;

export function replaceMatches(text: string, { regex, replacement, count, notFound }: ReplaceRule): Edited {
  const parts: string[] = [];
  let chars = 0;
  let end = 0;
  let found = 0;
  for (const match of regex.matches(text)) {
    const replaced = replacement.forMatch(match);
    parts.push(text.slice(end, match.start), replaced);
    end = match.end;
    chars += replaced.length;
    found++;
    if (chars > REPLACED_CHARS_MAX)
      return { problem: `the result has more than ${REPLACED_CHARS_MAX} characters` };
    if (found === count) break;
  }
  if (found > 0) return [...parts, text.slice(end)].join('');
  if (notFound === undefined) return text;
  return addMissing(text, { texts: [notFound.content], at: notFound.at, ignoreWhitespace: false });
}
