/** Filters on numbers. The expected values are recorded from Jinja2 3.1.6 on Python 3.11. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';

describe('int', () => {
  it.each([
    ["'42'|int", '42'],
    ["' 4_2 '|int", '42'],
    ["'12.9'|int", '12'],
    ["'1e3'|int", '1000'],
    ["'x'|int", '0'],
    ["'x'|int(7)", '7'],
    ["'0x1f'|int(base=16)", '31'],
    ["'0x1f'|int(base=0)", '31'],
    ["'zz'|int(base=36)", '1295'],
    ["'12'|int(base=99)", '12'],
    ["'٣٤'|int", '34'],
    ['-12.9|int', '-12'],
    ['1e30|int', '1000000000000000019884624838656'],
    ['true|int', '1'],
    ['none|int(5)', '5'],
    ['[]|int', '0'],
    ["'9999999999999999999'|int", '9999999999999999999'],
    ["'inf'|int(3)", '3'],
    ["('1' * 5000)|int(5)", '5'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['missing|int', "UndefinedError: 'missing' is undefined"],
    ['1|int(2, 3, 4)', 'TypeError: do_int() takes from 1 to 3 positional arguments but 4 were given'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('float', () => {
  it.each([
    ["'1.5'|float", '1.5'],
    ["'1_0.5e1'|float", '105.0'],
    ["' -3 '|float", '-3.0'],
    ["'nan'|float", 'nan'],
    ["'-inf'|float", '-inf'],
    ["'x'|float", '0.0'],
    ["'x'|float('d')", 'd'],
    ['3|float', '3.0'],
    ['true|float', '1.0'],
    ['none|float(1)', '1'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['missing|float', "UndefinedError: 'missing' is undefined"],
    ['(10**400)|float', 'OverflowError: int too large to convert to float'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('round', () => {
  it.each([
    ['2.5|round', '2.0'],
    ['3.5|round', '4.0'],
    ['42|round', '42'],
    ['2.675|round(2)', '2.67'],
    ['-0.4|round', '-0.0'],
    ['1250|round(-2)', '1200'],
    ['1350|round(-2)', '1400'],
    ['1234.5|round(-2)', '1200.0'],
    ["42.55|round(1, 'floor')", '42.5'],
    ["42.55|round(1, 'ceil')", '42.6'],
    ["42|round(method='ceil')", '42.0'],
    ['123456789012345678901234567890|round(-5)', '123456789012345678901234600000'],
    ['1.5|round(none)', '2'],
    ['1.5|round(400)', '1.5'],
    ['1.5|round(-400)', '0.0'],
    ['true|round', '1'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["1|round(1, 'x')", 'FilterArgumentError: method must be common, ceil or floor'],
    ["'a'|round", "TypeError: type str doesn't define __round__ method"],
    ["'a'|round(1, 'ceil')", 'TypeError: must be real number, not str'],
    ['none|round', "TypeError: type NoneType doesn't define __round__ method"],
    ['missing|round', "TypeError: type StrictUndefined doesn't define __round__ method"],
    ["1.5|round('a')", "TypeError: 'str' object cannot be interpreted as an integer"],
    ["1.5|round(400, 'ceil')", 'OverflowError: int too large to convert to float'],
    ['1.5e308|round(-308)', 'OverflowError: rounded value too large to represent'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('abs and filesizeformat', () => {
  it.each([
    ['-5|abs', '5'],
    ['-5.5|abs', '5.5'],
    ['true|abs', '1'],
    ['(-(10**30))|abs', '1000000000000000000000000000000'],
    ['1|filesizeformat', '1 Byte'],
    ['0|filesizeformat', '0 Bytes'],
    ['999|filesizeformat', '999 Bytes'],
    ['1000|filesizeformat', '1.0 kB'],
    ['1250|filesizeformat', '1.2 kB'],
    ['1350|filesizeformat', '1.4 kB'],
    ['1023|filesizeformat(true)', '1023 Bytes'],
    ['1024|filesizeformat(binary=true)', '1.0 KiB'],
    ['(10**24)|filesizeformat', '1000.0 ZB'],
    ['(10**30)|filesizeformat', '1000000.0 YB'],
    ['-5000|filesizeformat', '-5000 Bytes'],
    ["'13000'|filesizeformat", '13.0 kB'],
    ['999999|filesizeformat', '1000.0 kB'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["'x'|abs", "TypeError: bad operand type for abs(): 'str'"],
    ['missing|abs', "TypeError: bad operand type for abs(): 'StrictUndefined'"],
    ['1|abs(1)', 'TypeError: abs() takes exactly one argument (2 given)'],
    ['1|abs(x=1)', 'TypeError: abs() takes no keyword arguments'],
    ["'x'|filesizeformat", "ValueError: could not convert string to float: 'x'"],
    ['none|filesizeformat', "TypeError: float() argument must be a string or a real number, not 'NoneType'"],
    ['missing|filesizeformat', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});
