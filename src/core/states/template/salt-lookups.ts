/**
 * These are the functions of `salt[...]` that only look at facts and settings. They answer at once, in dry runs too.
 * Every other name is an execution function of the peel (template-context.ts).
 */

import type { WireMap } from '../../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../../wire/names/ids.ts';
import { type DataMap, type DataValue, dataAt, isDataMap } from '../../data/data-value.ts';
import type { HostCall } from '../../jinja/render/host-function.ts';
import { PythonError } from '../../jinja/values/value.ts';
import { getSetting, settingKeys } from '../../settings/get-setting.ts';
import type { OperatorWords } from '../../target/operator-words.ts';
import { matchPattern, parsePattern } from '../top/top-pattern.ts';
import { lookUpPath } from './data-path.ts';
import { deepMerge } from './deep-merge.ts';
import { filterBy } from './filter-by.ts';
import { lookUpGrain } from './grain-names.ts';
import { hostArguments, used } from './host-arguments.ts';

export interface LookupData {
  readonly peelId: PeelId;
  readonly facts: WireMap;
  readonly words: OperatorWords;
  /** Facts with Salt's names besides (grain-names.ts). */
  readonly grains: WireMap;
  readonly settings: DataMap;
}

export function saltLookups(data: LookupData): ReadonlyMap<string, HostCall> {
  const settingsGet = lookUpSetting(data);
  const settingsItems: HostCall = () => data.settings;
  const grain = lookUpOneGrain(data);
  const config = lookUpConfig(data);
  return new Map<string, HostCall>([
    ...bothNames('get', settingsGet),
    ...bothNames('items', () => settingsItems),
    ...bothNames('item', () => settingsItem(data)),
    ...bothNames('keys', (name) => settingsKeys(name, data)),
    ...bothNames('ls', (name) => settingsKeys(name, data)),
    ...bothNames('raw', (name) => settingsRaw(name, data)),
    ['grains.get', grain('grains.get')],
    ['facts.get', factsGet(data)],
    ['grains.item', grainsItem(data)],
    ['grains.items', () => data.grains],
    ['facts.items', () => data.facts],
    ['grains.has_value', (...given) => Boolean(grain('grains.has_value')(...given))],
    ['grains.filter_by', chooseByGrain(data)],
    ['config.get', config('config.get')],
    ['config.option', config('config.option')],
    ['match.glob', matches('glob', data)],
    ['match.grain', matches('grain', data)],
    ['match.compound', matches('compound', data)],
    ['match.list', matches('list', data)],
    ['match.ifelse', ifElse(data)],
  ]);
}

function bothNames(name: string, call: (name: string) => HostCall): readonly [string, HostCall][] {
  return [`pillar.${name}`, `settings.${name}`].map((each) => [each, call(each)]);
}

function lookUpSetting({ settings }: LookupData): (name: string) => HostCall {
  return (name) => (positional, named) => {
    const given = hostArguments(name, ['key', 'default', 'merge', 'delimiter'], positional, named);
    return getSetting(settings, {
      key: textArgument(name, given.key),
      fallback: given.default,
      merge: used(given.merge) === true,
      delimiter: delimiterArgument(given.delimiter),
    });
  };
}

/** A map of what was asked for. */
function settingsItem({ settings }: LookupData): HostCall {
  return (positional, named) => {
    const { default: fallback, delimiter } = hostArguments(
      'pillar.item',
      ['default', 'delimiter'],
      [],
      named,
    );
    const names = positional.map((each) => textArgument('pillar.item', each as DataValue));
    const by = { fallback, delimiter: delimiterArgument(delimiter) };
    return Object.fromEntries(names.map((key) => [key, getSetting(settings, { key, ...by })]));
  };
}

/** All of them, or what is below one key at the top. */
function settingsRaw(name: string, { settings }: LookupData): HostCall {
  return (positional, named) => {
    const { key } = hostArguments(name, ['key'], positional, named);
    return key === undefined ? settings : (dataAt(settings, textArgument(name, key)) ?? {});
  };
}

/** `pillar_get('a:b', default)` and `facts_get('a.b', default)` of Zester: nothing where there is no default. */
export function plainLookup(name: string, look: (path: string) => DataValue | undefined): HostCall {
  return (positional, named) => {
    const { key, default: fallback = null } = hostArguments(name, ['key', 'default'], positional, named);
    return look(textArgument(name, key)) ?? fallback;
  };
}

/** The top, or the map at a path. */
function settingsKeys(name: string, { settings }: LookupData): HostCall {
  return (positional, named) => {
    const { key, delimiter } = hostArguments(name, ['key', 'delimiter'], positional, named);
    const path = key === undefined ? undefined : textArgument(name, key);
    const found = settingKeys(settings, path, delimiterArgument(delimiter));
    if ('keys' in found) return found.keys;
    throw found.problem === 'missing'
      ? new PythonError('KeyError', `Pillar key not found: ${path}`)
      : new PythonError('ValueError', `Pillar value in key ${path} is not a dict`);
  };
}

