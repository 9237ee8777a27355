/** These are the methods and attributes of range. */
import { methodTable, one } from '../native.ts';
import { repr } from '../print.ts';
import { PythonError, type Value } from '../value.ts';
import type { Range } from './range.ts';

export const RANGE_METHODS = methodTable<Range>('range', {
  count: one((range, value) => (range.indexOf(value) >= 0 ? 1 : 0)),
  index: one((range, value) => {
    const index = range.indexOf(value);
    if (index >= 0) return index;
    const isWhole = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
    throw new PythonError(
      'ValueError',
      isWhole ? `${repr(value)} is not in range` : 'sequence.index(x): x not in sequence',
    );
  }),
});

export function rangeAttribute(range: Range, name: string): Value | undefined {
  if (name === 'start') return range.start;
  if (name === 'stop') return range.stop;
  return name === 'step' ? range.step : undefined;
}

export const RANGE_ATTRIBUTES: readonly string[] = ['start', 'stop', 'step'];
