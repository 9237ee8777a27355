/** `textRegex` makes the regular expressions that edit texts: what Python's `re` finds, with errors of the registry. */
import { type ZesterError, zesterError } from '../errors/zester-error.ts';
import { NO_FLAGS, PatternFault, type RegexFlags } from './pattern-tree.ts';
import { PythonRegex, type RegexMatch } from './python-regex.ts';

const INSTRUCTIONS_MAX = 2_000;
const SHOWN_CHARS_MAX = 80;

/** Its methods throw REGEX_UNUSABLE where only Python could answer. */
export interface TextRegex {
  readonly groupCount: number;
  readonly groupNumbers: ReadonlyMap<string, number>;
  /** Whether it occurs anywhere. */
  test(text: string): boolean;
  /** From the start, not overlapping. */
  matches(text: string): Iterable<RegexMatch>;
}

/** Throws REGEX_UNUSABLE. */
export function textRegex(pattern: string, flags: RegexFlags = NO_FLAGS): TextRegex {
  const explained = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof PatternFault ? unusable(pattern, error) : error;
    }
  };
  const regex = explained(() => new PythonRegex(pattern, { ...flags, instructionsMax: INSTRUCTIONS_MAX }));
  return {
    groupCount: regex.groupCount,
    groupNumbers: regex.groupNumbers,
    test: (text) => explained(() => regex.test(text)),
    *matches(text) {
      const matches = regex.matches(text);
      for (
        let next = explained(() => matches.next());
        next.done !== true;
        next = explained(() => matches.next())
      )
        yield next.value;
    },
  };
}

function unusable(pattern: string, fault: PatternFault): ZesterError {
  const shown = pattern.length > SHOWN_CHARS_MAX ? `${pattern.slice(0, SHOWN_CHARS_MAX)}…` : pattern;
  return zesterError('REGEX_UNUSABLE', { pattern: shown, problem: fault.problem }, { cause: fault });
}
