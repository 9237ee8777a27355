/** Filters for HTML and addresses. The expected values are recorded from Jinja2 3.1.6 on Python 3.11. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';

describe('escape', () => {
  it.each([
    ["'<a href=\"x\">&\\'</a>'|e", '&lt;a href=&#34;x&#34;&gt;&amp;&#39;&lt;/a&gt;'],
    ["'<a>'|escape", '&lt;a&gt;'],
    ["'<a>'|safe|e", '<a>'],
    ['none|e', 'None'],
    ["'<a>'|safe|forceescape", '&lt;a&gt;'],
    ["'<a>'|forceescape", '&lt;a&gt;'],
    ['12|safe', '12'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["'x'|e(1)", 'TypeError: escape() takes 1 positional argument but 2 were given'],
    ['missing|e', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('striptags', () => {
  it.each([
    ["'a <b>x</b>  y'|striptags", 'a x y'],
    ["'<!-- a --> b'|striptags", 'b'],
    ["'a < b > c'|striptags", 'a c'],
    ["'<<b>>x'|striptags", '>x'],
    ["'<!-<!-- x -->- y --> z'|striptags", 'z'],
    ["'x <!--> y -->z'|striptags", 'x y -->z'],
    ["'&lt;&amp;lt; &copy &notit; &#65;&#x41;&#128;&#0; &xx;'|striptags", '<&lt; © ¬it; AA€� &xx;'],
    ['12|striptags', '12'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });
});

describe('urlencode', () => {
  it.each([
    ["'a b/c?é'|urlencode", 'a%20b/c%3F%C3%A9'],
    ["{'a b': 'c&d', 'e': none}|urlencode", 'a+b=c%26d&e=None'],
    ["[('a', 1), ('b c', '/')]|urlencode", 'a=1&b+c=%2F'],
    ["'~!*()'|urlencode", '~%21%2A%28%29'],
    ['5|urlencode', '5'],
    ["['ab']|urlencode", 'a=b'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['[1]|urlencode', 'TypeError: cannot unpack non-iterable int object'],
    ['[[1, 2, 3]]|urlencode', 'ValueError: too many values to unpack (expected 2)'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('xmlattr', () => {
  it.each([
    ["{'class': 'a', 'id': none, 'x': missing, 'b': '<\"'}|xmlattr", ' class="a" b="&lt;&#34;"'],
    ["{'class': 'a'}|xmlattr(false)", 'class="a"'],
    ['{}|xmlattr', ''],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["{'a b': 1}|xmlattr", "ValueError: Invalid character in attribute name: 'a b'"],
    ["{'a=': 1}|xmlattr", "ValueError: Invalid character in attribute name: 'a='"],
    ['{1: 1}|xmlattr', "TypeError: expected string or bytes-like object, got 'int'"],
    ['[1]|xmlattr', "AttributeError: 'list' object has no attribute 'items'"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('urlize', () => {
  it.each([
    [
      "'see http://x.com/a?b=1&c=2.'|urlize",
      'see <a href="http://x.com/a?b=1&amp;c=2" rel="noopener">http://x.com/a?b=1&amp;c=2</a>.',
    ],
    ["'(www.x.com/a_(b))'|urlize", '(<a href="https://www.x.com/a_(b)" rel="noopener">www.x.com/a_(b)</a>)'],
    [
      "'www.x.com/very/long/path'|urlize(10)",
      '<a href="https://www.x.com/very/long/path" rel="noopener">www.x.com/...</a>',
    ],
    [
      "'foo@bar.de, mailto:x@y.zz'|urlize",
      '<a href="mailto:foo@bar.de">foo@bar.de</a>, <a href="mailto:x@y.zz">x@y.zz</a>',
    ],
    [
      "'example.org x.zz localhost'|urlize",
      '<a href="https://example.org" rel="noopener">example.org</a> x.zz localhost',
    ],
    [
      "'http://127.0.0.1:80/ http://[::1]/x'|urlize(nofollow=true)",
      '<a href="http://127.0.0.1:80/" rel="nofollow noopener">http://127.0.0.1:80/</a> <a href="http://[::1]/x" rel="nofollow noopener">http://[::1]/x</a>',
    ],
    ["'tel:123'|urlize(extra_schemes=['tel:'])", '<a href="tel:123" rel="noopener">tel:123</a>'],
    ["'x.info'|urlize(target='_blank', rel='b a')", 'x.info'],
    ["'<script> a.com'|urlize", '&lt;script&gt; a.com'],
    ['12|urlize', '12'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["'tel:1'|urlize(extra_schemes=['tel'])", "FilterArgumentError: 'tel' is not a valid URI scheme prefix."],
    ["'foo.com'|urlize(rel=5)", "AttributeError: 'int' object has no attribute 'split'"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('under autoescape', () => {
  it.each([
    ["'http://x.com <b>'|urlize", '<a href="http://x.com" rel="noopener">http://x.com</a> &lt;b&gt;'],
    ["{'a': '<'}|xmlattr", ' a="&lt;"'],
    ["'<b>&lt;'|striptags", '&lt;'],
    ["'<a>'|e", '&lt;a&gt;'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression, { autoescape: true })).toBe(expected);
  });
});
