import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSettles } from '../../../../test/harness/states/edit-laws.ts';
import { textRegex } from '../../../core/regex/text-regex.ts';
import { type BlockRule, editBlock } from './edit-block.ts';

const RULE: BlockRule = { markerStart: '# start', markerEnd: '# end', content: ['x'], missing: undefined };
const BLOCK = '# start\nx\n# end';

describe('editBlock', () => {
  it.each<[string, Partial<BlockRule>, string, string]>([
    ['replaces what is between the markers', {}, 'a\n# start\nold\nolder\n# end\nb\n', `a\n${BLOCK}\nb\n`],
    ['fills an empty block', {}, '# start\n# end', BLOCK],
    ['empties a block', { content: [] }, BLOCK, '# start\n# end'],
    [
      'keeps the whole lines of the markers',
      {},
      '  # start here\n  # end here\n',
      '  # start here\nx\n  # end here\n',
    ],
    [
      'takes the first end behind the start',
      {},
      '# end\n# start\n# end\n# end\n',
      `# end\n${BLOCK}\n# end\n`,
    ],
    ['leaves a text without the block alone', {}, 'a\n', 'a\n'],
    ['adds at the end', { missing: 'end' }, 'a', `a\n${BLOCK}\n`],
    ['adds to nothing', { missing: 'end' }, '', `${BLOCK}\n`],
    ['adds at the start', { missing: 'start' }, 'a', `${BLOCK}\na`],
    [
      'adds before a line',
      { missing: { side: 'before', regex: textRegex('^b') } },
      'a\nb\n',
      `a\n${BLOCK}\nb\n`,
    ],
    [
      'adds behind a line',
      { missing: { side: 'after', regex: textRegex('^b') } },
      'a\nb',
      `a\nb\n${BLOCK}\n`,
    ],
  ])('%s', (_, rule, before, after) => {
    expect(editBlock(before, { ...RULE, ...rule })).toBe(after);
  });

  it.each<[string, Partial<BlockRule>, string, string]>([
    ['a start without an end', {}, 'a\n# start\nx\n', 'line 2 is # start, and no line after it is # end'],
    ['content that ends the block', { content: ['# end'] }, '', 'has its end marker # end in it'],
    [
      'no line to be beside',
      { missing: { side: 'after', regex: textRegex('b') } },
      'a\n',
      'no line is there',
    ],
  ])('cannot do with %s', (_, rule, text, problem) => {
    expect(editBlock(text, { ...RULE, ...rule })).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('takes more lines than a call takes arguments', () => {
    const content = Array.from({ length: 300_000 }, (_, index) => `${index}`);
    expect(editBlock('# start\n# end\n', { ...RULE, content })).toContain('\n299999\n');
  });

  it('settles', () => {
    const regex = fc.constantFrom('a', 'start', '^$', 'end').map((each) => textRegex(each));
    const rule = fc.record<BlockRule>({
      markerStart: fc.constantFrom('start', 'a', '#', 'new'),
      markerEnd: fc.constantFrom('end', 'b', '#', 'new', 'new end'),
      content: fc.array(fc.constantFrom('a', 'x', '', 'start', '#'), { maxLength: 3 }),
      missing: fc.oneof(
        fc.constantFrom('start' as const, 'end' as const, undefined),
        fc.record({ side: fc.constantFrom('before' as const, 'after' as const), regex }),
      ),
    });
    expectSettles(rule, (each) => (text) => editBlock(text, each));
  });
});
