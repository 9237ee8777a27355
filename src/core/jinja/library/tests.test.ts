/** What stands after `is`. The expected values are recorded from Jinja2 3.1.6 on Python 3.11. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../test/harness/states/printed-expression.ts';

describe('tests on types', () => {
  it.each([
    ['true is boolean', 'True'],
    ['1 is boolean', 'False'],
    ["'a'.upper is callable", 'True'],
    ['1 is callable', 'False'],
    ['missing is callable', 'True'],
    ['missing is defined', 'False'],
    ['none is defined', 'True'],
    ['missing is undefined', 'True'],
    ["('<'|safe) is escaped", 'True'],
    ["'<' is escaped", 'False'],
    ['false is false', 'True'],
    ['0 is false', 'False'],
    ['true is true', 'True'],
    ['1 is true', 'False'],
    ['1.0 is float', 'True'],
    ['1 is float', 'False'],
    ['1 is integer', 'True'],
    ['true is integer', 'False'],
    ['10**30 is integer', '10'],
    ['[] is iterable', 'True'],
    ["'a' is iterable", 'True'],
    ['1 is iterable', 'False'],
    ['{} is mapping', 'True'],
    ['[] is mapping', 'False'],
    ['none is none', 'True'],
    ['1.5 is number', 'True'],
    ['true is number', 'True'],
    ["'1' is number", 'False'],
    ['[] is sequence', 'True'],
    ['{} is sequence', 'True'],
    ['range(3) is sequence', 'True'],
    ['1 is sequence', 'False'],
    ['{}.items() is sequence', 'False'],
    ['missing is sequence', 'False'],
    ["'a' is string", 'True'],
    ["('a'|safe) is string", 'True'],
    ['1 is string', 'False'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['missing is iterable', "UndefinedError: 'missing' is undefined"],
    ['1 is callable(1)', 'TypeError: callable() takes exactly one argument (2 given)'],
    ['1 is boolean(1)', 'TypeError: test_boolean() takes 1 positional argument but 2 were given'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('tests that compare', () => {
  it.each([
    ['9 is divisibleby 3', 'True'],
    ['-9 is divisibleby 4', 'False'],
    ['1 is eq 1.0', 'True'],
    ['1 is equalto 2', 'False'],
    ['[1] is eq [1]', 'True'],
    ['1 is ne 2', 'True'],
    ['2 is gt 1', 'True'],
    ['2 is greaterthan 2', 'False'],
    ['2 is ge 2', 'True'],
    ['1 is lt 2', 'True'],
    ['1 is lessthan 1', 'False'],
    ['1 is le 1', 'True'],
    ["[1, 2]|select('==', 2)|list", '[2]'],
    ["[1, 2]|select('!=', 2)|list", '[1]'],
    ["[1, 2]|select('<', 2)|list", '[1]'],
    ["[1, 2]|select('<=', 1)|list", '[1]'],
    ["[1, 2]|select('>=', 2)|list", '[2]'],
    ['2 is even', 'True'],
    ['-3 is odd', 'True'],
    ['1.5 is odd', 'False'],
    ['10**30 is even', '10'],
    ['1 is in [1, 2]', 'True'],
    ["'b' is in 'abc'", 'True'],
    ["1 is in {'a': 1}", 'False'],
    ['none is sameas none', 'True'],
    ['1 is sameas 1.0', 'False'],
    ['[] is sameas []', 'False'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['9 is divisibleby -3', "TypeError: test_divisibleby() missing 1 required positional argument: 'num'"],
    ['1 is divisibleby 0', 'ZeroDivisionError: integer modulo by zero'],
    ["'a' is even", 'TypeError: not all arguments converted during string formatting'],
    ['[] is odd', "TypeError: unsupported operand type(s) for %: 'list' and 'int'"],
    ['1 is eq', 'TypeError: eq expected 2 arguments, got 1'],
    ['1 is eq(1, 2)', 'TypeError: eq expected 2 arguments, got 3'],
    ['1 is eq(1, b=2)', 'TypeError: _operator.eq() takes no keyword arguments'],
    ["1 is lt 'a'", "TypeError: '<' not supported between instances of 'int' and 'str'"],
    ['1 is in 1', "TypeError: argument of type 'int' is not iterable"],
    ["1 is in '1'", "TypeError: 'in <string>' requires string as left operand, not int"],
    ['missing is eq 1', "UndefinedError: 'missing' is undefined"],
    ['missing is even', "UndefinedError: 'missing' is undefined"],
    ['1 is divisibleby', "TypeError: test_divisibleby() missing 1 required positional argument: 'num'"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('tests on texts and names', () => {
  it.each([
    ["'abc' is lower", 'True'],
    ["'aBc' is lower", 'False'],
    ['12 is lower', 'False'],
    ["'ABC' is upper", 'True'],
    ["'' is upper", 'False'],
    ["'upper' is filter", 'True'],
    ["'nope' is filter", 'False'],
    ['1 is filter', 'False'],
    ["'odd' is test", 'True'],
    ["'nope' is test", 'False'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['[] is filter', "TypeError: unhashable type: 'list'"],
    ['missing is lower', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});
