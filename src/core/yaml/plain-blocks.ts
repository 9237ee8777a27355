/**
 * This is a fast path through a YAML file: block mappings and sequences, plain and quoted texts on one line, `|`
 * blocks, and no more. State files are mostly that, and the `yaml` package takes a quarter of a whole run for a large
 * one. Whatever is not surely of this kind (a flow collection, an anchor, a text of several lines, a comment behind a
 * value, a mistake) gives `undefined`, and the package reads the file from its start: what a text means, and every
 * error message, is still decided in one place. A test holds the two against each other.
 *
 * Pure; one pass over the lines.
 */
import { flattenEntries, type OwnEntry } from './merge-entries.ts';
import { resolvePlain } from './resolve-plain.ts';
import type { YamlNode, YamlPosition, YamlScalar } from './yaml-node.ts';

/** Printable ASCII: no tabs, no carriage returns, nothing whose width or class has to be known. */
const PLAIN_FILE = /^[ -~\n]+$/;
/** Directives and the marks of documents; at the start of a line. */
const DOCUMENT_MARK = /^(?:%|---|\.\.\.)/m;
/** A first character that starts nothing else than a plain text. */
const PLAIN_START = /^(?:[A-Za-z0-9_/.$^(\\~+;]|-(?=[A-Za-z0-9_/.-]))/;
/** What would end a plain text on its line. */
const PLAIN_END = /: |:$| #| $/;
const QUOTED = /^(?:'([^']*)'|"([^"\\]*)")$/;
const QUOTED_KEY = /^(?:'([^']*)'|"([^"\\]*)"):(?: +|$)/;
const KEY_CHARS_MAX = 1_000;
const DEPTH_MAX = 64;
const LINES_MAX = 200_000;

