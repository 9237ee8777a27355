/** The regular expressions of templates run on RE2: no backtracking, so that no pattern can stop a render. */
import { RE2JS, RE2JSException } from 're2js';
import { PythonError, type Regex } from '../jinja/values/value.ts';
import { LruMap } from '../lru-map.ts';
import { estimateInstructions } from '../target/regex-size.ts';

const INSTRUCTIONS_MAX = 2_000;
const PATTERNS_KEPT_MAX = 32;
const kept = new LruMap<string, Regex>(PATTERNS_KEPT_MAX);

export interface RegexFlags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

export function templateRegex(pattern: string, flags: RegexFlags): Regex {
  const bits =
    (flags.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.multiline ? RE2JS.MULTILINE : 0) |
    (flags.dotAll ? RE2JS.DOTALL : 0);
  return kept.getOrMake(`${bits}:${pattern}`, () => compile(pattern, bits));
}

function compile(pattern: string, bits: number): Regex {
  if (estimateInstructions(pattern) > INSTRUCTIONS_MAX)
    throw new PythonError('LimitError', `the regular expression is too large: ${pattern.slice(0, 80)}`);
  try {
    const compiled = RE2JS.compile(pattern, bits);
    return { groupNames: groupNames(compiled), exec: (text, from) => execute(compiled, text, from) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new PythonError('error', error.message.replace(/^error parsing regexp: /, ''));
  }
}

function execute(compiled: RE2JS, text: string, from: number): ReturnType<Regex['exec']> {
  const matcher = compiled.matcher(text);
  if (!matcher.find(from)) return undefined;
  const groups: (string | undefined)[] = [];
  for (let i = 1; i <= matcher.groupCount(); i++) groups.push(matcher.group(i) ?? undefined);
  return { start: matcher.start(), end: matcher.end(), groups };
}

function groupNames(compiled: RE2JS): ReadonlyMap<string, number> {
  return new Map(Object.entries(compiled.namedGroups()));
}
