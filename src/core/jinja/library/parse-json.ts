/**
 * `parseJson` is Python's `json.loads`: whole numbers of any size stay whole, 1.0 stays a float, NaN and Infinity are
 * known. It gives undefined where the text is no JSON. JavaScript's own parser would lose the difference between 1 and 1.0.
 */
import { Dict } from '../values/container/dict.ts';
import { Float } from '../values/number/float.ts';
import { normalInt } from '../values/number/integer.ts';
import type { Value } from '../values/value.ts';

const DEPTH_MAX = 500;

export function parseJson(text: string): Value | undefined {
  const reader = new JsonReader(text);
  const value = reader.value(0);
  return value !== undefined && reader.atEnd() ? value : undefined;
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
// Runs of plain letters are taken at once, so that also a very long text needs no deep stack.
const STRING = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"/y;
const WORDS: readonly (readonly [string, Value])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', new Float(Number.NaN)],
  ['Infinity', new Float(Number.POSITIVE_INFINITY)],
  ['-Infinity', new Float(Number.NEGATIVE_INFINITY)],
];

class JsonReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  atEnd(): boolean {
    this.match(SPACE);
    return this.at === this.text.length;
  }

  value(depth: number): Value | undefined {
    if (depth > DEPTH_MAX) return undefined;
    this.match(SPACE);
    switch (this.text.charAt(this.at)) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case '"':
        return this.string();
      default: {
        const word = this.word();
        return word === undefined ? this.number() : word;
      }
    }
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at = pattern.lastIndex;
    return match;
  }

  private take(character: string): boolean {
    this.match(SPACE);
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private object(depth: number): Value | undefined {
    const dict = new Dict();
    this.at += 1;
    if (this.take('}')) return dict;
    do {
      this.match(SPACE);
      const key = this.string();
      if (key === undefined || !this.take(':')) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      dict.set(key, value);
    } while (this.take(','));
    return this.take('}') ? dict : undefined;
  }

  private array(depth: number): Value | undefined {
    const list: Value[] = [];
    this.at += 1;
    if (this.take(']')) return list;
    do {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      list.push(value);
    } while (this.take(','));
    return this.take(']') ? list : undefined;
  }

  private string(): string | undefined {
    const match = this.match(STRING);
    return match === null ? undefined : (JSON.parse(match[0]) as string);
  }

  private word(): Value | undefined {
    const found = WORDS.find(([word]) => this.text.startsWith(word, this.at));
    if (found === undefined) return undefined;
    this.at += found[0].length;
    return found[1];
  }

  private number(): Value | undefined {
    const match = this.match(NUMBER);
    if (match === null) return undefined;
    const [whole, integer = '', fraction, exponent] = match;
    return fraction === undefined && exponent === undefined
      ? normalInt(BigInt(integer))
      : new Float(Number(whole));
  }
}
