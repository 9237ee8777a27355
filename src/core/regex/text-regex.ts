/**
 * The regular expressions that edit texts run on RE2: no backtracking, so no pattern can stop a run (decision 14). What
 * RE2 cannot express, and what would compile to too much, is refused with the reason.
 */
import { RE2JS, RE2JSException } from 're2js';
import { zesterError } from '../errors/zester-error.ts';
import { explainFault } from '../target/regex.ts';
import { estimateInstructions } from '../target/regex-size.ts';
import type { RegexFlags } from '../templates/template-regex.ts';

const INSTRUCTIONS_MAX = 2_000;
const SHOWN_CHARS_MAX = 80;

export interface TextRegex {
  readonly groupCount: number;
  readonly groupNumbers: ReadonlyMap<string, number>;
  /** Whether it occurs anywhere. */
  test(text: string): boolean;
  /** From the start, not overlapping. */
  matches(text: string): Iterable<TextMatch>;
}

export interface TextMatch {
  readonly start: number;
  readonly end: number;
  /** The whole match first; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[];
}

export const NO_FLAGS: RegexFlags = { ignoreCase: false, multiline: false, dotAll: false };

/** Throws REGEX_UNUSABLE. */
export function textRegex(pattern: string, flags: RegexFlags = NO_FLAGS): TextRegex {
  if (estimateInstructions(pattern) > INSTRUCTIONS_MAX) throw unusable(pattern, 'it is too large');
  try {
    const compiled = RE2JS.compile(pattern, flagBits(flags));
    return {
      groupCount: compiled.groupCount(),
      groupNumbers: new Map(Object.entries(compiled.namedGroups())),
      test: (text) => compiled.test(text),
      matches: (text) => matchesOf(compiled, text),
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw unusable(pattern, explainFault(pattern, error).problem, error);
  }
}

function flagBits({ ignoreCase, multiline, dotAll }: RegexFlags): number {
  return (
    (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) |
    (multiline ? RE2JS.MULTILINE : 0) |
    (dotAll ? RE2JS.DOTALL : 0)
  );
}

function* matchesOf(compiled: RE2JS, text: string): Iterable<TextMatch> {
  const matcher = compiled.matcher(text);
  while (matcher.find()) {
    const groups: (string | undefined)[] = [];
    for (let group = 0; group <= matcher.groupCount(); group++)
      groups.push(matcher.group(group) ?? undefined);
    yield { start: matcher.start(), end: matcher.end(), groups };
  }
}

function unusable(pattern: string, problem: string, cause?: unknown) {
  const shown = pattern.length > SHOWN_CHARS_MAX ? `${pattern.slice(0, SHOWN_CHARS_MAX)}…` : pattern;
  return zesterError('REGEX_UNUSABLE', { pattern: shown, problem }, cause === undefined ? {} : { cause });
}
