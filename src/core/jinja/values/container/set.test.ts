import { describe, expect, it } from 'vitest';
import {
  call,
  compare,
  dict,
  operate,
  outcome,
  tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import { repr } from '../print.ts';
import { PySet } from './set.ts';

describe('a set', () => {
  const letters = new PySet(['a', 'b', 'a']);

  it('holds each item once, in the order it came', () => {
    expect([repr(letters), repr(new PySet([])), letters.length()]).toEqual(["{'a', 'b'}", 'set()', 2]);
    expect([compare('a', 'in', letters), compare('c', 'in', letters)]).toEqual([true, false]);
    expect(outcome(() => new PySet([[]]))).toBe("TypeError: unhashable type: 'list'");
  });

  it('is compared by what it holds, also with the keys of a dict', () => {
    const keys = call(dict(['b', 1], ['a', 2]), 'keys');
    expect([
      compare(letters, '==', new PySet(['b', 'a'])),
      compare(letters, '==', keys),
      compare(keys, '==', letters),
      compare(new PySet(['a']), '<', keys),
      compare(letters, '<', keys),
      compare(letters, '>=', keys),
      compare(letters, '==', tuple('a', 'b')),
    ]).toEqual([true, true, true, true, false, true, false]);
  });

  it('is subtracted', () => {
    expect(repr(operate(letters, '-', new PySet(['a'])))).toBe("{'b'}");
    expect(outcome(() => operate(letters, '-', ['a']))).toBe(
      "TypeError: unsupported operand type(s) for -: 'set' and 'list'",
    );
    expect(repr(operate(call(dict(['a', 1], ['b', 2]), 'keys'), '-', ['b']))).toBe("{'a'}");
  });
});
