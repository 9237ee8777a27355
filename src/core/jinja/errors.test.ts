import { describe, expect, it } from 'vitest';
import { TemplateError } from './errors.ts';

const facts = { type: 'UndefinedError', message: "'foo' is undefined", name: 'web/init.sls' };

describe('TemplateError', () => {
  it('prints the place, three lines with a caret, the way there and what may have been meant', () => {
    const error = new TemplateError({
      ...facts,
      line: 2,
      column: 4,
      source: 'a: 1\n{{ foo }}\nb: 2\nc: 3\n',
      near: ['food', 'fool'],
      note: 'a note',
    });
    error.chain.push({ name: 'top.sls', line: 7, column: 1, what: 'included from' });
    expect(error.print()).toBe(
      [
        "web/init.sls:2:4: UndefinedError: 'foo' is undefined",
        '  1 | a: 1',
        '  2 | {{ foo }}',
        '    |    ^',
        '  3 | b: 2',
        '  included from top.sls:7:1',
        '  a note',
        "  did you mean 'food' or 'fool'?",
      ].join('\n'),
    );
  });

  it('shows fewer lines at the start and the end of a template', () => {
    expect(new TemplateError({ ...facts, line: 1, column: 1, source: 'x' }).excerpt).toEqual([
      '1 | x',
      '  | ^',
    ]);
    const last = new TemplateError({ ...facts, line: 10, column: 2, source: `${'a\n'.repeat(9)}bc` });
    expect(last.excerpt).toEqual([' 9 | a', '10 | bc', '   |  ^']);
  });

  it('keeps the caret under its character after tabs and wide characters, and understands every newline', () => {
    const error = new TemplateError({ ...facts, line: 2, column: 6, source: 'a\r\n\t😀 {x}\rb' });
    expect(error.excerpt).toEqual(['1 | a', '2 | \t😀 {x}', '  | \t   ^', '3 | b']);
  });

  it('cuts a very long line around the caret', () => {
    const source = `${'x'.repeat(5000)}!${'y'.repeat(5000)}`;
    const [line, caret] = new TemplateError({ ...facts, line: 1, column: 5001, source }).excerpt;
    expect(line?.length).toBeLessThan(200);
    expect(line?.charAt(caret?.indexOf('^') ?? -1)).toBe('!');
  });

  it('prints without an excerpt where the text is not known, and has a name for a template without one', () => {
    const error = new TemplateError({ type: 'TypeError', message: 'no', line: 3, column: 1 });
    expect(error.print()).toBe('<template>:3:1: TypeError: no');
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe('no');
  });
});
