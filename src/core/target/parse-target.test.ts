import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printTarget } from '../../../test/harness/print-target.ts';
import { explainError, isZesterError, type ZesterError } from '../errors/zester-error.ts';
import { parseTarget } from './parse-target.ts';
import { MATCHERS_MAX, NESTING_MAX, TARGET_CHARS_MAX } from './target.ts';

function faultOf(expression: string, type?: string): ZesterError {
  try {
    parseTarget(expression, type);
  } catch (error) {
    if (isZesterError(error)) return error;
    throw error;
  }
  return expect.unreachable(`${expression} is a target`);
}

const printed = (expression: string, type?: string) => printTarget(parseTarget(expression, type).root);

describe('parseTarget', () => {
  it('reads every matcher, with its column', () => {
    expect(parseTarget('web*').root).toEqual({ kind: 'glob', column: 1, pattern: 'web*' });
    expect(parseTarget(' E@web-\\d+').root).toEqual({ kind: 'regex', column: 2, pattern: 'web-\\d+' });
    expect(parseTarget('G@os.name:ubuntu').root).toEqual({
      kind: 'fact',
      column: 1,
      prefix: 'G',
      path: 'os.name',
      operator: '=',
      value: 'ubuntu',
    });
    expect(parseTarget('I@cpu.count:>=4').root).toMatchObject({ prefix: 'I', operator: '>=', value: '4' });
    expect(parseTarget('L@web-01,,db01.example.com, ').root).toMatchObject({
      kind: 'list',
      peels: ['web-01', 'db01_example_com'],
    });
  });

  it('is operator-first: a prefix at the start does not swallow what follows', () => {
    expect(parseTarget('G@a:b and web*').root).toMatchObject({
      kind: 'and',
      parts: [
        { kind: 'fact', path: 'a', value: 'b', column: 1 },
        { kind: 'glob', pattern: 'web*', column: 11 },
      ],
    });
  });

  it.each([
    ['a or b and not c', 'a or b and not c'],
    ['(a or b) and not c', '(a or b) and not c'],
    ['((a)) AND (Not b)', 'a and not b'],
    ['not (a or b)', 'not (a or b)'],
    ['not(a)and(b)', 'not a and b'],
    ['not not a', 'not not a'],
    ['a and (b and c)', 'a and (b and c)'],
    ['E@^(web|db)-(\\d+)$ and x', '"E@^(web|db)-(\\d+)$" and x'],
    ['(E@^(web|db)- or x)', '"E@^(web|db)-" or x'],
    ['G@cpu.model:Intel(R)*', 'G@cpu.model:"Intel(R)*"'],
    ['G@os.name:"Debian GNU/Linux" and web*', 'G@os.name:"Debian GNU/Linux" and web*'],
    ["'G@os.name:Debian GNU/Linux'", 'G@os.name:"Debian GNU/Linux"'],
    [`G@note:"it's"`, `G@note:"it's"`],
    [`G@note:'say "hi"'`, `G@note:"say "'"'"hi"'"'`],
    ['"and" or "not"', '"and" or "not"'],
    ['android and order and nothing', 'android and order and nothing'],
    ['G@env:""', 'G@env:""'],
    ['G@env:!=""', 'G@env:!=""'],
    ['G@mac:aa:bb:cc', 'G@mac:aa:bb:cc'],
    ['G@n:">= 4"', 'G@n:>=4'],
    ['a\tand\n b', 'a and b'],
    ['T@role and T@site.name:"new york"', 'T@role and T@site.name:"new york"'],
    ['T@tier:">= 2"', 'T@tier:>=2'],
  ])('%s reads as %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
    expect(printed(expected)).toBe(expected);
  });

  it.each([
    ['web*', 'glob', 'web*'],
    ['and', 'glob', '"and"'],
    ['^web and db$', 'pcre', '"E@^web and db$"'],
    ['E@web', 'regex', 'E@web'],
    ['os.name:Debian GNU/Linux', 'fact', 'G@os.name:"Debian GNU/Linux"'],
    ['G@a:b and c', 'grain', 'G@a:"b and c"'],
    ['a:"b"', 'pillar', `I@a:'"'"b"'"'`],
    ['web-01, db.example.com', 'list', 'L@web-01,db_example_com'],
    ['L@web-01', 'list', 'L@web-01'],
    ['G@a:b or c', 'compound', 'G@a:b or c'],
    ['role:web and db', 'tag', 'T@role:"web and db"'],
    ['T@role', 'tag', 'T@role'],
  ])('%s of type %s reads as %s', (expression, type, expected) => {
    expect(printed(expression, type)).toBe(expected);
  });
});

