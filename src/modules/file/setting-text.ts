/** These functions read content that stands in a setting or a fact: text, or a list of lines. */
import { type DataMap, type DataValue, wireOfData } from '../../core/data/data-value.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { CONVERSIONS } from '../../core/params/param-values.ts';
import { lookUpPath } from '../../core/states/template/data-path.ts';
import { grainsOf, lookUpGrain } from '../../core/states/template/grain-names.ts';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import type { PlanContext } from '../state-contract.ts';
import { badArguments } from './edit/edit-arguments.ts';

export function settingValue(path: string, settings: DataMap): DataValue {
  const value = lookUpPath(settings, path);
  if (value === undefined || value === null) throw zesterError('SETTING_MISSING', { setting: path });
  return value;
}

/** The value at a path as lines of text; a map has none. */
export function settingLines(path: string, settings: DataMap, functionName: string): readonly string[] {
  return linesOf(path, wireOfData(settingValue(path, settings)), functionName);
}

/** The same of a fact, by Salt's name or Zester's. */
export function grainLines(
  path: string,
  { facts, peelId }: Pick<PlanContext, 'facts' | 'peelId'>,
  functionName: string,
): readonly string[] {
  const value = lookUpGrain(grainsOf(facts.all(), peelId), facts.all(), path);
  if (value === undefined || value === null) throw zesterError('FACT_MISSING', { fact: path });
  return linesOf(path, value, functionName);
}

function linesOf(path: string, value: WireValue, functionName: string): readonly string[] {
  const lines = CONVERSIONS['string-list'].convert(value);
  if (lines !== undefined) return lines;
  throw badArguments(functionName, `${path} must be text or a list of texts to be the content of a file`);
}
