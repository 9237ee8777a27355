/** The globals. Where a value is Jinja2's, it is recorded from Jinja2 3.1.6 on Python 3.11. */
import { describe, expect, it } from 'vitest';
import { failure, printed, renderedTemplate } from '../../../../test/harness/states/printed-expression.ts';

describe('range', () => {
  it.each([
    ['range(3)', 'range(0, 3)'],
    ['range(1, 10, 3)|list', '[1, 4, 7]'],
    ['range(5, 0, -2)|list', '[5, 3, 1]'],
    ['range(true)|list', '[0]'],
    ['range', "<class 'range'>"],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['range()', 'TypeError: range expected at least 1 argument, got 0'],
    ['range(1, 2, 3, 4)', 'TypeError: range expected at most 3 arguments, got 4'],
    ['range(start=1)', 'TypeError: range() takes no keyword arguments'],
    ['range(1.5)', "TypeError: 'float' object cannot be interpreted as an integer"],
    ['range(1, 5, 0)', 'ValueError: range() arg 3 must not be zero'],
    [
      'range(10**12)',
      'OverflowError: Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).',
    ],
    [
      'range(10**30)',
      'OverflowError: Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).',
    ],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('dict', () => {
  it.each([
    ['dict()', '{}'],
    ['dict(a=1, b=2)', "{'a': 1, 'b': 2}"],
    ["dict({'a': 1}, a=2)", "{'a': 2}"],
    ["dict([('a', 1)])", "{'a': 1}"],
    ["dict(['ab'])", "{'a': 'b'}"],
    ['dict.fromkeys([1, 2], 3)', '{1: 3, 2: 3}'],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['dict(1, 2)', 'TypeError: dict expected at most 1 argument, got 2'],
    ['dict(5)', "TypeError: 'int' object is not iterable"],
    ['dict([1])', 'TypeError: cannot convert dictionary update sequence element #0 to a sequence'],
    ["dict(['abc'])", 'ValueError: dictionary update sequence element #0 has length 3; 2 is required'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('cycler', () => {
  it('gives its items in turn, and starts again when told to', () => {
    const turns = '{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.next() }}{{ c.reset() }}{{ c.next() }}';
    expect(renderedTemplate(`{% set c = cycler('a', 'b') %}${turns}`)).toBe('abaaNonea');
  });

  it('shows what it holds and where it is', () => {
    expect(renderedTemplate("{% set c = cycler('a', 2) %}{{ c.next() }}{{ c.items }}{{ c.pos }}")).toBe(
      "a('a', 2)1",
    );
  });

  it.each([
    ['cycler()', 'RuntimeError: at least one item has to be provided'],
    ['cycler(zz=1)', "TypeError: Cycler.__init__() got an unexpected keyword argument 'zz'"],
    ['cycler(1).next(1)', 'TypeError: Cycler.next() takes 1 positional argument but 2 were given'],
    ['cycler(1).constructor', "UndefinedError: 'jinja2.utils.Cycler object' has no attribute 'constructor'"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('joiner', () => {
  it('is silent once', () => {
    expect(
      renderedTemplate('{% set j = joiner() %}[{{ j() }}][{{ j() }}][{{ j() }}]{{ j.sep }}{{ j.used }}'),
    ).toBe('[][, ][, ], True');
  });

  it.each([
    ['joiner(1, 2)', 'TypeError: Joiner.__init__() takes from 1 to 2 positional arguments but 3 were given'],
    ['joiner()(1)', 'TypeError: Joiner.__call__() takes 1 positional argument but 2 were given'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('namespace', () => {
  it('keeps what is set in an inner scope', () => {
    const template =
      '{% set n = namespace(a=1) %}{% for i in [2, 3] %}{% set n.a = n.a + i %}{% endfor %}{{ n.a }}';
    expect(renderedTemplate(template)).toBe('6');
  });

  it.each([
    ["namespace({'a': 1}, b=2)", "<Namespace {'a': 1, 'b': 2}>"],
    ["namespace(a=1)['a']", '1'],
    ['namespace(a=1) == namespace(a=1)', 'False'],
    ['namespace(a=1).b is defined', 'False'],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['namespace(1)', "TypeError: 'int' object is not iterable"],
    ['namespace()|list', "TypeError: 'Namespace' object is not iterable"],
    [
      'namespace().constructor',
      "UndefinedError: 'jinja2.utils.Namespace object' has no attribute 'constructor'",
    ],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('lipsum', () => {
  let state = 1;
  const random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const options = { host: { random } };

  it('writes so many paragraphs of so many words', () => {
    const text = printed('lipsum(3, html=false, min=5, max=9)', options);
    const paragraphs = text.split('\n\n');
    expect(paragraphs).toHaveLength(3);
    for (const paragraph of paragraphs) {
      expect(paragraph).toMatch(/^[A-Z][a-z]*(?:[,.]? [A-Za-z]+)*\.$/);
      const words = paragraph.split(' ').length;
      expect(words).toBeGreaterThanOrEqual(5);
      expect(words).toBeLessThan(9);
    }
  });

  it('is HTML unless told otherwise', () => {
    expect(printed('lipsum(2, min=2, max=3)', options)).toMatch(/^<p>[^<]*<\/p>\n<p>[^<]*<\/p>$/);
    expect(printed('lipsum(1) is escaped', options)).toBe('True');
  });

  it('also ends where chance always says the same', () => {
    expect(
      printed('lipsum(1, html=false, min=4, max=5)', { host: { random: () => 0.5 } }).split(' '),
    ).toHaveLength(4);
  });

  it.each([
    ['lipsum(1, min=5, max=5)', 'ValueError: empty range for randrange() (5, 5, 0)'],
    ["lipsum('a')", "TypeError: 'str' object cannot be interpreted as an integer"],
    ['lipsum(10**9)', 'OverflowError: a sequence of 1000000000 items is longer than the limit of 100000'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression, options)).toBe(expected);
  });

  it('says what it needs', () => {
    expect(failure('lipsum()')).toBe(
      "RuntimeError: the function 'lipsum' needs the host's 'random', which it does not provide",
    );
  });
});

describe('raise', () => {
  it('ends the render with the message', () => {
    expect(failure("raise('no such role')")).toBe('TemplateError: no such role');
  });
});
