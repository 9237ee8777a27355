/**
 * `PatternSearch` finds, at every place of a text, the longest of many given patterns that begins there. For secrets:
 * thousands of short patterns, texts that mostly have none of them.
 *
 * Four characters decide at most places: a table says whether any pattern begins like this. Only where one may, the sorted
 * list of patterns is searched. So a text costs one look a character, whatever the number of patterns; at worst, where text
 * and patterns are repetitions of the same, the length of a pattern for each halving of the list. Pure.
 */
import { assert } from '../assert.ts';

/** Shorter ones would be found everywhere. */
export const PATTERN_UNITS_MIN = 4;
/** Slots of the table: 1 in 50 is taken for 5,000 patterns. */
const TABLE_BITS = 18;
/** The golden ratio of 32 bits, which spreads similar numbers over the table. */
const SPREADER = 0x9e3779b1;

export interface PatternMatch {
  readonly from: number;
  readonly to: number;
  readonly pattern: string;
}

export class PatternSearch {
  /** Sorted by UTF-16 units, none twice. */
  private readonly patterns: readonly string[];
  /** For each pattern the longest other one that it begins with; -1 for none. */
  private readonly shorter: Int32Array;
  private readonly starts = new Uint8Array(1 << TABLE_BITS);
  /** Of the longest. */
  readonly unitsMax: number;

  constructor(patterns: Iterable<string>) {
    this.patterns = [...new Set(patterns)].sort();
    this.shorter = shorterPatterns(this.patterns);
    this.unitsMax = this.patterns.reduce((max, { length }) => Math.max(max, length), 0);
    for (const pattern of this.patterns) {
      assert(pattern.length >= PATTERN_UNITS_MIN, 'a pattern has at least four characters');
      this.starts[slotOf(keyAt(pattern, 0))] = 1;
    }
  }

  /** In the order of their beginnings; they may overlap. */
  matches(text: string): readonly PatternMatch[] {
    if (this.patterns.length === 0) return [];
    const found: PatternMatch[] = [];
    let key = 0;
    for (let end = 0; end < text.length; end++) {
      key = shifted(key, text.charCodeAt(end));
      const from = end - PATTERN_UNITS_MIN + 1;
      if (from < 0 || this.starts[slotOf(key)] === 0) continue;
      const index = this.longestAt(text, from);
      if (index < 0) continue;
      const pattern = this.pattern(index);
      found.push({ from, to: from + pattern.length, pattern });
    }
    return found;
  }

  /**
   * The longest stretch of at least `unitsMin` characters that ends at `end` and that a pattern begins with: what is left of
   * a pattern where a text was cut.
   */
  beginningBefore(text: string, end: number, unitsMin: number): PatternMatch | undefined {
    for (let from = Math.max(0, end - this.unitsMax); from <= end - unitsMin; from++) {
      if (this.starts[slotOf(keyAt(text, from))] === 0) continue;
      const pattern = this.firstBeginningWith(text.slice(from, end));
      if (pattern !== undefined) return { from, to: end, pattern };
    }
    return undefined;
  }

  /** All that begin with a text stand together, right behind it in the order. */
  private firstBeginningWith(start: string): string | undefined {
    let low = 0;
    let high = this.patterns.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.pattern(middle) < start) low = middle + 1;
      else high = middle;
    }
    const pattern = this.pattern(low);
    return pattern.startsWith(start) ? pattern : undefined;
  }

  /** The last pattern that is not behind the text in the order is it, or begins with it. */
  private longestAt(text: string, from: number): number {
    let low = 0;
    let high = this.patterns.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isBehind(text, from, middle)) high = middle;
      else low = middle + 1;
    }
    let index = low - 1;
    if (index < 0) return -1;
    const common = commonStart(this.pattern(index), text, from);
    while (index >= 0 && this.pattern(index).length > common) index = this.shorter[index] ?? -1;
    return index;
  }

  /** Whether the pattern comes after the text in the order. */
  private isBehind(text: string, from: number, index: number): boolean {
    const pattern = this.pattern(index);
    const common = commonStart(pattern, text, from);
    if (common === pattern.length) return false;
    // Behind the end of the text there is NaN, and nothing is less than that: the longer one is behind the shorter.
    return !(pattern.charCodeAt(common) < text.charCodeAt(from + common));
  }

  private pattern(index: number): string {
    return this.patterns[index] ?? '';
  }
}

/** How many characters of the pattern stand at the place. */
function commonStart(pattern: string, text: string, from: number): number {
  const max = Math.min(pattern.length, text.length - from);
  let count = 0;
  while (count < max && pattern.charCodeAt(count) === text.charCodeAt(from + count)) count++;
  return count;
}

function shorterPatterns(sorted: readonly string[]): Int32Array {
  const shorter = new Int32Array(sorted.length).fill(-1);
  /** Each begins with the one before it. */
  const open: number[] = [];
  for (const [index, pattern] of sorted.entries()) {
    while (open.length > 0 && !pattern.startsWith(sorted[open.at(-1) ?? 0] ?? '')) open.pop();
    shorter[index] = open.at(-1) ?? -1;
    open.push(index);
  }
  return shorter;
}

/** The four characters from there, as a number. */
function keyAt(text: string, from: number): number {
  let key = 0;
  for (let at = from; at < from + PATTERN_UNITS_MIN; at++) key = shifted(key, text.charCodeAt(at));
  return key;
}

/** The last four characters as a number, by their low bytes. */
function shifted(key: number, unit: number): number {
  return (key >>> 8) | ((unit & 0xff) << 24);
}

function slotOf(key: number): number {
  return Math.imul(key, SPREADER) >>> (32 - TABLE_BITS);
}
