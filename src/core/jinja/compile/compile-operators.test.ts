/** What Python's Jinja2 3.1.6 gives for the same templates. */
import { describe, expect, it } from 'vitest';
import { rendered } from '../../../../test/harness/states/rendered-template.ts';

const context = { n: 2, no: false, f: 0.5, s: 'a', l: [1, 2] };

describe('operators', () => {
  it.each([
    ['2 + 3 * 4 - n', '12'],
    ['9007199254740991 + 1', '9007199254740992'],
    ['9007199254740991 * n', '18014398509481982'],
    ['-9007199254740991 - n', '-9007199254740993'],
    ['0 * -1', '0'],
    ['0 * (0 - n)', '0'],
    ['7 // n ~ 7 % n ~ 7 / n', '313.5'],
    ["s + 'b' ~ s * 3", 'abaaa'],
    ['l + [3]', '[1, 2, 3]'],
    ['-l[0] + +n', '1'],
    ['1 < n < 3', 'True'],
    ['1 < n < 2 < nope', 'False'],
    ["n in l and 'a' in s and 3 not in l", 'True'],
    ['1 == 1.0 == true', 'True'],
    ["n == '2'", 'False'],
    ['s < 1', "TypeError: '<' not supported between instances of 'str' and 'int' (main:1)"],
    ['1 in n', "TypeError: argument of type 'int' is not iterable (main:1)"],
    ['s - 1', "TypeError: unsupported operand type(s) for -: 'str' and 'int' (main:1)"],
    ['1 / (n - 2)', 'ZeroDivisionError: division by zero (main:1)'],
    ['(-3) ** 2', '9'],
    ['n ** 3 ** n', '64'],
    ['2 ** -1', '0.5'],
    ['n ~ none ~ true ~ 1.0 ~ l', '2NoneTrue1.0[1, 2]'],
  ])('%s is %s', (expression, expected) => {
    expect(rendered(`{{ ${expression} }}`, { context })).toBe(expected);
  });
});
