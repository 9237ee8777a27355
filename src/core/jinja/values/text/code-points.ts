/**
 * These functions count and cut strings by code points, as Python's do; JavaScript's count UTF-16 units. They agree
 * where no surrogate occurs, which is nearly always. For a long text the answer is kept, with the place of every code
 * point where it has surrogates: a loop over the indexes of a text costs the text once, not once for each index.
 */
import { LruMap } from '../../../lru-map.ts';

const SURROGATE = /[\ud800-\udfff]/;

/** Looking through a shorter text costs less than keeping the answer. */
const KEPT_FROM_CHARS = 128;
const TEXTS_KEPT_MAX = 16;
const CHARS_KEPT_MAX = 1 << 22;

/** Where each code point starts, and at last the end; undefined where that is its number. */
type Starts = Uint32Array | undefined;

const kept = new LruMap<string, { readonly starts: Starts }>({
  entriesMax: TEXTS_KEPT_MAX,
  weightMax: CHARS_KEPT_MAX,
  weightOf: (_, text) => text.length,
});

export function codePointStarts(text: string): Starts {
  if (text.length < KEPT_FROM_CHARS) return startsOf(text);
  return kept.getOrMake(text, () => ({ starts: startsOf(text) })).starts;
}

function startsOf(text: string): Starts {
  if (!SURROGATE.test(text)) return undefined;
  const starts = new Uint32Array(text.length + 1);
  let count = 0;
  let at = 0;
  for (const point of text) {
    starts[count++] = at;
    at += point.length;
  }
  starts[count] = at;
  return starts.slice(0, count + 1);
}

export function hasSurrogates(text: string): boolean {
  return codePointStarts(text) !== undefined;
}

/** `len(text)`. */
export function codePointLength(text: string): number {
  const starts = codePointStarts(text);
  return starts === undefined ? text.length : starts.length - 1;
}

/** `text[start:stop]` with bounds already within 0 and the length. */
export function codePointSlice(text: string, start: number, stop: number): string {
  const starts = codePointStarts(text);
  return starts === undefined
    ? text.slice(start, stop)
    : text.slice(starts[start], starts[Math.max(start, stop)]);
}

/** Negative, zero or positive, by code points. UTF-16 order differs: surrogates sort before U+E000 to U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return orderOfUnit(left) - orderOfUnit(right);
  }
  return a.length - b.length;
}

function orderOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
