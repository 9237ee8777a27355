import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DataValue, dataMapOf } from '../../core/data/data-value.ts';
import { YamlFloat } from '../../core/yaml/yaml-data.ts';
import { decodeValue } from '../../wire/msgpack/msgpack-decode.ts';
import { encodeValue } from '../../wire/msgpack/msgpack-encode.ts';
import { dataOfStored, storedData } from './stored-data.ts';

const key = fc.oneof(
  fc.string(),
  fc.integer({ min: 0, max: 500 }),
  fc.boolean(),
  fc.constantFrom('\0pairs', '\0float', '443', '__proto__', 'constructor'),
);
const { value } = fc.letrec<{ value: DataValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string(),
    fc.integer().map((whole) => new YamlFloat(whole)),
    fc.uint8Array({ maxLength: 8 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key as fc.Arbitrary<DataValue>, tie('value')), { maxLength: 4 }).map(dataMapOf),
  ),
}));

/** Maps and objects with their order, floats and integers apart. */
function shown(data: DataValue | undefined): unknown {
  if (data instanceof YamlFloat) return ['float', data.value];
  if (data instanceof Map)
    return ['Map', [...data].map(([k, v]) => [shown(k as DataValue), shown(v as DataValue)])];
  if (Array.isArray(data)) return data.map(shown);
  if (data instanceof Uint8Array) return ['bytes', ...data];
  if (data !== null && typeof data === 'object')
    return ['object', Object.entries(data).map(([k, v]) => [k, shown(v as DataValue)])];
  return data;
}

it('comes back from disk as it was, with its order, its keys and its floats', () => {
  fc.assert(
    fc.property(value, (data) => {
      const back = dataOfStored(decodeValue(encodeValue(storedData(data))));
      expect(shown(back)).toEqual(shown(data));
    }),
    { numRuns: 300 },
  );
});

it('what is no stored data is none', () => {
  for (const broken of [
    { '\0float': 'x' },
    { '\0pairs': 1 },
    { '\0pairs': [[1]] },
    { a: { '\0pairs': [1] } },
  ])
    expect(dataOfStored(broken)).toBeUndefined();
});
