/** This file reads the options of the simulator's program; `zester sim` passes on what it was given. */
import { zesterError } from '../core/errors/zester-error.ts';
import { nearestWord } from '../core/suggest.ts';
import { readOptionWords } from '../runtime/option-words.ts';
import { FAULT_KINDS, type FaultKind } from './faults/faults.ts';

export interface SimRequest {
  readonly seed: number;
  /** How many seeds, counted up from the first. */
  readonly seeds: number;
  readonly masters: number;
  readonly peels: number;
  readonly minutes: number;
  readonly kinds: readonly FaultKind[];
  readonly intensity: number;
  readonly jobsPerMinute: number;
  readonly editsPerMinute: number;
  /** Only these faults of the plan, by number: a replay. */
  readonly only: readonly number[] | undefined;
  readonly timeline: boolean;
  readonly format: 'text' | 'json';
  /** The words that make the same run, for the hint how to replay it. */
  readonly words: string;
}

export const VALUES = [
  'seed',
  'seeds',
  'masters',
  'peels',
  'hours',
  'minutes',
  'faults',
  'intensity',
  'jobs-per-minute',
  'edits-per-minute',
  'only',
  'format',
] as const;
export const SWITCHES = ['timeline'] as const;
/** Those that a replay is given anew. */
const REPLAYED = ['seed', 'seeds', 'only', 'timeline', 'format'];
const DEFAULTS = { masters: 3, peels: 20, minutes: 60, intensity: 1, jobsPerMinute: 6, editsPerMinute: 3 };
const SEED_MAX = 2 ** 31;

type Given = ReadonlyMap<string, string>;

/** `freshSeed` is used when none is given. */
export function parseSimOptions(words: readonly string[], freshSeed: number): SimRequest {
  const given: Given = readOptionWords(words, { values: VALUES, switches: SWITCHES }, usage);
  if (given.has('hours') && given.has('minutes')) throw usage('give --hours or --minutes, not both');
  const hours = numberOf(given, 'hours', { most: 10_000, fraction: true });
  const minutes =
    hours === undefined ? numberOf(given, 'minutes', { most: 600_000, fraction: true }) : hours * 60;
  return {
    seed: numberOf(given, 'seed', { most: SEED_MAX }) ?? freshSeed,
    seeds: numberOf(given, 'seeds', { most: 1_000_000 }) ?? 1,
    masters: numberOf(given, 'masters', { most: 20 }) ?? DEFAULTS.masters,
    peels: numberOf(given, 'peels', { most: 10_000 }) ?? DEFAULTS.peels,
    minutes: minutes ?? DEFAULTS.minutes,
    kinds: kindsOf(given.get('faults') ?? 'all'),
    intensity: numberOf(given, 'intensity', { most: 1_000, fraction: true }) ?? DEFAULTS.intensity,
    jobsPerMinute: numberOf(given, 'jobs-per-minute', { most: 10_000 }) ?? DEFAULTS.jobsPerMinute,
    editsPerMinute:
      numberOf(given, 'edits-per-minute', { most: 1_000, fraction: true }) ?? DEFAULTS.editsPerMinute,
    only: onlyOf(given.get('only')),
    timeline: given.has('timeline'),
    format: given.get('format') === 'json' ? 'json' : 'text',
    words: [...given]
      .filter(([name]) => !REPLAYED.includes(name))
      .map(([name, value]) => ` --${name} ${value}`)
      .join(''),
  };
}

function numberOf(
  given: Given,
  name: string,
  { most, fraction = false }: { most: number; fraction?: boolean },
): number | undefined {
  const text = given.get(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  const isNumber = fraction ? /^\d+(\.\d+)?$/.test(text) : /^\d+$/.test(text);
  if (!isNumber || value > most || (value === 0 && name !== 'seed'))
    throw usage(`option --${name} is a ${fraction ? '' : 'whole '}number up to ${most}, not ${text}`);
  return value;
}

function kindsOf(text: string): readonly FaultKind[] {
  if (text === 'all') return FAULT_KINDS;
  if (text === 'none') return [];
  return text.split(',').map((word) => {
    const kind = FAULT_KINDS.find((known) => known === word.trim());
    if (kind !== undefined) return kind;
    const near = nearestWord(word, FAULT_KINDS);
    const hint = near === undefined ? `they are ${FAULT_KINDS.join(', ')}` : `did you mean ${near}?`;
    throw usage(`there is no fault ${word}; ${hint}`);
  });
}

function onlyOf(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return [];
  if (!/^\d+(,\d+)*$/.test(text)) throw usage(`option --only is a list of fault numbers, not ${text}`);
  return text.split(',').map(Number);
}

function usage(problem: string): Error {
  return zesterError('SIM_USAGE', { problem });
}
