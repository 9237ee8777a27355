/**
 * `sortedKeys` puts keys in the order of Python's `sorted`, or leaves them as they are where Python could not compare
 * them.
 */
import { type YamlData, YamlFloat } from './yaml-data.ts';

export function sortedKeys(keys: readonly YamlData[]): readonly YamlData[] {
  if (keys.every((key) => typeof key === 'string')) return [...keys].sort(byCodePoint);
  if (!keys.every(isNumeric)) return keys;
  return [...keys].sort((a, b) => (numeric(a) < numeric(b) ? -1 : numeric(a) > numeric(b) ? 1 : 0));
}

/** JavaScript compares UTF-16 units, Python code points: they differ for letters outside of the first plane. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function isNumeric(key: YamlData): boolean {
  return (
    typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean' || key instanceof YamlFloat
  );
}

function numeric(key: YamlData): number | bigint {
  if (key instanceof YamlFloat) return key.value;
  return typeof key === 'bigint' ? key : Number(key);
}
