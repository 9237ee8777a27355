/**
 * `printValue` prints untyped values for people: block YAML with sorted keys, so that the same value always prints the
 * same and `diff` over two machines works. It only writes; nothing reads it back.
 */
import { formatRfc3339, WireTime } from '../../wire/msgpack/time.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';

/** Text as it is, everything else as YAML. */
export function printValue(value: WireValue): string {
  return typeof value === 'string' ? value : blockLines(value).join('\n');
}

const SHOWN_CHARS_MAX = 80;

/** One short line, for an error or a diff. */
export function showValue(value: WireValue): string {
  const line = flow(value);
  return line.length > SHOWN_CHARS_MAX ? `${line.slice(0, SHOWN_CHARS_MAX)}…` : line;
}

function blockLines(value: WireValue): string[] {
  if (isList(value) && value.length > 0) return value.flatMap((item) => indented('- ', blockLines(item)));
  if (isWireMap(value) && Object.keys(value).length > 0) return mapLines(value);
  return [scalar(value)];
}

function mapLines(map: WireMap): string[] {
  return sortedEntries(map).flatMap(([key, value]) => {
    const lines = blockLines(value);
    const nested = (isList(value) || isWireMap(value)) && lines[0] !== '[]' && lines[0] !== '{}';
    return nested
      ? [`${scalar(key)}:`, ...lines.map((line) => `  ${line}`)]
      : [`${scalar(key)}: ${lines[0]}`];
  });
}

/** The first line behind the dash, the others under it. */
function indented(dash: string, [first = '', ...rest]: string[]): string[] {
  return [`${dash}${first}`, ...rest.map((line) => `  ${line}`)];
}

function flow(value: WireValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(flow).join(', ')}]`;
  if (isWireMap(value))
    return `{${sortedEntries(value)
      .map(([key, item]) => `${scalar(key)}: ${flow(item)}`)
      .join(', ')}}`;
  return scalar(value);
}

function scalar(value: WireValue): string {
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value);
  if (value instanceof WireTime) return formatRfc3339(value.unixNanos);
  if (value instanceof Uint8Array) return `!!binary ${Buffer.from(value).toString('base64')}`;
  if (isList(value)) return '[]';
  return isWireMap(value) ? '{}' : String(value);
}

const WORDS = /^[A-Za-z_/][\w./@%+=()-]*(?:[ :][\w./@%+=()-]+)*$/;
const ADDRESS_OR_VERSION = /^\d+(?:\.\d+){2,3}$/;
/** Words that YAML reads as something else than text. */
const NOT_TEXT = /^(?:true|false|yes|no|on|off|null)$/i;

function isPlain(text: string): boolean {
  return (WORDS.test(text) && !NOT_TEXT.test(text)) || ADDRESS_OR_VERSION.test(text);
}

function sortedEntries(map: WireMap): [string, WireValue][] {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}

function isList(value: WireValue): value is readonly WireValue[] {
  return Array.isArray(value);
}
