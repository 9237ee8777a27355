import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSettles } from '../../../../test/harness/states/edit-laws.ts';
import { editKeyValues, type KeyValueRule } from './edit-keyvalue.ts';

const RULE: KeyValueRule = {
  pairs: [['a', '1']],
  separator: '=',
  uncomment: undefined,
  addMissing: true,
  keyIgnoreCase: false,
  valueIgnoreCase: false,
  countMax: undefined,
};
const SPACE = { separator: ' ' };

describe('editKeyValues', () => {
  it.each<[string, Partial<KeyValueRule>, string, string]>([
    ['corrects a value', {}, 'b=1\na=2\n', 'b=1\na=1\n'],
    ['leaves a right value with its spacing', {}, '  a =  1 \n', '  a =  1 \n'],
    ['keeps the indentation of what it corrects', { separator: ' = ' }, '\ta=2', '\ta = 1'],
    [
      'adds what is missing, in order',
      {
        pairs: [
          ['b', '2'],
          ['a', '1'],
        ],
      },
      'x',
      'x\nb=2\na=1\n',
    ],
    ['adds nothing when told', { addMissing: false }, 'x\n', 'x\n'],
    ['takes no longer key', {}, 'ab=2\naa=1\n', 'ab=2\naa=1\na=1\n'],
    ['takes no comment', {}, '#a=1\n', '#a=1\na=1\n'],
    ['takes a comment back', { uncomment: '#' }, 'x\n  # a = 7\n#a=8\n', 'x\n  a=1\n#a=8\n'],
    ['takes no comment back that stands beside a line', { uncomment: '#' }, '#a=7\na=1\n', '#a=7\na=1\n'],
    ['corrects every line of a key', {}, 'a=1\na=2\n', 'a=1\na=1\n'],
    ['keeps as many as told', { countMax: 1 }, 'a=2\nb=1\na=3\n', 'a=1\nb=1\n'],
    ['keeps none when told', { countMax: 0 }, 'a=2\nb=1\n', 'b=1\n'],
    ['separates by white space', SPACE, 'a\t2\nab 1\n', 'a 1\nab 1\n'],
    ['takes a key without a value', SPACE, 'a\n', 'a 1\n'],
    ['ignores the case of keys', { ...SPACE, keyIgnoreCase: true }, 'A 2\n', 'a 1\n'],
    ['ignores the case of values', { pairs: [['a', 'yes']], valueIgnoreCase: true }, 'a=YES\n', 'a=YES\n'],
    ['takes a value with a separator in it', { pairs: [['a', 'b=c']] }, 'a=b=d\n', 'a=b=c\n'],
    ['writes an empty value', { pairs: [['a', '']] }, 'a=1\n', 'a=\n'],
  ])('%s', (_, rule, before, after) => {
    expect(editKeyValues(before, { ...RULE, ...rule })).toBe(after);
  });

  it('settles', () => {
    const rule = fc.record<KeyValueRule>({
      pairs: fc.uniqueArray(
        fc.tuple(fc.constantFrom('a', 'b', 'ab', 'new', 'x'), fc.constantFrom('1', '2', '', 'y')),
        { minLength: 1, maxLength: 3, selector: ([key]) => key },
      ),
      separator: fc.constantFrom('=', ' = ', ' ', ':'),
      uncomment: fc.constantFrom(undefined, '#', '# '),
      addMissing: fc.boolean(),
      keyIgnoreCase: fc.boolean(),
      valueIgnoreCase: fc.boolean(),
      countMax: fc.constantFrom(undefined, 0, 1, 2),
    });
    expectSettles(rule, (each) => (text) => editKeyValues(text, each));
  });
});
