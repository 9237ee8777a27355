import { describe, expect, it } from 'vitest';
import { makeTagFinder } from './find-tag.ts';
import { compileSyntax, type SyntaxOptions } from './syntax-options.ts';

const find = (text: string, options: SyntaxOptions = {}, from = 0) =>
  makeTagFinder(compileSyntax(options))(text, from);

describe('makeTagFinder', () => {
  it('finds the first tag at or after a place', () => {
    expect(find('ab {{ {% {#')).toEqual({ kind: 'variable', start: 3, end: 5 });
    expect(find('ab {{ {% {#', {}, 4)).toEqual({ kind: 'block', start: 6, end: 8 });
    expect(find('ab {{ {% {#', {}, 7)).toEqual({ kind: 'comment', start: 9, end: 11 });
    expect(find('{ % {')).toBeUndefined();
  });

  it('prefers the longer delimiter, and a variable among equally long ones', () => {
    const options = { blockStart: '<', variableStart: '<=', commentStart: '<==' };
    expect(find('<==', options)?.kind).toBe('comment');
    expect(find('<= ', options)?.kind).toBe('variable');
    expect(find('< =', options)?.kind).toBe('block');
  });

  it('takes delimiters literally', () => {
    expect(find('aa ${x', { variableStart: '${' })).toEqual({ kind: 'variable', start: 3, end: 5 });
    expect(find('(* x', { commentStart: '(*' })?.kind).toBe('comment');
    expect(find('[- x', { blockStart: '[-' })?.kind).toBe('block');
  });

  it('finds line statements with the spaces before them, but only at the start of a line', () => {
    const options = { lineStatementPrefix: '#', lineCommentPrefix: '##' };
    expect(find('a\n \t# if x', options)).toEqual({ kind: 'lineStatement', start: 2, end: 5 });
    expect(find('a # if x', options)).toBeUndefined();
    // JavaScript would take U+2028 for the end of a line.
    expect(find('a\u2028# if x', options)).toBeUndefined();
  });

  it('finds line comments anywhere, with the spaces before them', () => {
    const options = { lineCommentPrefix: '//' };
    expect(find('a  // b', options)).toEqual({ kind: 'lineComment', start: 1, end: 5 });
    expect(find('a\n  // b', options)).toEqual({ kind: 'lineComment', start: 2, end: 6 });
  });
});
