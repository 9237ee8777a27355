/**
 * `TemplateError` is the one error that leaves this folder: what went wrong in which template at which line and column,
 * and how the render got there. It keeps the template's text, so that it can show the lines around the mistake.
 */

/** One step from the outermost template to the place of the error. */
export interface ChainLink {
  /** The template that included, imported or called. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** For instance `included from`, `imported from`, `extended by` or `macro 'row' called from`. */
  readonly what: string;
}

export interface TemplateErrorFacts {
  /** As Jinja2 or Python would name it: `TemplateSyntaxError`, `UndefinedError`, `TypeError`, or ours: `LimitError`. */
  readonly type: string;
  readonly message: string;
  readonly name?: string | undefined;
  readonly line: number;
  readonly column: number;
  /** The template's text; without it there is no excerpt. */
  readonly source?: string | undefined;
  readonly near?: readonly string[] | undefined;
  /** The attribute or key that an object does not have, where that is the mistake. */
  readonly missing?: string | undefined;
  /** One more sentence that helps, such as where the tag that is still open was opened. */
  readonly note?: string | undefined;
  readonly cause?: unknown;
}

/** The name of a template that has none. */
export const UNNAMED_TEMPLATE = '<template>';

const EXCERPT_CHARS_MAX = 160;

export class TemplateError extends Error {
  readonly type: string;
  /** The template's name, not the class's. */
  override readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly near: readonly string[];
  readonly missing: string | undefined;
  readonly note: string | undefined;
  /** Innermost first. Whoever passes the error on adds its own link. */
  readonly chain: ChainLink[] = [];
  private readonly source: string | undefined;

  constructor(facts: TemplateErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.type = facts.type;
    this.name = facts.name ?? UNNAMED_TEMPLATE;
    this.line = facts.line;
    this.column = facts.column;
    this.near = facts.near ?? [];
    this.missing = facts.missing;
    this.note = facts.note;
    this.source = facts.source;
  }

  /** The line of the error with its neighbours and a caret, or nothing where the template's text is not known. */
  get excerpt(): readonly string[] {
    return this.source === undefined ? [] : excerptOf(this.source, this.line, this.column);
  }

  /** As an operator reads it: the place, the lines around it, the way there, and what may have been meant. */
  print(): string {
    return [
      `${this.name}:${this.line}:${this.column}: ${this.type}: ${this.message}`,
      ...this.excerpt.map((line) => `  ${line}`),
      ...this.chain.map((link) => `  ${link.what} ${link.name}:${link.line}:${link.column}`),
      ...(this.note === undefined ? [] : [`  ${this.note}`]),
      ...(this.near.length === 0 ? [] : [`  did you mean ${this.near.map((n) => `'${n}'`).join(' or ')}?`]),
    ].join('\n');
  }
}

/** Up to three numbered lines, with the caret in a line of its own after the second. */
function excerptOf(source: string, line: number, column: number): string[] {
  const lines = source.split(/\r\n|\r|\n/);
  const width = String(Math.min(line + 1, lines.length)).length;
  const shown: string[] = [];
  for (let number = Math.max(1, line - 1); number <= Math.min(line + 1, lines.length); number++) {
    const text = lines[number - 1] ?? '';
    // A very long line is cut around the caret; its neighbours show the same columns.
    const from = column > EXCERPT_CHARS_MAX ? column - 1 - EXCERPT_CHARS_MAX / 2 : 0;
    shown.push(`${String(number).padStart(width)} | ${cutOut(text, from)}`.trimEnd());
    if (number !== line) continue;
    // Tabs stay tabs, so that the caret stands under its character; a surrogate pair is one character wide.
    const before = [...text.slice(from, column - 1)].map((char) => (char === '\t' ? '\t' : ' ')).join('');
    shown.push(`${' '.repeat(width)} | ${from > 0 ? ' ' : ''}${before}^`);
  }
  return shown;
}

/** With a mark at each cut: by it half of a secret is recognized (redact/secret-search.ts). */
function cutOut(text: string, from: number): string {
  const to = from + EXCERPT_CHARS_MAX;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
