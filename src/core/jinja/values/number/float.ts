/** `Float` is Python's float. JavaScript's number stands for Python's int, so a float needs a wrapper. */

import { PyObject } from '../value.ts';
import { floatToInt, type Int } from './integer.ts';

export class Float extends PyObject {
  override readonly typeName = 'float';
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  override repr(): string {
    return floatText(this.value);
  }
  override truthy(): boolean {
    return this.value !== 0;
  }
  override asInt(): Int {
    return floatToInt(this.value);
  }
  override asFloat(): number {
    return this.value;
  }
}

/** The shortest text that reads back as the same number, laid out as Python lays it out. */
export function floatText(value: number): string {
  const size = Math.abs(value);
  // Both languages choose the same shortest digits; they differ in when an exponent is written, and how.
  if (size < 1e16 && (size >= 1e-4 || size === 0)) {
    if (!Number.isInteger(value)) return `${value}`;
    return Object.is(value, -0) ? '-0.0' : `${value}.0`;
  }
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const [mantissa = '', exponentText = ''] = value.toExponential().split('e');
  const exponent = Math.abs(Number(exponentText));
  return `${mantissa}e${exponentText.charAt(0)}${exponent < 10 ? '0' : ''}${exponent}`;
}
