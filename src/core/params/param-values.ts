/**
 * The conversions make values as they come into what a parameter's type promises. The command line sends everything as
 * text (`timeout=5`), REST and reactions send numbers and maps, MessagePack integers of any width: all of them mean the
 * same.
 */

import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { parseDuration } from '../duration.ts';
import type { ParamType, ParamTypes } from './params.ts';

interface Conversion<Type extends ParamType> {
  /** What a person should have given, to follow "must be". */
  readonly expects: string;
  /** Undefined: the value does not fit. */
  readonly convert: (given: WireValue) => ParamTypes[Type] | undefined;
}

export const CONVERSIONS = {
  string: { expects: 'text', convert: textOf },
  integer: { expects: 'a whole number', convert: integerOf },
  number: { expects: 'a number', convert: numberOf },
  boolean: { expects: 'true or false', convert: booleanOf },
  duration: { expects: 'a duration such as 90s, 10m or 1h30m', convert: durationOf },
  'string-list': { expects: 'a list of texts', convert: stringListOf },
  'string-map': { expects: 'a map of texts, or K=V,K2=V2', convert: stringMapOf },
  map: { expects: 'a map, on the command line as a JSON object', convert: mapOf },
  mode: { expects: 'a file mode in octal such as 0644', convert: modeOf },
  template: { expects: 'jinja, true or false', convert: templateOf },
  any: { expects: 'a value', convert: (given: WireValue) => given },
  data: { expects: 'a value', convert: (given: WireValue) => given },
} satisfies { readonly [Type in ParamType]: Conversion<Type> };

const TRUE_WORDS = ['true', 'yes', '1', 'on'];
const FALSE_WORDS = ['false', 'no', '0', 'off'];

function booleanOf(given: WireValue): boolean | undefined {
  const word = textOf(given)?.toLowerCase() ?? '';
  if (TRUE_WORDS.includes(word)) return true;
  return FALSE_WORDS.includes(word) ? false : undefined;
}

function textOf(given: WireValue): string | undefined {
  if (typeof given === 'string') return given;
  return ['number', 'bigint', 'boolean'].includes(typeof given) ? String(given) : undefined;
}

function numberOf(given: WireValue): number | undefined {
  if (typeof given === 'string' && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(given)) return undefined;
  if (!['number', 'bigint', 'string'].includes(typeof given)) return undefined;
  const value = Number(given);
  return Number.isFinite(value) ? value : undefined;
}

/** Beyond 2^53 an integer would not be the one that was given. */
function integerOf(given: WireValue): number | undefined {
  const value = numberOf(given);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A bare number counts seconds, as Salt users write it. */
function durationOf(given: WireValue): number | undefined {
  const ms = durationMs(given);
  return ms !== undefined && ms >= 0 && Number.isSafeInteger(Math.round(ms)) ? ms : undefined;
}

function durationMs(given: WireValue): number | undefined {
  const seconds = numberOf(given);
  if (seconds !== undefined) return seconds * 1_000;
  return typeof given === 'string' ? parseDuration(given.trim()) : undefined;
}

function stringListOf(given: WireValue): readonly string[] | undefined {
  const texts = (Array.isArray(given) ? (given as readonly WireValue[]) : [given]).map(textOf);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function stringMapOf(given: WireValue): Readonly<Record<string, string>> | undefined {
  if (typeof given === 'string') return pairsOf(given);
  if (Array.isArray(given)) return mergedMaps(given as readonly WireValue[]);
  if (!isWireMap(given)) return undefined;
  const entries = Object.entries(given).map(([key, value]) => [key, textOf(value)] as const);
  return entries.every(([, text]) => text !== undefined)
    ? (Object.fromEntries(entries) as Record<string, string>)
    : undefined;
}

/** A list of maps, as Salt users write `env`; of one name the last value counts. */
function mergedMaps(given: readonly WireValue[]): Readonly<Record<string, string>> | undefined {
  const maps = given.map((item) => (isWireMap(item) ? stringMapOf(item) : undefined));
  return maps.every((map) => map !== undefined) ? Object.assign({}, ...maps) : undefined;
}

function mapOf(given: WireValue): WireMap | undefined {
  const value = typeof given === 'string' && given.trimStart().startsWith('{') ? jsonOf(given) : given;
  return isWireMap(value) ? value : undefined;
}

const PERMISSION_BITS = 0o7777;

/** Text is octal, as everybody writes modes. A number is the mode itself: YAML and Go have read it already. */
function modeOf(given: WireValue): number | undefined {
  if (typeof given === 'string')
    return /^(0o)?[0-7]{1,5}$/.test(given) ? bitsOf(parseInt(given.replace('0o', ''), 8)) : undefined;
  return typeof given === 'number' || typeof given === 'bigint' ? bitsOf(Number(given)) : undefined;
}

function bitsOf(mode: number): number | undefined {
  return Number.isInteger(mode) && mode >= 0 && mode <= PERMISSION_BITS ? mode : undefined;
}

function templateOf(given: WireValue): boolean | undefined {
  return textOf(given)?.toLowerCase() === 'jinja' ? true : booleanOf(given);
}

/** `K=V,K2=V2`. A value with a comma in it needs the other form: a JSON object. */
function pairsOf(text: string): Readonly<Record<string, string>> | undefined {
  if (text.trimStart().startsWith('{')) return stringMapOf(jsonOf(text));
  const pairs = text.split(',').map((pair) => /^\s*([^=\s]+)=(.*)$/s.exec(pair));
  if (pairs.some((pair) => pair === null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}

function jsonOf(text: string): WireValue {
  try {
    return JSON.parse(text) as WireValue;
  } catch {
    return null;
  }
}
