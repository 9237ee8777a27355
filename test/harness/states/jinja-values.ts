/** This file makes Python's values and operators for tests of `src/core/jinja/values`, short enough for tables. */
import fc from 'fast-check';
import { attributeOf } from '../../../src/core/jinja/values/attribute.ts';
import { contains, equals, order } from '../../../src/core/jinja/values/compare.ts';
import { Dict } from '../../../src/core/jinja/values/container/dict.ts';
import { getItem, subscript } from '../../../src/core/jinja/values/container/item.ts';
import { Slice } from '../../../src/core/jinja/values/container/slice.ts';
import { Tuple } from '../../../src/core/jinja/values/container/tuple.ts';
import { binary } from '../../../src/core/jinja/values/number/arithmetic.ts';
import { Float } from '../../../src/core/jinja/values/number/float.ts';
import { repr } from '../../../src/core/jinja/values/print.ts';
import { Bytes } from '../../../src/core/jinja/values/text/bytes.ts';
import { Markup } from '../../../src/core/jinja/values/text/markup.ts';
import { typeName } from '../../../src/core/jinja/values/type-name.ts';
import {
  type Operator,
  type OrderOperator,
  PyObject,
  PythonError,
  type RenderContext,
  type RenderLimits,
  type Value,
} from '../../../src/core/jinja/values/value.ts';

export const LIMITS: RenderLimits = { steps: 1_000_000, output: 100_000, recursion: 100, range: 10_000 };

/** As much of a render as methods ask for. What is not there is an error at once, where a template has Undefined. */
export const RENDER = {
  limits: LIMITS,
  charge: () => undefined,
  getAttribute: (value: Value, name: string) => {
    const found = attributeOf(value, name) ?? getItem(value, name);
    if (found !== undefined) return found;
    throw new PythonError('UndefinedError', `'${typeName(value)} object' has no attribute '${name}'`);
  },
  getItem: (value: Value, key: Value) => {
    const found = getItem(value, key);
    if (found !== undefined) return found;
    if (typeof key === 'string') return RENDER.getAttribute(value, key);
    throw new PythonError('UndefinedError', `${typeName(value)} object has no element ${repr(key)}`);
  },
  call: (callee: Value, args) => {
    if (!(callee instanceof PyObject) || callee.call === undefined)
      throw new PythonError('TypeError', `'${typeName(callee)}' object is not callable`);
    return callee.call(args, RENDER);
  },
} as Pick<RenderContext, 'limits' | 'charge' | 'call' | 'getAttribute' | 'getItem'> as RenderContext;

export const float = (value: number) => new Float(value);
export const tuple = (...items: Value[]) => new Tuple(items);
export const dict = (...pairs: [Value, Value][]) => Dict.of(pairs);
export const markup = (text: string) => new Markup(text);
export const bytes = (...values: number[]) => new Bytes(Uint8Array.from(values));

export function attribute(value: Value, name: string): Value {
  const found = attributeOf(value, name);
  if (found === undefined)
    throw new PythonError('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
  return found;
}

/** `value.name(…)`; names come last, as pairs. */
export function call(value: Value, name: string, args: Value[] = [], named: [string, Value][] = []): Value {
  return RENDER.call(attribute(value, name), { positional: args, named: new Map(named) });
}

/** As `call`, and the value afterwards, for methods that change it. */
export function changing(
  value: Value,
  name: string,
  args: Value[] = [],
  named: [string, Value][] = [],
): Value[] {
  return [call(value, name, args, named), value];
}

export const operate = (left: Value, operator: Operator, right: Value) =>
  binary(operator, left, right, LIMITS);

export function compare(left: Value, operator: OrderOperator | '==' | '!=' | 'in', right: Value): boolean {
  if (operator === '==') return equals(left, right);
  if (operator === '!=') return !equals(left, right);
  return operator === 'in' ? contains(right, left) : order(operator, left, right);
}

export const item = (value: Value, key: Value) => subscript(value, key);
export const slice = (start: Value, stop: Value, step: Value) => new Slice(start, stop, step);

/** What Python's prompt shows: the value as it prints, or the error. */
export function outcome(run: () => Value): string {
  try {
    return repr(run());
  } catch (error) {
    if (error instanceof PythonError) return `${error.type}: ${error.message}`;
    throw error;
  }
}

/** Texts of all of Unicode but for lone surrogates; fast-check's own such unit takes seconds to set up. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0, max: 0xd7ff }),
      fc.integer({ min: 0xe000, max: 0x10ffff }),
    ),
  )
  .map((points) => String.fromCodePoint(...points));
