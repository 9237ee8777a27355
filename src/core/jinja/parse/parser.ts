/** The parser makes a template's text a tree. */

import { LateFaults } from '../render/late-faults.ts';
import { repr } from '../values/print.ts';
import type { Statement, TemplateNode } from './ast.ts';
import { lex } from './lexer.ts';
import { COMPOSITION_TAGS } from './parse-composition.ts';
import { CONTROL_TAGS } from './parse-control.ts';
import { Depth } from './parse-depth.ts';
import { ExpressionParser } from './parse-expression.ts';
import { MACRO_TAGS } from './parse-macro.ts';
import { SALT_TAGS } from './parse-salt.ts';
import type { ParsePlace, Parsing, TagParser } from './parsing.ts';
import { compileSyntax, JINJA_SYNTAX, type Syntax, type SyntaxOptions } from './syntax-options.ts';
import { meantTag } from './syntax-suggestions.ts';
import type { Token } from './token.ts';
import { TokenStream } from './token-stream.ts';

export interface ParseOptions {
  /** For error messages. */
  readonly name?: string | undefined;
  readonly syntax?: SyntaxOptions | undefined;
}

/** Throws a TemplateError for what is no template. */
export function parseTemplate(source: string, { name, syntax }: ParseOptions = {}): TemplateNode {
  const stream = new TokenStream(lex(source, name, syntaxFor(syntax)), source, name);
  const parser = new TemplateParser(stream);
  return { name, source, body: parser.parse() };
}

const syntaxes = new WeakMap<SyntaxOptions, Syntax>();

/** Checked once per set of options, because an environment parses many templates with the same one. */
function syntaxFor(options: SyntaxOptions | undefined): Syntax {
  if (options === undefined) return JINJA_SYNTAX;
  const known = syntaxes.get(options);
  if (known !== undefined) return known;
  const compiled = compileSyntax(options);
  syntaxes.set(options, compiled);
  return compiled;
}

const TAGS: ReadonlyMap<string, TagParser> = new Map([
  ...CONTROL_TAGS,
  ...MACRO_TAGS,
  ...COMPOSITION_TAGS,
  ...SALT_TAGS,
]);

class TemplateParser implements Parsing {
  readonly stream: TokenStream;
  readonly expressions: ExpressionParser;
  readonly late = new LateFaults();
  readonly blockNames = new Set<string>();
  place: ParsePlace = { topLevel: true, breakable: false, withinLoop: false };
  private readonly depth: Depth;
  /** The tags that are open, outermost first, and which tags each body that is being read waits for. */
  private readonly open: Token[] = [];
  private readonly awaited: (readonly string[])[] = [];

  constructor(stream: TokenStream) {
    this.stream = stream;
    this.depth = new Depth(stream);
    this.expressions = new ExpressionParser(stream, this.depth, this.late);
  }

  parse(): Statement[] {
    const body = this.parseBody([]);
    this.late.throwFirst();
    return body;
  }

  bodyUntil(closing: readonly string[], place: Partial<ParsePlace> = {}): Statement[] {
    const { stream } = this;
    // Python's colon is welcome at the end of a tag.
    stream.skipOperator(':');
    stream.expect('blockEnd');
    const outer = this.place;
    this.place = { ...outer, ...place };
    this.depth.enterStatement();
    this.awaited.push(closing);
    const body = this.parseBody(closing);
    if (stream.current.type === 'eof') throw this.misplaced('Unexpected end of template.', undefined);
    this.awaited.pop();
    this.depth.leaveStatement();
    this.place = outer;
    return body;
  }

  bodyThrough(closing: string, place: Partial<ParsePlace> = {}): Statement[] {
    const body = this.bodyUntil([closing], place);
    this.stream.next();
    return body;
  }

  /** Text, outputs and tags, up to one of the closing tags or the end of the template. */
  private parseBody(closing: readonly string[]): Statement[] {
    const { stream } = this;
    const body: Statement[] = [];
    while (true) {
      const { type, text, at } = stream.current;
      if (type === 'eof') return body;
      stream.next();
      if (type === 'data') body.push({ kind: 'text', at, text });
      else if (type === 'variableBegin') {
        body.push({ kind: 'output', at, value: this.expressions.parseTuple() });
        stream.expect('variableEnd');
      } else {
        // The lexer starts nothing else outside of tags: this is the begin of a block.
        if (stream.current.type === 'name' && closing.includes(stream.current.text)) return body;
        const parsed = this.parseTag();
        if ('kind' in parsed) body.push(parsed);
        else body.push(...parsed);
        stream.expect('blockEnd');
      }
    }
  }

  private parseTag(): Statement | readonly Statement[] {
    const token = this.stream.current;
    if (token.type !== 'name') throw this.stream.error('tag name expected');
    const parseTag = TAGS.get(token.text);
    if (parseTag === undefined)
      throw this.misplaced(`Encountered unknown tag ${repr(token.text)}.`, token.text);
    this.open.push(token);
    const parsed = parseTag(this);
    this.open.pop();
    return parsed;
  }

  /** A tag that does not belong here, or the end of the template while tags are open; and what was awaited. */
  private misplaced(problem: string, tag: string | undefined) {
    const awaited = this.awaited.at(-1) ?? [];
    const innermost = this.open.at(-1);
    const listed = awaited.map(repr).join(' or ');
    const message = [problem];
    if (listed !== '')
      message.push(
        tag !== undefined && this.awaited.some((tags) => tags.includes(tag))
          ? `You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for ${listed}.`
          : `Jinja was looking for the following tags: ${listed}.`,
      );
    if (innermost !== undefined)
      message.push(`The innermost block that needs to be closed is ${repr(innermost.text)}.`);
    return this.stream.error(message.join(' '), undefined, {
      near: tag === undefined ? [] : meantTag(tag, TAGS.keys(), awaited),
      note:
        innermost &&
        `'${innermost.text}' was opened at line ${innermost.at.line}, column ${innermost.at.column}`,
    });
  }
}
