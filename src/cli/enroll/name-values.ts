/**
 * These functions read tags and facts as people write them: `role=web` sets, `role-` removes. The value of a fact may be a secret, and
 * words of a command are seen by everybody on the machine; `name=@FILE` takes it from a file.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { zesterError } from '../../core/errors/zester-error.ts';
import type { OptionSpec } from '../program/command.ts';

export const TAG_OPTION: OptionSpec = {
  name: 'tag',
  value: 'NAME=VALUE',
  repeatable: true,
  doc: 'what you say of the peel, for targets such as T@role:web',
};

export const FACT_OPTION: OptionSpec = {
  name: 'fact',
  value: 'NAME=VALUE',
  repeatable: true,
  doc: 'a fact that the machine cannot change, kept as a secret; NAME=@FILE takes its value from a file',
};

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/;

export interface NameChanges {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

/** Of words that set or remove. A name that is given twice is a mistake. */
export function nameChanges(words: readonly string[]): NameChanges {
  const set = new Map<string, string>();
  const remove = new Set<string>();
  for (const word of words) {
    const equals = word.indexOf('=');
    const isRemoval = equals < 0 && word.endsWith('-');
    const name = isRemoval ? word.slice(0, -1) : word.slice(0, equals < 0 ? undefined : equals);
    if (!NAME.test(name)) throw wrong(`${word} does not begin with a name`);
    if (!isRemoval && equals < 0) throw wrong(`${word} has no value: write ${word}=… or ${word}-`);
    if (set.has(name) || remove.has(name)) throw wrong(`${name} is given twice`);
    if (isRemoval) remove.add(name);
    else set.set(name, word.slice(equals + 1));
  }
  return { set: Object.fromEntries(set), remove: [...remove] };
}

/** Where nothing can be removed. */
export function nameValues(words: readonly string[]): Readonly<Record<string, string>> {
  const { set, remove } = nameChanges(words);
  const [name] = remove;
  if (name !== undefined) throw wrong(`${name}- has nothing to remove it from: write ${name}=…`);
  return set;
}

/** The same with values that begin with `@` read from files, paths from `cwd` on. */
export function withFiles(values: Readonly<Record<string, string>>, cwd: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value.startsWith('@') ? textOf(value, cwd) : value]),
  );
}

function textOf(value: string, cwd: string): string {
  const path = resolve(cwd, value.slice(1));
  try {
    // Editors end a text with a line break that nobody means.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw zesterError('ENROLL_PAIR', { problem: `the file ${path} cannot be read` }, { cause });
  }
}

function wrong(problem: string): Error {
  return zesterError('ENROLL_PAIR', { problem });
}
