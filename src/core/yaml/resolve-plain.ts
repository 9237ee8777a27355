/**
 * `resolvePlain` tells which type a plain scalar has: YAML 1.1 as Salt reads it, so that `yes`, `0644` and `1_000` are
 * what Salt users know. Dates stay text, as in Salt; `12:30` stays text too, where Salt has a sexagesimal number
 * (decision 15).
 */
import type { ScalarValue } from './yaml-node.ts';

const NULL = /^(?:~|null|Null|NULL|)$/;
const BOOL = /^(?:(yes|Yes|YES|true|True|TRUE|on|On|ON)|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const INT = /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)$/;
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** PyYAML knows these types too; we read them as text, but text that looks like one is quoted when written. */
const SEXAGESIMAL = /^[-+]?(?:[1-9][0-9_]*(?::[0-5]?[0-9])+|[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)$/;
const TIMESTAMP =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}$|^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?$/;

/** The value of a plain scalar; undefined for a number without digits (`0b_`), which PyYAML cannot read either. */
export function resolvePlain(text: string): ScalarValue | undefined {
  if (NULL.test(text)) return { type: 'null' };
  const bool = BOOL.exec(text);
  if (bool !== null) return { type: 'bool', value: bool[1] !== undefined };
  if (INT.test(text)) return readInt(text);
  if (FLOAT.test(text)) return readFloat(text);
  return { type: 'str', value: text };
}

/** Whether Salt would read the plain text as a number with the base 60 (`12:30` is 750). */
export function isSexagesimal(text: string): boolean {
  return SEXAGESIMAL.test(text);
}

/** Whether PyYAML would read the plain text as something else than text. */
export function needsQuotes(text: string): boolean {
  return (
    NULL.test(text) ||
    BOOL.test(text) ||
    INT.test(text) ||
    FLOAT.test(text) ||
    isSexagesimal(text) ||
    TIMESTAMP.test(text) ||
    text === '=' ||
    text === '<<'
  );
}

/** A leading zero is dropped, as Salt's loader does: 0644 is 644. Behind a sign it still means octal: -0644 is -420. */
export function readInt(text: string): ScalarValue | undefined {
  const decimal = /^0+(?![bx])/.test(text) ? text.replace(/^0+/, '') || '0' : text;
  const match = /^([-+]?)(0b|0x|0(?=[0-9]))?([0-9a-fA-F]+)$/.exec(decimal.replaceAll('_', ''));
  if (match === null) return undefined;
  const [, sign = '', prefix = '', digits = ''] = match;
  const literal = `${prefix === '0' ? '0o' : prefix}${digits}`;
  let magnitude: bigint;
  try {
    magnitude = BigInt(literal);
  } catch {
    return undefined; // digits that the base does not have
  }
  const value = sign === '-' ? -magnitude : magnitude;
  const small = Number(value);
  return { type: 'int', value: Number.isSafeInteger(small) ? small : value };
}

export function readFloat(text: string): ScalarValue | undefined {
  const clean = text.replaceAll('_', '').toLowerCase();
  const sign = clean.startsWith('-') ? -1 : 1;
  const body = clean.replace(/^[-+]/, '');
  if (body === '.inf') return { type: 'float', value: sign * Number.POSITIVE_INFINITY };
  if (body === '.nan') return { type: 'float', value: Number.NaN };
  if (!/^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?$/.test(body)) return undefined;
  return { type: 'float', value: sign * Number(body) };
}
