/**
 * This file reads the typed JSON of test/fixtures/yaml (scripts/record-salt/encode.py says what it means) as YAML
 * data.
 */
import { type YamlData, YamlFloat } from '../../src/core/yaml/yaml-data.ts';

export function decodeData(encoded: unknown, shared = new Map<number, YamlData>()): YamlData {
  if (encoded === null || typeof encoded === 'boolean' || typeof encoded === 'number') return encoded;
  if (typeof encoded === 'string') return encoded;
  if (Array.isArray(encoded)) return encoded.map((item) => decodeData(item, shared));
  const [[mark, content] = ['', undefined]] = Object.entries(encoded as object);
  switch (mark) {
    case '$f':
      return new YamlFloat(readPythonFloat(String(content)));
    case '$i':
      return BigInt(String(content));
    case '$b':
      return Uint8Array.from(Buffer.from(String(content), 'hex'));
    case '$py':
      return `Python's ${content}`;
    case '$r':
      return shared.get(Number(content)) ?? null;
    case '$a': {
      const [number, inner] = content as [number, unknown];
      const data = decodeData(inner, shared);
      shared.set(number, data);
      return data;
    }
    case '$d':
      return new Map(
        (content as [unknown, unknown][]).map(([key, value]) => [
          decodeData(key, shared),
          decodeData(value, shared),
        ]),
      );
    default:
      throw new Error(`unknown encoding ${JSON.stringify(encoded)}`);
  }
}

/** The same form back, so that data with sharing and floats can be compared as text. */
export function encodeData(data: YamlData): unknown {
  const counts = new Map<YamlData, number>();
  const count = (item: YamlData): void => {
    if (!isCollection(item)) return;
    counts.set(item, (counts.get(item) ?? 0) + 1);
    if (counts.get(item) === 1)
      for (const child of item instanceof Map ? [...item].flat() : item) count(child);
  };
  count(data);
  const numbers = new Map<YamlData, number>();
  const convert = (item: YamlData): unknown => {
    if (!isCollection(item)) return encodeScalar(item);
    const known = numbers.get(item);
    if (known !== undefined) return { $r: known };
    const number = numbers.size + 1;
    const isShared = (counts.get(item) ?? 0) > 1;
    if (isShared) numbers.set(item, number);
    const inner =
      item instanceof Map ? { $d: [...item].map((pair) => pair.map(convert)) } : item.map(convert);
    return isShared ? { $a: [number, inner] } : inner;
  };
  return convert(data);
}

function isCollection(data: YamlData): data is readonly YamlData[] | Map<YamlData, YamlData> {
  return Array.isArray(data) || data instanceof Map;
}

function encodeScalar(data: YamlData): unknown {
  if (data instanceof YamlFloat) return { $f: printPythonFloat(data.value) };
  if (typeof data === 'bigint') return { $i: String(data) };
  if (data instanceof Uint8Array) return { $b: Buffer.from(data).toString('hex') };
  return data;
}

function readPythonFloat(text: string): number {
  if (text.endsWith('inf')) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

/** Only for comparing: any text that tells floats apart. */
export function printPythonFloat(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
