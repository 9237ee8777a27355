/**
 * These are Salt's filters for times. Salt uses the machine's zone; these use UTC, so that a template renders the same
 * anywhere.
 */
import { Float } from '../../values/number/float.ts';
import { intOf } from '../../values/number/integer.ts';
import { str } from '../../values/print.ts';
import { textOf } from '../../values/text/markup.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { bounded } from '../filters/text-values.ts';
import { needed } from '../host-need.ts';
import { alias, type LibraryFunction, saltFilter, signature } from '../library-function.ts';
import { civilTime } from './civil-time.ts';
import { formatTime } from './format-time.ts';
import { parseTime } from './parse-time.ts';

const strftime = saltFilter(
  'strftime',
  signature('strftime', [
    ['date', null],
    ['format', '%Y-%m-%d'],
  ]),
  ([date, format], render) => bounded(formatTime(civilTime(microseconds(date, render)), str(format)), render),
);

export const SALT_DATE_FILTERS: readonly LibraryFunction[] = [alias('date_format', strftime), strftime];

/** The years that Python's datetime knows, in seconds since 1970. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

function microseconds(date: Value, render: RenderContext): number {
  const now = () => Math.floor(needed(render.host.nowMs, 'nowMs', "the filter 'strftime'")() * 1000);
  const time = date === null ? now() : timeOf(date, now);
  if (time === undefined || !(time >= FIRST_SECOND * 1e6 && time < (LAST_SECOND + 1) * 1e6))
    throw new PythonError('ValueError', `Unable to parse ${str(date)}`);
  return time;
}

function timeOf(date: Value, now: () => number): number | undefined {
  const text = textOf(date);
  if (text !== undefined) return parseTime(text, now);
  const seconds = date instanceof Float ? date.value : intOf(date);
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1e6);
}
