import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSettles } from '../../../../test/harness/states/edit-laws.ts';
import { type AddRule, addMissing } from './edit-add.ts';

const END: AddRule = { texts: [], at: 'end', ignoreWhitespace: true };

describe('addMissing', () => {
  it.each<[string, Partial<AddRule>, string, string]>([
    ['a line at the end', { texts: ['b'] }, 'a\n', 'a\nb\n'],
    ['after a last line without a newline', { texts: ['b'] }, 'a', 'a\nb\n'],
    ['to nothing', { texts: ['a', 'b'] }, '', 'a\nb\n'],
    ['only what is missing, in order', { texts: ['c', 'a', 'b'] }, 'a\n', 'a\nc\nb\n'],
    ['at the start, in order', { texts: ['b', 'c'], at: 'start' }, 'a', 'b\nc\na'],
    ['a line that is only a part of another', { texts: ['Port 2'] }, 'Port 22\n', 'Port 22\nPort 2\n'],
    ['several lines as a whole', { texts: ['if\nfi\n'] }, 'fi\nif\n', 'fi\nif\nif\nfi\n'],
    ['the same text once', { texts: ['b', 'b'] }, 'a\n', 'a\nb\n'],
    [
      'what differs in white space, if that counts',
      { texts: ['a b'], ignoreWhitespace: false },
      'a  b\n',
      'a  b\na b\n',
    ],
  ])('adds %s', (_, rule, before, after) => {
    expect(addMissing(before, { ...END, ...rule })).toBe(after);
  });

  it.each<[string, readonly string[], string]>([
    ['a line', ['b'], 'a\nb\nc'],
    ['a line with other spacing', ['a b'], '  a   b '],
    ['lines that follow each other', ['b\nc'], 'a\nb\nc\n'],
    ['an empty line', [''], 'a\n\nb\n'],
  ])('leaves a file alone that has %s', (_, texts, text) => {
    expect(addMissing(text, { ...END, texts })).toBe(text);
    expect(addMissing(text, { ...END, texts, at: 'start' })).toBe(text);
  });

  it('settles', () => {
    const rule = fc.record<AddRule>({
      texts: fc.array(fc.constantFrom('a', ' a', 'a\nb', '', 'x  y\n', 'new'), {
        minLength: 1,
        maxLength: 4,
      }),
      at: fc.constantFrom('start', 'end'),
      ignoreWhitespace: fc.boolean(),
    });
    expectSettles(rule, (each) => (text) => addMissing(text, each));
  });
});
