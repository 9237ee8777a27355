/** The regular expressions of templates: what Python's `re` finds, in linear time, with Python's errors. */
import { PythonError, type Regex } from '../jinja/values/value.ts';
import { LruMap } from '../lru-map.ts';
import { PatternFault, PatternTooLarge, type RegexFlags } from '../regex/pattern-tree.ts';
import { PythonRegex } from '../regex/python-regex.ts';

const INSTRUCTIONS_MAX = 2_000;
const PATTERNS_KEPT_MAX = 32;
const kept = new LruMap<string, Regex>(PATTERNS_KEPT_MAX);

export function templateRegex(pattern: string, flags: RegexFlags & { readonly atStart?: boolean }): Regex {
  const { ignoreCase, multiline, dotAll, ascii = false, atStart = false } = flags;
  const key = `${[ignoreCase, multiline, dotAll, ascii, atStart].map(Number).join('')}:${pattern}`;
  return kept.getOrMake(key, () => compile(pattern, flags));
}

function compile(pattern: string, flags: RegexFlags): Regex {
  const regex = explained(
    pattern,
    () => new PythonRegex(pattern, { ...flags, instructionsMax: INSTRUCTIONS_MAX }),
  );
  return {
    groupCount: regex.groupCount,
    groupNumbers: regex.groupNumbers,
    *matches(text) {
      const matches = regex.matches(text);
      const next = () => explained(pattern, () => matches.next());
      for (let match = next(); match.done !== true; match = next()) yield match.value;
    },
  };
}

function explained<T>(pattern: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error;
    if (error instanceof PatternTooLarge)
      throw new PythonError('LimitError', `the regular expression is too large: ${pattern.slice(0, 80)}`);
    if (error.isBeyondUs)
      throw new PythonError(
        'NotImplementedError',
        `the regular expression ${pattern} does not work here: ${error.problem}`,
      );
    const { problem, position } = error;
    throw new PythonError('error', `${problem} at position ${position}${lineAndColumn(pattern, position)}`);
  }
}

/** Python adds them where the pattern has several lines. */
function lineAndColumn(pattern: string, position: number): string {
  if (!pattern.includes('\n')) return '';
  const before = [...pattern].slice(0, position);
  const line = before.filter((letter) => letter === '\n').length + 1;
  return ` (line ${line}, column ${position - before.lastIndexOf('\n')})`;
}
