/**
 * `attributeOf` looks up `x.name` for every value: methods and attributes of Python's types, and what an object says of
 * itself. Names are looked up in tables, never on a JavaScript object, so that nothing of JavaScript is an attribute.
 */

import { Dict } from './container/dict.ts';
import { DICT_METHODS, MAPPING_PROXY_METHODS, SET_METHODS } from './container/dict-methods.ts';
import { MappingProxy } from './container/dict-views.ts';
import { LIST_METHODS, TUPLE_METHODS } from './container/list-methods.ts';
import { Range } from './container/range.ts';
import { RANGE_ATTRIBUTES, RANGE_METHODS, rangeAttribute } from './container/range-methods.ts';
import { SetLike } from './container/set.ts';
import { Tuple } from './container/tuple.ts';
import { BoundMethod, type Method } from './func.ts';
import type { MethodTable } from './native.ts';
import { Float } from './number/float.ts';
import {
  FLOAT_ATTRIBUTES,
  FLOAT_METHODS,
  floatAttribute,
  INT_ATTRIBUTES,
  INT_METHODS,
  intAttribute,
} from './number/number-methods.ts';
import { Bytes } from './text/bytes.ts';
import { BYTES_METHODS } from './text/bytes-methods.ts';
import { FormatFunction, MARKUP_FORMAT_METHODS, STR_FORMAT_METHODS } from './text/format-methods.ts';
import { Markup } from './text/markup.ts';
import { MARKUP_METHODS } from './text/markup-methods.ts';
import { STR_METHODS } from './text/str-methods.ts';
import { PyObject, type Value } from './value.ts';

const ALL_STR_METHODS: MethodTable = new Map([...STR_METHODS, ...STR_FORMAT_METHODS]);
const ALL_MARKUP_METHODS: MethodTable = new Map([...MARKUP_METHODS, ...MARKUP_FORMAT_METHODS]);
const NO_METHODS: MethodTable = new Map();

/** The attribute, or undefined where there is none. Methods come bound to their value. */
export function attributeOf(value: Value, name: string): Value | undefined {
  const method = methodOf(value, name);
  if (method === undefined) return dataAttribute(value, name);
  const isFormat = name === 'format' || name === 'format_map';
  return isFormat ? new FormatFunction(value, name, method) : new BoundMethod(value, name, method);
}

/** The method of a built-in type, for a caller that calls it at once and needs no bound one. */
export function methodOf(value: Value, name: string): Method | undefined {
  return methodsOf(value).get(name);
}

/** Names for "did you mean". */
export function attributeNames(value: Value): readonly string[] {
  const methods = [...methodsOf(value).keys()];
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return [...methods, ...INT_ATTRIBUTES];
  if (value instanceof Float) return [...methods, ...FLOAT_ATTRIBUTES];
  if (value instanceof Range) return [...methods, ...RANGE_ATTRIBUTES];
  return value instanceof PyObject ? [...methods, ...value.attributeNames()] : methods;
}

function methodsOf(value: Value): MethodTable {
  switch (typeof value) {
    case 'string':
      return ALL_STR_METHODS;
    case 'number':
    case 'bigint':
    case 'boolean':
      return INT_METHODS;
    default:
      return value === null ? NO_METHODS : Array.isArray(value) ? LIST_METHODS : objectMethods(value);
  }
}

function objectMethods(value: PyObject): MethodTable {
  if (value instanceof Dict) return DICT_METHODS;
  if (value instanceof Tuple) return TUPLE_METHODS;
  if (value instanceof Markup) return ALL_MARKUP_METHODS;
  if (value instanceof Float) return FLOAT_METHODS;
  if (value instanceof SetLike) return SET_METHODS;
  if (value instanceof Range) return RANGE_METHODS;
  if (value instanceof MappingProxy) return MAPPING_PROXY_METHODS;
  return value instanceof Bytes ? BYTES_METHODS : NO_METHODS;
}

function dataAttribute(value: Value, name: string): Value | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return intAttribute(value, name);
  if (!(value instanceof PyObject)) return undefined;
  if (value instanceof Float) return floatAttribute(value, name);
  return value instanceof Range ? rangeAttribute(value, name) : value.attribute(name);
}
