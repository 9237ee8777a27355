/**
 * Resolved settings are what one peel gets out of a settings tree: the merged values, and where each came from. Made by
 * `resolveSettings`, read by the state engine, by `settings.*` and by whoever explains a value.
 */
import type { DataMap, DataValue } from '../data/data-value.ts';
import type { SourcePosition } from '../errors/zester-error.ts';
import { DEFAULT_MERGE_RULE, type MergeRule, mergeByRule } from './merge-rule.ts';

export interface ResolvedSettings {
  /** With secrets in their places. */
  readonly settings: DataMap;
  /** The same with placeholders: what may be shown, stored and compared. */
  readonly raw: DataMap;
  /** The files that were merged, in order: the later lies on top. */
  readonly layers: readonly SettingsLayer[];
  /** How they were put together: `explainSetting` goes through it again. */
  readonly merge: SettingsMerge;
  readonly rule: MergeRule;
  /** The values that must not be shown, by path; there may be some that this peel does not use. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/** One settings file, as it was rendered for this peel. */
export interface SettingsLayer {
  /** As the top file or an include names it: `common.base`. */
  readonly ref: string;
  /** Path in the tree. */
  readonly file: string;
  /** The line of the top file that brought it, or the include of another file. */
  readonly broughtBy: SourcePosition;
  /** For an include: what brought the file that includes, and so on; the line of the top file is the last. */
  readonly chain: readonly SourcePosition[];
  /** The pattern in the top file that it came by, be it through includes. */
  readonly pattern: string;
  /** What the file itself says, without its includes. */
  readonly data: DataMap;
  /** Where this file sets what stands at a path of keys; undefined where it does not. */
  placeOf(path: readonly DataValue[]): SourcePosition | undefined;
}

/** A file, what an include puts below a key, or several of these in merge order; each with what comes of it. */
export type SettingsMerge =
  | { readonly kind: 'file'; readonly data: DataMap; readonly layer: SettingsLayer }
  | {
      readonly kind: 'below';
      readonly data: DataMap;
      readonly keys: readonly string[];
      /** Of the include. */
      readonly at: SourcePosition;
      readonly part: SettingsMerge;
    }
  | { readonly kind: 'merge'; readonly data: DataMap; readonly parts: readonly SettingsMerge[] };

export function fileMerge(layer: SettingsLayer): SettingsMerge {
  return { kind: 'file', data: layer.data, layer };
}

export function mergeBelow(keys: readonly string[], at: SourcePosition, part: SettingsMerge): SettingsMerge {
  if (keys.length === 0) return part;
  const data = keys.reduceRight<DataMap>((inner, key) => ({ [key]: inner }), part.data);
  return { kind: 'below', data, keys, at, part };
}

/** The later on top. */
export function mergeParts(parts: readonly SettingsMerge[], rule: MergeRule): SettingsMerge {
  const [first, ...others] = parts;
  if (first === undefined) return NOTHING_MERGED;
  if (others.length === 0) return first;
  const data = others.reduce<DataMap>((under, over) => mergeByRule(under, over.data, rule), first.data);
  return { kind: 'merge', data, parts };
}

export const NOTHING_MERGED: SettingsMerge = { kind: 'merge', data: {}, parts: [] };

export function layersOf(merge: SettingsMerge): readonly SettingsLayer[] {
  if (merge.kind === 'file') return [merge.layer];
  return merge.kind === 'below' ? layersOf(merge.part) : merge.parts.flatMap(layersOf);
}

/** What comes of a merge where nothing of it is secret, and nothing was wrong. */
export function resolvedFrom(merge: SettingsMerge, rule: MergeRule = DEFAULT_MERGE_RULE): ResolvedSettings {
  const { data } = merge;
  return {
    settings: data,
    raw: data,
    layers: layersOf(merge),
    merge,
    rule,
    secrets: new Map(),
    warnings: [],
  };
}

export const NO_SETTINGS: ResolvedSettings = resolvedFrom(NOTHING_MERGED);
