/**
 * A position map leads from rendered text back to the template. While a render writes, it notes for each piece where in
 * the output it starts and which place of which template wrote it; nothing else is computed until somebody asks.
 *
 * Text of an included template maps to that template, text of a macro to the macro's own line. Text that was captured
 * first (a block set, a filter block) maps to where it was finally written.
 */
import type { Site } from '../compile/site.ts';

export interface TemplatePosition {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Notes come in pairs: the offset in the output where a part starts, then the place that wrote it. */
export type Note = number | Site;

export class PositionMap {
  private readonly text: string;
  private readonly notes: readonly Note[];
  /** Where each line of the output starts; found at the first question. */
  private lineStarts: readonly number[] | undefined;

  /** The offsets of the notes are ascending. */
  constructor(text: string, notes: readonly Note[]) {
    this.text = text;
    this.notes = notes;
  }

  /**
   * Where a line of the output was written, line and column from 1. Without a column it is the line's first character
   * that is not blank.
   */
  lookup(line: number, column?: number): TemplatePosition | undefined {
    const start = this.lines()[Math.max(line, 1) - 1];
    if (start === undefined) return undefined;
    if (column !== undefined) return this.lookupOffset(start + column - 1);
    let offset = start;
    while (this.text[offset] === ' ' || this.text[offset] === '\t') offset++;
    const blank = offset >= this.text.length || this.text[offset] === '\n' || this.text[offset] === '\r';
    return this.lookupOffset(blank ? start : offset);
  }

  /** Where the character at an offset (UTF-16 units from 0) was written; past the end, what was written last. */
  lookupOffset(offset: number): TemplatePosition | undefined {
    const index = this.indexOf(offset);
    const site = this.notes[index * 2 + 1] as Site | undefined;
    if (site === undefined) return undefined;
    const start = this.startOf(index);
    const { name } = site.template;
    const { line, column } = site.at;
    if (!site.verbatim) return { name, line, column };
    const end = Math.min(offset, this.text.length);
    const newlines = this.lineOf(end) - this.lineOf(start);
    return newlines === 0
      ? { name, line, column: column + end - start }
      : { name, line: line + newlines, column: end - (this.lines()[this.lineOf(end)] ?? 0) + 1 };
  }

  /** The last piece that starts at or before the offset. */
  private indexOf(offset: number): number {
    return lastNotAfter(offset, this.notes.length / 2, (index) => this.startOf(index));
  }

  private startOf(index: number): number {
    return this.notes[index * 2] as number;
  }

  /** From 0. */
  private lineOf(offset: number): number {
    const starts = this.lines();
    return lastNotAfter(offset, starts.length, (index) => starts[index] as number);
  }

  private lines(): readonly number[] {
    if (this.lineStarts !== undefined) return this.lineStarts;
    const starts = [0];
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.lineStarts = starts;
    return starts;
  }
}

/** The index of the last of `count` ascending numbers that is not greater; -1 where all are. */
function lastNotAfter(offset: number, count: number, numberAt: (index: number) => number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberAt(middle) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
