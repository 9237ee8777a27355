/** These filters make a text of a text. */

import { SPACE_CLASS, WORD_CLASS } from '../../../regex/character-classes.ts';
import { checkTextLength } from '../../values/bounds.ts';
import { order } from '../../values/compare.ts';
import { Dict } from '../../values/container/dict.ts';
import { subscript } from '../../values/container/item.ts';
import { lengthOf, toArray } from '../../values/container/iterate.ts';
import { Slice } from '../../values/container/slice.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { binary } from '../../values/number/arithmetic.ts';
import { repr, str } from '../../values/print.ts';
import { Markup, textOf } from '../../values/text/markup.ts';
import { escapeHtml } from '../../values/text/markup-escape.ts';
import { pythonSplitLines } from '../../values/text/str-split.ts';
import { truthy } from '../../values/truthy.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import {
  type Bound,
  jinjaFilter,
  type LibraryFunction,
  signature,
  wrongArgument,
} from '../library-function.ts';
import { attributeOrFail, bounded, callMethod, isHtml, softText } from './text-values.ts';
import { toFloat } from './to-number.ts';
import { wrapText } from './wrap-text.ts';

const LEEWAY = 5;
const TITLE_BREAK = new RegExp(`([-${SPACE_CLASS}({[<]+)`, 'u');
const WORDS = new RegExp(`[${WORD_CLASS}]+`, 'gu');

export const TEXT_FILTERS: readonly LibraryFunction[] = [
  jinjaFilter('capitalize', signature('do_capitalize', ['s']), ([s], render) =>
    callMethod(softText(s), 'capitalize', [], render),
  ),
  jinjaFilter('center', signature('do_center', ['value', ['width', 80]]), ([value, width], render) => {
    if (typeof width === 'number') checkTextLength(width, render.limits);
    return callMethod(softText(value), 'center', [width], render);
  }),
  {
    name: 'format',
    origin: 'jinja',
    call(input, args, render) {
      const { positional, named } = args;
      if (positional.length > 0 && named.size > 0)
        throw wrongArgument("can't handle positional and keyword arguments at the same time");
      const values = named.size > 0 ? Dict.of(named) : new Tuple(positional);
      return binary('%', softText(input), values, render.limits);
    },
  },
  jinjaFilter(
    'indent',
    signature('do_indent', ['s', ['width', 4], ['first', false], ['blank', false]]),
    ([s, width, first, blank], render) => indent(s, width, first, blank, render),
  ),
  jinjaFilter('lower', signature('do_lower', ['s']), ([s]) => mapText(s, (text) => text.toLowerCase())),
  jinjaFilter(
    'replace',
    signature('do_replace', ['s', 'old', 'new', ['count', null]], 'eval_ctx'),
    ([s, old, replacement, count], render) => replace(s, old, replacement, count, render),
  ),
  jinjaFilter('string', signature('soft_str', ['s']), ([s]) => softText(s)),
  jinjaFilter('title', signature('do_title', ['s']), ([s]) => title(str(s))),
  jinjaFilter('trim', signature('do_trim', ['value', ['chars', null]]), ([value, chars], render) =>
    callMethod(softText(value), 'strip', [chars], render),
  ),
  jinjaFilter(
    'truncate',
    signature(
      'do_truncate',
      ['s', ['length', 255], ['killwords', false], ['end', '...'], ['leeway', null]],
      'env',
    ),
    ([s, length, killwords, end, leeway], render) =>
      truncate(s, length, killwords, end, leeway ?? LEEWAY, render),
  ),
  jinjaFilter('upper', signature('do_upper', ['s']), ([s]) => mapText(s, (text) => text.toUpperCase())),
  jinjaFilter('wordcount', signature('do_wordcount', ['s']), ([s]) => str(s).match(WORDS)?.length ?? 0),
  jinjaFilter(
    'wordwrap',
    signature(
      'do_wordwrap',
      ['s', ['width', 79], ['break_long_words', true], ['wrapstring', null], ['break_on_hyphens', true]],
      'environment',
    ),
    wordwrap,
  ),
];

function mapText(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value);
  return value instanceof Markup ? new Markup(change(value.text)) : change(str(value));
}

