/**
 * `prettyPrint` is Python's `pprint.pformat` with its defaults: 80 columns, dicts sorted by key. What fits into the
 * rest of the line is printed on one line; else a container puts each item on a line of its own, and a long text is cut
 * at spaces.
 */

import { SPACE_CLASS } from '../../../regex/character-classes.ts';
import { lessThan } from '../../values/compare.ts';
import { Dict } from '../../values/container/dict.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { ADDRESS, repr } from '../../values/print.ts';
import { Bytes } from '../../values/text/bytes.ts';
import { codePointLength } from '../../values/text/code-points.ts';
import { pythonSplitLines } from '../../values/text/str-split.ts';
import { typeName } from '../../values/type-name.ts';
import { type PyObject, PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { sortKeyed } from './sort-values.ts';
import { bounded } from './text-values.ts';

const WIDTH = 80;
const DEPTH_MAX = 200;

export function prettyPrint(value: Value, render: RenderContext): string {
  const printer = new Printer(render);
  printer.print(value, { indent: 0, allowance: 0, level: 0 });
  return printer.text;
}

/** Where a value stands: how far in, how many characters must still fit after it on its last line, how deep. */
interface Place {
  readonly indent: number;
  readonly allowance: number;
  readonly level: number;
}

class Printer {
  text = '';
  private readonly render: RenderContext;
  private readonly open = new Set<object>();

  constructor(render: RenderContext) {
    this.render = render;
  }

  print(value: Value, place: Place): void {
    const line = this.onOneLine(value);
    const fits = codePointLength(line) <= WIDTH - place.indent - place.allowance;
    const inside = { ...place, level: place.level + 1 };
    if (fits || this.isOpen(value)) this.add(line);
    else if (Array.isArray(value)) this.items(value, value, '[', ']', inside);
    else if (value instanceof Dict) this.dict(value, inside);
    else if (typeof value === 'string') this.chunks(line, textChunks(value, inside), inside);
    else if (value instanceof Bytes) this.chunks(line, bytesChunks(value, inside), inside);
    else if (isPlainTuple(value))
      this.items(value, value.items, '(', value.items.length === 1 ? ',)' : ')', inside);
    else this.add(line);
  }

  private add(text: string): void {
    this.text += text;
    bounded(this.text, this.render);
  }

  private isOpen(value: Value): boolean {
    return typeof value === 'object' && value !== null && this.open.has(value);
  }

  private items(container: object, items: readonly Value[], open: string, close: string, place: Place): void {
    const indent = place.indent + 1;
    const last = items.length - 1;
    this.within(container, open, close, () => {
      items.forEach((item, index) => {
        if (index > 0) this.add(`,\n${' '.repeat(indent)}`);
        this.print(item, {
          ...place,
          indent,
          allowance: index === last ? place.allowance + close.length : 1,
        });
      });
    });
  }

  private dict(dict: Dict, place: Place): void {
    const indent = place.indent + 1;
    const pairs = sortedPairs(dict);
    const last = pairs.length - 1;
    this.within(dict, '{', '}', () => {
      pairs.forEach(({ key, value }, index) => {
        if (index > 0) this.add(`,\n${' '.repeat(indent)}`);
        const name = `${this.onOneLine(key)}: `;
        this.add(name);
        const allowance = index === last ? place.allowance + 1 : 1;
        this.print(value, { ...place, indent: indent + codePointLength(name), allowance });
      });
    });
  }

  private within(container: object, open: string, close: string, print: () => void): void {
    this.add(open);
    this.open.add(container);
    print();
    this.open.delete(container);
    this.add(close);
  }

  /** Pieces of a text below each other; at the top level brackets hold them together. */
  private chunks(line: string, chunks: readonly string[], place: Place): void {
    const bracketed = place.level === 1 && chunks.length > 1;
    const text = chunks.join(`\n${' '.repeat(place.indent + (bracketed ? 1 : 0))}`);
    if (chunks.length === 1) this.add(line);
    else this.add(bracketed ? `(${text})` : text);
  }

  private onOneLine(value: Value): string {
    this.render.charge(typeof value === 'string' ? 1 + (value.length >> 8) : 1);
    if (Array.isArray(value)) return this.nested(value, () => `[${this.lineOf(value)}]`);
    if (value instanceof Dict)
      return this.nested(value, () => {
        const pairs = sortedPairs(value);
        return `{${pairs.map(({ key, value: item }) => `${this.onOneLine(key)}: ${this.onOneLine(item)}`).join(', ')}}`;
      });
    if (isPlainTuple(value))
      return this.nested(value, () => `(${this.lineOf(value.items)}${value.items.length === 1 ? ',' : ''})`);
    return repr(value);
  }

  private lineOf(items: readonly Value[]): string {
    return items.map((item) => this.onOneLine(item)).join(', ');
  }

  private nested(container: Value[] | PyObject, print: () => string): string {
    if (this.open.has(container)) return `<Recursion on ${typeName(container)} with id=${Number(ADDRESS)}>`;
    if (this.open.size >= DEPTH_MAX)
      throw new PythonError('RecursionError', 'maximum recursion depth exceeded while pretty-printing');
    this.open.add(container);
    const text = bounded(print(), this.render);
    this.open.delete(container);
    return text;
  }
}

/** Not the tuples with names of their own that groupby makes: Python prints those on one line. */
function isPlainTuple(value: Value): value is Tuple {
  return value instanceof Tuple && value.constructor === Tuple;
}

interface Pair {
  readonly key: Value;
  readonly value: Value;
}

function sortedPairs(dict: Dict): Pair[] {
  const pairs = Array.from(dict.entries(), ([key, value]) => ({ key, value }));
  sortKeyed(pairs, lessKey, false);
  return pairs;
}

/** Keys that cannot be compared go by the names of their types. */
function lessKey(a: Value, b: Value): boolean {
  try {
    return lessThan(a, b);
  } catch (error) {
    if (error instanceof PythonError && error.type === 'TypeError') return typeName(a) < typeName(b);
    throw error;
  }
}

const WORDS = new RegExp(`[^${SPACE_CLASS}]*[${SPACE_CLASS}]*`, 'gu');

/** Cut after line breaks, and where that is not enough, after spaces. */
function textChunks(text: string, place: Place): string[] {
  const bracketed = place.level === 1 ? 1 : 0;
  const width = WIDTH - place.indent - bracketed;
  const allowance = place.allowance + bracketed;
  const lines = pythonSplitLines(text, true);
  const chunks: string[] = [];
  lines.forEach((line, index) => {
    const isLast = index === lines.length - 1;
    const whole = repr(line);
    if (codePointLength(whole) <= (isLast ? width - allowance : width)) chunks.push(whole);
    else chunks.push(...fill((line.match(WORDS) ?? []).filter(Boolean), width, isLast ? allowance : 0));
  });
  return chunks;
}

function bytesChunks({ bytes }: Bytes, place: Place): string[] {
  const bracketed = place.level === 1 ? 1 : 0;
  const chunks: string[] = [];
  let current = new Uint8Array();
  let width = WIDTH - place.indent - bracketed;
  for (let i = 0; i < bytes.length; i += 4) {
    const candidate = bytes.slice(i - current.length, i + 4);
    if (i === Math.floor(bytes.length / 4) * 4) width -= place.allowance + bracketed;
    const fits = new Bytes(candidate).repr().length <= width;
    if (!fits && current.length > 0) chunks.push(new Bytes(current).repr());
    current = fits ? candidate : bytes.slice(i, i + 4);
  }
  chunks.push(new Bytes(current).repr());
  return chunks;
}

/** As many words to a line as fit; after the last one `allowance` more characters must fit. */
function fill(words: readonly string[], width: number, allowance: number): string[] {
  const lines: string[] = [];
  let current = '';
  words.forEach((word, index) => {
    const room = index === words.length - 1 ? width - allowance : width;
    const candidate = current + word;
    if (codePointLength(repr(candidate)) <= room) {
      current = candidate;
      return;
    }
    if (current !== '') lines.push(repr(current));
    current = word;
  });
  if (current !== '') lines.push(repr(current));
  return lines;
}
