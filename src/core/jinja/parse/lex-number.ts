/** `readNumber` reads number literals: `1_000`, `0xff`, `0o17`, `0b11`, `1.5`, `1e-3`. */
import { INT_DIGITS_MAX } from '../values/print.ts';

export interface NumberLiteral {
  readonly type: 'integer' | 'float';
  readonly value: number | bigint;
  readonly end: number;
}

const DIGITS = '[0-9]+(?:_[0-9]+)*';
const FLOAT = new RegExp(`${DIGITS}(?:(?:\\.${DIGITS})?[eE][+-]?${DIGITS}|\\.${DIGITS})`, 'y');
const INTEGER =
  /0[bB]_?[01]+(?:_[01]+)*|0[oO]_?[0-7]+(?:_[0-7]+)*|0[xX]_?[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|[1-9][0-9]*(?:_[0-9]+)*|0+(?:_0+)*/y;

/** The literal at `from`, where a digit stands, or what is wrong with it. */
export function readNumber(text: string, from: number): NumberLiteral | string {
  // After a dot a number is an index: `a.0.1` has no float in it.
  FLOAT.lastIndex = from;
  if (text.charAt(from - 1) !== '.') {
    const float = FLOAT.exec(text)?.[0];
    if (float !== undefined)
      return { type: 'float', value: Number(float.replaceAll('_', '')), end: from + float.length };
  }
  INTEGER.lastIndex = from;
  const written = INTEGER.exec(text)?.[0] ?? '';
  const digits = written.replaceAll('_', '');
  const decimal = !/^0[box]/i.test(digits);
  if (decimal && digits.length > INT_DIGITS_MAX)
    return `Exceeds the limit (${INT_DIGITS_MAX} digits) for integer string conversion: value has ${digits.length} digits`;
  // Number() loses digits of a large one, but is enough to see that it is large.
  const value = Number(digits);
  return {
    type: 'integer',
    value: Number.isSafeInteger(value) ? value : BigInt(digits),
    end: from + written.length,
  };
}
