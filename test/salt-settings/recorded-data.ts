/** These functions read and write the typed JSON of test/fixtures/salt-settings (scripts/record-salt/encode.py says what it means). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DataMap,
  type DataValue,
  dataEntries,
  dataMapOf,
  isDataMap,
} from '../../src/core/data/data-value.ts';
import { YamlFloat } from '../../src/core/yaml/yaml-data.ts';

export function recordedCases<Case>(name: string): readonly Case[] {
  const folder = process.env.ZESTER_SALT_CASES ?? join(import.meta.dirname, '../fixtures/salt-settings');
  return readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);
}

export function dataOfRecorded(encoded: unknown): DataValue {
  if (encoded === null || typeof encoded !== 'object') return encoded as null | boolean | number | string;
  if (Array.isArray(encoded)) return encoded.map(dataOfRecorded);
  const entries = Object.entries(encoded);
  const [[mark, content] = ['', undefined]] = entries;
  switch (mark) {
    case '$f': {
      const value = Number(content);
      return Number.isSafeInteger(value) ? new YamlFloat(value) : value;
    }
    case '$i':
      return BigInt(String(content));
    case '$b':
      return Uint8Array.from(Buffer.from(String(content), 'hex'));
    case '$d':
      return dataMapOf(
        (content as [unknown, unknown][]).map(([key, value]) => [dataOfRecorded(key), dataOfRecorded(value)]),
      );
    default:
      return dataMapOf(entries.map(([key, value]) => [key, dataOfRecorded(value)]));
  }
}

export function mapOfRecorded(encoded: unknown): DataMap {
  const data = dataOfRecorded(encoded);
  if (!isDataMap(data)) throw new Error(`${JSON.stringify(encoded)} is no mapping`);
  return data;
}

/** Types, keys and their order: two values with the same text are the same in all of them. */
export function recordedText(value: DataValue): string {
  return JSON.stringify(encoded(value));
}

function encoded(value: DataValue): unknown {
  if (value instanceof YamlFloat) return { $f: `${value.value}.0` };
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return { $f: String(value) };
  if (typeof value === 'bigint') return { $i: String(value) };
  if (value instanceof Uint8Array) return { $b: Buffer.from(value).toString('hex') };
  if (Array.isArray(value)) return value.map(encoded);
  if (isDataMap(value)) return { $d: dataEntries(value).map(([key, each]) => [encoded(key), encoded(each)]) };
  return value;
}
