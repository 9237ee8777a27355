/**
 * The regular expressions of targets: what Python's `re` finds, in linear time. The time for one id is bounded by its
 * length times the size of the compiled program, and that size is bounded in parse-target.ts.
 *
 * Compiled patterns are kept, the latest few: with its automaton one may hold up to 8 MiB, and no answer depends on
 * whether it was kept.
 */
import { LruMap } from '../lru-map.ts';
import { NO_FLAGS, PatternFault } from '../regex/pattern-tree.ts';
import { PythonRegex } from '../regex/python-regex.ts';

const PATTERNS_KEPT_MAX = 16;
const INSTRUCTIONS_MAX = 2_000;
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
    if (!(cause instanceof PatternFault)) throw cause;
    const before = [...pattern].slice(0, cause.position).join('');
    return { offset: before.length, problem: cause.problem, cause };
  }
}

export function isRegexFault(regex: TargetRegex | RegexFault): regex is RegexFault {
  return 'problem' in regex;
}

function compile(pattern: string): TargetRegex {
  const regex = new PythonRegex(pattern, { ...NO_FLAGS, instructionsMax: INSTRUCTIONS_MAX });
  return { test: (text) => regex.test(text), instructions: regex.instructions };
}
