/**
 * The regular expressions of targets run on RE2: no backtracking, so the time for one id is bounded by its length times
 * the size of the compiled program, and that size is bounded in parse-target.ts. What RE2 cannot express is refused.
 *
 * Compiled patterns are kept, the latest few: with its automaton one may hold up to 8 MiB, and no answer depends on
 * whether it was kept.
 */
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { LruMap } from '../lru-map.ts';

const PATTERNS_KEPT_MAX = 16;
const kept = new LruMap<string, TargetRegex>(PATTERNS_KEPT_MAX);

export interface TargetRegex {
  /** Whether the pattern occurs anywhere in the text. */
  readonly test: (text: string) => boolean;
  /** Size of the program: what one character of text may cost. */
  readonly instructions: number;
}

export interface RegexFault {
  /** Where in the pattern. */
  readonly offset: number;
  readonly problem: string;
  readonly cause: unknown;
}

/** The pattern, or what is wrong with it. */
export function compileRegex(pattern: string): TargetRegex | RegexFault {
  try {
    return kept.getOrMake(pattern, compile);
  } catch (cause) {
    if (cause instanceof RE2JSException) return explainFault(pattern, cause);
    throw cause;
  }
}

export function isRegexFault(regex: TargetRegex | RegexFault): regex is RegexFault {
  return 'problem' in regex;
}

function compile(pattern: string): TargetRegex {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.test(text), instructions: compiled.programSize() };
}

/** Look-around in all its spellings; RE2 itself calls a look-behind an invalid name. */
const LOOK_AROUND = /\(\?<?[=!]/;
const BACKREFERENCE = /^\\(?:[1-9]|k)/;

/** What RE2 found, in words that say what it does not have. */
export function explainFault(pattern: string, cause: RE2JSException): RegexFault {
  const fragment = cause instanceof RE2JSSyntaxException ? cause.getPattern() : null;
  const offset = Math.max(0, fragment === null ? 0 : pattern.indexOf(fragment));
  const lookAround = LOOK_AROUND.exec(pattern);
  if (fragment?.startsWith('(?') && lookAround !== null)
    return { offset: lookAround.index, problem: `RE2 has no look-around (\`${lookAround[0]}\`)`, cause };
  if (fragment !== null && BACKREFERENCE.test(fragment))
    return { offset, problem: `RE2 has no backreferences (\`${fragment}\`)`, cause };
  return { offset, problem: cause.message.replace(/^error parsing regexp: /, ''), cause };
}
