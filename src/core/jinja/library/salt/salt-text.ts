/** These are Salt's filters for texts and single values. */
import { isUndefined } from '../../render/undefined.ts';
import { attributeOf } from '../../values/attribute.ts';
import { contains } from '../../values/compare.ts';
import { Dict } from '../../values/container/dict.ts';
import { each, iteratorOf, knownLength } from '../../values/container/iterate.ts';
import { PySet } from '../../values/container/set.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { Float } from '../../values/number/float.ts';
import { floatToInt, intOf, normalInt } from '../../values/number/integer.ts';
import { str } from '../../values/print.ts';
import { Bytes } from '../../values/text/bytes.ts';
import { textOf } from '../../values/text/markup.ts';
import { capitalize } from '../../values/text/str-case.ts';
import { decodeBytes } from '../../values/text/text-codec.ts';
import { isLower, isUpper } from '../../values/text/unicode.ts';
import { truthy } from '../../values/truthy.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { callMethod, takeAll, textOrFail } from '../filters/text-values.ts';
import { toInt } from '../filters/to-number.ts';
import { isHashable } from '../hashable.ts';
import { alias, type LibraryFunction, saltFilter, signature } from '../library-function.ts';
import { matchesGlob } from './glob.ts';
import { parseFloating, parseInteger } from './parse-number.ts';

const toNum = saltFilter('to_num', signature('to_num', ['text']), ([value]) => asNumber(value));

export const SALT_TEXT_FILTERS: readonly LibraryFunction[] = [
  saltFilter(
    'check_whitelist_blacklist',
    signature('check_whitelist_blacklist', ['value', ['whitelist', null], ['blacklist', null]]),
    ([value, whitelist, blacklist], render) => isAllowed(value, whitelist, blacklist, render),
  ),
  saltFilter('contains_whitespace', signature('contains_whitespace', ['text']), ([text], render) =>
    takeAll(text, render).some((part) => truthy(callMethod(part, 'isspace', [], render))),
  ),
  saltFilter(
    'human_to_bytes',
    signature('human_to_bytes', ['size', ['default_unit', 'B'], ['handle_metric', false]]),
    ([size, unit, metric]) => humanToBytes(str(size), str(unit), truthy(metric)),
  ),
  saltFilter('is_hex', signature('is_hex', ['value']), ([value]) => {
    const text = textOf(value);
    return text !== undefined && parseInteger(text, 16) !== undefined;
  }),
  {
    name: 'method_call',
    origin: 'salt',
    /** None where there is no such method. */
    call(input, args, render) {
      const [name, ...rest] = args.positional;
      if (name === undefined)
        throw new PythonError('TypeError', "method_call() missing 1 required positional argument: 'f_name'");
      const method = attributeOf(input, attributeName(name));
      return method === undefined ? null : render.call(method, { positional: rest, named: args.named });
    },
  },
  {
    name: 'path_join',
    origin: 'salt',
    call(input, args) {
      const parts = [input, ...args.positional].map(pathPart);
      const unknown = [...args.named].filter(([name]) => name !== 'use_posixpath');
      if (unknown.length === 0) return joinPath(parts);
      const words = unknown.map(([name, value]) => `${name}=${str(value)}`).join(', ');
      throw new PythonError('SaltInvocationError', `The following keyword arguments are not valid: ${words}`);
    },
  },
  saltFilter('quote', signature('quote', ['txt']), ([text]) =>
    truthy(text) ? shellQuoted(textOrFail(text)) : "''",
  ),
  saltFilter('sequence', signature('ensure_sequence_filter', ['data']), ([data]) =>
    Array.isArray(data) || data instanceof Tuple || data instanceof PySet || data instanceof Dict
      ? data
      : [data],
  ),
  saltFilter('skip', signature('skip_filter', ['data']), () => ''),
  alias('str_to_num', toNum),
  saltFilter(
    'substring_in_list',
    signature('substr_in_list', ['string_to_search_for', 'list_to_search']),
    ([part, texts], render) => takeAll(texts, render).some((text) => contains(text, part)),
  ),
  saltFilter('to_bool', signature('to_bool', ['val']), ([value]) => isTrue(value)),
  saltFilter(
    'to_camelcase',
    signature('snake_to_camel_case', ['snake_input', ['uppercamel', false]]),
    ([text, upper]) => camelCase(textOrFail(text), truthy(upper)),
  ),
  toNum,
  saltFilter('to_snake_case', signature('camel_to_snake_case', ['camel_input']), ([text]) =>
    snakeCase(textOrFail(text)),
  ),
];

/** Words that mean yes, numbers above zero, and lists and dicts that are not empty. Everything else is no. */
function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  const text = textOf(value);
  if (text !== undefined) return ['yes', '1', 'true'].includes(text.toLowerCase());
  const number = intOf(value);
  if (number !== undefined) return number > 0;
  return !isUndefined(value) && !isHashable(value) && (knownLength(value) ?? 0) > 0;
}

