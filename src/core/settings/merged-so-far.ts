/**
 * `MergedSoFar` merges one map after the other on those before, as `deepMerge` does, without copying all of it each time: a
 * peel may have a thousand files of settings. What it made itself it changes; what it was given it never does.
 *
 * Whoever reads `data` reads it before the next `add`.
 */
import { FORBIDDEN_KEY, type WireMap } from '../../wire/msgpack/wire-value.ts';
import { type DataMap, type DataValue, dataEntries, isPlainKey } from '../data/data-value.ts';
import {
  deepMerge,
  type MergeDepth,
  mergesMaps,
  mergeValues,
  oneLess,
} from '../states/template/deep-merge.ts';

export class MergedSoFar {
  private readonly depth: MergeDepth;
  private readonly own = new WeakSet<object>();
  private merged: DataMap = {};

  constructor(depth: MergeDepth) {
    this.depth = depth;
  }

  get data(): DataMap {
    return this.merged;
  }

  add(over: DataMap): void {
    this.merged = this.merge(this.merged, over, this.depth);
  }

  private merge(under: DataMap, over: DataMap, depth: MergeDepth): DataMap {
    const entries = dataEntries(over).filter(([key]) => key !== FORBIDDEN_KEY);
    if (under instanceof Map || !entries.every(([key]) => isPlainKey(key)))
      return deepMerge(under, over, depth);
    const target = this.owned(under as WireMap);
    for (const [key, value] of entries) {
      const before = Object.hasOwn(target, key as string) ? target[key as string] : undefined;
      target[key as string] = before === undefined ? value : this.mergeValue(before, value, oneLess(depth));
    }
    return target;
  }

  private mergeValue(before: DataValue, value: DataValue, depth: MergeDepth): DataValue {
    return mergesMaps(before, value, depth)
      ? this.merge(before as DataMap, value as DataMap, depth)
      : mergeValues(before, value, depth);
  }

  private owned(map: { readonly [key: string]: DataValue }): Record<string, DataValue> {
    if (this.own.has(map)) return map as Record<string, DataValue>;
    const copy = { ...map };
    this.own.add(copy);
    return copy;
  }
}
