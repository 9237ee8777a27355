/**
 * `hashKey` decides what Python's `hash` and `==` decide for dict keys: 1, 1.0 and True are one key, 'a' and
 * Markup('a') too. Keys of a JavaScript Map do that when every value is mapped to one primitive that its equals share.
 */
import { Walk } from './bounds.ts';
import { Float } from './number/float.ts';
import { Markup } from './text/markup.ts';
import { typeName } from './type-name.ts';
import { type PyObject, PythonError, type Value } from './value.ts';

/** A NaN is equal to nothing but found by identity, so it stands for itself. */
export type HashKey = string | number | bigint | null | PyObject;

/** Starts the keys of objects, so that no text is taken for one. */
const OBJECT = '\0';
const walk = new Walk('');
/** Longest key of a nested tuple. */
const KEY_CHARS_MAX = 1 << 22;

export function hashKey(value: Value): HashKey {
  switch (typeof value) {
    case 'string':
      return textKey(value);
    case 'number':
    case 'bigint':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    default:
      return value === null ? null : objectKey(value);
  }
}

function textKey(text: string): string {
  return text.charCodeAt(0) === 0 ? `${OBJECT}str${text}` : text;
}

function objectKey(value: Value[] | PyObject): HashKey {
  if (Array.isArray(value)) throw unhashable(value);
  if (value instanceof Float) return floatKey(value);
  if (value instanceof Markup) return textKey(value.text);
  const key = value.hashKey();
  if (key === undefined) throw unhashable(value);
  if (key.length > KEY_CHARS_MAX) throw tooLarge();
  return OBJECT + key;
}

function floatKey(float: Float): HashKey {
  if (Number.isNaN(float.value)) return float;
  if (Number.isInteger(float.value) && !Number.isSafeInteger(float.value)) return BigInt(float.value);
  return float.value;
}

/** One text for the keys of several values, for values that consist of others, such as tuples. */
export function hashKeyOfAll(values: Iterable<Value>): string {
  walk.enter();
  try {
    let text = '';
    for (const value of values) {
      const key = hashKey(value);
      const part = typeof key === 'object' && key !== null ? identityKey(key) : `${typeof key}:${key}`;
      text += `${part.length},${part};`;
      if (text.length > KEY_CHARS_MAX) throw tooLarge();
    }
    return text;
  } finally {
    walk.leave();
  }
}

const identities = new WeakMap<object, string>();
let identityCount = 0;

/** For objects that are equal only to themselves. Never shown: only uniqueness counts. */
export function identityKey(object: object): string {
  let key = identities.get(object);
  if (key === undefined) {
    key = `object:${++identityCount}`;
    identities.set(object, key);
  }
  return key;
}

function tooLarge(): PythonError {
  return new PythonError('MemoryError', 'a tuple is too large to be a key');
}

function unhashable(value: Value): PythonError {
  return new PythonError('TypeError', `unhashable type: '${typeName(value)}'`);
}