/** Python's `shlex.quote`. */
function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** A text that is a number as that number, any other text as it is; numbers lose what is behind the point. */
export function asNumber(value: Value): Value {
  const text = textOf(value);
  if (text === undefined) return toInt(value);
  const whole = parseInteger(text, 10);
  if (whole !== undefined) return whole;
  const float = parseFloating(text);
  return float === undefined ? value : new Float(float);
}

const UNITS = 'bkmgtpezy';

/** `2G` and `64KiB` count in steps of 1,024; `30MB` too, unless metric units are wanted. */
function humanToBytes(size: string, defaultUnit: string, metric: boolean): Value {
  const match = /^([0-9.]*)\s*(.*)$/.exec(size.trim());
  const unit = (match?.[2] ?? '').toLowerCase() || defaultUnit.toLowerCase();
  const text = match?.[1] ?? '';
  const isDecimal = /^[kmgtpezy]b$/.test(unit) && metric;
  if (!/^(?:b|[kmgtpezy](?:i?b)?)$/.test(unit)) return 0;
  const power = UNITS.indexOf(unit.charAt(0));
  const factor = isDecimal ? 1000n ** BigInt(power) : 1024n ** BigInt(power);
  const whole = parseInteger(text, 10);
  if (whole !== undefined) return normalInt(BigInt(whole) * factor);
  const float = parseFloating(text);
  return float === undefined ? 0 : floatToInt(float * Number(factor));
}

function attributeName(value: Value): string {
  const text = textOf(value);
  if (text !== undefined) return text;
  throw new PythonError('TypeError', `attribute name must be string, not '${typeName(value)}'`);
}

function pathPart(value: Value): string {
  const text = value instanceof Bytes ? decodeBytes(value, 'utf-8', 'strict') : textOf(value);
  if (text !== undefined) return text;
  throw new PythonError('TypeError', `expected str, bytes, or bytearray not <class '${typeName(value)}'>`);
}

function snakeCase(text: string): string {
  const letters = [...text];
  if (letters.length === 0) throw new PythonError('IndexError', 'string index out of range');
  return letters
    .map((letter, i) => {
      const before = letters[i - 1];
      const after = letters[i + 1];
      const isStart =
        before !== undefined &&
        isUpper(letter) &&
        (isLower(before) || (after !== undefined && isLower(after)));
      return (isStart ? '_' : '') + letter.toLowerCase();
    })
    .join('');
}

/** Each word but the first gets a capital and is small otherwise; the first one stays as it is. */
function camelCase(text: string, upper: boolean): string {
  const [first = '', ...rest] = text.split('_');
  return (upper ? capitalize(first) : first) + rest.map(capitalize).join('');
}

function isAllowed(value: Value, whitelist: Value, blacklist: Value, render: RenderContext): boolean {
  const black = expressions(blacklist, 'blacklist');
  const white = expressions(whitelist, 'whitelist');
  const matches = (list: readonly Value[]) => list.some((expression) => isMatch(value, expression, render));
  if (black.length > 0 && matches(black)) return false;
  return white.length === 0 || matches(white);
}

function expressions(list: Value, name: string): readonly Value[] {
  if (!truthy(list)) return [];
  if (textOf(list) !== undefined) return [list];
  if (iteratorOf(list) === undefined)
    throw new PythonError(
      'TypeError',
      `Expecting iterable ${name}, but got ${typeName(list)} (${str(list)})`,
    );
  return [...each(list)];
}

/** A text that a glob or a regular expression matches as a whole. */
function isMatch(value: Value, expression: Value, render: RenderContext): boolean {
  render.charge(1);
  const text = textOf(value);
  const pattern = textOf(expression);
  if (text === undefined || pattern === undefined) return false;
  if (matchesGlob(text, pattern)) return true;
  try {
    const flags = { ignoreCase: false, multiline: false, dotAll: false, atStart: true };
    const [match] = render.host.regex?.(`\\A${pattern}\\Z`, flags).matches(text) ?? [];
    return match !== undefined;
  } catch (error) {
    // A glob is rarely a regular expression; then it simply does not match as one.
    if (error instanceof PythonError && error.type === 'error') return false;
    throw error;
  }
}

/** Paths put together as Salt's `path_join` does: later parts never start at the root, and dots are resolved. */
function joinPath(parts: readonly string[]): string {
  const [root = '', ...rest] = parts.map(normalPath);
  if (rest.length === 0) return root;
  const below = rest.map((part) => part.replace(/^\/+/, ''));
  return normalPath(
    below.reduce((path, part) => (path.endsWith('/') ? path + part : `${path}/${part}`), root),
  );
}

/** Python's `posixpath.normpath`. */
function normalPath(path: string): string {
  if (path === '') return '.';
  // Exactly two slashes at the start mean something of their own to POSIX, and are kept.
  const start = /^\/\/(?!\/)/.test(path) ? '//' : path.startsWith('/') ? '/' : '';
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    const isUp = part === '..';
    if (!isUp || kept.at(-1) === '..' || (kept.length === 0 && start === '')) kept.push(part);
    else kept.pop();
  }
  return start + kept.join('/') || '.';
}
