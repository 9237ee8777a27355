import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyFileText } from '../../../../test/harness/states/edit-laws.ts';
import { NO_FLAGS } from '../../../core/regex/pattern-tree.ts';
import { textRegex } from '../../../core/regex/text-regex.ts';
import { REPLACED_CHARS_MAX, type ReplaceRule, replaceMatches } from './edit-replace.ts';
import { parseReplacement } from './edit-replacement.ts';

function rule(pattern: string, repl: string, rest: Partial<ReplaceRule> = {}): ReplaceRule {
  const regex = textRegex(pattern, { ...NO_FLAGS, multiline: true });
  return { regex, replacement: parseReplacement(repl, regex), count: 0, notFound: undefined, ...rest };
}

describe('replaceMatches', () => {
  it.each<[string, ReplaceRule, string, string]>([
    ['every match', rule('^#?Port .*$', 'Port 22'), '#Port 1\nx\nPort 2', 'Port 22\nx\nPort 22'],
    ['as many as told', rule('a', 'b', { count: 2 }), 'a a a', 'b b a'],
    ['over lines', rule('(?s)<a>.*</a>', '<a/>'), '<a>\nx\n</a>\n', '<a/>\n'],
    ['nothing with nothing', rule('x', ''), 'axb', 'ab'],
  ])('replaces %s', (_, each, before, after) => {
    expect(replaceMatches(before, each)).toBe(after);
  });

  it('adds what it is told where it finds nothing, and only then', () => {
    const end = rule('^Port.*', 'Port 22', { notFound: { content: 'Port 22', at: 'end' } });
    expect(['x', 'Port 1\n', ''].map((text) => replaceMatches(text, end))).toEqual([
      'x\nPort 22\n',
      'Port 22\n',
      'Port 22\n',
    ]);
    const start = rule('^none', '', { notFound: { content: 'a\nb\n', at: 'start' } });
    expect(['x', 'x\na\nb\n'].map((text) => replaceMatches(text, start))).toEqual(['a\nb\nx', 'x\na\nb\n']);
  });

  it('stops before the result fills the memory', () => {
    const long = rule('', 'x'.repeat(100_000));
    expect(replaceMatches('a'.repeat(1_000), long)).toEqual({
      problem: `the result has more than ${REPLACED_CHARS_MAX} characters`,
    });
  });

  it('leaves a text without a match as it is', () => {
    fc.assert(fc.property(anyFileText, (text) => replaceMatches(text, rule('none', 'x')) === text));
  });
});

describe('parseReplacement', () => {
  it.each([
    ['\\1-\\2', 'a-b'],
    ['\\g<1>0', 'a0'],
    ['\\g<second>', 'b'],
    ['\\g<0>!', 'ab!'],
    ['$2$1', 'ba'],
    [`\${second}1`, 'b1'],
    ['$1$$', 'a$'],
    ['PATH=$PATH:$HOME/$3 $$', 'PATH=$PATH:$HOME/$3 $$'],
    ['\\1 costs $1', 'a costs $1'],
    ['a\\tb\\nc\\\\d', 'a\tb\nc\\d'],
    ['\\.\\$', '\\.\\$'],
    ['', ''],
  ])('%s gives %s', (repl, result) => {
    const regex = textRegex('(a)(?P<second>b)');
    expect(replaceMatches('ab', { ...rule('', ''), regex, replacement: parseReplacement(repl, regex) })).toBe(
      result,
    );
  });

  it.each([
    ['\\3', 'repl: the pattern has no group 3'],
    ['\\g<x>', 'repl: the pattern has no group x'],
    ['\\d', 'repl: it has \\d, which means nothing; write \\\\d'],
  ])('refuses %s: %s', (repl, problem) => {
    expect(() => parseReplacement(repl, textRegex('(a)(b)'))).toThrow(problem);
  });
});
