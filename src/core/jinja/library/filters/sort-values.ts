/**
 * This is a stable sort that asks only "is a less than b", in the order in which Python's list sort asks it: the first
 * two items that cannot be compared decide the error message, so the order of the questions can be seen from a
 * template.
 */

type Less<T> = (a: T, b: T) => boolean;

/** Sorts in place. `reverse` keeps equal items in their order, as Python does. */
export function sortKeyed<K extends { readonly key: unknown }>(
  items: K[],
  less: Less<K['key']>,
  reverse: boolean,
): void {
  if (reverse) items.reverse();
  sortRuns(items, (a, b) => less(a.key, b.key));
  if (reverse) items.reverse();
}

/** Finds runs that are sorted already, brings short ones to a minimal length, and merges neighbours. */
function sortRuns<K>(items: K[], less: Less<K>): void {
  if (items.length < 2) return;
  const runMin = shortestRun(items.length);
  let ends: number[] = [];
  for (let start = 0; start < items.length; ) {
    const ordered = orderedUntil(items, start, less);
    const end = Math.max(ordered, Math.min(start + runMin, items.length));
    insertInto(items, start, ordered, end, less);
    ends.push(end);
    start = end;
  }
  while (ends.length > 1) ends = mergeNeighbours(items, ends, less);
}

/** Between 32 and 64, such that the runs come in a number that merges evenly. */
function shortestRun(length: number): number {
  let remainder = 0;
  let rest = length;
  while (rest >= 64) {
    remainder |= rest & 1;
    rest >>= 1;
  }
  return rest + remainder;
}

/** The end of the run that starts here; a strictly falling run is turned around. */
function orderedUntil<K>(items: K[], start: number, less: Less<K>): number {
  let end = start + 1;
  if (end === items.length) return end;
  const falling = lessAt(items, end, end - 1, less);
  do end += 1;
  while (end < items.length && lessAt(items, end, end - 1, less) === falling);
  if (falling) reverseWithin(items, start, end);
  return end;
}

function reverseWithin<K>(items: K[], start: number, end: number): void {
  const turned = items.slice(start, end).reverse();
  for (let i = 0; i < turned.length; i++) items[start + i] = turned[i] as K;
}

function lessAt<K>(items: readonly K[], a: number, b: number, less: Less<K>): boolean {
  return less(items[a] as K, items[b] as K);
}

/** Puts each item of [from, end) at its place in the run before it, by halving. */
function insertInto<K>(items: K[], start: number, from: number, end: number, less: Less<K>): void {
  for (let next = from; next < end; next++) {
    const item = items[next] as K;
    let low = start;
    let high = next;
    while (low < high) {
      const middle = low + ((high - low) >> 1);
      if (less(item, items[middle] as K)) high = middle;
      else low = middle + 1;
    }
    for (let at = next; at > low; at--) items[at] = items[at - 1] as K;
    items[low] = item;
  }
}

function mergeNeighbours<K>(items: K[], ends: readonly number[], less: Less<K>): number[] {
  const merged: number[] = [];
  let start = 0;
  for (let i = 0; i < ends.length; i += 2) {
    const middle = ends[i] as number;
    const end = ends[i + 1] ?? middle;
    merge(items, start, middle, end, less);
    merged.push(end);
    start = end;
  }
  return merged;
}

function merge<K>(items: K[], start: number, middle: number, end: number, less: Less<K>): void {
  const left = items.slice(start, middle);
  let fromLeft = 0;
  let fromRight = middle;
  for (let at = start; fromLeft < left.length; at++) {
    const takeRight = fromRight < end && less(items[fromRight] as K, left[fromLeft] as K);
    items[at] = takeRight ? (items[fromRight++] as K) : (left[fromLeft++] as K);
  }
}