export function readPlainBlocks(text: string): YamlNode | undefined {
  if (!PLAIN_FILE.test(text) || DOCUMENT_MARK.test(text)) return undefined;
  try {
    return new BlockReader(text).read();
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** Thrown where the package has to read the file; it does not leave this file. */
class NotPlain extends Error {}

interface Line {
  /** Without its indentation. */
  readonly text: string;
  readonly indent: number;
  /** From 1. */
  readonly number: number;
}

class BlockReader {
  private readonly lines: readonly string[];
  /** Index of the line that is looked at; comments and blank lines are passed over. */
  private index = 0;
  private line: Line | undefined;

  constructor(text: string) {
    this.lines = text.split('\n');
    if (this.lines.length > LINES_MAX) throw new NotPlain();
  }

  read(): YamlNode {
    this.seek();
    const root = this.block(0);
    // Something that no block took: it stands where it should not.
    if (this.line !== undefined) throw new NotPlain();
    return root;
  }

  private block(depth: number): YamlNode {
    const line = this.line;
    if (line === undefined || depth > DEPTH_MAX) throw new NotPlain();
    return isItem(line) ? this.sequence(line.indent, depth) : this.mapping(line.indent, depth);
  }

  private sequence(indent: number, depth: number): YamlNode {
    const at = this.at();
    const items: YamlNode[] = [];
    for (let line = this.line; line?.indent === indent && isItem(line); line = this.line)
      items.push(this.item(line, depth));
    return { kind: 'sequence', at, items };
  }

  private item({ text, indent, number }: Line, depth: number): YamlNode {
    const content = text.slice(1).trimStart();
    const inner: Line = { text: content, indent: indent + text.length - content.length, number };
    if (content === '' || isItem(inner)) throw new NotPlain();
    if (keyOf(content) !== undefined) {
      this.line = inner;
      return this.mapping(inner.indent, depth + 1);
    }
    const scalar = inlineValue(content, { line: number, column: inner.indent + 1 });
    this.next();
    this.endsHere(indent);
    return scalar;
  }

  private mapping(indent: number, depth: number): YamlNode {
    const at = this.at();
    const own: OwnEntry[] = [];
    for (let line = this.line; line?.indent === indent && !isItem(line); line = this.line) {
      const key = keyOf(line.text);
      if (key === undefined) throw new NotPlain();
      own.push({
        key: scalarOf(key.text, key.isPlain, { line: line.number, column: indent + 1 }),
        // Two of one name are rare, and the package tells where: here nobody counts offsets.
        offset: 0,
        value: this.entryValue(line, key.length, depth),
      });
    }
    return { kind: 'mapping', at, entries: flattenEntries(own, () => new NotPlain()) };
  }

  private entryValue({ text, indent, number }: Line, keyLength: number, depth: number): YamlNode {
    const rest = text.slice(keyLength);
    if (rest === '') {
      this.next();
      // A sequence may stand as far left as its key.
      const isBelow =
        this.line !== undefined &&
        (this.line.indent > indent || (this.line.indent === indent && isItem(this.line)));
      if (!isBelow) throw new NotPlain();
      return this.block(depth + 1);
    }
    const at = { line: number, column: indent + keyLength + 1 };
    if (rest === '|' || rest === '|-') return this.literal(indent, at, rest === '|');
    const value = inlineValue(rest, at);
    this.next();
    this.endsHere(indent);
    return value;
  }

  /** The lines below that stand further right, as they are. */
  private literal(parentIndent: number, at: YamlPosition, keepsNewline: boolean): YamlNode {
    let index = this.index + 1;
    const indent = indentOf(this.lines[index] ?? '');
    if (indent <= parentIndent || this.lines[index] === ' '.repeat(indent)) throw new NotPlain();
    const content: string[] = [];
    for (; index < this.lines.length; index++) {
      const line = this.lines[index] ?? '';
      const isBlank = line.length <= indent && line.trimStart() === '';
      if (!isBlank && indentOf(line) < indent) break;
      content.push(isBlank ? '' : line.slice(indent));
    }
    // Blank lines at the end of the text are not part of it.
    while (content.at(-1) === '') content.pop();
    this.index = index;
    this.seek();
    this.endsHere(parentIndent);
    const text = content.join('\n') + (keepsNewline ? '\n' : '');
    return { kind: 'scalar', at, value: { type: 'str', value: text }, source: text, plain: false };
  }

  /** A line further right than the block would go on with the text before it. */
  private endsHere(indent: number): void {
    if (this.line !== undefined && this.line.indent > indent) throw new NotPlain();
  }

  private next(): void {
    this.index++;
    this.seek();
  }

  /** The line at the index, or the first after it that says something. */
  private seek(): void {
    for (; this.index < this.lines.length; this.index++) {
      const whole = this.lines[this.index] ?? '';
      const indent = indentOf(whole);
      if (indent === whole.length || whole[indent] === '#') continue;
      this.line = { text: whole.slice(indent), indent, number: this.index + 1 };
      return;
    }
    this.line = undefined;
  }

  private at(): YamlPosition {
    const { number = 1, indent = 0 } = this.line ?? {};
    return { line: number, column: indent + 1 };
  }
}

function isItem({ text }: Line): boolean {
  return text.startsWith('- ') || text === '-';
}

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 0x20) indent++;
  return indent;
}

interface Key {
  readonly text: string;
  readonly isPlain: boolean;
  /** With the colon and the blanks behind it. */
  readonly length: number;
}

/** Undefined where the line has no key, or one that is not plain. */
function keyOf(line: string): Key | undefined {
  const quoted = QUOTED_KEY.exec(line);
  if (quoted !== null)
    return { text: quoted[1] ?? quoted[2] ?? '', isPlain: false, length: quoted[0].length };
  const colon = line.endsWith(':') && !line.includes(': ') ? line.length - 1 : line.indexOf(': ');
  if (colon < 1 || colon > KEY_CHARS_MAX) return undefined;
  const text = line.slice(0, colon);
  if (!PLAIN_START.test(text) || PLAIN_END.test(text)) return undefined;
  let length = colon + 1;
  while (line.charCodeAt(length) === 0x20) length++;
  return { text, isPlain: true, length };
}

function inlineValue(text: string, at: YamlPosition): YamlNode {
  if (text === '[]') return { kind: 'sequence', at, items: [] };
  if (text === '{}') return { kind: 'mapping', at, entries: [] };
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return scalarOf(quoted[1] ?? quoted[2] ?? '', false, at);
  if (!PLAIN_START.test(text) || PLAIN_END.test(text)) throw new NotPlain();
  return scalarOf(text, true, at);
}

function scalarOf(text: string, plain: boolean, at: YamlPosition): YamlScalar {
  const value = plain ? resolvePlain(text) : { type: 'str' as const, value: text };
  // A number without digits, which is an error.
  if (value === undefined) throw new NotPlain();
  return { kind: 'scalar', at, value, source: text, plain };
}
