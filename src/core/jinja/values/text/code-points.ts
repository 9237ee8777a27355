/**
 * These functions count and cut strings by code points, as Python's do; JavaScript's count UTF-16 units. They agree
 * where no surrogate occurs, which is nearly always: every function here asks that first and then works on the string
 * as it is.
 */
const SURROGATE = /[\ud800-\udfff]/;

export function hasSurrogates(text: string): boolean {
  return SURROGATE.test(text);
}

/** `len(text)`. */
export function codePointLength(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** `text[start:stop]` with bounds already within 0 and the length. */
export function codePointSlice(text: string, start: number, stop: number): string {
  return hasSurrogates(text) ? [...text].slice(start, stop).join('') : text.slice(start, stop);
}

/** Negative, zero or positive, by code points. UTF-16 order differs: surrogates sort before U+E000 to U+FFFF. */
export function compareText(a: string, b: string): number {
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
