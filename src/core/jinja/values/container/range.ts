/** `Range` is Python's range: a sequence that is counted, not stored. How long one may be is for the maker to check. */
import { sameItem } from '../compare.ts';
import { hashKeyOfAll } from '../hash.ts';
import { Float } from '../number/float.ts';
import { PyObject, PythonError, type Value } from '../value.ts';

export class Range extends PyObject {
  override readonly typeName = 'range';
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly count: number;

  constructor(start: number, stop: number, step = 1) {
    super();
    if (step === 0) throw new PythonError('ValueError', 'range() arg 3 must not be zero');
    if (![start, stop, step].every(Number.isSafeInteger))
      throw new PythonError('OverflowError', 'a range of numbers this large is not supported');
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.count = Math.max(0, Math.ceil((stop - start) / step));
  }

  /** The number at an index within 0 and the count. */
  at(index: number): number {
    return this.start + index * this.step;
  }
  /** Where a number stands, or -1. */
  indexOf(value: Value): number {
    const number = value instanceof Float ? value.value : typeof value === 'boolean' ? Number(value) : value;
    if (typeof number !== 'number') {
      // Something else may still say that it is equal to one of the numbers.
      for (let i = 0; value instanceof PyObject && i < this.count; i++)
        if (sameItem(this.at(i), value)) return i;
      return -1;
    }
    const index = (number - this.start) / this.step;
    return Number.isInteger(number) && Number.isInteger(index) && index >= 0 && index < this.count
      ? index
      : -1;
  }

  override repr(): string {
    return this.step === 1
      ? `range(${this.start}, ${this.stop})`
      : `range(${this.start}, ${this.stop}, ${this.step})`;
  }
  override truthy(): boolean {
    return this.count > 0;
  }
  override length(): number {
    return this.count;
  }
  override iterate(): Iterator<Value> {
    let index = 0;
    return {
      next: () =>
        index < this.count ? { done: false, value: this.at(index++) } : { done: true, value: undefined },
    };
  }
  override contains(value: Value): boolean {
    return this.indexOf(value) >= 0;
  }
  override equals(other: Value): boolean {
    if (!(other instanceof Range) || other.count !== this.count) return false;
    if (this.count > 0 && other.start !== this.start) return false;
    return this.count < 2 || other.step === this.step;
  }
  override hashKey(): string {
    const shown = [this.count, this.count > 0 ? this.start : null, this.count > 1 ? this.step : null];
    return `range:${hashKeyOfAll(shown)}`;
  }
}
