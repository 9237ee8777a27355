/**
 * These functions show facts as Salt's users know them: all facts, and the names of grain-table.ts besides. A custom
 * fact of the same name wins.
 *
 * `os` is the one name that means two things: a map of facts here, the name of the distribution in Salt. As a grain it
 * is Salt's; `facts.os.family`, and `grains.get` with a path, reach the map.
 */
import { isWireMap, type WireMap, type WireValue } from '../../../wire/msgpack/wire-value.ts';
import { lookUpPath } from './data-path.ts';
import { GRAINS } from './grain-table.ts';

export function grainsOf(facts: WireMap, peelId: string): WireMap {
  const known = [...GRAINS].flatMap(([name, grain]) => {
    const value = grain.value(facts, peelId);
    return value === undefined ? [] : [[name, value] as const];
  });
  const grains: WireMap = Object.fromEntries(known);
  const { os } = facts;
  return isWireMap(os) && grains.os !== undefined
    ? { ...grains, ...facts, os: grains.os }
    : { ...grains, ...facts };
}

/** `os_family`, `os:family` and `os.family`; the way with steps goes through the facts. */
export function lookUpGrain(
  grains: WireMap,
  facts: WireMap,
  path: string,
  delimiter?: string,
): WireValue | undefined {
  return lookUpPath(grains, path, delimiter) ?? lookUpPath(facts, path, delimiter);
}
