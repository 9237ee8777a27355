import { describe, expect, it } from 'vitest';
import { outcome } from '../../../../test/harness/states/jinja-values.ts';
import { bindArguments, type FunctionParameter, positional } from './arguments.ts';
import type { Value } from './value.ts';

const NONE: FunctionParameter[] = [];
const ONE: FunctionParameter[] = [{ name: 'a' }];
const SOME: FunctionParameter[] = [{ name: 'a' }, { name: 'b', default: 5 }];
const MANY: FunctionParameter[] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
const UNNAMED: FunctionParameter[] = [
  { name: 'a', positionalOnly: true },
  { name: 'b', default: null },
];

/** Expected: what Python 3.11 says for `def f(…)`. */
describe('bindArguments', () => {
  it.each<[FunctionParameter[], Value[], [string, Value][], string]>([
    [NONE, [], [], '[]'],
    [ONE, [1], [], '[1]'],
    [ONE, [], [['a', 1]], '[1]'],
    [ONE, [null], [], '[None]'],
    [SOME, [1], [], '[1, 5]'],
    [SOME, [1, 2], [], '[1, 2]'],
    [SOME, [1], [['b', null]], '[1, None]'],
    [
      SOME,
      [],
      [
        ['b', 2],
        ['a', 1],
      ],
      '[1, 2]',
    ],
    [UNNAMED, [1], [['b', 2]], '[1, 2]'],
    [NONE, [1], [], 'TypeError: f() takes 0 positional arguments but 1 was given'],
    [ONE, [1, 2], [], 'TypeError: f() takes 1 positional argument but 2 were given'],
    [SOME, [1, 2, 3], [], 'TypeError: f() takes from 1 to 2 positional arguments but 3 were given'],
    [MANY, [1, 2, 3, 4], [], 'TypeError: f() takes 3 positional arguments but 4 were given'],
    [ONE, [], [], "TypeError: f() missing 1 required positional argument: 'a'"],
    [MANY, [1], [], "TypeError: f() missing 2 required positional arguments: 'b' and 'c'"],
    [MANY, [], [], "TypeError: f() missing 3 required positional arguments: 'a', 'b', and 'c'"],
    [MANY, [], [['b', 1]], "TypeError: f() missing 2 required positional arguments: 'a' and 'c'"],
    [ONE, [1], [['a', 1]], "TypeError: f() got multiple values for argument 'a'"],
    [ONE, [1], [['x', 1]], "TypeError: f() got an unexpected keyword argument 'x'"],
    [
      UNNAMED,
      [],
      [['a', 1]],
      "TypeError: f() got some positional-only arguments passed as keyword arguments: 'a'",
    ],
    [
      UNNAMED,
      [],
      [
        ['x', 1],
        ['a', 1],
      ],
      "TypeError: f() got some positional-only arguments passed as keyword arguments: 'a'",
    ],
  ])('%j with %j and %j', (parameters, values, names, printed) => {
    const args = { ...positional(...values), named: new Map(names) };
    expect(outcome(() => bindArguments('f', parameters, args))).toBe(printed);
  });
});
