/**
 * An Alphabet gives every character a symbol, so that RE2 reads a text as Python would. RE2 knows only ASCII letters at a
 * word boundary, and no end of line that is the last one of the text; but a pattern can only tell the characters apart
 * that its sets tell apart. So each class of characters that the pattern tells apart is one symbol: an ASCII letter where
 * Python sees part of a word, a newline only where the pattern's `$` means it. A symbol is one UTF-16 unit.
 *
 * Symbols are made when a text brings the first character of a class: `size` grows then, and the pattern is compiled
 * again.
 */
import { type CharacterSet, isWordCharacter } from './character-set.ts';
import { PatternFault } from './pattern-tree.ts';

export interface AlphabetNeeds {
  readonly sets: readonly CharacterSet[];
  /** Which characters make words, where a pattern asks for their boundaries. */
  readonly words: 'unasked' | 'ascii' | 'unicode';
  /** Which newlines end a line: all, or only one at the end of the text. */
  readonly newlines: 'unasked' | 'all' | 'last';
}

export interface EncodedText {
  readonly symbols: string;
  /** Where each symbol's character starts, in UTF-16 units; undefined where that is where the symbol stands. */
  readonly offsets: readonly number[] | undefined;
}

const NEWLINE = '\n';
/** A newline that ends no line. */
const INNER_NEWLINE = '\u0100';
const FIRST_SYMBOL = 0x101;
const SYMBOLS_END = 0xd800;
const WORD_SYMBOLS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_';
const NOT_ASCII = /[^\x00-\x7f]/;

export class Alphabet {
  private readonly needs: AlphabetNeeds;
  /** By code point. */
  private readonly symbols = new Map<number, string>();
  private readonly bySignature = new Map<string, string>();
  /** The symbols of each set, in the order of the sets. */
  private readonly members: string[][];
  private readonly membersByKey: ReadonlyMap<string, readonly string[]>;
  private nextSymbol = FIRST_SYMBOL;
  private wordSymbols = 0;

  constructor(needs: AlphabetNeeds) {
    this.needs = needs;
    this.members = needs.sets.map(() => []);
    this.membersByKey = new Map(needs.sets.map(({ key }, index) => [key, this.members[index] ?? []]));
    for (let point = 0; point < 0x80; point++) this.symbolOf(point);
    needs.sets.forEach((set, index) => {
      if (set.has(0x0a)) this.members[index]?.push(INNER_NEWLINE);
    });
  }

  /** Grows with each new symbol. */
  get size(): number {
    return this.nextSymbol + this.wordSymbols;
  }

  /** How many characters it knows. */
  get characters(): number {
    return this.symbols.size;
  }

  /** The symbols of a set. */
  symbolsOf(set: CharacterSet): readonly string[] {
    return this.membersByKey.get(set.key) ?? [];
  }

  /** Throws PatternFault where the text has more kinds of letters than there are symbols. */
  encode(text: string): EncodedText {
    if (this.needs.words === 'unasked' && !NOT_ASCII.test(text))
      return { symbols: this.withLastNewline(text), offsets: undefined };
    let symbols = '';
    const offsets: number[] = [];
    for (let i = 0; i < text.length; i++) {
      const point = text.codePointAt(i) ?? 0;
      symbols += this.symbols.get(point) ?? this.symbolOf(point);
      offsets.push(i);
      if (point > 0xffff) i++;
    }
    offsets.push(text.length);
    const isSameLength = symbols.length === text.length;
    return { symbols: this.withLastNewline(symbols), offsets: isSameLength ? undefined : offsets };
  }

  private withLastNewline(symbols: string): string {
    const first = this.needs.newlines === 'last' ? symbols.indexOf(NEWLINE) : -1;
    if (first < 0 || first === symbols.length - 1) return symbols;
    return symbols.slice(0, -1).replaceAll(NEWLINE, INNER_NEWLINE) + symbols.slice(-1);
  }

  private symbolOf(point: number): string {
    const { sets, words, newlines } = this.needs;
    const isWord = words !== 'unasked' && isWordCharacter(point, words === 'ascii');
    const isNewline = newlines !== 'unasked' && point === 0x0a;
    // Without boundaries ASCII stands for itself, so that an ASCII text need not be rewritten.
    const itself =
      point < 0x80 && (words === 'unasked' || isNewline) ? String.fromCharCode(point) : undefined;
    const signature = `${isWord ? 'w' : ''}${sets.map(({ has }) => (has(point) ? 1 : 0)).join('')}`;
    const symbol = itself ?? this.bySignature.get(signature) ?? this.newSymbol(isWord);
    const isNew = itself !== undefined || !this.bySignature.has(signature);
    if (isNew)
      sets.forEach(({ has }, index) => {
        if (has(point)) this.members[index]?.push(symbol);
      });
    if (itself === undefined) this.bySignature.set(signature, symbol);
    this.symbols.set(point, symbol);
    return symbol;
  }

  private newSymbol(isWord: boolean): string {
    const symbol = isWord ? WORD_SYMBOLS.charAt(this.wordSymbols++) : String.fromCharCode(this.nextSymbol++);
    if (symbol === '' || this.nextSymbol >= SYMBOLS_END)
      throw new PatternFault('it tells too many letters apart for a pattern with \\b', 0, true);
    return symbol;
  }
}
