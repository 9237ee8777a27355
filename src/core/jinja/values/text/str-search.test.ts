import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, float, item, outcome, slice, tuple } from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';

describe('looking for a text', () => {
  it.each<[string, () => Value, string]>([
    ["'hello'.find('l')", () => call('hello', 'find', ['l']), '2'],
    ["'hello'.find('l', 3)", () => call('hello', 'find', ['l', 3]), '3'],
    ["'hello'.find('l', 0, 2)", () => call('hello', 'find', ['l', 0, 2]), '-1'],
    ["'hello'.find('')", () => call('hello', 'find', ['']), '0'],
    ["'hello'.find('', 9)", () => call('hello', 'find', ['', 9]), '-1'],
    ["'hello'.find('', 5)", () => call('hello', 'find', ['', 5]), '5'],
    ["'a😀b'.find('b')", () => call('a😀b', 'find', ['b']), '2'],
    ["'hello'.find('o', -2)", () => call('hello', 'find', ['o', -2]), '4'],
    ["'hello'.find('x')", () => call('hello', 'find', ['x']), '-1'],
    ["'hello'.find('l', None, None)", () => call('hello', 'find', ['l', null, null]), '2'],
    ["'hello'.rfind('l')", () => call('hello', 'rfind', ['l']), '3'],
    ["'hello'.rfind('l', 0, 3)", () => call('hello', 'rfind', ['l', 0, 3]), '2'],
    ["'hello'.rfind('')", () => call('hello', 'rfind', ['']), '5'],
    ["'a😀b😀'.rfind('😀')", () => call('a😀b😀', 'rfind', ['😀']), '3'],
    ["'hello'.rfind('x')", () => call('hello', 'rfind', ['x']), '-1'],
    ["'hello'.index('l')", () => call('hello', 'index', ['l']), '2'],
    ["'hello'.index('l', 3)", () => call('hello', 'index', ['l', 3]), '3'],
    ["'hello'.index('x')", () => call('hello', 'index', ['x']), 'ValueError: substring not found'],
    ["'hello'.index('', 4, 2)", () => call('hello', 'index', ['', 4, 2]), 'ValueError: substring not found'],
    ["'hello'.index('h', 1)", () => call('hello', 'index', ['h', 1]), 'ValueError: substring not found'],
    ["'hello'.rindex('l')", () => call('hello', 'rindex', ['l']), '3'],
    ["'hello'.rindex('l', 0, 3)", () => call('hello', 'rindex', ['l', 0, 3]), '2'],
    ["'hello'.rindex('')", () => call('hello', 'rindex', ['']), '5'],
    ["'hello'.rindex('x')", () => call('hello', 'rindex', ['x']), 'ValueError: substring not found'],
    [
      "'hello'.rindex('h', 0, 0)",
      () => call('hello', 'rindex', ['h', 0, 0]),
      'ValueError: substring not found',
    ],
    ["'banana'.count('a')", () => call('banana', 'count', ['a']), '3'],
    ["'banana'.count('ana')", () => call('banana', 'count', ['ana']), '1'],
    ["'banana'.count('')", () => call('banana', 'count', ['']), '7'],
    ["'banana'.count('a', 2)", () => call('banana', 'count', ['a', 2]), '2'],
    ["'banana'.count('a', 2, 4)", () => call('banana', 'count', ['a', 2, 4]), '1'],
    ["''.count('')", () => call('', 'count', ['']), '1'],
    ["''.count('', 1)", () => call('', 'count', ['', 1]), '0'],
    ["'hello'.startswith('he')", () => call('hello', 'startswith', ['he']), 'True'],
    ["'hello'.startswith(('x', 'h'))", () => call('hello', 'startswith', [tuple('x', 'h')]), 'True'],
    ["'hello'.startswith('')", () => call('hello', 'startswith', ['']), 'True'],
    ["'hello'.startswith('', 6)", () => call('hello', 'startswith', ['', 6]), 'False'],
    ["'hello'.startswith('l', 2, 4)", () => call('hello', 'startswith', ['l', 2, 4]), 'True'],
    ["'hello'.startswith(())", () => call('hello', 'startswith', [tuple()]), 'False'],
    ["'hello'.endswith('lo')", () => call('hello', 'endswith', ['lo']), 'True'],
    ["'hello'.endswith(('x', 'o'))", () => call('hello', 'endswith', [tuple('x', 'o')]), 'True'],
    ["'hello'.endswith('l', 0, 4)", () => call('hello', 'endswith', ['l', 0, 4]), 'True'],
    ["'hello'.endswith('')", () => call('hello', 'endswith', ['']), 'True'],
    ["'a😀'.endswith('😀', 1)", () => call('a😀', 'endswith', ['😀', 1]), 'True'],
    ["'unhappy'.removeprefix('un')", () => call('unhappy', 'removeprefix', ['un']), "'happy'"],
    ["'unhappy'.removeprefix('happy')", () => call('unhappy', 'removeprefix', ['happy']), "'unhappy'"],
    ["'aa'.removeprefix('a')", () => call('aa', 'removeprefix', ['a']), "'a'"],
    ["'aa'.removeprefix('')", () => call('aa', 'removeprefix', ['']), "'aa'"],
    ["'aa'.removeprefix('aaa')", () => call('aa', 'removeprefix', ['aaa']), "'aa'"],
    ["'unhappy'.removesuffix('happy')", () => call('unhappy', 'removesuffix', ['happy']), "'un'"],
    ["'unhappy'.removesuffix('un')", () => call('unhappy', 'removesuffix', ['un']), "'unhappy'"],
    ["'aa'.removesuffix('')", () => call('aa', 'removesuffix', ['']), "'aa'"],
    ["'aa'.removesuffix('a')", () => call('aa', 'removesuffix', ['a']), "'a'"],
    ["'aa'.removesuffix('aaa')", () => call('aa', 'removesuffix', ['aaa']), "'aa'"],
    ["'a'.find(1)", () => call('a', 'find', [1]), 'TypeError: must be str, not int'],
    ["'a'.find()", () => call('a', 'find'), 'TypeError: find() takes at least 1 argument (0 given)'],
    [
      "'a'.find('a', 1, 2, 3)",
      () => call('a', 'find', ['a', 1, 2, 3]),
      'TypeError: find() takes at most 3 arguments (4 given)',
    ],
    [
      "'a'.find('a', 'b')",
      () => call('a', 'find', ['a', 'b']),
      'TypeError: slice indices must be integers or None or have an __index__ method',
    ],
    [
      "'a'.find(sub='a')",
      () => call('a', 'find', [], [['sub', 'a']]),
      'TypeError: find() takes no keyword arguments',
    ],
    ["'a'.count(None)", () => call('a', 'count', [null]), 'TypeError: must be str, not NoneType'],
    ["'a'.index([])", () => call('a', 'index', [[]]), 'TypeError: must be str, not list'],
    [
      "'a'.startswith(1)",
      () => call('a', 'startswith', [1]),
      'TypeError: startswith first arg must be str or a tuple of str, not int',
    ],
    [
      "'a'.startswith((1,))",
      () => call('a', 'startswith', [tuple(1)]),
      'TypeError: tuple for startswith must only contain str, not int',
    ],
    [
      "'a'.startswith(['a'])",
      () => call('a', 'startswith', [['a']]),
      'TypeError: startswith first arg must be str or a tuple of str, not list',
    ],
    [
      "'a'.startswith()",
      () => call('a', 'startswith'),
      'TypeError: startswith() takes at least 1 argument (0 given)',
    ],
    [
      "'a'.endswith('a', 1.5)",
      () => call('a', 'endswith', ['a', float(1.5)]),
      'TypeError: slice indices must be integers or None or have an __index__ method',
    ],
    [
      "'a'.removeprefix(1)",
      () => call('a', 'removeprefix', [1]),
      'TypeError: removeprefix() argument must be str, not int',
    ],
    [
      "'a'.removesuffix(None)",
      () => call('a', 'removesuffix', [null]),
      'TypeError: removesuffix() argument must be str, not None',
    ],
    [
      "'a'.removeprefix()",
      () => call('a', 'removeprefix'),
      'TypeError: str.removeprefix() takes exactly one argument (0 given)',
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('any texts', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 8 });

  it('are found where a slice shows them', () => {
    fc.assert(
      fc.property(short, short, (text, wanted) => {
        const at = call(text, 'find', [wanted]) as number;
        const length = Array.from(wanted).length;
        if (at < 0) expect(text.includes(wanted)).toBe(false);
        else expect(item(text, slice(at, at + length, null))).toBe(wanted);
        const last = call(text, 'rfind', [wanted]) as number;
        expect(last >= at).toBe(true);
      }),
    );
  });

  it('start and end as the slices of that length say', () => {
    fc.assert(
      fc.property(
        short,
        short,
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: -9, max: 9 }),
        (text, wanted, from, to) => {
          const part = item(text, slice(from, to, null)) as string;
          if (part !== '')
            expect([
              call(text, 'startswith', [wanted, from, to]),
              call(text, 'endswith', [wanted, from, to]),
              call(text, 'count', [wanted, from, to]),
            ]).toEqual([part.startsWith(wanted), part.endsWith(wanted), call(part, 'count', [wanted])]);
        },
      ),
    );
  });
});
