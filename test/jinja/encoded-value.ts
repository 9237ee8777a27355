/**
 * `decodeRecordedValue` reads the typed JSON of test/fixtures/jinja (scripts/record-salt/encode.py says what it means)
 * as template values.
 */

import { Dict } from '../../src/core/jinja/values/container/dict.ts';
import { each } from '../../src/core/jinja/values/container/iterate.ts';
import { PyIterator } from '../../src/core/jinja/values/container/iterator.ts';
import { PySet } from '../../src/core/jinja/values/container/set.ts';
import { Tuple } from '../../src/core/jinja/values/container/tuple.ts';
import { Float } from '../../src/core/jinja/values/number/float.ts';
import { repr } from '../../src/core/jinja/values/print.ts';
import { Bytes } from '../../src/core/jinja/values/text/bytes.ts';
import { Markup } from '../../src/core/jinja/values/text/markup.ts';
import type { Value } from '../../src/core/jinja/values/value.ts';

/** `functionNamed` gives the host function of a name. */
export function decodeRecordedValue(encoded: unknown, functionNamed: (name: string) => Value): Value {
  const decode = (item: unknown): Value => decodeRecordedValue(item, functionNamed);
  if (encoded === null || typeof encoded !== 'object') return encoded as null | boolean | number | string;
  if (Array.isArray(encoded)) return encoded.map(decode);
  const entries = Object.entries(encoded);
  const [[mark, content] = ['', undefined]] = entries;
  switch (mark) {
    case '$f':
      return new Float(pythonFloat(String(content)));
    case '$i':
      return BigInt(String(content));
    case '$t':
      return new Tuple((content as unknown[]).map(decode));
    case '$b':
      return new Bytes(Uint8Array.from(Buffer.from(String(content), 'hex')));
    case '$m':
      return new Markup(String(content));
    case '$fn':
      return functionNamed(String(content));
    case '$d':
      return Dict.of((content as [unknown, unknown][]).map(([key, value]) => [decode(key), decode(value)]));
    default:
      return Dict.of(entries.map(([key, value]) => [key, decode(value)]));
  }
}

function pythonFloat(text: string): number {
  if (text.endsWith('inf')) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

/** The same form of a value that we made. */
export function encodeRecordedValue(value: Value): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (typeof value === 'bigint') return { $i: `${value}` };
  if (Array.isArray(value)) return value.map(encodeRecordedValue);
  if (value instanceof Float) return { $f: repr(value) };
  if (value instanceof Tuple) return { $t: value.items.map(encodeRecordedValue) };
  if (value instanceof PySet) {
    const items = Array.from(each(value), encodeRecordedValue);
    return { $s: items.sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b))) };
  }
  if (value instanceof Bytes) return { $b: Buffer.from(value.bytes).toString('hex') };
  if (value instanceof Markup) return { $m: value.text };
  if (value instanceof PyIterator) return Array.from(each(value), encodeRecordedValue);
  if (!(value instanceof Dict)) return { $: repr(value) };
  const pairs = Array.from(value.entries(), ([key, item]) => [key, encodeRecordedValue(item)] as const);
  const isPlain = pairs.every(
    ([key]) => typeof key === 'string' && !key.startsWith('$') && !/^\p{Nd}+$/u.test(key),
  );
  return isPlain
    ? Object.fromEntries(pairs)
    : { $d: pairs.map(([key, item]) => [encodeRecordedValue(key), item]) };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
