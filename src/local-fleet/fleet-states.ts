/**
 * This file gives the peels of a local fleet their state files and settings: they are in the fleet's directory, copied
 * from the examples at the first start and a person's own from then on. Each peel has a fact `scratch`, a directory of its
 * own for what the examples write, because all of them run on one machine.
 */
import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../trust/key-files.ts';
import { programPath } from './program-path.ts';

const FOLDERS = ['states', 'settings'] as const;

/** Makes what is not there. A copy gets its name when it is whole, so a kill leaves none that is half. */
export function prepareStates(dir: string): void {
  const examples = join(dirname(programPath('zester')), '..', 'examples');
  for (const folder of FOLDERS) {
    const place = join(dir, folder);
    if (existsSync(place)) continue;
    if (!existsSync(join(examples, folder))) {
      makeDirectories(place);
      continue;
    }
    cpSync(join(examples, folder), `${place}.new`, { recursive: true });
    renameSync(`${place}.new`, place);
  }
}

/** For the command line of the peel that lives in `home`. */
export function statesArgs(dir: string, home: string): string[] {
  addFact(join(home, 'facts'), 'scratch', join(home, 'scratch'));
  return ['--states', join(dir, 'states'), '--settings', join(dir, 'settings')];
}

/** Beside what `facts.set` wrote. A file that somebody wrote in the other form, as lines, is theirs and stays. */
function addFact(file: string, name: string, value: string): void {
  const facts = existsSync(file) ? jsonObject(readFileSync(file, 'utf8')) : {};
  if (facts === undefined || name in facts) return;
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...facts, [name]: value }, undefined, 2)}\n`);
  renameSync(`${file}.new`, file);
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    // It is in the other form.
    return undefined;
  }
}
