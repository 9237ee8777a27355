/**
 * `reversedIterator` is Python's `reversed(value)`: an iterator from the last item to the first, for what has a last
 * item.
 */
import { isUndefined } from '../../render/undefined.ts';
import { Dict } from '../../values/container/dict.ts';
import { DictItems, DictKeys, DictValues } from '../../values/container/dict-views.ts';
import { PyIterator } from '../../values/container/iterator.ts';
import { Range } from '../../values/container/range.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { Bytes } from '../../values/text/bytes.ts';
import { Markup } from '../../values/text/markup.ts';
import type { Value } from '../../values/value.ts';

/** undefined where Python says that the object is not reversible. */
export function reversedIterator(value: Value): PyIterator | undefined {
  if (Array.isArray(value)) return new PyIterator('list_reverseiterator', backwards(value, value.length - 1));
  if (value instanceof Dict)
    return new PyIterator(
      'dict_reversekeyiterator',
      pairsOf(value).map(([key]) => key),
    );
  if (value instanceof DictKeys)
    return new PyIterator(
      'dict_reversekeyiterator',
      pairsOf(value.dict).map(([key]) => key),
    );
  if (value instanceof DictValues)
    return new PyIterator(
      'dict_reversevalueiterator',
      pairsOf(value.dict).map(([, item]) => item),
    );
  if (value instanceof DictItems)
    return new PyIterator(
      'dict_reverseitemiterator',
      pairsOf(value.dict).map((pair) => new Tuple(pair)),
    );
  if (value instanceof Range) return new PyIterator('range_iterator', rangeBackwards(value));
  const sequence = sequenceOf(value);
  return sequence === undefined
    ? undefined
    : new PyIterator('reversed', backwards(sequence, sequence.length - 1));
}

function sequenceOf(value: Value): ArrayLike<Value> | undefined {
  if (value instanceof Tuple) return value.items;
  if (value instanceof Bytes) return value.bytes;
  if (typeof value === 'string') return [...value];
  if (value instanceof Markup) return Array.from(value.text, (letter) => new Markup(letter));
  // Asking its length raises where using the undefined value should.
  return isUndefined(value) ? { length: value.length() } : undefined;
}

/** Live: a list that has lost the item that comes next has no further ones. */
function* backwards(items: ArrayLike<Value>, last: number): Generator<Value, void> {
  for (let i = last; i >= 0 && i < items.length; i--) yield items[i] as Value;
}

function* rangeBackwards(range: Range): Generator<Value, void> {
  for (let i = range.count - 1; i >= 0; i--) yield range.at(i);
}

function pairsOf(dict: Dict): [Value, Value][] {
  return dict.reversed();
}
