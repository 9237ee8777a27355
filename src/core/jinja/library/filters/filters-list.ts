/** These filters take lists apart, put them together, or take one item out. */
import { isUndefined } from '../../render/undefined.ts';
import { checkItemCount } from '../../values/bounds.ts';
import { equals, lessThan } from '../../values/compare.ts';
import { Dict } from '../../values/container/dict.ts';
import { subscript } from '../../values/container/item.ts';
import { each, iterate, lengthOf } from '../../values/container/iterate.ts';
import { generator } from '../../values/container/iterator.ts';
import { Slice } from '../../values/container/slice.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { binary } from '../../values/number/arithmetic.ts';
import { str } from '../../values/print.ts';
import { Markup } from '../../values/text/markup.ts';
import { escapeHtml } from '../../values/text/markup-escape.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { needed } from '../host-need.ts';
import {
  alias,
  jinjaFilter,
  type LibraryFunction,
  oneArgument,
  signature,
  wrongArgument,
} from '../library-function.ts';
import { attributeGetter } from './attribute-path.ts';
import { reversedIterator } from './reversed-values.ts';
import { bounded, callMethod, counted, isHtml, softText, takeAll } from './text-values.ts';

const length: LibraryFunction = {
  name: 'length',
  origin: 'jinja',
  call(input, args) {
    oneArgument('len', args);
    return lengthOf(input);
  },
};

export const LIST_FILTERS: readonly LibraryFunction[] = [
  jinjaFilter(
    'batch',
    signature('do_batch', ['value', 'linecount', ['fill_with', null]]),
    ([value, lineCount, fillWith], render) =>
      generator('do_batch', batches(value, lineCount, fillWith, render)),
  ),
  alias('count', length),
  jinjaFilter('first', signature('sync_do_first', ['seq'], 'environment'), ([seq], render) => {
    const next = iterate(seq).next();
    return next.done ? render.undefined({ message: 'No first item, sequence was empty.' }) : next.value;
  }),
  jinjaFilter('items', signature('do_items', ['value']), ([value], render) =>
    generator('do_items', pairs(value, render)),
  ),
  jinjaFilter(
    'join',
    signature('sync_do_join', ['value', ['d', ''], ['attribute', null]], 'eval_ctx'),
    ([value, d, attribute], render) => join(value, d, attribute, render),
  ),
  jinjaFilter('last', signature('do_last', ['seq'], 'environment'), ([seq], render) => last(seq, render)),
  length,
  jinjaFilter('list', signature('sync_do_list', ['value']), ([value], render) => takeAll(value, render)),
  jinjaFilter('random', signature('do_random', ['seq'], 'context'), ([seq], render) => random(seq, render)),
  jinjaFilter('reverse', signature('do_reverse', ['value']), ([value], render) => reverse(value, render)),
  jinjaFilter(
    'slice',
    signature('sync_do_slice', ['value', 'slices', ['fill_with', null]]),
    ([value, slices, fillWith], render) =>
      generator('sync_do_slice', columns(value, slices, fillWith, render)),
  ),
];

function* batches(
  value: Value,
  lineCount: Value,
  fillWith: Value,
  render: RenderContext,
): Generator<Value, void> {
  let batch: Value[] = [];
  for (const item of counted(value, render)) {
    if (equals(batch.length, lineCount)) {
      yield batch;
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length === 0) return;
  if (fillWith !== null && lessThan(batch.length, lineCount)) {
    const missing = binary('-', lineCount, batch.length, render.limits);
    batch.push(...(binary('*', [fillWith], missing, render.limits) as Value[]));
  }
  yield batch;
}

/** `slices` columns of nearly the same length; the first ones get what does not divide. */
function* columns(
  value: Value,
  slices: Value,
  fillWith: Value,
  render: RenderContext,
): Generator<Value, void> {
  const items = takeAll(value, render);
  const perSlice = binary('//', items.length, slices, render.limits);
  const longer = binary('%', items.length, slices, render.limits);
  if (typeof slices !== 'number' && typeof slices !== 'boolean')
    throw new PythonError('TypeError', `'${typeName(slices)}' object cannot be interpreted as an integer`);
  checkItemCount(Number(slices), render.limits);
  let start = 0;
  for (let column = 0; column < Number(slices); column++) {
    render.charge(1);
    const isLonger = column < Number(longer);
    const end = start + Number(perSlice) + (isLonger ? 1 : 0);
    const part = items.slice(start, end);
    if (fillWith !== null && !isLonger) part.push(fillWith);
    yield part;
    start = end;
  }
}

function* pairs(value: Value, render: RenderContext): Generator<Value, void> {
  if (isUndefined(value)) return;
  if (!(value instanceof Dict)) throw new PythonError('TypeError', 'Can only get item pairs from a mapping.');
  for (const pair of value.entries()) {
    render.charge(1);
    yield new Tuple(pair);
  }
}

function join(value: Value, d: Value, attribute: Value, render: RenderContext): Value {
  const items = attribute === null ? value : mapped(value, attribute, render);
  if (!render.autoescape) return joinTexts(items, str(d), render);
  if (isHtml(d)) return callMethod(softText(d), 'join', [takeAll(items, render).map(softText)], render);
  const parts = takeAll(items, render);
  if (!parts.some(isHtml)) return joinTexts(parts, str(d), render);
  const texts = parts.map((part) => (isHtml(part) ? part : str(part)));
  return callMethod(escapeHtml(d), 'join', [texts], render);
}

function joinTexts(items: Value, joint: string, render: RenderContext): string {
  let text = '';
  let first = true;
  for (const item of each(items)) {
    render.charge(1);
    const part = typeof item === 'string' ? item : str(item);
    text += first ? part : joint + part;
    bounded(text, render);
    first = false;
  }
  return text;
}

function mapped(value: Value, attribute: Value, render: RenderContext): Value {
  const get = attributeGetter(attribute, render);
  return takeAll(value, render).map(get);
}

function last(seq: Value, render: RenderContext): Value {
  const iterator = reversedIterator(seq);
  if (iterator === undefined)
    throw new PythonError('TypeError', `'${typeName(seq)}' object is not reversible`);
  const next = iterator.iterate().next();
  return next.done ? render.undefined({ message: 'No last item, sequence was empty.' }) : next.value;
}

function random(seq: Value, render: RenderContext): Value {
  const count = lengthOf(seq);
  if (count === 0) return render.undefined({ message: 'No random item, sequence was empty.' });
  const chance = needed(render.host.random, 'random', "the filter 'random'");
  return subscript(seq, Math.floor(chance() * count));
}

function reverse(value: Value, render: RenderContext): Value {
  if (typeof value === 'string' || value instanceof Markup)
    return subscript(value, new Slice(null, null, -1));
  const reversed = reversedIterator(value);
  if (reversed !== undefined) return reversed;
  try {
    return takeAll(value, render).reverse();
  } catch (error) {
    if (error instanceof PythonError && error.type === 'TypeError')
      throw wrongArgument('argument must be iterable');
    throw error;
  }
}
