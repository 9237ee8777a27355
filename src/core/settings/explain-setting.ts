/**
 * `explainSetting` says where a setting of a peel comes from: the files and lines that set it, what they took the place of,
 * and by which line of the top file each file came. Values are shown with placeholders for secrets. Pure.
 */
import { type DataValue, dataEntries, isDataMap, keyText } from '../data/data-value.ts';
import { keysOfPath } from '../states/template/data-path.ts';
import { nearestWord } from '../suggest.ts';
import { depthOf, type MergeRule } from './merge-rule.ts';
import type { ResolvedSettings } from './resolved-settings.ts';
import { type SettingSource, type SettingTrace, traceOf } from './trace-setting.ts';

export interface SettingExplanation {
  /** As it was asked for. */
  readonly key: string;
  /** With placeholders. Undefined: there is no such setting. */
  readonly value: DataValue | undefined;
  /** What the value is made of, in merge order: one file, or several of a map or a list that was merged. */
  readonly setBy: readonly SettingSource[];
  /** What was here before, in merge order. */
  readonly overrode: readonly SettingSource[];
  /** Where there was such a setting and it is gone: what stands in its place further out. */
  readonly replacedBy: readonly SettingSource[];
  readonly rule: MergeRule;
  /** A key that may have been meant, where there is no such setting. */
  readonly near: string | undefined;
}

/** `key` as `settings.get` takes it: `web.port`, `web:port`, `users:0:name`. */
export function explainSetting(
  { raw, merge, rule }: Pick<ResolvedSettings, 'raw' | 'merge' | 'rule'>,
  key: string,
): SettingExplanation {
  let trace: SettingTrace | undefined = traceOf(merge, depthOf(rule));
  let known = trace.value;
  let near: string | undefined;
  for (const part of keysOfPath(raw, key)) {
    const inner: SettingTrace | undefined = trace?.at(part);
    if (inner?.value === undefined) near ??= nearestWord(keyText(part), keysIn(known));
    trace = inner;
    known = inner?.value;
  }
  const { value, setBy = [], overrode = [], replacedBy = [] } = trace ?? {};
  return { key, value, setBy, overrode, replacedBy, rule, near: value === undefined ? near : undefined };
}

function keysIn(value: DataValue | undefined): readonly string[] {
  return isDataMap(value) ? dataEntries(value).map(([key]) => keyText(key)) : [];
}
