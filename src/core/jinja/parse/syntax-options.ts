/**
 * The syntax options say how a template's tags are written and what happens to the whitespace around them. The defaults
 * are Jinja2's.
 */
import { TemplateError } from '../errors.ts';

export interface SyntaxOptions {
  readonly blockStart?: string;
  readonly blockEnd?: string;
  readonly variableStart?: string;
  readonly variableEnd?: string;
  readonly commentStart?: string;
  readonly commentEnd?: string;
  /** A line that starts with this is a statement; none by default. */
  readonly lineStatementPrefix?: string | undefined;
  /** From this to the end of the line is a comment; none by default. */
  readonly lineCommentPrefix?: string | undefined;
  /** The newline right after a block or comment is dropped. */
  readonly trimBlocks?: boolean;
  /** The spaces from the start of the line up to a block or comment are dropped. */
  readonly lstripBlocks?: boolean;
  /** One newline at the very end of a template is dropped unless this is set. */
  readonly keepTrailingNewline?: boolean;
  /** What every newline of the template text is written as. */
  readonly newlineSequence?: '\n' | '\r\n' | '\r';
}

/** The options with every default filled in. */
export type Syntax = {
  readonly [Option in Exclude<keyof SyntaxOptions, PrefixOption>]-?: NonNullable<SyntaxOptions[Option]>;
} & { readonly [Option in PrefixOption]: string | undefined };

type PrefixOption = 'lineStatementPrefix' | 'lineCommentPrefix';

export const JINJA_SYNTAX: Syntax = {
  blockStart: '{%',
  blockEnd: '%}',
  variableStart: '{{',
  variableEnd: '}}',
  commentStart: '{#',
  commentEnd: '#}',
  lineStatementPrefix: undefined,
  lineCommentPrefix: undefined,
  trimBlocks: false,
  lstripBlocks: false,
  keepTrailingNewline: false,
  newlineSequence: '\n',
};

const NEVER_EMPTY = [
  'blockStart',
  'blockEnd',
  'variableStart',
  'variableEnd',
  'commentStart',
  'commentEnd',
  'lineStatementPrefix',
  'lineCommentPrefix',
] as const;

/** Fills in the defaults, and refuses delimiters that could not be told apart. */
export function compileSyntax(options: SyntaxOptions): Syntax {
  const syntax: Syntax = { ...JINJA_SYNTAX, ...options };
  // An empty prefix would make every line a statement, and an empty comment prefix would never end.
  for (const option of NEVER_EMPTY)
    if (syntax[option] === '') throw optionError(`${option} must not be empty`);
  const starts = new Set([syntax.blockStart, syntax.variableStart, syntax.commentStart]);
  if (starts.size < 3) throw optionError('block, variable and comment start strings must be different');
  return syntax;
}

function optionError(message: string): TemplateError {
  return new TemplateError({ type: 'ValueError', message, name: '<syntax options>', line: 1, column: 1 });
}
