/**
 * From rendered text back to the template. While a render writes, it notes for each piece where in the output it
 * starts and which place of which template wrote it; nothing else is computed until somebody asks.
 *
 * Text of an included template maps to that template, text of a macro to the macro's own line. Text that was captured
 * first (a block set, a filter block) maps to where it was finally written.
 */
import type { Site } from './site.ts';

export interface TemplatePosition {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Notes come in pairs: the offset in the output where a part starts, then the place that wrote it. */
export type Note = number | Site;

export class PositionMap {
  readonly #text: string;
  readonly #notes: readonly Note[];

  /** The offsets of the notes are ascending. */
  constructor(text: string, notes: readonly Note[]) {
    this.#text = text;
    this.#notes = notes;
  }

  /**
   * Where a line of the output was written, line and column from 1. Without a column it is the line's first character
   * that is not blank.
   */
  lookup(line: number, column?: number): TemplatePosition | undefined {
    let start = 0;
    for (let passed = 1; passed < line; passed++) {
      const newline = this.#text.indexOf('\n', start);
      if (newline < 0) return undefined;
      start = newline + 1;
    }
    if (column !== undefined) return this.lookupOffset(start + column - 1);
    let offset = start;
    while (this.#text[offset] === ' ' || this.#text[offset] === '\t') offset++;
    const blank = offset >= this.#text.length || this.#text[offset] === '\n' || this.#text[offset] === '\r';
    return this.lookupOffset(blank ? start : offset);
  }

  /** Where the character at an offset (UTF-16 units from 0) was written; past the end, what was written last. */
  lookupOffset(offset: number): TemplatePosition | undefined {
    const index = this.#indexOf(offset);
    const site = this.#notes[index * 2 + 1] as Site | undefined;
    if (site === undefined) return undefined;
    const start = this.#startOf(index);
    const { name } = site.template;
    const { line, column } = site.at;
    if (!site.verbatim) return { name, line, column };
    const before = this.#text.slice(start, Math.min(offset, this.#text.length));
    const newlines = before.split('\n').length - 1;
    const lastNewline = before.lastIndexOf('\n');
    return newlines === 0
      ? { name, line, column: column + before.length }
      : { name, line: line + newlines, column: before.length - lastNewline };
  }

  /** The last piece that starts at or before the offset. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#notes.length / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#startOf(middle) <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #startOf(index: number): number {
    return this.#notes[index * 2] as number;
  }
}