describe('what is wrong with a target', () => {
  it.each([
    ['', 'TARGET_EMPTY', 1, 'the target is empty'],
    ['  ', 'TARGET_EMPTY', 1, 'the target is empty'],
    ['web* and', 'TARGET_SYNTAX', 6, '`and` needs a matcher after it'],
    ['web* and or db*', 'TARGET_SYNTAX', 6, '`and` needs a matcher after it'],
    ['(web* or )', 'TARGET_SYNTAX', 7, '`or` needs a matcher after it'],
    ['not', 'TARGET_SYNTAX', 1, '`not` needs a matcher after it'],
    ['or web*', 'TARGET_SYNTAX', 1, '`or` needs a matcher before it'],
    ['(and web*)', 'TARGET_SYNTAX', 2, '`and` needs a matcher before it'],
    ['(web* or (db*)', 'TARGET_SYNTAX', 1, 'the parenthesis is never closed'],
    ['(', 'TARGET_SYNTAX', 1, 'the parenthesis is never closed'],
    ['web*)', 'TARGET_SYNTAX', 5, 'the `)` has no `(` before it'],
    [')', 'TARGET_SYNTAX', 1, 'the `)` has no `(` before it'],
    ['web* and ()', 'TARGET_SYNTAX', 10, 'the parentheses are empty'],
    ['E@^(web', 'TARGET_SYNTAX', 4, 'the parenthesis is never closed'],
    ['G@a:"b c', 'TARGET_SYNTAX', 5, 'the quote is never closed'],
    [
      'web* db*',
      'TARGET_SYNTAX',
      6,
      '`and` or `or` is missing before `db*`; a value with blanks needs quotes',
    ],
    ['web* adn db*', 'TARGET_SYNTAX', 6, '`and` or `or` is missing before `adn`; did you mean `and`?'],
    ['web* && db*', 'TARGET_SYNTAX', 6, '`and` or `or` is missing before `&&`; did you mean `and`?'],
    ['web* not db*', 'TARGET_SYNTAX', 6, '`not` cannot follow a matcher; did you mean `and not`?'],
    ['web* (db*)', 'TARGET_SYNTAX', 6, '`and` or `or` is missing before the `(`'],
    ['(web* (db*))', 'TARGET_SYNTAX', 7, '`and` or `or` is missing before the `(`'],
    ['X@web', 'TARGET_PREFIX_UNKNOWN', 1, '`X@` is no matcher'],
    ['a or g@os:x', 'TARGET_PREFIX_UNKNOWN', 6, '`g@` is no matcher; did you mean G@?'],
    [
      'P@os:x',
      'TARGET_PREFIX_UNKNOWN',
      1,
      '`P@` is no matcher; facts take wildcards, as in G@os.name:debian*',
    ],
    ['a or t@role:x', 'TARGET_PREFIX_UNKNOWN', 6, '`t@` is no matcher; did you mean T@?'],
    ['T@', 'TARGET_TAG_INVALID', 1, 'the name of the tag is empty or has an empty part'],
    ['T@a..b:c', 'TARGET_TAG_INVALID', 1, 'the name of the tag is empty or has an empty part'],
    ['T@role:', 'TARGET_TAG_INVALID', 1, '`T@role:` has no value; the empty one is `""`'],
    ['T@role:[w*', 'TARGET_GLOB_INVALID', 8, 'the `[` is never closed'],
    ['constructor@x', 'TARGET_PREFIX_UNKNOWN', 1, '`constructor@` is no matcher'],
    ['web[0-9', 'TARGET_GLOB_INVALID', 4, 'the `[` is never closed'],
    ['""', 'TARGET_GLOB_INVALID', 1, 'the pattern is empty'],
    ['os:ubuntu', 'TARGET_GLOB_INVALID', 3, '`:` cannot be part of a peel id; did you mean `G@os:ubuntu`?'],
    ['a,b', 'TARGET_GLOB_INVALID', 2, '`,` cannot be part of a peel id; did you mean `L@a,b`?'],
    ['web|db', 'TARGET_GLOB_INVALID', 4, '`|` cannot be part of a peel id; did you mean `or`?'],
    ['!web*', 'TARGET_GLOB_INVALID', 1, '`!` cannot be part of a peel id; did you mean `not`?'],
    ['x and "a b"', 'TARGET_GLOB_INVALID', 9, '` ` cannot be part of a peel id'],
    ['E@', 'TARGET_REGEX_INVALID', 1, 'the regular expression cannot be used: it is empty'],
    [
      'x or E@a(?=b)',
      'TARGET_REGEX_INVALID',
      9,
      'the regular expression cannot be used: RE2 has no look-around (`(?=`)',
    ],
    ['G@os', 'TARGET_FACT_INVALID', 1, '`G@os` has no `:` and value'],
    ['G@:x', 'TARGET_FACT_INVALID', 1, 'the key of the fact is empty or has an empty part'],
    ['G@a..b:x', 'TARGET_FACT_INVALID', 1, 'the key of the fact is empty or has an empty part'],
    ['G@os:', 'TARGET_FACT_INVALID', 1, '`G@os:` has no value; the empty one is `""`'],
    ['G@n:>=', 'TARGET_FACT_INVALID', 1, '`G@n:>=` has no value; the empty one is `""`'],
    ['a or G@os:"x y[*"', 'TARGET_GLOB_INVALID', 15, 'the `[` is never closed'],
    ['L@', 'TARGET_LIST_INVALID', 1, 'the list is empty'],
    ['L@,', 'TARGET_LIST_INVALID', 1, 'the list is empty'],
    ['x or L@web-01,web*', 'TARGET_LIST_INVALID', 15, '`web*` cannot be the id of a peel'],
  ])('%j: %s at %i, %s', (expression, code, column, problem) => {
    const fault = faultOf(expression);
    expect(fault.code).toBe(code);
    expect(fault.message.split('\n')[0]).toBe(problem);
    expect(fault.at).toEqual({ file: 'target', column });
  });

  it('shows the place', () => {
    expect(explainError(faultOf('web* adn db*'))).toBe(
      [
        'target:6: `and` or `or` is missing before `adn`; did you mean `and`?',
        '      web* adn db*',
        '           ^ [TARGET_SYNTAX]',
        '  next: combine matchers with and, or, not and parentheses; put a value with blanks in quotes',
      ].join('\n'),
    );
  });

  it('shows a window of a long one, and nothing that a terminal would obey', () => {
    const { message } = faultOf(`${'a or '.repeat(40)}\u001b31m or ${'b or '.repeat(40)}c`);
    const [, line = '', caret = ''] = message.split('\n');
    expect(line.length).toBeLessThan(80);
    expect(line[caret.indexOf('^')]).toBe('?');
    expect(message).not.toContain('\u001b');
  });

  it('names the type that was meant', () => {
    expect(faultOf('x', 'grian').message).toBe('there is no target type `grian`; did you mean grain?');
    expect(faultOf('x', 'constructor').code).toBe('TARGET_TYPE_UNKNOWN');
    expect(faultOf('', 'glob').code).toBe('TARGET_EMPTY');
  });

  it.each([
    ['characters', 'a'.repeat(TARGET_CHARS_MAX + 1)],
    [
      'matchers',
      Array(MATCHERS_MAX + 1)
        .fill('a')
        .join(' or '),
    ],
    ['nesting', `${'('.repeat(NESTING_MAX + 1)}a${')'.repeat(NESTING_MAX + 1)}`],
    ['negations', `${'not '.repeat(100_000 / 4)}a`.slice(0, TARGET_CHARS_MAX)],
    ['open parentheses', '('.repeat(TARGET_CHARS_MAX)],
    ['words', 'a or '.repeat(50_000)],
    ['glob', '*a'.repeat(200)],
    ['value glob', `G@a:${'*a'.repeat(200)}`],
    ['regex', `E@${'a'.repeat(513)}`],
    ['instructions', 'E@((x{10}){10}){10}'],
    ['instructions together', Array(30).fill('E@^[ab]{40}$').join(' or ')],
    ['facts', Array.from({ length: 33 }, (_, i) => `G@f${i}:x`).join(' or ')],
  ])('has limits: %s', (_, expression) => {
    expect(faultOf(expression).code).toBe('TARGET_TOO_LARGE');
  });

  it.each([
    ['parentheses in a word', `a${'('.repeat(TARGET_CHARS_MAX - 1)}`, 'TARGET_SYNTAX'],
    ['pairs in a word', `a${'()'.repeat(TARGET_CHARS_MAX / 2 - 1)}`, 'TARGET_TOO_LARGE'],
    ['quotes', `L@${'"a",'.repeat(TARGET_CHARS_MAX / 4 - 2)}*`, 'TARGET_LIST_INVALID'],
    ['a long word', 'a'.repeat(TARGET_CHARS_MAX), 'TARGET_TOO_LARGE'],
    ['a long key', `G@${'a.'.repeat(TARGET_CHARS_MAX / 2 - 2)}`, 'TARGET_FACT_INVALID'],
    ['repeats', `E@${'a{999}'.repeat(80)}`, 'TARGET_TOO_LARGE'],
  ])('is found at once, however long it is: %s', (_, expression, code) => {
    expect(faultOf(expression).code).toBe(code);
  });

  it('takes what is just inside the limits', () => {
    expect(() => parseTarget(Array(MATCHERS_MAX).fill('a').join(' or '))).not.toThrow();
    expect(() => parseTarget(`${'('.repeat(NESTING_MAX)}a${')'.repeat(NESTING_MAX)}`)).not.toThrow();
    expect(() => parseTarget(`L@${Array(10_000).fill('web-01.example.com').join(',')}`)).not.toThrow();
  });

  it('is a ZesterError with a column inside the expression, whatever is typed', () => {
    const piece = fc.constantFrom(
      ...[
        'and',
        'or',
        'NOT',
        '(',
        ')',
        ' ',
        ' ',
        'web*',
        'E@',
        'G@',
        'I@',
        'L@',
        'g@',
        'a.b',
        ':',
        '>=',
        '!=',
      ],
      ...[',', '"', "'", '[', ']', '!', '^', '\\', '?', '+', '{9}', '|', '\u202e', '😀', '\u0000', '&&', '$'],
    );
    const soup = fc.oneof(
      fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const type = fc.constantFrom('', '', '', 'glob', 'pcre', 'fact', 'settings', 'compound', 'list');
    fc.assert(
      fc.property(soup, type, (expression, kind) => {
        try {
          parseTarget(expression, kind);
        } catch (error) {
          if (!isZesterError(error)) throw error;
          expect(error.code).toMatch(/^TARGET_/);
          expect(error.at?.column).toBeGreaterThanOrEqual(1);
          expect(error.at?.column).toBeLessThanOrEqual(Math.max(1, expression.length));
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
