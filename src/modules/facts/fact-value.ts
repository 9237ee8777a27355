/**
 * `parseFactValue` reads a fact's value as a person writes it, on the command line or behind `key:` in the custom facts
 * file. What it gives is what YAML gives for the same text, for the part of YAML it reads: JSON, yes and no, and plain
 * text. What is neither (a list without quotes, a block) is refused rather than taken for text, because it will mean
 * something else once the file is read as YAML.
 */
import type { WireValue } from '../../wire/msgpack/wire-value.ts';

const YES = /^(?:yes|on|true)$/i;
const NO = /^(?:no|off|false)$/i;
const NOTHING = /^(?:null|~)?$/i;
/** Where YAML begins something that is not plain text. */
const SPECIAL_START = /^(?:[[\]{}"'&*!|>%@`,#]|[-?](?:\s|$))/;
const SPECIAL_INSIDE = /: | #|:$/;
const SINGLE_QUOTED = /^'([^']*)'$/;

/** Undefined: this is YAML beyond what is read here. */
export function parseFactValue(text: string): WireValue | undefined {
  const trimmed = text.trim();
  if (NOTHING.test(trimmed)) return null;
  if (YES.test(trimmed)) return true;
  if (NO.test(trimmed)) return false;
  const [, quoted] = SINGLE_QUOTED.exec(trimmed) ?? [];
  if (quoted !== undefined) return quoted;
  const json = parseJson(trimmed);
  if (json !== undefined) return json;
  return SPECIAL_START.test(trimmed) || SPECIAL_INSIDE.test(trimmed) ? undefined : trimmed;
}

/** Undefined also for numbers that JavaScript cannot hold exactly: they stay text. */
function parseJson(text: string): WireValue | undefined {
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))) return text;
  try {
    return JSON.parse(text) as WireValue;
  } catch {
    return undefined;
  }
}
