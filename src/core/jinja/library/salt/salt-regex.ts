/** These are Salt's filters and test for regular expressions, which run on the host's linear-time engine. */

import { Tuple } from '../../values/container/tuple.ts';
import { textOf } from '../../values/text/markup.ts';
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
    groupsOf(values, true, render),
  ),
  saltFilter('regex_search', signature('regex_search', ['txt', 'rgx', ...FLAGS]), (values, render) =>
    groupsOf(values, false, render),
  ),
  saltFilter('regex_replace', signature('regex_replace', ['txt', 'rgx', 'val', ...FLAGS]), replace),
];

export const SALT_REGEX_TESTS: readonly LibraryTest[] = [
  saltTest(
    'match',
    signature('test_match', ['txt', 'rgx', ...FLAGS]),
    (values, render) => firstMatch(values, true, render) !== undefined,
  ),
];

function compile(
  pattern: Value,
  [ignoreCase, multiline]: readonly [Value, Value, ...Value[]],
  atStart: boolean,
  render: RenderContext,
): Regex {
  const text = textOf(pattern);
  if (text === undefined)
    throw new PythonError('TypeError', 'first argument must be string or compiled pattern');
  render.charge(text.length);
  const regex = needed(render.host.regex, 'regex', 'a regular expression');
  return regex(text, {
    ignoreCase: truthy(ignoreCase),
    multiline: truthy(multiline),
    dotAll: false,
    atStart,
  });
}

function firstMatch([text, pattern, ...flags]: Bound, atStart: boolean, render: RenderContext) {
  const regex = compile(pattern, flags, atStart, render);
  const subject = textOrFail(text);
  render.charge(subject.length >> 4);
  const [first] = regex.matches(subject);
  return first;
}

/** A pattern without groups gives the whole match. */
function groupsOf(values: Bound, atStart: boolean, render: RenderContext): Value {
  const match = firstMatch(values, atStart, render);
  if (match === undefined) return null;
  const [whole, ...groups] = match.groups;
  return new Tuple(groups.length === 0 ? [whole] : groups.map((group) => group ?? null));
}

function replace([text, pattern, value, ...flags]: Bound, render: RenderContext): Value {
  const regex = compile(pattern, flags, false, render);
  const replacement = textOrFail(value);
  const expand = expandReplacement(replacement, regex);
  const subject = textOrFail(text);
  render.charge(subject.length >> 4);
  let result = '';
  let copied = 0;
  for (const { start, end, groups } of regex.matches(subject)) {
    render.charge(1);
    result += subject.slice(copied, start) + expand(groups);
    bounded(result, render);
    copied = end;
  }
  return bounded(result + subject.slice(copied), render);
}

/** Python's `re.escape`. */
function escapePattern(text: string): string {
  return text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, '\\$&');
}
