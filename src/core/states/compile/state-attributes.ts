/**
 * `readAttributes` reads the generic attributes of a state from values: of a file, or of a command line where
 * everything is text.
 */
import { isWireMap, type WireMap, type WireValue } from '../../../wire/msgpack/wire-value.ts';
import { isAbsent } from '../../params/decode-arguments.ts';
import { CONVERSIONS } from '../../params/param-values.ts';
import { showValue } from '../../params/print-value.ts';
import { nearestWord } from '../../suggest.ts';
import {
  type Attributes,
  type Guard,
  NO_ATTRIBUTES,
  ORDER_FIRST,
  ORDER_LAST,
  type Retry,
} from '../compiled-state.ts';
import type { AttributeKey } from './argument-keys.ts';
import { RETRY_ATTEMPTS_MAX, RETRY_INTERVAL_MS_MAX } from './compile-limits.ts';

const RETRY_INTERVAL_MS = 10_000;

export interface AttributeProblem {
  readonly key: AttributeKey;
  readonly message: string;
}

export function readAttributes(given: Readonly<Partial<Record<AttributeKey, WireValue>>>): {
  readonly attributes: Attributes;
  readonly problems: readonly AttributeProblem[];
} {
  const problems: AttributeProblem[] = [];
  const read = <Key extends AttributeKey>(
    key: Key,
    decode: (value: WireValue) => Attributes[Key] | Wrong,
  ): Attributes[Key] => {
    const value = given[key];
    if (isAbsent(value)) return NO_ATTRIBUTES[key];
    const decoded = decode(value);
    if (!(decoded instanceof Wrong)) return decoded;
    problems.push({ key, message: `${key} ${decoded.message}` });
    return NO_ATTRIBUTES[key];
  };
  const attributes: Attributes = {
    onlyif: read('onlyif', guardsOf),
    unless: read('unless', guardsOf),
    order: read('order', orderOf),
    retry: read('retry', retryOf),
    failhard: read(
      'failhard',
      (value) => CONVERSIONS.boolean.convert(value) ?? mustBe('true or false', value),
    ),
  };
  return { attributes, problems };
}

/** Why a value does not fit, to follow the name of the attribute. */
class Wrong {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

function mustBe(expected: string, value: WireValue): Wrong {
  return new Wrong(`must be ${expected}, not ${showValue(value)}`);
}

function guardsOf(value: WireValue): readonly Guard[] | Wrong {
  const items = Array.isArray(value) ? (value as readonly WireValue[]) : [value];
  const guards: Guard[] = [];
  for (const item of items) {
    if (isWireMap(item)) return new Wrong(NO_GUARD_FUNCTIONS);
    const command = typeof item === 'boolean' ? item : CONVERSIONS.string.convert(item);
    if (command === undefined || command === '' || (typeof command === 'string' && command.trim() === ''))
      return mustBe('a shell command, true, false, or a list of these', value);
    guards.push(command);
  }
  return guards;
}

const NO_GUARD_FUNCTIONS =
  'takes shell commands, true and false, and no functions (`fun:`): write the same as a command, or decide it in the template';

function orderOf(value: WireValue): number | Wrong {
  if (value === 'first') return ORDER_FIRST;
  if (value === 'last') return ORDER_LAST;
  const order = CONVERSIONS.integer.convert(value);
  if (order !== undefined && order >= ORDER_FIRST && order <= ORDER_LAST) return order;
  return mustBe(`first, last or a whole number between ${ORDER_FIRST} and ${ORDER_LAST}`, value);
}

const RETRY_FORM = 'a number of attempts, or a map with attempts, interval and splay';
const RETRY_KEYS = ['attempts', 'interval', 'splay'];
/** Salt's number where none is given. */
const RETRY_ATTEMPTS = 2;

function retryOf(value: WireValue): Retry | undefined | Wrong {
  const map = CONVERSIONS.map.convert(isListOfMaps(value) ? Object.assign({}, ...value) : value);
  if (map === undefined) {
    if (typeof value === 'boolean') return value ? retryFrom(RETRY_ATTEMPTS, null, null) : undefined;
    return retryFrom(value, null, null);
  }
  const { attempts = RETRY_ATTEMPTS, interval = null, splay = null, until, ...rest } = map;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    const near = nearestWord(unknown, RETRY_KEYS);
    return new Wrong(
      `takes attempts, interval and splay, not ${unknown}${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
  }
  // `until: true` is what happens anyway: the state is tried until it goes well.
  if (!isAbsent(until) && CONVERSIONS.boolean.convert(until) !== true)
    return new Wrong('always goes on until the state goes well: another until is not supported');
  return isAbsent(attempts) ? mustBe(RETRY_FORM, value) : retryFrom(attempts, interval, splay);
}

/** Salt users write arguments as lists of maps, and retry too. */
function isListOfMaps(value: WireValue): value is readonly WireMap[] {
  return Array.isArray(value) && value.length > 0 && (value as readonly WireValue[]).every(isWireMap);
}

function retryFrom(
  attemptsGiven: WireValue,
  intervalGiven: WireValue,
  splayGiven: WireValue,
): Retry | undefined | Wrong {
  const attempts =
    typeof attemptsGiven === 'boolean' ? undefined : CONVERSIONS.integer.convert(attemptsGiven);
  if (attempts === undefined) return mustBe(RETRY_FORM, attemptsGiven);
  if (attempts < 0 || attempts > RETRY_ATTEMPTS_MAX)
    return new Wrong(`can be at most ${RETRY_ATTEMPTS_MAX} attempts, and not ${attempts}`);
  const intervalMs = waitOf(intervalGiven, RETRY_INTERVAL_MS);
  const splayMs = waitOf(splayGiven, 0);
  if (intervalMs === undefined || splayMs === undefined)
    return new Wrong(
      `takes ${intervalMs === undefined ? 'an interval' : 'a splay'} in seconds, or such as 30s, of at most a day`,
    );
  return attempts === 0 ? undefined : { attempts, intervalMs, splayMs };
}

/** Undefined: it cannot be one. */
function waitOf(given: WireValue, otherwiseMs: number): number | undefined {
  const ms = isAbsent(given) ? otherwiseMs : CONVERSIONS.duration.convert(given);
  return ms === undefined || ms > RETRY_INTERVAL_MS_MAX ? undefined : ms;
}
