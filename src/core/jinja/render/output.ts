/**
 * `Output` is what a render writes: one growing text, which V8 keeps as a rope, and the note of who wrote which part.
 */

import type { Site } from '../compile/site.ts';
import { limitError } from '../limits.ts';
import { type Note, PositionMap } from '../parse/position-map.ts';
import { typeName } from '../values/type-name.ts';
import { PythonError, type Value } from '../values/value.ts';

/** The text that a capture interrupted. */
export interface Interrupted {
  readonly text: string;
  readonly notes: number;
  readonly pieces: number;
}

export class Output {
  private readonly charsMax: number;
  private text = '';
  /** Characters that `text` may have: interrupted texts and finished captures count against the limit, too. */
  private room: number;
  /** For each part where it starts and who wrote it. */
  private readonly notes: Note[] = [];
  /** Pieces of the text as Python would join them, and the error of the first that is no text. */
  private pieces = 0;
  private misfit: PythonError | undefined;

  constructor(charsMax: number) {
    this.charsMax = charsMax;
    this.room = charsMax;
  }

  write(text: string, site: Site): void {
    this.pieces++;
    this.append(text, site);
  }

  /** More of the same piece. */
  append(text: string, site: Site): void {
    this.notes.push(this.text.length, site);
    this.text += text;
    if (this.text.length > this.room) throw this.tooLong();
  }

  /** A piece that is no text. As in Python, that is found when the pieces are joined: what comes before may fail first. */
  writeMisfit(value: Value): void {
    this.misfit ??= new PythonError(
      'TypeError',
      `sequence item ${this.pieces}: expected str instance, ${typeName(value)} found`,
    );
    this.pieces++;
  }

  /** What is written from now on until `endPiece` is one piece, whatever it consists of. */
  beginPiece(): number {
    const before = this.pieces;
    this.pieces = 0;
    return before;
  }

  endPiece(before: number): void {
    this.join();
    this.pieces = before + 1;
  }

  /** What is written from now on until `endCapture` is handed out there instead of being output. */
  beginCapture(): Interrupted {
    const interrupted = { text: this.text, notes: this.notes.length, pieces: this.pieces };
    this.pieces = 0;
    this.room -= this.text.length;
    this.text = '';
    return interrupted;
  }

  endCapture(interrupted: Interrupted): string {
    this.join();
    const captured = this.text;
    this.pieces = interrupted.pieces;
    this.text = interrupted.text;
    this.room += interrupted.text.length - captured.length;
    this.notes.length = interrupted.notes;
    return captured;
  }

  finish(): { readonly output: string; readonly positions: PositionMap } {
    this.join();
    return { output: this.text, positions: new PositionMap(this.text, this.notes) };
  }

  private join(): void {
    if (this.misfit !== undefined) throw this.misfit;
  }

  private tooLong(): Error {
    return limitError(`the render wrote more than ${this.charsMax} characters`);
  }
}