/** Every word starts upper case; brackets and hyphens part words too. The result is plain text also for Markup. */
function title(text: string): string {
  return text
    .split(TITLE_BREAK)
    .map((word) => {
      const [first = ''] = word;
      return first.toUpperCase() + word.slice(first.length).toLowerCase();
    })
    .join('');
}

function indent(s: Value, width: Value, first: Value, blank: Value, render: RenderContext): Value {
  const indention = textOf(width) ?? str(binary('*', ' ', width, render.limits));
  const text = withLineBreak(s, render);
  // Python takes a last line break for the end of the last line; the one that was added keeps it.
  const lines = pythonSplitLines(text, false);
  checkTextLength(text.length + lines.length * indention.length, render.limits);
  const indentsBlank = truthy(blank);
  const indentsFirst = truthy(first);
  const result = lines.map((line, index) => {
    const indented = index === 0 ? indentsFirst : indentsBlank || line !== '';
    return indented ? indention + line : line;
  });
  return s instanceof Markup ? new Markup(result.join('\n')) : result.join('\n');
}

/** `s += '\n'`, which says so where it fails, and which extends a list that then has no lines to split. */
function withLineBreak(s: Value, render: RenderContext): string {
  const text = textOf(s);
  if (text !== undefined) return `${text}\n`;
  if (Array.isArray(s))
    throw new PythonError('AttributeError', "'list' object has no attribute 'splitlines'");
  try {
    return str(binary('+', s, '\n', render.limits));
  } catch (error) {
    if (!(error instanceof PythonError) || error.type !== 'TypeError') throw error;
    throw new PythonError('TypeError', error.message.replace('for +:', 'for +=:'));
  }
}

function replace(s: Value, old: Value, replacement: Value, count: Value, render: RenderContext): Value {
  const times = count ?? -1;
  if (!render.autoescape) return callMethod(str(s), 'replace', [str(old), str(replacement), times], render);
  const escaped = isHtml(old) || (isHtml(replacement) && !isHtml(s));
  const text = escaped ? escapeHtml(s) : softText(s);
  return callMethod(text, 'replace', [softText(old), softText(replacement), times], render);
}

function truncate(
  s: Value,
  length: Value,
  killwords: Value,
  end: Value,
  leeway: Value,
  render: RenderContext,
): Value {
  const endLength = lengthOf(end);
  if (!order('>=', length, endLength))
    throw new PythonError('AssertionError', `expected length >= ${endLength}, got ${str(length)}`);
  if (!order('>=', leeway, 0))
    throw new PythonError('AssertionError', `expected leeway >= 0, got ${str(leeway)}`);
  if (order('<=', lengthOf(s), binary('+', length, leeway, render.limits))) return s;
  const cut = subscript(s, new Slice(null, binary('-', length, endLength, render.limits), null));
  if (truthy(killwords)) return binary('+', cut, end, render.limits);
  const words = callMethod(cut, 'rsplit', [' ', 1], render);
  return binary('+', subscript(words, 0), end, render.limits);
}

function wordwrap(
  [s, width, breakLongWords, wrapstring, breakOnHyphens]: Bound,
  render: RenderContext,
): Value {
  const joint = wrapstring ?? '\n';
  // Python looks at the joint's method before it looks at the text.
  attributeOrFail(joint, 'join');
  const lines = toArray(callMethod(s, 'splitlines', [], render));
  const breaks = {
    breakLongWords: truthy(breakLongWords),
    // Python asks twice, and once for nothing less than True.
    partAtHyphens: breakOnHyphens === true,
    cutAtHyphens: truthy(breakOnHyphens),
  };
  const wrapped = lines.map((line): Value => {
    if (order('<=', width, 0))
      throw new PythonError('ValueError', `invalid width ${repr(width)} (must be > 0)`);
    const text = str(line);
    render.charge(text.length);
    return callMethod(joint, 'join', [wrapText(text, { ...breaks, width: toFloat(width) })], render);
  });
  const result = callMethod(joint, 'join', [wrapped], render);
  return typeof result === 'string' ? bounded(result, render) : result;
}
