import { describe, expect, it } from 'vitest';
import { compare, dict } from '../../../../../test/harness/states/jinja-values.ts';
import { repr } from '../print.ts';
import { truthy } from '../truthy.ts';
import type { Value } from '../value.ts';
import { each, toArray } from './iterate.ts';
import { generator, PyIterator } from './iterator.ts';

describe('a generator', () => {
  it('is lazy, and gives each item once', () => {
    const made: number[] = [];
    function* squares(): Generator<Value> {
      for (let i = 0; i < 5; i++) {
        made.push(i);
        yield i * i;
      }
    }
    const squared = generator('squares', squares());
    expect(made).toEqual([]);
    for (const item of each(squared)) if (item === 4) break;
    expect(made).toEqual([0, 1, 2]);
    expect(toArray(squared)).toEqual([9, 16]);
    expect(toArray(squared)).toEqual([]);
  });

  it('prints by its name, is true, and equal only to itself', () => {
    const one = generator('do_map', [1]);
    expect(repr([one])).toBe('[<generator object do_map at 0x7f0000000000>]');
    expect(repr(new PyIterator('list_reverseiterator', []))).toBe(
      '<list_reverseiterator object at 0x7f0000000000>',
    );
    expect(truthy(generator('empty', []))).toBe(true);
    expect([compare(one, '==', one), compare(one, '==', generator('do_map', [1]))]).toEqual([true, false]);
    expect([dict([one, 1]).has(one), dict([one, 1]).has(generator('do_map', [1]))]).toEqual([true, false]);
  });
});
