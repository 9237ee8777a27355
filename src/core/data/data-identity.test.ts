import { describe, expect, it } from 'vitest';
import { YamlFloat } from '../yaml/yaml-data.ts';
import { dataIdentity } from './data-identity.ts';
import type { DataValue } from './data-value.ts';

describe('dataIdentity', () => {
  it.each<readonly [DataValue, DataValue]>([
    [1, true],
    [1, new YamlFloat(1)],
    [0, false],
    [2 ** 60, 2n ** 60n],
    [
      { a: 1, b: [true] },
      new Map<DataValue, DataValue>([
        ['b', [1]],
        ['a', 1n],
      ]),
    ],
  ])('takes %o and %o for one', (a, b) => {
    expect(dataIdentity(a)).toBe(dataIdentity(b));
  });

  it('tells everything else apart', () => {
    const values: readonly DataValue[] = [
      ...[
        null,
        'null',
        'nothing',
        '',
        '1',
        1,
        1.5,
        '1.5',
        [],
        {},
        [1],
        ['1'],
        [[1]],
        { 1: 1 },
        new Map([[1, 1]]),
      ],
      ...[Uint8Array.of(1), 'bytes 1', [1, 2], ['1,2'], { a: 1, b: 2 }, { 'a:1,"b': 2 }],
    ];
    expect(new Set(values.map(dataIdentity)).size).toBe(values.length);
  });
});