function lookUpOneGrain({ facts, grains }: LookupData): (name: string) => HostCall {
  return (name) => (positional, named) => {
    const {
      key,
      default: fallback = '',
      delimiter,
    } = hostArguments(name, ['key', 'default', 'delimiter'], positional, named);
    const path = textArgument(name, key);
    return lookUpGrain(grains, facts, path, delimiterArgument(delimiter)) ?? fallback;
  };
}

/** Zester's own: the facts as they are, `os` a map. */
function factsGet({ facts }: LookupData): HostCall {
  return (positional, named) => {
    const { key, default: fallback = '' } = hostArguments('facts.get', ['key', 'default'], positional, named);
    return lookUpPath(facts, textArgument('facts.get', key)) ?? fallback;
  };
}

/** Salt answers with a map of what was asked for; one name alone gives its value, as Zester has it. */
function grainsItem({ facts, grains }: LookupData): HostCall {
  return (positional) => {
    const names = positional.map((each) => textArgument('grains.item', each as DataValue));
    const [first = ''] = names;
    if (names.length <= 1) return lookUpGrain(grains, facts, first) ?? '';
    return Object.fromEntries(names.map((name) => [name, lookUpGrain(grains, facts, name) ?? '']));
  };
}

function chooseByGrain({ facts, grains }: LookupData): HostCall {
  const names = ['lookup_dict', 'grain', 'merge', 'default', 'base'] as const;
  return (positional, named) => {
    const given = hostArguments('grains.filter_by', names, positional, named);
    const { lookup_dict: lookup, grain = 'os_family', default: fallback = 'default' } = given;
    used(lookup);
    if (!isDataMap(lookup))
      throw new PythonError('TypeError', 'grains.filter_by() needs a map to choose from');
    const value = lookUpGrain(grains, facts, textArgument('grains.filter_by', grain));
    return filterBy({
      lookup,
      value,
      merge: used(given.merge),
      fallback: String(used(fallback)),
      base: used(given.base),
    });
  };
}

/** `grains_filter_by(lookup, grain, merge, base)` of Zester: by place only, and the second may be what to merge. */
export function zesterFilterBy({ facts, grains }: LookupData): HostCall {
  return (positional, named) => {
    const names = ['lookup', 'grain', 'merge', 'base'] as const;
    const second = positional[1];
    const shifted = isDataMap(second as DataValue)
      ? [positional[0], 'os.family', ...positional.slice(1)]
      : positional;
    const given = hostArguments('grains_filter_by', names, shifted, named);
    const { lookup, grain = 'os.family' } = given;
    used(lookup);
    if (!isDataMap(lookup))
      throw new PythonError('TypeError', 'grains_filter_by() needs a map to choose from');
    const value = lookUpGrain(grains, facts, textArgument('grains_filter_by', grain));
    return filterBy({ lookup, value, merge: used(given.merge), base: used(given.base) });
  };
}

/** Settings first, then facts: what an operator says counts more than what the machine says. */
function lookUpConfig({ facts, grains, settings }: LookupData): (name: string) => HostCall {
  return (name) => (positional, named) => {
    const { key, default: fallback = '' } = hostArguments(
      name,
      ['key', 'default', 'delimiter', 'merge'],
      positional,
      named,
    );
    const path = textArgument(name, key);
    return lookUpPath(settings, path) ?? lookUpGrain(grains, facts, path) ?? fallback;
  };
}

function matches(
  type: 'glob' | 'grain' | 'compound' | 'list',
  { peelId, facts, words }: LookupData,
): HostCall {
  return (positional, named) => {
    const { tgt } = hostArguments(`match.${type}`, ['tgt'], positional, named);
    return matchPattern(parsePattern(textArgument(`match.${type}`, tgt), type), peelId, facts, words);
  };
}

/**
 * `ifelse(pattern, value, pattern, value, …, otherwise)`: the value of the first pattern that fits the peel. `true` and
 * `false` are patterns too.
 */
export function ifElse({ peelId, facts, words }: LookupData): HostCall {
  return (positional, named) => {
    const { tgt_type: type = 'compound', merge } = hostArguments('ifelse', ['tgt_type', 'merge'], [], named);
    if (positional.length % 2 === 0)
      throw new PythonError('SaltException', 'The ifelse function must have an odd number of arguments!');
    const fits = (pattern: unknown): boolean =>
      typeof pattern === 'boolean'
        ? pattern
        : matchPattern(
            parsePattern(textArgument('ifelse', pattern as DataValue), textArgument('ifelse', type)),
            peelId,
            facts,
            words,
          );
    const index = positional.findIndex(
      (pattern, at) => at % 2 === 0 && at + 1 < positional.length && fits(pattern),
    );
    const chosen = index < 0 ? positional.at(-1) : positional[index + 1];
    return index >= 0 && isDataMap(used(merge)) && isDataMap(chosen as DataValue)
      ? deepMerge(chosen as DataMap, merge as DataMap)
      : chosen;
  };
}

function textArgument(name: string, given: DataValue | undefined): string {
  const value = used(given);
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new PythonError('TypeError', `${name}() needs text as its first argument`);
}

function delimiterArgument(given: DataValue | undefined): string | undefined {
  const value = used(given);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
