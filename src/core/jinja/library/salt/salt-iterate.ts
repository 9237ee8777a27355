/** These are Python's `zip` and what Salt takes from `itertools`, as filters: lazy, each combination a tuple. */

import { checkItemCount } from '../../values/bounds.ts';
import { iterate } from '../../values/container/iterate.ts';
import { PyIterator } from '../../values/container/iterator.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { sizeOf } from '../../values/native.ts';
import { truthy } from '../../values/truthy.ts';
import { type Arguments, PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { takeAll } from '../filters/text-values.ts';
import { type LibraryFunction, withoutNamed } from '../library-function.ts';
import { strictOnly } from './undefined-inside.ts';

type Combine = (input: Value, args: Arguments, render: RenderContext) => Iterable<Value>;

export const SALT_ITERATE_FILTERS: readonly LibraryFunction[] = [
  lazy('combinations', (input, args, render) => {
    const count = countOf('combinations', args);
    const items = takeAll(input, render);
    // As many must be left behind each one as are still to come.
    const later = (taken: readonly number[]) =>
      range((taken.at(-1) ?? -1) + 1, items.length - count + taken.length + 1);
    return picks(items, count, later, render);
  }),
  lazy('combinations_with_replacement', (input, args, render) => {
    const count = countOf('combinations_with_replacement', args);
    const items = takeAll(input, render);
    return picks(items, count, (taken) => range(taken.at(-1) ?? 0, items.length), render);
  }),
  lazy('compress', (input, args, render) => {
    atMostTwo('compress', args);
    const [selectors] = args.positional;
    if (selectors === undefined)
      throw new PythonError('TypeError', "compress() missing required argument 'selectors' (pos 2)");
    return compress(iterate(input), iterate(selectors), render);
  }),
  lazy('permutations', (input, args, render) => {
    const items = takeAll(input, render);
    atMostTwo('permutations', args);
    const [given = null] = args.positional;
    const count = given === null ? items.length : countArgument(given);
    const free = (taken: readonly number[]) => {
      if (count > items.length) return [];
      render.charge(items.length);
      const isTaken = new Set(taken);
      return range(0, items.length).filter((index) => !isTaken.has(index));
    };
    return picks(items, count, free, render);
  }),
  lazy('product', (input, args, render) => {
    const pools = [input, ...args.positional].map((each) => takeAll(each, render));
    const repeat = args.named.get('repeat');
    const times = repeat === undefined ? 1 : sizeOf(repeat);
    if (times < 0) throw new PythonError('ValueError', 'repeat argument cannot be negative');
    checkItemCount(times * pools.length, render.limits);
    return product(
      range(0, times).flatMap(() => pools),
      render,
    );
  }),
  lazy('zip', (input, args, render) => {
    withoutNamedBut('zip', 'strict', args);
    const strict = truthy(args.named.get('strict') ?? false);
    return zip([input, ...args.positional].map(iterate), strict, render);
  }),
  lazy('zip_longest', (input, args, render) => {
    withoutNamedBut('zip_longest', 'fillvalue', args);
    return zipLongest([input, ...args.positional].map(iterate), args.named.get('fillvalue') ?? null, render);
  }),
];

function lazy(name: string, combine: Combine): LibraryFunction {
  return strictOnly({
    name,
    origin: 'salt',
    call: (input, args, render) => new PyIterator(name, combine(input, args, render)),
  });
}

function countOf(name: string, args: Arguments): number {
  atMostTwo(name, args);
  const given = args.positional[0] ?? args.named.get('r');
  if (given === undefined)
    throw new PythonError('TypeError', `${name}() missing required argument 'r' (pos 2)`);
  return countArgument(given);
}

function atMostTwo(name: string, args: Arguments): void {
  const given = 1 + args.positional.length + args.named.size;
  if (given > 2) throw new PythonError('TypeError', `${name}() takes at most 2 arguments (${given} given)`);
}

function countArgument(value: Value): number {
  const count = sizeOf(value);
  if (count < 0) throw new PythonError('ValueError', 'r must be non-negative');
  return count;
}

function withoutNamedBut(name: string, known: string, args: Arguments): void {
  const others = [...args.named.keys()].filter((each) => each !== known);
  if (others.length > 0) withoutNamed(name, args);
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

/** All tuples of `count` items, where `next` says which indexes may follow those taken. */
function* picks(
  items: readonly Value[],
  count: number,
  next: (taken: readonly number[]) => readonly number[],
  render: RenderContext,
  taken: readonly number[] = [],
): Generator<Value, void> {
  render.charge(1 + items.length + taken.length);
  if (taken.length === count) yield new Tuple(taken.map((index) => items[index] as Value));
  else for (const index of next(taken)) yield* picks(items, count, next, render, [...taken, index]);
}

function* product(
  pools: readonly (readonly Value[])[],
  render: RenderContext,
  taken: readonly Value[] = [],
): Generator<Value, void> {
  render.charge(1 + taken.length);
  const pool = pools[taken.length];
  if (pool === undefined) yield new Tuple(taken);
  else for (const item of pool) yield* product(pools, render, [...taken, item]);
}

function* compress(
  items: Iterator<Value>,
  selectors: Iterator<Value>,
  render: RenderContext,
): Generator<Value, void> {
  for (;;) {
    render.charge(1);
    const item = items.next();
    if (item.done === true) return;
    const selector = selectors.next();
    if (selector.done === true) return;
    if (truthy(selector.value)) yield item.value;
  }
}

function* zip(
  iterators: readonly Iterator<Value>[],
  strict: boolean,
  render: RenderContext,
): Generator<Value, void> {
  for (;;) {
    render.charge(iterators.length);
    const taken: Value[] = [];
    for (const iterator of iterators) {
      const { done, value } = iterator.next();
      if (done !== true) {
        if (strict && taken.length === 0 && iterators[0] !== iterator)
          throw unequal(iterators.indexOf(iterator), 'longer');
        taken.push(value);
      } else if (!strict) return;
      else if (taken.length > 0) throw unequal(taken.length, 'shorter');
    }
    if (taken.length === 0) return;
    yield new Tuple(taken);
  }
}

function unequal(index: number, how: 'longer' | 'shorter'): PythonError {
  const others = index === 1 ? 'argument 1' : `arguments 1-${index}`;
  return new PythonError('ValueError', `zip() argument ${index + 1} is ${how} than ${others}`);
}

function* zipLongest(
  iterators: readonly Iterator<Value>[],
  fill: Value,
  render: RenderContext,
): Generator<Value, void> {
  for (;;) {
    render.charge(iterators.length);
    const steps = iterators.map((iterator) => iterator.next());
    if (steps.every(({ done }) => done === true)) return;
    yield new Tuple(steps.map(({ done, value }) => (done === true ? fill : value)));
  }
}
