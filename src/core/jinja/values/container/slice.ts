/** `Slice` is `start:stop:step` between the brackets of an item lookup, and which items it takes. */
import { repr } from '../print.ts';
import { typeName } from '../type-name.ts';
import { PyObject, PythonError, type Value } from '../value.ts';

export class Slice extends PyObject {
  override readonly typeName = 'slice';
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;

  constructor(start: Value, stop: Value, step: Value) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
  }

  override repr(): string {
    return `slice(${repr(this.start)}, ${repr(this.stop)}, ${repr(this.step)})`;
  }
  override attribute(name: string): Value | undefined {
    if (name === 'start') return this.start;
    if (name === 'stop') return this.stop;
    return name === 'step' ? this.step : undefined;
  }
  override attributeNames(): readonly string[] {
    return ['start', 'stop', 'step'];
  }
}

/** The bounds of a slice over a sequence: `count` items, the first at `start`, then every `step`. */
export interface SliceBounds {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly count: number;
}

export function sliceBounds(slice: Slice, length: number): SliceBounds {
  const step = sliceIndex(slice.step) ?? 1;
  if (step === 0) throw new PythonError('ValueError', 'slice step cannot be zero');
  const forward = step > 0;
  const clamp = (index: number | undefined, otherwise: number): number => {
    if (index === undefined) return otherwise;
    if (index < 0) return Math.max(index + length, forward ? 0 : -1);
    return Math.min(index, forward ? length : length - 1);
  };
  const start = clamp(sliceIndex(slice.start), forward ? 0 : length - 1);
  const stop = clamp(sliceIndex(slice.stop), forward ? length : -1);
  const span = forward ? stop - start : start - stop;
  return { start, stop, step, count: span <= 0 ? 0 : Math.ceil(span / Math.abs(step)) };
}

/** undefined for None; whole numbers far out are as good as the largest ones, as Python says. */
function sliceIndex(value: Value): number | undefined {
  switch (typeof value) {
    case 'number':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    case 'bigint':
      return value < 0n ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
    default:
      if (value === null) return undefined;
      throw new PythonError(
        'TypeError',
        'slice indices must be integers or None or have an __index__ method',
      );
  }
}

/** An index that is not a slice, for sequences: int and bool, else undefined. */
export function wholeIndex(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'boolean' ? Number(value) : undefined;
}

/** The items a slice takes, by index. */
export function sliceItems<T>(
  items: ArrayLike<T> & { slice(start: number, stop: number): T[] },
  slice: Slice,
): T[] {
  const { start, step, count } = sliceBounds(slice, items.length);
  if (step === 1) return items.slice(start, start + count);
  const taken: T[] = [];
  for (let i = 0; i < count; i++) taken.push(items[start + i * step] as T);
  return taken;
}

export function wrongIndex(what: string, key: Value): PythonError {
  // Python words it in its own way for texts.
  const problem =
    what === 'string'
      ? `must be integers, not '${typeName(key)}'`
      : `must be integers or slices, not ${typeName(key)}`;
  return new PythonError('TypeError', `${what} indices ${problem}`);
}
