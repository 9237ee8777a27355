/**
 * The record of an explanation is what a peel answers to `settings.explain`: where a setting comes from, as plain data. The
 * same for programs that ask with `--format json`. A peel writes it, `zester settings explain` reads it: what a peel sends may
 * be anything, so a value that is no such record is told apart. Pure.
 */
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { wireOfData } from '../data/data-value.ts';
import { showValue } from '../params/print-value.ts';
import { printPlace } from '../states/state-problem.ts';
import type { SettingExplanation } from './explain-setting.ts';
import type { SettingSource } from './trace-setting.ts';

export interface ExplanationRecord {
  readonly key: string;
  readonly found: boolean;
  /** With placeholders for secrets; null also where nothing was found. */
  readonly value: WireValue;
  readonly set_by: readonly SourceRecord[];
  readonly overrode: readonly SourceRecord[];
  readonly replaced_by: readonly SourceRecord[];
  readonly strategy: string;
  readonly lists: string;
  /** A key that may have been meant; empty: none, or it was found. */
  readonly near: string;
}

export interface SourceRecord {
  /** `web/init.zy:6:7`. */
  readonly at: string;
  readonly value: WireValue;
  /** The pattern of the top file by which the file came; empty where there is no top file. */
  readonly pattern: string;
  /** The line of the top file that has the file, or one that includes it. */
  readonly top: string;
  /** The includes by which it came, the nearest first. */
  readonly included_from: readonly string[];
}

export function explanationRecord(explained: SettingExplanation): ExplanationRecord {
  const { key, value, setBy, overrode, replacedBy, rule, near } = explained;
  return {
    key,
    found: value !== undefined,
    value: value === undefined ? null : wireOfData(value),
    set_by: setBy.map(sourceRecord),
    overrode: overrode.map(sourceRecord),
    replaced_by: replacedBy.map(sourceRecord),
    strategy: rule.strategy,
    lists: rule.lists,
    near: near ?? '',
  };
}

function sourceRecord({ at, value, layer }: SettingSource): SourceRecord {
  const { broughtBy, chain, pattern } = layer;
  const way = [broughtBy, ...chain].map(printPlace);
  return {
    at: printPlace(at),
    value: wireOfData(value),
    pattern,
    top: way.at(-1) ?? '',
    included_from: way.slice(0, -1),
  };
}

/** Undefined: this is no such record. */
export function parseExplanation(value: WireValue | undefined): ExplanationRecord | undefined {
  if (!isWireMap(value)) return undefined;
  const { key, found, strategy, lists, near } = value;
  const [setBy, overrode, replacedBy] = [value.set_by, value.overrode, value.replaced_by].map(parseSources);
  if (typeof key !== 'string' || typeof found !== 'boolean' || typeof near !== 'string') return undefined;
  if (typeof strategy !== 'string' || typeof lists !== 'string') return undefined;
  if (setBy === undefined || overrode === undefined || replacedBy === undefined) return undefined;
  const sources = { set_by: setBy, overrode, replaced_by: replacedBy };
  return { key, found, value: value.value ?? null, ...sources, strategy, lists, near };
}

function parseSources(value: WireValue | undefined): readonly SourceRecord[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const sources = (value as readonly WireValue[]).map(parseSource);
  return sources.every((source) => source !== undefined) ? sources : undefined;
}

function parseSource(value: WireValue): SourceRecord | undefined {
  if (!isWireMap(value)) return undefined;
  const { at, pattern, top, included_from } = value as WireMap;
  if (typeof at !== 'string' || typeof pattern !== 'string' || typeof top !== 'string') return undefined;
  if (!Array.isArray(included_from) || !included_from.every((each) => typeof each === 'string'))
    return undefined;
  return { at, value: value.value ?? null, pattern, top, included_from };
}

/** For people: the value, the lines that made it, those that it took the place of, and how each file came. */
export function explanationText(record: ExplanationRecord): string {
  const { key, found, value, set_by: setBy, overrode, replaced_by: replacedBy, near } = record;
  if (!found && overrode.length === 0)
    return `${key} is not set${near === '' ? '' : `; did you mean ${near}?`}`;
  const [made, before, by] = [setBy, overrode, replacedBy].map((sources) => sources.map(sourceLine));
  return [
    found ? `${key}: ${showValue(value)}` : `${key} is not set: what it stood in was replaced`,
    ...section(setBy.length > 1 ? 'merged from' : 'set by', made),
    ...section('replaced by', by),
    ...section('instead of', before),
    ...(setBy.length > 1 ? [mergeLine(record)] : []),
  ].join('\n');
}

function section(title: string, lines: readonly string[] = []): readonly string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function sourceLine({ at, value, pattern, top, included_from: from }: SourceRecord): string {
  const included = from.map((place) => `, included by ${place}`).join('');
  const way = pattern === '' ? top : `${pattern} in ${top}`;
  return `${at}  ${showValue(value)}  (${way}${included})`;
}

function mergeLine({ strategy, lists }: ExplanationRecord): string {
  return `  merged by strategy ${strategy}, lists: ${lists}`;
}
