import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SourceText } from './source-text.ts';

describe('SourceText', () => {
  it('has one kind of newline, and none at the very end unless it is kept', () => {
    expect(new SourceText('a\r\nb\rc\n\n', false).text).toBe('a\nb\nc\n');
    expect(new SourceText('a\r\n', true).text).toBe('a\n');
    expect(new SourceText('', false).text).toBe('');
  });

  it('gives positions in the text as it was written', () => {
    const source = new SourceText('a\r\nbc\rd', false);
    expect(source.positionOf(0)).toEqual({ offset: 0, line: 1, column: 1 });
    expect(source.positionOf(3)).toEqual({ offset: 4, line: 2, column: 2 });
    expect(source.positionOf(5)).toEqual({ offset: 6, line: 3, column: 1 });
    // Backwards too, as errors ask.
    expect(source.positionOf(1)).toEqual({ offset: 1, line: 1, column: 2 });
  });

  it('points at the same character whatever the newlines are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '😀')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat(), (written, seed) => {
        const source = new SourceText(written, true);
        const offset = seed % (source.text.length + 1);
        const position = source.positionOf(offset);
        const char = source.text.charAt(offset);
        const there = written.charAt(position.offset);
        expect(char === '\n' ? ['\n', '\r'] : [char]).toContain(there);
        expect(source.text.slice(0, offset).split('\n')).toHaveLength(position.line);
        expect(source.text.split('\n')[position.line - 1]?.length).toBeGreaterThanOrEqual(
          position.column - 1,
        );
      }),
    );
  });
});
