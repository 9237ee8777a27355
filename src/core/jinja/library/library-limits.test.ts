/** One filter must not be able to take the process down: what it makes is bounded, and so is what it does. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../test/harness/states/printed-expression.ts';
import { templateRegex } from '../../templates/template-regex.ts';
import { Environment } from '../environment.ts';

const TEXT = /^OverflowError: a text of \d+ characters is longer than the limit of \d+$/;
const ITEMS = /^OverflowError: a sequence of \d+ items is longer than the limit of \d+$/;
const STEPS = /^LimitError: the render took more than \d+ steps$/;

/** Small, so that also what goes up to a limit is quick. */
const LIMITS = { output: 1_000_000, range: 10_000, steps: 1_000_000 };

describe('filters are bounded', () => {
  it.each([
    ["'x'|center(10**9)", TEXT],
    ["'a\nb'|indent(10**9)", TEXT],
    ["('a\n' * 1000)|indent(10000)", TEXT],
    ["('a' * 10000)|replace('a', 'b' * 1000)", TEXT],
    ["(['a' * 1000] * 5000)|join", TEXT],
    ["([''] * 5000)|join('b' * 1000)", TEXT],
    ['[1]|tojson(10**9)', TEXT],
    ["('a b ' * 1000)|wordwrap(2, wrapstring='x' * 10000)", TEXT],
    ["('<' * 500000)|e|length", TEXT],
    ["('<' * 500000)|forceescape|length", TEXT],
    ["('é' * 500000)|urlencode|length", TEXT],
    ["'%1000000000d'|format(1)", TEXT],
    ['[1]|batch(10**9, 0)|list', ITEMS],
    ['[1]|slice(10**9)|list', ITEMS],
    ["'10.0.0.0/8'|network_hosts", ITEMS],
    ["'fe80::/64'|network_hosts", ITEMS],
    ['([[1] * 9000] * 5)|sum(start=[])', ITEMS],
    ['[[1] * 9000, [1] * 9000]|flatten', ITEMS],
    ['[1]|product(repeat=10**9)', ITEMS],
    ['range(30)|product(repeat=30)|list', ITEMS],
    ['range(9000)|permutations|first', STEPS],
    ['range(60)|combinations(30)|list', STEPS],
    ['range(9000)|combinations_with_replacement(8000)|first', STEPS],
    ['lipsum(10**9)', ITEMS],
    ['lipsum(1, false, 10**8, 10**9)', STEPS],
  ])('{{ %s }} fails before it is made', (expression, expected) => {
    expect(failure(expression, { host: { random: () => 0.5 }, limits: LIMITS })).toMatch(expected);
  });

  it('work is counted: many small steps end too', () => {
    const limits = { steps: 1_000 };
    const work = [
      "range(2000)|map('int')|list",
      'range(2000)|sort',
      'range(2000)|select|list',
      'range(2000)|sum',
    ];
    for (const expression of work)
      expect(failure(expression, { limits })).toBe('LimitError: the render took more than 1000 steps');
  });

  it.each([
    't|upper',
    't|lower|length',
    't.title()',
    "t.count('b')",
    "'b' in t",
    "t == (t ~ '')",
    't[1:]',
    't|wordwrap',
    "t|regex_search('b')",
    "['x' * 50000, i]|join",
    "'%s%s' % (t, i)",
    '-1 in l',
    'l + [i]',
    'l.index(4999)',
    't is upper',
  ])('a loop over {{ %s }} ends: long values count more than one step', (expression) => {
    const template = `{% for i in range(1000) %}{% set x = ${expression} %}{% endfor %}`;
    const variables = { t: 'a'.repeat(50_000), l: Array.from({ length: 5_000 }, (_, i) => i) };
    const environment = new Environment({ limits: { steps: 100_000 }, host: { regex: templateRegex } });
    expect(() => environment.compile(template).render(variables)).toThrow('more than 100000 steps');
  });

  it('sets of lists are counted by comparisons', () => {
    const lists = 'range(3000)|batch(1)|list';
    expect(failure(`(${lists})|difference(${lists})`, { limits: { steps: 100_000 } })).toMatch(STEPS);
  });

  it.each(['l|pprint', 'l|tojson', 'l|flatten', "l|map('string')|list"])(
    'a list that holds itself ends: {{ %s }}',
    (expression) => {
      const template = `[l.append(l), (${expression})][1]`;
      const outcome = failure(template, { variables: { l: [1] } });
      expect(outcome).toMatch(
        /^no error, but |^ValueError: Circular reference|^RecursionError: Reference cycle/,
      );
    },
  );

  it('data that nests deep is refused or printed, never a crash', () => {
    let nested: unknown[] = [];
    for (let i = 0; i < 5_000; i++) nested = [nested];
    for (const filter of ['pprint', 'tojson', 'json', 'flatten', 'string'])
      expect(failure(`nested|${filter}`, { variables: { nested } })).toMatch(
        /^(RecursionError|LimitError): /,
      );
    expect(printed("('[' * 5000)|load_json|default('x')|string if false else 'y'")).toBe('y');
    expect(failure("('[' * 5000)|load_json")).toMatch(/^TemplateRuntimeError: Unable to load json from \[/);
  });
});
