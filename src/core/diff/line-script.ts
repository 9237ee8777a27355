/**
 * The shortest list of lines to take away and to add that makes one list of lines of another: Myers' greedy search over
 * the furthest reaching paths.
 *
 * Its cost grows with the square of the number of edits. Over `EDITS_MAX` it gives up and takes everything between the
 * common start and the common end as replaced, which is right as well, only longer.
 */
export interface LineEdit {
  readonly kind: 'keep' | 'remove' | 'add';
  readonly line: string;
}

export const EDITS_MAX = 1_000;

export function lineScript(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const from = before.slice(start, before.length - end);
  const to = after.slice(start, after.length - end);
  return [
    ...edits('keep', before.slice(0, start)),
    ...(shortestScript(from, to) ?? [...edits('remove', from), ...edits('add', to)]),
    ...edits('keep', before.slice(before.length - end)),
  ];
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count++;
  return count;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const countMax = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < countMax && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}

function edits(kind: LineEdit['kind'], lines: readonly string[]): LineEdit[] {
  return lines.map((line) => ({ kind, line }));
}

/** Undefined when more than `EDITS_MAX` edits are needed. */
function shortestScript(a: readonly string[], b: readonly string[]): readonly LineEdit[] | undefined {
  const editsMax = Math.min(EDITS_MAX, a.length + b.length);
  /** For each diagonal `x - y`, shifted to be an index, how far into `a` a path of so many edits comes. */
  const furthest = new Int32Array(2 * editsMax + 3);
  const shift = editsMax + 1;
  /** The part of `furthest` that mattered before each number of edits: diagonals `-d-1` to `d+1`. */
  const history: Int32Array[] = [];
  for (let d = 0; d <= editsMax; d++) {
    history.push(furthest.slice(shift - d - 1, shift + d + 2));
    for (let diagonal = -d; diagonal <= d; diagonal += 2) {
      const down = stepsDown(furthest, shift, diagonal, d);
      let x = down ? (furthest[shift + diagonal + 1] ?? 0) : (furthest[shift + diagonal - 1] ?? 0) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      furthest[shift + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(a, b, history);
    }
  }
  return undefined;
}

/** Whether the best way onto a diagonal adds a line (from the diagonal above) rather than takes one away. */
function stepsDown(furthest: Int32Array, shift: number, diagonal: number, d: number): boolean {
  if (diagonal === -d) return true;
  if (diagonal === d) return false;
  return (furthest[shift + diagonal - 1] ?? 0) < (furthest[shift + diagonal + 1] ?? 0);
}

function walkBack(
  a: readonly string[],
  b: readonly string[],
  history: readonly Int32Array[],
): readonly LineEdit[] {
  const script: LineEdit[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = history.length - 1; d >= 0; d--) {
    const before = history[d] ?? new Int32Array();
    const diagonal = x - y;
    const down = stepsDown(before, d + 1, diagonal, d);
    const fromX = down ? (before[d + 1 + diagonal + 1] ?? 0) : (before[d + 1 + diagonal - 1] ?? 0);
    const fromY = fromX - (down ? diagonal + 1 : diagonal - 1);
    const stepX = d === 0 ? 0 : down ? fromX : fromX + 1;
    while (x > stepX) script.push({ kind: 'keep', line: a[--x] ?? '' });
    if (d === 0) break;
    script.push(down ? { kind: 'add', line: b[fromY] ?? '' } : { kind: 'remove', line: a[fromX] ?? '' });
    x = fromX;
    y = fromY;
  }
  return script.reverse();
}
