/** These are Salt's filters and test for regular expressions, which run on the host's linear-time engine. */

import { Tuple } from '../../values/container/tuple.ts';
import { truthy } from '../../values/truthy.ts';
import { PythonError, type Regex, type RenderContext, type Value } from '../../values/value.ts';
import { bounded, textOrFail } from '../filters/text-values.ts';
import { needed } from '../host-need.ts';
import {
  type Bound,
  type LibraryFunction,
  type LibraryTest,
  saltFilter,
  saltTest,
  signature,
} from '../library-function.ts';
import { expandReplacement } from './regex-replacement.ts';

const FLAGS = [
  ['ignorecase', false],
  ['multiline', false],
] as const;

export const SALT_REGEX_FILTERS: readonly LibraryFunction[] = [
  saltFilter('regex_escape', signature('regex_escape', ['value']), ([value]) =>
    escapePattern(textOrFail(value)),
  ),
  saltFilter('regex_match', signature('regex_match', ['txt', 'rgx', ...FLAGS]), (values, render) =>
    groupsOf(values, atStart, render),
  ),
  saltFilter('regex_search', signature('regex_search', ['txt', 'rgx', ...FLAGS]), (values, render) =>
    groupsOf(values, (pattern) => pattern, render),
  ),
  saltFilter('regex_replace', signature('regex_replace', ['txt', 'rgx', 'val', ...FLAGS]), replace),
];

export const SALT_REGEX_TESTS: readonly LibraryTest[] = [
  saltTest(
    'match',
    signature('test_match', ['txt', 'rgx', ...FLAGS]),
    ([text, pattern, ...flags], render) =>
      compile(atStart(textOrFail(pattern)), flags, render).exec(textOrFail(text), 0) !== undefined,
  ),
];

/** For a match that must begin where the text does, whatever `^` means. */
function atStart(pattern: string): string {
  return `\\A(?:${pattern})`;
}

function compile(
  pattern: string,
  [ignoreCase, multiline]: readonly [Value, Value, ...Value[]],
  render: RenderContext,
): Regex {
  const regex = needed(render.host.regex, 'regex', 'a regular expression');
  try {
    return regex(pattern, { ignoreCase: truthy(ignoreCase), multiline: truthy(multiline), dotAll: false });
  } catch (error) {
    if (error instanceof PythonError || !(error instanceof Error)) throw error;
    throw new PythonError('error', `the regular expression ${pattern} does not work here: ${error.message}`);
  }
}

function groupsOf(
  [text, pattern, ...flags]: Bound,
  change: (pattern: string) => string,
  render: RenderContext,
): Value {
  const subject = textOrFail(text);
  render.charge(subject.length >> 4);
  const match = compile(change(textOrFail(pattern)), flags, render).exec(subject, 0);
  return match === undefined ? null : new Tuple(match.groups.map((group) => group ?? null));
}

function replace([text, pattern, value, ...flags]: Bound, render: RenderContext): Value {
  const subject = textOrFail(text);
  render.charge(subject.length >> 4);
  const regex = compile(textOrFail(pattern), flags, render);
  const expand = expandReplacement(textOrFail(value), regex);
  let result = '';
  let copied = 0;
  for (let from = 0; from <= subject.length; ) {
    const match = regex.exec(subject, from);
    if (match === undefined) break;
    render.charge(1);
    result +=
      subject.slice(copied, match.start) + expand([subject.slice(match.start, match.end), ...match.groups]);
    bounded(result, render);
    copied = match.end;
    // An empty match must not be found again: go on behind the next character.
    from = match.end > match.start ? match.end : match.end + codePointSize(subject, match.end);
  }
  return bounded(result + subject.slice(copied), render);
}

function codePointSize(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Python's `re.escape`. */
function escapePattern(text: string): string {
  return text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, '\\$&');
}
