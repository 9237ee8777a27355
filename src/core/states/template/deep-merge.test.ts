import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireMap } from '../../../wire/msgpack/wire-value.ts';
import { dataAt } from '../../data/data-value.ts';
import { lookUpPath } from './data-path.ts';
import { deepMerge } from './deep-merge.ts';

const key = fc.constantFrom('a', 'b', 'c');
const { settings } = fc.letrec<{ settings: WireMap; value: WireMap | string }>((tie) => ({
  settings: fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<WireMap>,
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom('x', 'y'), tie('settings')),
}));

describe('deepMerge', () => {
  it('merges maps at every depth and replaces all else', () => {
    expect(deepMerge({ a: { x: 1, y: [1] }, b: 1 }, { a: { y: [2] }, b: { z: 1 } })).toEqual({
      a: { x: 1, y: [2] },
      b: { z: 1 },
    });
  });

  it('changes neither of the two', () => {
    const under = { a: { x: 1 } };
    deepMerge(under, { a: { x: 2 } });
    expect(under).toEqual({ a: { x: 1 } });
  });

  it('holds all of the upper one, and is the same a second time', () => {
    fc.assert(
      fc.property(settings, settings, (under, over) => {
        const merged = deepMerge(under, over);
        expect(deepMerge(merged, over)).toEqual(merged);
        expect(deepMerge(over, merged)).toEqual(merged);
        expect(deepMerge(merged, {})).toEqual(merged);
        for (const [name, value] of Object.entries(over))
          if (typeof value === 'string') expect(dataAt(merged, name)).toBe(value);
      }),
    );
  });
});

describe('lookUpPath', () => {
  const data: WireMap = { a: { b: [{ c: 1 }], 'x.y': 2 }, 'k:v': 3, n: null };
  it.each([
    ['a:b:0:c', 1],
    ['a.b.0.c', 1],
    ['a:x.y', 2],
    ['k:v', 3],
    ['n', null],
    ['n:x', undefined],
    ['a:b:1', undefined],
    ['a:constructor', undefined],
    ['', undefined],
  ])('%s', (path, value) => {
    expect(lookUpPath(data, path)).toEqual(value);
  });
});
