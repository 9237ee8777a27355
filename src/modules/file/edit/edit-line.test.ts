import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSettles } from '../../../../test/harness/states/edit-laws.ts';
import { textRegex } from '../../../core/regex/text-regex.ts';
import { editLine, LINE_MODES, type LineRule } from './edit-line.ts';

const anchor = (text: string) => ({ text, regex: textRegex(text) });
const RULE: LineRule = {
  mode: 'ensure',
  content: 'Port 22',
  match: undefined,
  after: undefined,
  before: undefined,
  location: 'end',
  indent: true,
};
const PORT = { match: textRegex('^\\s*#?Port') };

describe('editLine', () => {
  it.each<[string, Partial<LineRule>, string, string]>([
    ['ensure replaces the first match', PORT, '#Port 1\nPort 2\n', 'Port 22\nPort 2\n'],
    ['ensure takes no second match when the first is right', PORT, 'Port 22\nPort 2\n', 'Port 22\nPort 2\n'],
    ['ensure keeps the indentation', PORT, 'x\n  Port 2', 'x\n  Port 22'],
    ['ensure adds where nothing matches', PORT, 'x\n', 'x\nPort 22\n'],
    ['ensure adds to a last line without newline', PORT, 'x', 'x\nPort 22\n'],
    ['ensure adds to nothing', {}, '', 'Port 22\n'],
    ['ensure leaves what is there', {}, '  Port 22\nx\n', '  Port 22\nx\n'],
    [
      'ensure is content with a content that the pattern does not fit',
      { match: textRegex('^Listen') },
      'Listen 1\nPort 22\n',
      'Listen 1\nPort 22\n',
    ],
    ['insert goes behind', { mode: 'insert', after: anchor('a') }, ' a\nb\n', ' a\n Port 22\nb\n'],
    ['insert goes before', { mode: 'insert', before: anchor('b') }, 'a\nb\n', 'a\nPort 22\nb\n'],
    [
      'insert prefers after',
      { mode: 'insert', after: anchor('b'), before: anchor('a') },
      'a\nb',
      'a\nb\nPort 22\n',
    ],
    ['insert goes to the start', { mode: 'insert', location: 'start' }, 'a', 'Port 22\na'],
    [
      'insert takes an anchor as it stands first',
      { mode: 'insert', after: anchor('[b]') },
      'b\n[b]\n',
      'b\n[b]\nPort 22\n',
    ],
    ['insert without its anchor adds', { mode: 'insert', after: anchor('none') }, 'a\n', 'a\nPort 22\n'],
    ['insert leaves what is there', { mode: 'insert', location: 'start' }, 'a\nPort 22\n', 'a\nPort 22\n'],
    ['own indentation stays', { mode: 'insert', content: '  x', after: anchor('a') }, '\ta\n', '\ta\n  x\n'],
    ['no indentation when told', { ...PORT, indent: false }, '  Port 2\n', 'Port 22\n'],
    [
      'replace takes every match',
      { ...PORT, mode: 'replace' },
      'Port 1\nx\nPort 2\n',
      'Port 22\nx\nPort 22\n',
    ],
    ['replace never adds', { ...PORT, mode: 'replace' }, 'x\n', 'x\n'],
    ['delete takes every match', { ...PORT, mode: 'delete' }, 'Port 1\nx\nPort 2', 'x'],
    ['delete takes the content', { mode: 'delete' }, 'Port 22\nPort 221\n  Port 22\n', 'Port 221\n'],
    ['delete leaves nothing of all', { ...PORT, mode: 'delete' }, 'Port 1\n', ''],
  ])('%s', (_, rule, before, after) => {
    expect(editLine(before, { ...RULE, ...rule })).toBe(after);
  });

  it('settles', () => {
    const pattern = fc.constantFrom('a', '^a', 'b|x', '^#?a$', '=', '^$', 'none');
    const rule = fc.record<LineRule>({
      mode: fc.constantFrom(...LINE_MODES),
      content: fc.constantFrom('a', '  a', 'new', 'x y', 'b=1', 'a = 1'),
      match: fc.option(
        pattern.map((each) => textRegex(each)),
        { nil: undefined },
      ),
      after: fc.option(pattern.map(anchor), { nil: undefined }),
      before: fc.option(pattern.map(anchor), { nil: undefined }),
      location: fc.constantFrom('start', 'end'),
      indent: fc.boolean(),
    });
    expectSettles(rule, (each) => (text) => editLine(text, each));
  });
});
