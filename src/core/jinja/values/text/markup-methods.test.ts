import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyText,
  call,
  dict,
  markup,
  operate,
  outcome,
  tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';
import { PyObject } from '../value.ts';
import { Markup } from './markup.ts';
import { escapeHtml, escapeText } from './markup-escape.ts';

describe('Markup', () => {
  it.each<[string, () => Value, string]>([
    ["Markup('<b>').upper()", () => call(markup('<b>'), 'upper'), "Markup('<B>')"],
    ["Markup('a b').split()", () => call(markup('a b'), 'split'), "[Markup('a'), Markup('b')]"],
    [
      "Markup('a-b').partition('-')",
      () => call(markup('a-b'), 'partition', ['-']),
      "(Markup('a'), Markup('-'), Markup('b'))",
    ],
    ["Markup('a\\nb').splitlines()", () => call(markup('a\nb'), 'splitlines'), "[Markup('a'), Markup('b')]"],
    ["Markup(' a ').strip()", () => call(markup(' a '), 'strip'), "Markup('a')"],
    ["Markup('ab').replace('a', '<')", () => call(markup('ab'), 'replace', ['a', '<']), "Markup('&lt;b')"],
    [
      "Markup('ab').replace('a', Markup('<'))",
      () => call(markup('ab'), 'replace', ['a', markup('<')]),
      "Markup('<b')",
    ],
    [
      "Markup('ab').replace(old='a', new=1)",
      () =>
        call(
          markup('ab'),
          'replace',
          [],
          [
            ['old', 'a'],
            ['new', 1],
          ],
        ),
      "TypeError: Markup.replace() got some positional-only arguments passed as keyword arguments: 'old, new'",
    ],
    ["Markup('a').center(3, '*')", () => call(markup('a'), 'center', [3, '*']), "Markup('*a*')"],
    [
      "Markup('a').center(3, '<')",
      () => call(markup('a'), 'center', [3, '<']),
      'TypeError: The fill character must be exactly one character long',
    ],
    ["Markup('a').zfill(3)", () => call(markup('a'), 'zfill', [3]), "Markup('00a')"],
    [
      "Markup('a').join(['<', Markup('<'), 1])",
      () => call(markup('a'), 'join', [['<', markup('<'), 1]]),
      "Markup('&lt;a<a1')",
    ],
    ["Markup('a').join('<>')", () => call(markup('a'), 'join', ['<>']), "Markup('&lt;a&gt;')"],
    ["Markup('aB').title()", () => call(markup('aB'), 'title'), "Markup('Ab')"],
    [
      "Markup('a').translate({97: '<'})",
      () => call(markup('a'), 'translate', [dict([97, '<'])]),
      "Markup('<')",
    ],
    ["Markup('ab').removeprefix('a')", () => call(markup('ab'), 'removeprefix', ['a']), "Markup('b')"],
    ["Markup('ab').find('b')", () => call(markup('ab'), 'find', ['b']), '1'],
    ["Markup('ab').startswith('a')", () => call(markup('ab'), 'startswith', ['a']), 'True'],
    ["Markup('é').encode()", () => call(markup('é'), 'encode'), "b'\\xc3\\xa9'"],
    ["Markup('ab').isalpha()", () => call(markup('ab'), 'isalpha'), 'True'],
    ["Markup('a').escape('<')", () => call(markup('a'), 'escape', ['<']), "Markup('&lt;')"],
    [
      "Markup('<b>x</b> &amp; y').striptags()",
      () => call(markup('<b>x</b> &amp; y'), 'striptags'),
      "'x & y'",
    ],
    ["Markup('&lt;&#39;').unescape()", () => call(markup('&lt;&#39;'), 'unescape'), '"<\'"'],
    [
      "Markup('{} {}').format('<', Markup('<'))",
      () => call(markup('{} {}'), 'format', ['<', markup('<')]),
      "Markup('&lt; <')",
    ],
    [
      "Markup('{a!r}').format(a='<')",
      () => call(markup('{a!r}'), 'format', [], [['a', '<']]),
      "Markup('&#39;&lt;&#39;')",
    ],
    ["Markup('{:>3}').format('<')", () => call(markup('{:>3}'), 'format', ['<']), "Markup('  &lt;')"],
    [
      "Markup('{:>3}').format(Markup('<'))",
      () => call(markup('{:>3}'), 'format', [markup('<')]),
      'ValueError: Unsupported format specification for Markup.',
    ],
    [
      "Markup('{a}').format_map({'a': '<'})",
      () => call(markup('{a}'), 'format_map', [dict(['a', '<'])]),
      "Markup('&lt;')",
    ],
    ["Markup('{}').format()", () => call(markup('{}'), 'format'), 'IndexError: tuple index out of range'],
    [
      "Markup('{}').format_map({})",
      () => call(markup('{}'), 'format_map', [dict()]),
      'IndexError: tuple index out of range',
    ],
    [
      "Markup('{0}{}').format(1)",
      () => call(markup('{0}{}'), 'format', [1]),
      'ValueError: cannot switch from manual field specification to automatic field numbering',
    ],
    [
      "Markup('{}{0}').format(1)",
      () => call(markup('{}{0}'), 'format', [1]),
      'ValueError: cannot switch from manual field specification to automatic field numbering',
    ],
    ["Markup('{.real}').format(1)", () => call(markup('{.real}'), 'format', [1]), "KeyError: ''"],
    [
      "Markup('%s %s') % ('<', Markup('<'))",
      () => operate(markup('%s %s'), '%', tuple('<', markup('<'))),
      "Markup('&lt; <')",
    ],
    ["Markup('%(a)s') % {'a': '<'}", () => operate(markup('%(a)s'), '%', dict(['a', '<'])), "Markup('&lt;')"],
    ["Markup('%d') % '5'", () => operate(markup('%d'), '%', '5'), "Markup('5')"],
    [
      "Markup('%d') % 'x'",
      () => operate(markup('%d'), '%', 'x'),
      "ValueError: invalid literal for int() with base 10: 'x'",
    ],
    ["Markup('%f') % '1.5'", () => operate(markup('%f'), '%', '1.5'), "Markup('1.500000')"],
    [
      "Markup('%f') % 'x'",
      () => operate(markup('%f'), '%', 'x'),
      "ValueError: could not convert string to float: 'x'",
    ],
    [
      "Markup('%f') % None",
      () => operate(markup('%f'), '%', null),
      "TypeError: float() argument must be a string or a real number, not 'NoneType'",
    ],
    [
      "Markup('%x') % 5",
      () => operate(markup('%x'), '%', 5),
      'TypeError: %x format: an integer is required, not _MarkupEscapeHelper',
    ],
    ["Markup('%c') % 65", () => operate(markup('%c'), '%', 65), 'TypeError: %c requires int or char'],
    ["Markup('%*d') % (5, 1)", () => operate(markup('%*d'), '%', tuple(5, 1)), 'TypeError: * wants int'],
    [
      "Markup('%r %a') % ('<', 'é<')",
      () => operate(markup('%r %a'), '%', tuple('<', 'é<')),
      "Markup('&#39;&lt;&#39; &#39;\\\\xe9&lt;&#39;')",
    ],
    [
      "Markup('a').upper(1)",
      () => call(markup('a'), 'upper', [1]),
      'TypeError: Markup.upper() takes 1 positional argument but 2 were given',
    ],
    [
      "Markup('a').replace()",
      () => call(markup('a'), 'replace'),
      "TypeError: Markup.replace() missing 2 required positional arguments: 'old' and 'new'",
    ],
    [
      "Markup('a').center()",
      () => call(markup('a'), 'center'),
      "TypeError: Markup.center() missing 1 required positional argument: 'width'",
    ],
    [
      "Markup('a').strip(x=1)",
      () => call(markup('a'), 'strip', [], [['x', 1]]),
      "TypeError: Markup.strip() got an unexpected keyword argument 'x'",
    ],
    [
      "Markup('a').split(1, 2, 3)",
      () => call(markup('a'), 'split', [1, 2, 3]),
      'TypeError: Markup.split() takes from 1 to 3 positional arguments but 4 were given',
    ],
    ["Markup('a').join(5)", () => call(markup('a'), 'join', [5]), "TypeError: 'int' object is not iterable"],
    [
      "Markup('a').escape()",
      () => call(markup('a'), 'escape'),
      "TypeError: Markup.escape() missing 1 required positional argument: 's'",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('escapeHtml', () => {
  it('escapes what is printed, and leaves what is HTML', () => {
    expect(escapeText(`<a href="x">'&'</a>`)).toBe('&lt;a href=&#34;x&#34;&gt;&#39;&amp;&#39;&lt;/a&gt;');
    class Image extends PyObject {
      override readonly typeName = 'Image';
      override html(): string {
        return '<img>';
      }
    }
    expect([escapeHtml(new Image()).text, escapeHtml(['<']).text, escapeHtml(markup('<')).text]).toEqual([
      '<img>',
      '[&#39;&lt;&#39;]',
      '<',
    ]);
  });

  it('leaves no character of HTML in any text, and unescape undoes it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeHtml(text);
        expect(escaped.text).not.toMatch(/[<>"']/);
        expect(call(escaped, 'unescape')).toBe(text);
      }),
    );
  });

  it('is done once, however often texts are joined to Markup', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('<', '&', 'a')), (texts) => {
        let joined: Value = new Markup('');
        for (const text of texts) joined = operate(joined, '+', text);
        expect((joined as Markup).text).toBe(escapeText(texts.join('')));
      }),
    );
  });
});
