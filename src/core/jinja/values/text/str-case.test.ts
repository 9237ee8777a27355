import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, outcome } from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';
import { foldPoint, titlePoint } from './unicode.ts';

describe('upper and lower case', () => {
  it.each<[string, () => Value, string]>([
    ["'hello World'.upper()", () => call('hello World', 'upper'), "'HELLO WORLD'"],
    ["'ß'.upper()", () => call('ß', 'upper'), "'SS'"],
    ["'ŉ'.upper()", () => call('ŉ', 'upper'), "'ʼN'"],
    ["'ﬁx'.upper()", () => call('ﬁx', 'upper'), "'FIX'"],
    ["'Hello WORLD'.lower()", () => call('Hello WORLD', 'lower'), "'hello world'"],
    ["'İ'.lower()", () => call('İ', 'lower'), "'i̇'"],
    ["'ΑΣ'.lower()", () => call('ΑΣ', 'lower'), "'ας'"],
    ["'ΑΣΑ'.lower()", () => call('ΑΣΑ', 'lower'), "'ασα'"],
    ["'Σ'.lower()", () => call('Σ', 'lower'), "'σ'"],
    ["'Straße'.casefold()", () => call('Straße', 'casefold'), "'strasse'"],
    ["'ẞ'.casefold()", () => call('ẞ', 'casefold'), "'ss'"],
    ["'Σς'.casefold()", () => call('Σς', 'casefold'), "'σσ'"],
    ["'ıI'.casefold()", () => call('ıI', 'casefold'), "'ıi'"],
    ["'ᏸᎠꭰ'.casefold()", () => call('ᏸᎠꭰ', 'casefold'), "'ᏰᎠᎠ'"],
    ["'ﬁ'.casefold()", () => call('ﬁ', 'casefold'), "'fi'"],
    ["'hELLO world'.capitalize()", () => call('hELLO world', 'capitalize'), "'Hello world'"],
    ["'ßa'.capitalize()", () => call('ßa', 'capitalize'), "'Ssa'"],
    ["'ǆa'.capitalize()", () => call('ǆa', 'capitalize'), "'ǅa'"],
    ["'ﬁX'.capitalize()", () => call('ﬁX', 'capitalize'), "'Fix'"],
    ["'aΣ'.capitalize()", () => call('aΣ', 'capitalize'), "'Aς'"],
    ["''.capitalize()", () => call('', 'capitalize'), "''"],
    ['"they\'re bill\'s 2nd".title()', () => call("they're bill's 2nd", 'title'), '"They\'Re Bill\'S 2Nd"'],
    ["'ǆ ǆ'.title()", () => call('ǆ ǆ', 'title'), "'ǅ ǅ'"],
    ["'ᾳ ᾲ'.title()", () => call('ᾳ ᾲ', 'title'), "'ᾼ Ὰͅ'"],
    ["'აბ'.title()", () => call('აბ', 'title'), "'აბ'"],
    ["'ΑΣ ΣΑ'.title()", () => call('ΑΣ ΣΑ', 'title'), "'Ας Σα'"],
    ["'ŉa'.title()", () => call('ŉa', 'title'), "'ʼNa'"],
    ["'hELLO ß'.swapcase()", () => call('hELLO ß', 'swapcase'), "'Hello SS'"],
    ["'ΑΣ'.swapcase()", () => call('ΑΣ', 'swapcase'), "'ας'"],
    ["'ŉ'.swapcase()", () => call('ŉ', 'swapcase'), "'ʼN'"],
    ["'ABC'.isupper()", () => call('ABC', 'isupper'), 'True'],
    ["'AB1'.isupper()", () => call('AB1', 'isupper'), 'True'],
    ["'Ab'.isupper()", () => call('Ab', 'isupper'), 'False'],
    ["'12'.isupper()", () => call('12', 'isupper'), 'False'],
    ["'ǅ'.isupper()", () => call('ǅ', 'isupper'), 'False'],
    ["'abc'.islower()", () => call('abc', 'islower'), 'True'],
    ["'ab1'.islower()", () => call('ab1', 'islower'), 'True'],
    ["'aB'.islower()", () => call('aB', 'islower'), 'False'],
    ["''.islower()", () => call('', 'islower'), 'False'],
    ["'ª'.islower()", () => call('ª', 'islower'), 'True'],
    ["'Hello World'.istitle()", () => call('Hello World', 'istitle'), 'True'],
    ["'Hello world'.istitle()", () => call('Hello world', 'istitle'), 'False'],
    ["'HELLO'.istitle()", () => call('HELLO', 'istitle'), 'False'],
    ["'ǅa'.istitle()", () => call('ǅa', 'istitle'), 'True'],
    ["'1A'.istitle()", () => call('1A', 'istitle'), 'True'],
    ["''.istitle()", () => call('', 'istitle'), 'False'],
    ["'a'.upper(1)", () => call('a', 'upper', [1]), 'TypeError: str.upper() takes no arguments (1 given)'],
    [
      "'a'.upper(x=1)",
      () => call('a', 'upper', [], [['x', 1]]),
      'TypeError: str.upper() takes no keyword arguments',
    ],
    [
      "'a'.title(1, 2)",
      () => call('a', 'title', [1, 2]),
      'TypeError: str.title() takes no arguments (2 given)',
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('any text', () => {
  it('folds the same after upper and lower', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (text) => {
        const folded = call(text, 'casefold');
        expect(call(call(text, 'lower'), 'casefold')).toBe(folded);
        expect(call(folded, 'casefold')).toBe(folded);
      }),
    );
  });

  it('is a title after title(), if it has letters', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z '0-9]{1,20}$/), (text) => {
        expect(call(call(text, 'title'), 'istitle')).toBe(/[a-zA-Z]/.test(text));
      }),
    );
  });

  it('has at most three letters for one, whatever the case', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xd7ff }), (code) => {
        const point = String.fromCodePoint(code);
        for (const changed of [titlePoint(point), foldPoint(point)])
          expect([...changed].length).toBeLessThan(4);
      }),
    );
  });
});
