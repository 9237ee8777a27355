/**
 * `deepMerge` lays settings on settings: maps are merged key by key at every depth, anything else is replaced as a
 * whole. Pure.
 */
import { FORBIDDEN_KEY, isWireMap, type WireMap, type WireValue } from '../../../wire/msgpack/wire-value.ts';

/** `over` wins. Keys keep the place where they came first. Neither argument is changed. */
export function deepMerge(under: WireMap, over: WireMap): WireMap {
  const merged: Record<string, WireValue> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (key === FORBIDDEN_KEY) continue;
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = isWireMap(before) && isWireMap(value) ? deepMerge(before, value) : value;
  }
  return merged;
}
