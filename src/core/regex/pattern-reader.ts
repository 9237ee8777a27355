/** A PatternReader walks through the letters of a pattern; positions count code points, as Python's do. */
import { IDENTIFIER } from './character-classes.ts';
import { PatternFault } from './pattern-tree.ts';

export class PatternReader {
  position = 0;
  private readonly letters: readonly string[];
  private readonly lastIsEscape: boolean;

  constructor(pattern: string) {
    this.letters = [...pattern];
    this.lastIsEscape = /(?:^|[^\\])(?:\\\\)*\\$/.test(pattern);
  }

  get next(): string | undefined {
    const { position } = this;
    // Python looks one letter ahead, and finds this before it looks at anything else.
    if (this.lastIsEscape && position === this.letters.length - 1)
      throw new PatternFault('bad escape (end of pattern)', position);
    return this.letters[position];
  }

  /** The letter here; with the next one where it is a backslash. */
  get token(): string {
    return this.next === '\\' ? `\\${this.at(1)}` : (this.next ?? '');
  }

  at(offset: number): string | undefined {
    return this.letters[this.position + offset];
  }

  /** The letter here, which must be there. */
  get(): string {
    const letter = this.letters[this.position] ?? '';
    this.position += 1;
    return letter;
  }

  skip(count: number): void {
    this.position += count;
  }

  take(letter: string): boolean {
    if (this.next !== letter) return false;
    this.position += 1;
    return true;
  }

  takeWhile(fits: RegExp, most = Infinity): string {
    const start = this.position;
    while (this.next !== undefined && this.position - start < most && fits.test(this.next))
      this.position += 1;
    return this.since(start);
  }

  since(position: number): string {
    return this.letters.slice(position, this.position).join('');
  }

  /** The name of a group, and the letter that ends it. */
  takeName(end: '>' | ')'): string {
    const start = this.position;
    const stop = this.letters.indexOf(end, start);
    if (stop === start || start >= this.letters.length) throw new PatternFault('missing group name', start);
    if (stop < 0) throw new PatternFault(`missing ${end}, unterminated name`, start);
    this.position = stop;
    const name = this.since(start);
    if (!IDENTIFIER.test(name)) throw new PatternFault(`bad character in group name ${quoted(name)}`, start);
    this.position += 1;
    return name;
  }

  /** Blanks and comments of a pattern with the flag `x`. */
  skipSpace(): void {
    for (;;) {
      if (this.take('#')) this.takeWhile(/[^\n]/);
      else if (this.takeWhile(/[ \t\n\r\v\f]/) === '') return;
    }
  }
}

function quoted(name: string): string {
  return name.includes("'") && !name.includes('"') ? `"${name}"` : `'${name.replaceAll("'", "\\'")}'`;
}
