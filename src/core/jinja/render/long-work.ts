/**
 * These functions tell how many steps an operation on a long value counts for. Most operations are one call in a
 * template whatever they work on; without these, a loop over one long text could keep a peel busy for hours within its
 * limit of steps.
 */
import { Tuple } from '../values/container/tuple.ts';
import { Bytes } from '../values/text/bytes.ts';
import { Markup } from '../values/text/markup.ts';
import type { Value } from '../values/value.ts';

/** Shorter values count nothing beyond the step that works on them. */
const LONG_CHARS = 1024;
const LONG_ITEMS = 128;
/** JavaScript looks through so many characters, or items of a list, in the time of one step, by powers of two. */
const CHARS_PER_STEP_BITS = 4;
const ITEMS_PER_STEP_BITS = 2;

/** What it costs to look through a text once; nothing for values of other kinds. */
export function textWork(value: Value): number {
  const length = textLength(value);
  return length < LONG_CHARS ? 0 : length >> CHARS_PER_STEP_BITS;
}

/** What it may cost to look for something in a text or list. */
export function searchWork(value: Value): number {
  const items = itemCount(value);
  if (items === undefined) return textWork(value);
  return items < LONG_ITEMS ? 0 : items >> ITEMS_PER_STEP_BITS;
}

/** What it may cost to compare two values: as much as the shorter one. */
export function compareWork(a: Value, b: Value): number {
  return Math.min(searchWork(a), searchWork(b));
}

/** A result as it is, after the steps that making a long one took. */
export function withWorkCounted(result: Value, steps: { charge(steps: number): void }): Value {
  const work = searchWork(result);
  if (work > 0) steps.charge(work);
  return result;
}

function textLength(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Markup) return value.text.length;
  return value instanceof Bytes ? value.bytes.length : 0;
}

function itemCount(value: Value): number | undefined {
  if (Array.isArray(value)) return value.length;
  return value instanceof Tuple ? value.items.length : undefined;
}
