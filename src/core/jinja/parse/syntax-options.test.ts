import { describe, expect, it } from 'vitest';
import { compileSyntax, JINJA_SYNTAX, type SyntaxOptions } from './syntax-options.ts';

describe('compileSyntax', () => {
  it("fills in Jinja2's defaults", () => {
    expect(compileSyntax({})).toEqual(JINJA_SYNTAX);
    expect(compileSyntax({ trimBlocks: true })).toEqual({ ...JINJA_SYNTAX, trimBlocks: true });
  });

  it('refuses delimiters that cannot be told apart or are empty', () => {
    expect(() => compileSyntax({ variableStart: '{%' })).toThrow('must be different');
    expect(() => compileSyntax({ commentStart: '{{' })).toThrow('must be different');
    const options: (keyof SyntaxOptions)[] = [
      'blockStart',
      'variableEnd',
      'lineStatementPrefix',
      'lineCommentPrefix',
    ];
    for (const option of options)
      expect(() => compileSyntax({ [option]: '' })).toThrow(`${option} must not be empty`);
  });
});
