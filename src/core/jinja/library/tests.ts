/** These are Jinja2's tests, and two of Salt's: what stands after `is`. */
import { isUndefined } from '../render/undefined.ts';
import { contains, equals, order } from '../values/compare.ts';
import { Dict } from '../values/container/dict.ts';
import { iteratorOf, knownLength } from '../values/container/iterate.ts';
import { Range } from '../values/container/range.ts';
import { Tuple } from '../values/container/tuple.ts';
import { hashKey } from '../values/hash.ts';
import { binary } from '../values/number/arithmetic.ts';
import { Float } from '../values/number/float.ts';
import { str } from '../values/print.ts';
import { Bytes } from '../values/text/bytes.ts';
import { textOf } from '../values/text/markup.ts';
import { truthy } from '../values/truthy.ts';
import {
  type OrderOperator,
  PyObject,
  PythonError,
  type RenderContext,
  type Value,
} from '../values/value.ts';
import { callMethod } from './filters/text-values.ts';
import { alias, jinjaTest, type LibraryTest, oneArgument, saltTest, signature } from './library-function.ts';

export const JINJA_TESTS: readonly LibraryTest[] = [
  simple('boolean', (value) => typeof value === 'boolean'),
  {
    name: 'callable',
    origin: 'jinja',
    call(input, args) {
      oneArgument('callable', args);
      return input instanceof PyObject && input.call !== undefined;
    },
  },
  simple('defined', (value) => !isUndefined(value)),
  jinjaTest('divisibleby', signature('test_divisibleby', ['value', 'num']), ([value, num], render) =>
    isRemainder(value, num, 0, render),
  ),
  ...comparison('eq', ['=='], equals),
  simple('escaped', (value) => value instanceof PyObject && value.html !== undefined),
  simple('even', (value, render) => isRemainder(value, 2, 0, render)),
  simple('false', (value) => value === false),
  jinjaTest('filter', signature('test_filter', ['value'], 'env'), ([value], render) =>
    isName(value, (name) => render.hasFilter(name)),
  ),
  simple('float', (value) => value instanceof Float),
  ...ordering('ge', '>=', []),
  ...ordering('gt', '>', ['greaterthan']),
  jinjaTest('in', signature('test_in', ['value', 'seq']), ([value, seq]) => contains(seq, value)),
  simple('integer', (value) => typeof value === 'number' || typeof value === 'bigint'),
  simple('iterable', (value) => iteratorOf(value) !== undefined),
  ...ordering('le', '<=', []),
  simple('lower', (value, render) => truthy(callMethod(str(value), 'islower', [], render))),
  ...ordering('lt', '<', ['lessthan']),
  simple('mapping', (value) => value instanceof Dict),
  ...comparison('ne', ['!='], (a, b) => !equals(a, b)),
  simple('none', (value) => value === null),
  simple('number', isNumber),
  simple('odd', (value, render) => isRemainder(value, 2, 1, render)),
  jinjaTest('sameas', signature('test_sameas', ['value', 'other']), ([value, other]) => value === other),
  simple('sequence', isSequence),
  simple('string', (value) => textOf(value) !== undefined),
  jinjaTest('test', signature('test_test', ['value'], 'env'), ([value], render) =>
    isName(value, (name) => render.hasTest(name)),
  ),
  simple('true', (value) => value === true),
  simple('undefined', isUndefined),
  simple('upper', (value, render) => truthy(callMethod(str(value), 'isupper', [], render))),
];

export const SALT_TESTS: readonly LibraryTest[] = [
  saltTest('equalto', signature('test_equalto', ['value', 'other']), ([value, other]) =>
    equals(value, other),
  ),
  saltTest('list', signature('is_list', ['value']), ([value]) => Array.isArray(value)),
];

function simple(name: string, holds: (value: Value, render: RenderContext) => boolean): LibraryTest {
  return jinjaTest(name, signature(`test_${name}`, ['value']), ([value], render) => holds(value, render));
}

/** Python has these in C, as functions of the module `operator`. */
function comparison(
  name: string,
  aliases: readonly string[],
  holds: (a: Value, b: Value) => boolean,
): LibraryTest[] {
  const test: LibraryTest = {
    name,
    origin: 'jinja',
    call(input, args) {
      if (args.named.size > 0)
        throw new PythonError('TypeError', `_operator.${name}() takes no keyword arguments`);
      if (args.positional.length !== 1)
        throw new PythonError('TypeError', `${name} expected 2 arguments, got ${args.positional.length + 1}`);
      return holds(input, args.positional[0] as Value);
    },
  };
  return [test, ...aliases.map((other) => alias(other, test))];
}

function ordering(name: string, operator: OrderOperator, aliases: readonly string[]): LibraryTest[] {
  return comparison(name, [operator, ...aliases], (a, b) => order(operator, a, b));
}

function isRemainder(value: Value, divisor: Value, remainder: number, render: RenderContext): boolean {
  if (typeof value === 'number' && typeof divisor === 'number' && divisor > 0) {
    const rest = value % divisor;
    return (rest < 0 ? rest + divisor : rest) === remainder;
  }
  return equals(binary('%', value, divisor, render.limits), remainder);
}

function isNumber(value: Value): boolean {
  return ['number', 'bigint', 'boolean'].includes(typeof value) || value instanceof Float;
}

function isName(value: Value, known: (name: string) => boolean): boolean {
  const name = textOf(value);
  if (name !== undefined) return known(name);
  // Python looks the value up in a dict of names, so it must have a hash.
  hashKey(value);
  return false;
}

/** Something with a length and items. An undefined value of the default type counts, as in Jinja2. */
function isSequence(value: Value): boolean {
  if (Array.isArray(value) || textOf(value) !== undefined) return true;
  if (value instanceof Tuple || value instanceof Dict || value instanceof Range || value instanceof Bytes)
    return true;
  if (!(value instanceof PyObject) || value.item === undefined) return false;
  try {
    return knownLength(value) !== undefined;
  } catch (error) {
    // Whatever goes wrong, Jinja2 says that it is none.
    if (error instanceof PythonError) return false;
    throw error;
  }
}
