/** Salt's regular expressions, on the engine that templates get; the vectors are from Salt's documentation and Python. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';
import { templateRegex } from '../../../templates/template-regex.ts';

const options = { host: { regex: templateRegex } };

describe('searching', () => {
  it.each([
    ["'abcdefabcdef'|regex_search('BC(.*)', ignorecase=True)", "('defabcdef',)"],
    ["'abcd'|regex_search('^(.*)BC(.*)$', ignorecase=True)", "('a', 'd')"],
    ["'abcd'|regex_search('bc')", "('bc',)"],
    ["'web1'|regex_match('web')", "('web',)"],
    ["'abcd'|regex_search('x')", 'None'],
    ["'ac'|regex_search('a(b)?(c)')", "(None, 'c')"],
    ["'abcdefabcdef'|regex_match('BC(.*)', ignorecase=True)", 'None'],
    ["'abcd'|regex_match('ab(.)')", "('c',)"],
    ["'a\\nb'|regex_match('^b', multiline=True)", 'None'],
    ["'a\\nb'|regex_search('^(b)', multiline=True)", "('b',)"],
    ["'abc'|regex_match('b|(a)')", "('a',)"],
    ["'web1' is match('web')", 'True'],
    ["'a web1' is match('web')", 'False'],
    ["'WEB1' is match('web', ignorecase=true)", 'True'],
    [
      "[{'v': 'a'}, {'v': 'b'}, {'v': 'c'}]|selectattr('v', 'match', '[b-e]')|list",
      "[{'v': 'b'}, {'v': 'c'}]",
    ],
    ["'foo?:.*/\\\\bar'|regex_escape", 'foo\\?:\\.\\*/\\\\bar'],
    ["'a-b c#d~e&f_g'|regex_escape", 'a\\-b\\ c\\#d\\~e\\&f_g'],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression, options)).toBe(expected);
  });
});

describe('regex_replace', () => {
  it.each([
    ["'lets replace spaces'|regex_replace('\\s+', '__')", 'lets__replace__spaces'],
    [
      "'yes, this is a TEST'|regex_replace(' ([a-z])', '__\\\\1', ignorecase=True)",
      'yes,__this__is__a__TEST',
    ],
    ["'abc'|regex_replace('(?P<x>b)', '[\\\\g<x>]')", 'a[b]c'],
    ["'abc'|regex_replace('b', '<\\\\g<0>>')", 'a<b>c'],
    ["'abc'|regex_replace('(b)', '\\\\g<1>0')", 'ab0c'],
    ["'abc'|regex_replace('b', '\\\\n')", 'a\nc'],
    ["'abc'|regex_replace('b', '\\\\.')", 'a\\.c'],
    ["'abc'|regex_replace('b', '$1')", 'a$1c'],
    ["'abxd'|regex_replace('x*', '-')", '-a-b--d-'],
    ["'abc'|regex_replace('', '-')", '-a-b-c-'],
    ["'😀b'|regex_replace('', '-')", '-😀-b-'],
    ["'aaa'|regex_replace('^a', 'b')", 'baa'],
    ["'ac'|regex_replace('a(b)?c', '[\\\\1]')", '[]'],
    ["'abc'|regex_replace('x', '-')", 'abc'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression, options)).toBe(expected);
  });

  it.each([
    ["'abc'|regex_replace('b', '\\\\1')", 'error: invalid group reference 1 at position 1'],
    ["'abc'|regex_replace('b', '\\\\q')", 'error: bad escape \\q at position 0'],
    ["'abc'|regex_replace('b', '\\\\g<x>')", "IndexError: unknown group name 'x'"],
    ["5|regex_replace('b', 'c')", "TypeError: expected string or bytes-like object, got 'int'"],
    ["'a'|regex_search('(')", 'error: missing ), unterminated subpattern at position 0'],
    ["'a'|regex_search(5)", 'TypeError: first argument must be string or compiled pattern'],
    ["'a'|regex_search", "TypeError: regex_search() missing 1 required positional argument: 'rgx'"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression, options)).toBe(expected);
  });

  it('what the engine cannot express is a clear error', () => {
    expect(failure("'aa'|regex_search('(a)\\\\1')", options)).toBe(
      'NotImplementedError: the regular expression (a)\\1 does not work here: RE2 has no back-references (`\\1`)',
    );
    expect(failure("'aa'|regex_search('a(?=b)')", options)).toBe(
      'NotImplementedError: the regular expression a(?=b) does not work here: RE2 has no look-around (`(?=`)',
    );
  });

  it('says that the host has none', () => {
    expect(failure("'a'|regex_search('a')")).toBe(
      "RuntimeError: a regular expression needs the host's 'regex', which it does not provide",
    );
  });

  it('a pattern that would stop a backtracking engine does not stop this one', () => {
    expect(printed("('a' * 20000 ~ 'b')|regex_search('(a+)+$')", options)).toBe('None');
  });
});
