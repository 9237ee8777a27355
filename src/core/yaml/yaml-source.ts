/**
 * `YamlSource` is a YAML text and how far it has been read. It knows where lines begin: for YAML, which also ends a
 * line at U+0085, U+2028 and U+2029, and for people, whose editors do not.
 */
import { zesterError } from '../errors/zester-error.ts';
import { CR, END, isBreakUnit, isGap, LF } from './yaml-characters.ts';
import type { YamlPosition } from './yaml-node.ts';
import { type YamlProblem, yamlProblem } from './yaml-problem.ts';

const FORBIDDEN = /[^\t\n\r -~\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

export class YamlSource {
  private readonly name: string;
  private readonly hidesText: boolean;
  /** Ends with END, so that nobody has to ask for the length before looking at a character. */
  readonly text: string;
  offset = 0;
  /** Where the line began, as YAML counts lines. */
  lineStart = 0;
  private editorLine = 1;
  private editorLineStart = 0;

  /** `hidesText`: the text may hold secrets, so no error repeats anything of it. */
  constructor(text: string, name: string, hidesText = false) {
    this.name = name;
    this.hidesText = hidesText;
    this.text = `${text.startsWith('\ufeff') ? text.slice(1) : text}\0`;
  }

  /** Throws for a character that no YAML text can hold. */
  checkCharacters(): void {
    const end = this.text.length - 1;
    const found = FORBIDDEN.exec(this.text);
    if (found === null || found.index === end) return;
    const before = this.text.slice(0, found.index).split(/\r\n|\r|\n/);
    const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    throw this.invalid(yamlProblem`the character U+${code} is not allowed in YAML`, {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    });
  }

  unit(ahead = 0): number {
    return this.text.charCodeAt(this.offset + ahead);
  }

  get column(): number {
    return this.offset - this.lineStart;
  }

  get isAtEnd(): boolean {
    return this.unit() === END;
  }

  /** Line and column for people. */
  at(): YamlPosition {
    return { line: this.editorLine, column: this.offset - this.editorLineStart + 1 };
  }

  /** Passes one line break, and gives what it means inside of a text. Empty where there is none. */
  readBreak(): string {
    const unit = this.unit();
    if (!isBreakUnit(unit)) return '';
    this.offset += unit === CR && this.unit(1) === LF ? 2 : 1;
    this.lineStart = this.offset;
    if (unit === 0x2028 || unit === 0x2029) return String.fromCharCode(unit);
    if (unit !== 0x85) {
      this.editorLine++;
      this.editorLineStart = this.offset;
    }
    return '\n';
  }

  skipWhile(matches: (unit: number) => boolean): void {
    while (matches(this.unit())) this.offset++;
  }

  /** Whether `---` or `...` stands here alone, at the margin. */
  isAtDocumentMark(mark?: '---' | '...'): boolean {
    if (this.offset !== this.lineStart || !isGap(this.unit(3))) return false;
    if (mark !== undefined) return this.text.startsWith(mark, this.offset);
    return this.text.startsWith('---', this.offset) || this.text.startsWith('...', this.offset);
  }

  invalid({ told, withoutText }: YamlProblem, at: YamlPosition = this.at()): Error {
    const problem = this.hidesText ? withoutText : told;
    return zesterError('YAML_INVALID', { problem }, { at: { file: this.name, ...at } });
  }
}
