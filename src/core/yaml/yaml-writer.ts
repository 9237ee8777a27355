/**
 * The writer puts words, quotes and line breaks of YAML into text as PyYAML does: which column we are in decides where
 * lines fold.
 */
import { isBreak } from './scalar-shape.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '0'],
  ['\u0007', 'a'],
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\v', 'v'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['\u001b', 'e'],
  ['"', '"'],
  ['\\', '\\'],
  ['\u0085', 'N'],
  ['\u00a0', '_'],
  ['\u2028', 'L'],
  ['\u2029', 'P'],
]);

export class YamlWriter {
  readonly width: number;
  private readonly allowUnicode: boolean;
  private readonly parts: string[] = [];
  /** Column of the current level; undefined before the first collection. */
  indent: number | undefined;
  column = 0;
  /** Whether a blank, a line break or nothing stands before the cursor. */
  private afterBlank = true;
  /** Whether only indentation and indicators stand before the cursor in this line. */
  private isInIndentation = true;

  constructor(width: number, allowUnicode: boolean) {
    this.width = width;
    this.allowUnicode = allowUnicode;
  }

  get inIndentation(): boolean {
    return this.isInIndentation;
  }

  text(): string {
    return this.parts.join('');
  }

  /** `-`, `[`, `:` and so on. */
  indicator(
    mark: string,
    how: { readonly blankBefore?: boolean; readonly opens?: boolean; readonly indents?: boolean },
  ) {
    this.put(how.blankBefore && !this.afterBlank ? ` ${mark}` : mark);
    this.afterBlank = how.opens ?? false;
    this.isInIndentation &&= how.indents ?? false;
  }

  /** To the current indentation, on a new line unless the cursor is already before or at it. */
  startLine(): void {
    const indent = this.indent ?? 0;
    if (!this.isInIndentation || this.column > indent || (this.column === indent && !this.afterBlank))
      this.lineBreak();
    if (this.column < indent) {
      this.afterBlank = true;
      this.put(' '.repeat(indent - this.column));
    }
  }

  lineBreak(mark = '\n'): void {
    this.afterBlank = true;
    this.isInIndentation = true;
    this.parts.push(mark);
    this.column = 0;
  }

  plain(points: readonly string[], fold: boolean): void {
    if (points.length === 0) return;
    if (!this.afterBlank) this.put(' ');
    this.word();
    for (const { text, from, to, isBlank } of runs(points)) {
      const foldsHere = isBlank && to - from === 1 && this.column > this.width && fold;
      if (foldsHere) {
        this.startLine();
        this.word();
      } else this.put(text);
    }
  }

  singleQuoted(points: readonly string[], fold: boolean): void {
    this.indicator("'", { blankBefore: true });
    for (const { text, from, to, isBlank, isBreaks } of runs(points)) {
      if (isBreaks) {
        if (points[from] === '\n') this.lineBreak();
        for (const mark of text) this.lineBreak(mark);
        this.startLine();
      } else if (
        isBlank &&
        to - from === 1 &&
        this.column > this.width &&
        fold &&
        from > 0 &&
        to < points.length
      ) {
        this.startLine();
      } else {
        // A break inside of quotes leaves the cursor in the indentation; a word ends that.
        this.put(text.replaceAll("'", "''"));
      }
    }
    this.indicator("'", {});
  }

  /** A block of lines after `|`; none of them is empty or starts with a blank. */
  literal(lines: readonly string[]): void {
    this.indicator('|', { blankBefore: true });
    for (const line of lines) {
      this.lineBreak();
      this.startLine();
      this.put(line);
      this.word();
    }
    this.lineBreak();
  }

  /** Folds at single blanks; a blank that would then start the next line is written with a backslash. */
  doubleQuoted(points: readonly string[], fold: boolean): void {
    this.indicator('"', { blankBefore: true });
    for (const [index, point] of points.entries()) {
      const isInside = index > 0 && index < points.length - 1;
      const foldsHere =
        point === ' ' && points[index - 1] !== ' ' && this.column > this.width && isInside && fold;
      if (foldsHere) {
        this.startLine();
        this.word();
        if (points[index + 1] === ' ') this.put('\\');
      } else this.put(this.needsEscape(point) ? escaped(point) : point);
    }
    this.indicator('"', {});
  }

  private needsEscape(point: string): boolean {
    if ('"\\\u0085\u2028\u2029\ufeff'.includes(point)) return true;
    if (point >= ' ' && point <= '~') return false;
    const code = point.codePointAt(0) ?? 0;
    const isVisible = (code >= 0xa0 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd);
    return !(this.allowUnicode && isVisible);
  }

  private word(): void {
    this.afterBlank = false;
    this.isInIndentation = false;
  }

  /** `length` counts characters, not UTF-16 units. */
  private put(text: string, length = lengthOf(text)): void {
    this.parts.push(text);
    this.column += length;
  }
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function escaped(point: string): string {
  const short = ESCAPES.get(point);
  if (short !== undefined) return `\\${short}`;
  const code = (point.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

interface Run {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly isBlank: boolean;
  readonly isBreaks: boolean;
}

/** The text cut into runs of blanks, of line breaks, and of everything else. */
function* runs(points: readonly string[]): Generator<Run> {
  for (let from = 0; from < points.length; ) {
    const kind = kindOf(points[from] ?? '');
    let to = from + 1;
    while (to < points.length && kindOf(points[to] ?? '') === kind) to++;
    yield {
      text: points.slice(from, to).join(''),
      from,
      to,
      isBlank: kind === 'blank',
      isBreaks: kind === 'break',
    };
    from = to;
  }
}

function kindOf(point: string): 'blank' | 'break' | 'word' {
  return point === ' ' ? 'blank' : isBreak(point) ? 'break' : 'word';
}
