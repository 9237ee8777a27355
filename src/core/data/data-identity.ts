/**
 * `dataIdentity` gives a text that is the same for two values exactly when Python finds them equal: `1`, `1.0` and `true`
 * are one, and the order of keys does not count. Only NaN is taken to equal itself. Pure.
 */
import { WireTime } from '../../wire/msgpack/time.ts';
import { YamlFloat } from '../yaml/yaml-data.ts';
import { type DataValue, dataEntries, isDataMap } from './data-value.ts';

export function dataIdentity(value: DataValue): string {
  if (value === null) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return String(Number(value));
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(BigInt(value)) : String(value);
  if (value instanceof YamlFloat) return dataIdentity(value.value);
  if (value instanceof Uint8Array) return `bytes ${value.join(' ')}`;
  if (value instanceof WireTime) return `time ${value.toJSON()}`;
  if (Array.isArray(value)) return `[${(value as readonly DataValue[]).map(dataIdentity).join(',')}]`;
  if (!isDataMap(value)) return 'nothing';
  const entries = dataEntries(value).map(([key, each]) => `${dataIdentity(key)}:${dataIdentity(each)}`);
  return `{${entries.sort().join(',')}}`;
}
