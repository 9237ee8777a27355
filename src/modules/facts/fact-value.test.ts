import { expect, it } from 'vitest';
import { parseFactValue } from './fact-value.ts';

it.each([
  ['web', 'web'],
  ['  two words ', 'two words'],
  ['https://a.b/c', 'https://a.b/c'],
  ['3', 3],
  ['-1.5', -1.5],
  ['True', true],
  ['off', false],
  ['null', null],
  ['~', null],
  ['', null],
  ['"3"', '3'],
  ["'it is'", 'it is'],
  ['[1, "a"]', [1, 'a']],
  ['{"row": {"n": 1}}', { row: { n: 1 } }],
  // More digits than a number holds: text, not another number.
  ['12345678901234567890', '12345678901234567890'],
  ['-x', '-x'],
])('%j is %j', (text, value) => {
  expect(parseFactValue(text)).toEqual(value);
});

it.each([
  '{row: 3}',
  '[a, b]',
  '- a',
  '"open',
  "'it''s'",
  '&anchor',
  '*alias',
  '!tag x',
  '| ',
  '> x',
  'a: b',
  'x #y',
  '@x',
  'k:',
])('%s is YAML that is not read here', (text) => {
  expect(parseFactValue(text)).toBeUndefined();
});
