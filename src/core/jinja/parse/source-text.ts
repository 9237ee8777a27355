/**
 * `SourceText` is a template's text as the lexer reads it: every newline is `\n`, and one at the very end is gone
 * unless the syntax keeps it. Positions point into the text as it was written.
 */
import type { Position } from './ast.ts';

const NEWLINE = /\r\n|\r|\n/g;

export class SourceText {
  /** With `\n` for every newline. */
  readonly text: string;
  /** Where each line starts in `text`, and where in the text as written. */
  private readonly starts: number[] = [0];
  private readonly writtenStarts: number[] = [0];
  private line = 0;

  constructor(written: string, keepTrailingNewline: boolean) {
    let text = written.includes('\r') ? written.replace(NEWLINE, '\n') : written;
    if (!keepTrailingNewline && text.endsWith('\n')) text = text.slice(0, -1);
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1);
    for (const newline of written.matchAll(NEWLINE))
      this.writtenStarts.push(newline.index + newline[0].length);
  }

  /** The position of an offset in `text`. Fast when asked in rising order, as a lexer does. */
  positionOf(offset: number): Position {
    if (offset < (this.starts[this.line] ?? 0)) this.line = 0;
    while (offset >= (this.starts[this.line + 1] ?? Number.POSITIVE_INFINITY)) this.line++;
    const column = offset - (this.starts[this.line] ?? 0);
    return {
      offset: (this.writtenStarts[this.line] ?? 0) + column,
      line: this.line + 1,
      column: column + 1,
    };
  }
}
