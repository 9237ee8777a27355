/** These are the options that several commands share, with their defaults in one place. */
import { join, resolve } from 'node:path';
import { parseDuration } from '../../core/duration.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableJson } from '../../core/printable.ts';
import type { Format } from '../terminal/format-data.ts';
import { type Paint, paintFor } from '../terminal/paint.ts';
import type { CliContext, GivenOptions, OptionSpec } from './command.ts';

/** Where packages put it (decision 42). */
export const SYSTEM_AUTH_DIR = '/var/lib/zester/auth';

export const AUTH_DIR_OPTION: OptionSpec = {
  name: 'dir',
  value: 'DIR',
  doc: `directory of keys and credentials; default $ZESTER_DIR/auth, else ${SYSTEM_AUTH_DIR}`,
};

export const FORCE_OPTION: OptionSpec = { name: 'force', doc: 'replace what is there' };

export const FORMAT_OPTION: OptionSpec = {
  name: 'format',
  value: 'text|json',
  choices: ['text', 'json'],
  doc: 'how to print results and errors; default text',
};

export const DATA_FORMAT_OPTION: OptionSpec = {
  name: 'format',
  value: 'text|json|yaml',
  choices: ['text', 'json', 'yaml'],
  doc: 'how to print results and errors; default text',
};

export const COLOR_OPTION: OptionSpec = { name: 'no-color', doc: 'no colours, also on a terminal' };

/** As the choices of the option let it be. */
export function formatOf(given: GivenOptions): Format {
  return (given.text('format') ?? 'text') as Format;
}

/** Colours where they help and are wanted: a terminal, no NO_COLOR, no --no-color. */
export function paintOf({ isTerminal, env }: CliContext, given: GivenOptions): Paint {
  return paintFor(isTerminal && !given.on('no-color') && !env.NO_COLOR);
}

export function authDirOf(context: CliContext, given: GivenOptions): string {
  const { ZESTER_DIR: fleetDir } = context.env;
  const fallback = fleetDir ? join(fleetDir, 'auth') : SYSTEM_AUTH_DIR;
  return resolve(context.cwd, given.text('dir') ?? fallback);
}

/** Prints a record: lines for people, one JSON object for programs. */
export function printRecord(
  context: CliContext,
  given: GivenOptions,
  record: Readonly<Record<string, unknown>>,
  text: () => string,
): void {
  context.out(given.text('format') === 'json' ? `${printableJson(record, 2)}\n` : text());
}

export function durationOf(given: GivenOptions, name: string, fallbackMs: number): number {
  const text = given.text(name);
  if (text === undefined) return fallbackMs;
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  throw zesterError('CLI_OPTION_VALUE', {
    option: `--${name}`,
    problem: `is a duration such as 90s, 10m or 1h30m, not ${text}`,
  });
}

export function countOf(
  given: GivenOptions,
  name: string,
  { fallback, max }: { readonly fallback: number; readonly max: number },
): number {
  const text = given.text(name);
  if (text === undefined) return fallback;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw zesterError('CLI_OPTION_VALUE', {
    option: `--${name}`,
    problem: `is a whole number from 1 to ${max}, not ${text}`,
  });
}

/** Aligned `label  value` lines. */
export function labelled(rows: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  return `${rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n')}\n`;
}
