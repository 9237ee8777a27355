import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyFileText, expectSettles } from '../../../../test/harness/states/edit-laws.ts';
import { textRegex } from '../../../core/regex/text-regex.ts';
import { type CommentRule, commentLines, uncommentLines } from './edit-comment.ts';

const of = (pattern: string, mark = '#'): CommentRule => ({ regex: textRegex(pattern), mark });
const rules = fc.record<CommentRule>({
  regex: fc.constantFrom('a', '^a', 'a$', '^$', '.', 'b|x', '^\\s').map((each) => textRegex(each)),
  mark: fc.constantFrom('#', '//', '# ', 'a'),
});

describe('commentLines', () => {
  it.each([
    ['the lines that fit', of('^Port'), 'Port 1\nListen 1\nPort 2', '#Port 1\nListen 1\n#Port 2'],
    ['none that is a comment', of('Port'), '# Port 1\n  #Port 2\n', '# Port 1\n  #Port 2\n'],
    ['with the mark before the indentation', of('Port'), '  Port\n', '#  Port\n'],
    ['with another mark', of('^x', '// '), 'x\n', '// x\n'],
  ])('comments out %s', (_, rule, before, after) => {
    expect(commentLines(before, rule)).toBe(after);
  });

  it('settles', () => expectSettles(rules, (rule) => (text) => commentLines(text, rule)));
});

describe('uncommentLines', () => {
  it.each([
    ['the lines that fit', of('^Port'), '#Port 1\n#Listen 1\n', 'Port 1\n#Listen 1\n'],
    ['with a space behind the mark', of('^Port'), '# Port 1\n  #  Port 2\n', 'Port 1\n  Port 2\n'],
    ['with its indentation', of('Port'), '#  Port\n', '  Port\n'],
    ['a comment in a comment', of('Port'), '##Port\n', 'Port\n'],
    ['none that does not start the line', of('^Port'), '##Port\n', '##Port\n'],
    ['none that is no comment', of('Port'), 'Port #1\n', 'Port #1\n'],
  ])('takes %s back', (_, rule, before, after) => {
    expect(uncommentLines(before, rule)).toBe(after);
  });

  it('settles', () => expectSettles(rules, (rule) => (text) => uncommentLines(text, rule)));

  it('takes back what commentLines did', () => {
    fc.assert(
      fc.property(anyFileText, fc.constantFrom('a', '^a', 'b|x', '^.'), (text, pattern) => {
        const bare = uncommentLines(text, of('.'));
        expect(uncommentLines(commentLines(bare, of(pattern)), of(pattern))).toBe(bare);
      }),
    );
  });
});
