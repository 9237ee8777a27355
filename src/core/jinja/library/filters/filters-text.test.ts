/** Filters on texts. The expected values are recorded from Jinja2 3.1.6 on Python 3.11. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';

describe('case and shape', () => {
  it.each([
    ["'hELLO wORLD'|capitalize", 'Hello world'],
    ["'ﬁx ß'|capitalize", 'Fix ß'],
    ["'foo bar-baz (qux) [a] {b} <c> it\\'s'|title", "Foo Bar-Baz (Qux) [A] {B} <C> It's"],
    ["'ǆ ﬁx'|title", 'Ǆ FIx'],
    ['12|title', '12'],
    ['none|title', 'None'],
    ["'ÄÖ'|lower", 'äö'],
    ["[1, 'a']|upper", "[1, 'A']"],
    ["'straße'|upper", 'STRASSE'],
    ["'x'|center(5)", '  x  '],
    ["'ab'|center(5)", '  ab '],
    ["'x'|center(-3)", 'x'],
    ['none|center(10)', '   None   '],
    ["'x'|center", '                                       x                                        '],
    ['5|string', '5'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["'x'|center('a')", "TypeError: 'str' object cannot be interpreted as an integer"],
    ["'x'|center(1.5)", "TypeError: 'float' object cannot be interpreted as an integer"],
    ['missing|upper', "UndefinedError: 'missing' is undefined"],
    ["'x'|upper(1)", 'TypeError: do_upper() takes 1 positional argument but 2 were given'],
    ["'x'|lower(zz=1)", "TypeError: do_lower() got an unexpected keyword argument 'zz'"],
    ['missing|string', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('indent', () => {
  it.each([
    ["'a\\nb'|indent", 'a\n    b'],
    ["'a\\nb\\n'|indent", 'a\n    b\n'],
    ["'a\\n\\nb'|indent(2, blank=true)", 'a\n  \n  b'],
    ["'a\\nb'|indent('> ', first=true)", '> a\n> b'],
    ["''|indent(first=true)", '    '],
    ["'a\\r\\nb\\x0cc'|indent(1)", 'a\n b\n c'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["'a'|indent(none)", "TypeError: can't multiply sequence by non-int of type 'NoneType'"],
    ['12|indent', "TypeError: unsupported operand type(s) for +=: 'int' and 'str'"],
    ['[1]|indent', "AttributeError: 'list' object has no attribute 'splitlines'"],
    ['(1,)|indent', 'TypeError: can only concatenate tuple (not "str") to tuple'],
    ['missing|indent', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('replace and trim', () => {
  it.each([
    ["'aaa'|replace('a', 'b')", 'bbb'],
    ["'aaa'|replace('a', 'b', 2)", 'bba'],
    ["'aaa'|replace('a', 'b', count=0)", 'aaa'],
    ["'abc'|replace('', '-')", '-a-b-c-'],
    ["'abc'|replace('', '-', 2)", '-a-bc'],
    ['123|replace(2, 5)', '153'],
    ["'a'|replace('a', none)", 'None'],
    ["'  x '|trim", 'x'],
    ["'xxaxx'|trim('x')", 'a'],
    ['12|trim', '12'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["'a'|replace('a')", "TypeError: do_replace() missing 1 required positional argument: 'new'"],
    ["'abc'|replace('a', 'b', 'c')", "TypeError: 'str' object cannot be interpreted as an integer"],
    ["'x'|trim(1)", 'TypeError: strip arg must be None or str'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('truncate', () => {
  it.each([
    ["'hello wonderful world'|truncate(14)", 'hello...'],
    ["'hello wonderful world'|truncate(14, leeway=0)", 'hello...'],
    ["'hello wonderful world'|truncate(14, true, leeway=0)", 'hello wonde...'],
    ["'hello wonderful world'|truncate(9, end='>', leeway=0)", 'hello>'],
    ["'hello wonderful world'|truncate(3, leeway=0)", '...'],
    ["'hello world'|truncate(6)", 'hello world'],
    ["'😀😀😀😀😀'|truncate(4, true, '.', 0)", '😀😀😀.'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["'hello'|truncate(2)", 'AssertionError: expected length >= 3, got 2'],
    ["'hello'|truncate(5, leeway=-1)", 'AssertionError: expected leeway >= 0, got -1'],
    ['12345|truncate', "TypeError: object of type 'int' has no len()"],
    ['none|truncate', "TypeError: object of type 'NoneType' has no len()"],
    ["'a'|truncate('a')", "TypeError: '>=' not supported between instances of 'str' and 'int'"],
    [
      "'x'|truncate(1, 2, 3, 4, 5)",
      'TypeError: do_truncate() takes from 2 to 6 positional arguments but 7 were given',
    ],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('wordcount and wordwrap', () => {
  it.each([
    ["'foo bar_baz é1 x-y'|wordcount", '5'],
    ["''|wordcount", '0'],
    ['1.5|wordcount', '2'],
    ["'the quick brown fox'|wordwrap(9)", 'the quick\nbrown fox'],
    ["'well-known co-operation'|wordwrap(6)", 'well-\nknown\nco-ope\nration'],
    ["'well-known co-operation'|wordwrap(6, break_on_hyphens=false)", 'well-k\nnown c\no-oper\nation'],
    ["'abcdefghij kl'|wordwrap(4)", 'abcd\nefgh\nij\nkl'],
    ["'abcdefghij kl'|wordwrap(4, false)", 'abcdefghij\nkl'],
    ["'one two--three'|wordwrap(7)", 'one two\n--three'],
    ["'aaa bbb\\nccc ddd'|wordwrap(3, wrapstring='<br>')", 'aaa<br>bbb<br>ccc<br>ddd'],
    ["'a\\n\\nb'|wordwrap", 'a\n\nb'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["'a b'|wordwrap(0)", 'ValueError: invalid width 0 (must be > 0)'],
    ["'a b'|wordwrap('x')", "TypeError: '<=' not supported between instances of 'str' and 'int'"],
    ['1|wordwrap', "AttributeError: 'int' object has no attribute 'splitlines'"],
    ["'aa bb'|wordwrap(2, wrapstring=1)", "AttributeError: 'int' object has no attribute 'join'"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('format', () => {
  it.each([
    ["'%s, %s!'|format('Hi', 'you')", 'Hi, you!'],
    ["'%(a)s-%(b)03d'|format(a='x', b=7)", 'x-007'],
    ["'100%%'|format", '100%'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    [
      "'%s'|format(1, a=2)",
      "FilterArgumentError: can't handle positional and keyword arguments at the same time",
    ],
    ["'%s %s'|format(1)", 'TypeError: not enough arguments for format string'],
    ["'%s'|format(1, 2)", 'TypeError: not all arguments converted during string formatting'],
    ['5|format(1)', 'TypeError: not all arguments converted during string formatting'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('under autoescape', () => {
  it.each([
    ["'<a>'|replace('a', '<')", '&lt;&lt;&gt;'],
    ["'<a>'|replace('a', '<'|safe)", '&lt;<&gt;'],
    ["'<a>'|safe|replace('<', '&')", '&amp;a>'],
    ["('<a>\\n<b>'|safe)|indent('<')", '<a>\n<<b>'],
    ["('<%s>'|safe)|format('<')", '<&lt;>'],
    ["('<b>'|safe)|title", '&lt;B&gt;'],
    ["('<b>'|safe)|upper", '<B>'],
    ["('<b> hello'|safe)|truncate(5, true, '<', 0)", '<b> &lt;'],
    ["('<b> hi'|safe)|wordwrap(3)", '&lt;b&gt;\nhi'],
    ["'<b>'|center(7)", '  &lt;b&gt;  '],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression, { autoescape: true })).toBe(expected);
  });
});
