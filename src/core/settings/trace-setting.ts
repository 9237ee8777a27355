/**
 * A trace is a merged value that knows where it came from: which files it is made of, and what they took the place of. It is
 * made for one path at a time by going through the merge again, by the rules of `deepMerge`, so that a resolve itself pays
 * nothing for it. Pure.
 */
import type { DataMap, DataValue } from '../data/data-value.ts';
import type { SourcePosition } from '../errors/zester-error.ts';
import { valueAt } from '../states/template/data-path.ts';
import {
  deepMerge,
  type MergeDepth,
  mergesLists,
  mergesMaps,
  newItems,
  oneLess,
} from '../states/template/deep-merge.ts';
import type { SettingsLayer, SettingsMerge } from './resolved-settings.ts';

/** One file that said something of a value. */
export interface SettingSource {
  /** Of the key, or of the item of a list. */
  readonly at: SourcePosition;
  /** With placeholders. */
  readonly value: DataValue;
  readonly layer: SettingsLayer;
}

export interface SettingTrace {
  /** Undefined: something was here, and what stood further out was replaced as a whole. */
  readonly value: DataValue | undefined;
  /** What the value is made of, in merge order: one file, or several of a map or a list that was merged. */
  readonly setBy: readonly SettingSource[];
  /** What was here before, in merge order. */
  readonly overrode: readonly SettingSource[];
  /** For a value that is gone: what replaced it. */
  readonly replacedBy: readonly SettingSource[];
  /** One key deeper. Undefined: nobody ever said anything of it. */
  at(key: DataValue): SettingTrace | undefined;
}

export function traceOf(merge: SettingsMerge, depth: MergeDepth): SettingTrace {
  switch (merge.kind) {
    case 'file':
      return fileTrace(merge.layer, [], merge.data);
    case 'below':
      return belowTrace(merge.keys, merge.at, traceOf(merge.part, depth));
    case 'merge':
      return partsTrace(
        merge.data,
        merge.parts.map((part) => traceOf(part, depth)),
        depth,
      );
  }
}

/** Of maps, which are merged at every rule. */
function partsTrace(data: DataMap, parts: readonly SettingTrace[], depth: MergeDepth): SettingTrace {
  return {
    ...EMPTY,
    value: data,
    setBy: parts.flatMap(({ setBy }) => setBy),
    at(key) {
      const found = parts.map((part) => part.at(key)).filter((trace) => trace !== undefined);
      const [first, ...others] = found;
      return first && others.reduce((under, over) => mergeTraces(under, over, oneLess(depth)), first);
    },
  };
}

const EMPTY: SettingTrace = { value: {}, setBy: [], overrode: [], replacedBy: [], at: () => undefined };

function fileTrace(layer: SettingsLayer, path: readonly DataValue[], value: DataValue): SettingTrace {
  const at = layer.placeOf(path) ?? { file: layer.file };
  return {
    ...EMPTY,
    value,
    setBy: [{ at, value, layer }],
    at(key) {
      const inner = valueAt(value, key);
      return inner === undefined ? undefined : fileTrace(layer, [...path, key], inner);
    },
  };
}

/** The keys of an include are set by the include. */
function belowTrace(keys: readonly string[], at: SourcePosition, part: SettingTrace): SettingTrace {
  const [first, ...others] = keys;
  if (first === undefined) return { ...part, setBy: part.setBy.map((source) => ({ ...source, at })) };
  const inner = belowTrace(others, at, part);
  const value = { [first]: inner.value ?? null };
  return {
    ...EMPTY,
    value,
    setBy: part.setBy.map((source) => ({ ...source, at, value })),
    at: (key) => (key === first ? inner : undefined),
  };
}

function mergeTraces(under: SettingTrace, over: SettingTrace, depth: MergeDepth): SettingTrace {
  if (over.value === undefined) return { ...under, overrode: [...under.overrode, ...over.overrode] };
  if (under.value === undefined) return { ...over, overrode: [...under.overrode, ...over.overrode] };
  if (mergesMaps(under.value, over.value, depth)) return mergedMaps(under, over, depth);
  return mergesLists(under.value, over.value, depth) ? mergedLists(under, over) : replaced(under, over);
}

function mergedMaps(under: SettingTrace, over: SettingTrace, depth: MergeDepth): SettingTrace {
  return {
    ...both(under, over),
    value: deepMerge(under.value as DataMap, over.value as DataMap, depth),
    at(key) {
      const [below, above] = [under.at(key), over.at(key)];
      if (below === undefined || above === undefined) return above ?? below;
      return mergeTraces(below, above, oneLess(depth));
    },
  };
}

function mergedLists(under: SettingTrace, over: SettingTrace): SettingTrace {
  const before = under.value as readonly DataValue[];
  const items = over.value as readonly DataValue[];
  const added = newItems(before, items);
  return {
    ...both(under, over),
    value: [...before, ...added],
    at(place) {
      if (typeof place !== 'number') return undefined;
      if (place < before.length) return under.at(place);
      const item = added[place - before.length];
      // Those that are added are the objects of the list that they come from.
      return item === undefined ? undefined : over.at(placeOfAdded(items, added, place - before.length));
    },
  };
}

/** Where in its own list the item stands that is the `number`-th of those added. */
function placeOfAdded(items: readonly DataValue[], added: readonly DataValue[], number: number): number {
  let place = -1;
  for (const item of added.slice(0, number + 1)) place = items.indexOf(item, place + 1);
  return place;
}

/** The whole of it, whatever it was. */
function replaced(under: SettingTrace, over: SettingTrace): SettingTrace {
  const gone = [...under.overrode, ...under.setBy];
  return {
    ...over,
    overrode: [...gone, ...over.overrode],
    at(key) {
      const now = over.at(key);
      // Two lists have nothing in common but their name.
      const was = Array.isArray(under.value) ? undefined : under.at(key);
      if (now === undefined) return was && goneTrace(was, over.setBy);
      return was === undefined ? insteadOf(gone, now) : replaced(was, now);
    },
  };
}

/** A value where there was none; what stood there before stood further out. */
function insteadOf(gone: readonly SettingSource[], now: SettingTrace): SettingTrace {
  return {
    ...now,
    overrode: [...gone, ...now.overrode],
    at(key) {
      const inner = now.at(key);
      return inner && insteadOf(gone, inner);
    },
  };
}

function goneTrace(was: SettingTrace, replacedBy: readonly SettingSource[]): SettingTrace {
  return {
    value: undefined,
    setBy: [],
    overrode: [...was.overrode, ...was.setBy],
    replacedBy,
    at(key) {
      const inner = was.at(key);
      return inner && goneTrace(inner, replacedBy);
    },
  };
}

function both(
  under: SettingTrace,
  over: SettingTrace,
): Pick<SettingTrace, 'setBy' | 'overrode' | 'replacedBy'> {
  return {
    setBy: [...under.setBy, ...over.setBy],
    overrode: [...under.overrode, ...over.overrode],
    replacedBy: [],
  };
}
