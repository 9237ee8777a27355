/**
 * This file gives the masters of a local fleet what they publish: states, settings and reactor rules in the fleet's directory,
 * copied from the examples at the first start and a person's own from then on. All masters share the directories; each
 * remembers in a directory of its own with which revision they were in step. Each peel has a fact `scratch`, a directory of
 * its own for what the examples write, because all of them run on one machine.
 */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../trust/key-files.ts';
import { programPath } from './program-path.ts';

const YAML_NAME = /\.(?:zy|sls|ya?ml)$/;
const TOP_NAME = /^top\.(?:zy|sls)$/;
const FOLDERS = ['states', 'settings', 'reactor'] as const;

/** Makes what is not there. A copy gets its name when it is whole, so a kill leaves none that is half. */
export function prepareSources(dir: string): void {
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
  makeSettingsTree(join(dir, 'settings'));
}

/**
 * The settings of a fleet from before masters published them are YAML files that were merged by their names. They become a
 * tree that means the same: each file gets the name of a settings file, and then there is a top file that names them in that
 * order. A kill in between leaves files that the next start goes on with; a top file is never touched.
 */
function makeSettingsTree(place: string): void {
  const names = readdirSync(place).sort();
  const plain = names.filter((name) => YAML_NAME.test(name) && !name.startsWith('.'));
  if (plain.length === 0 || names.some((name) => TOP_NAME.test(name))) return;
  const taken = new Set(names);
  const refs = plain.map((name) => {
    const stem = name.replace(YAML_NAME, '').replace(/[^\w-]/g, '-');
    let ref = stem;
    // Another file may have the name already.
    for (let number = 2; `${ref}.zy` !== name && taken.has(`${ref}.zy`); number++) ref = `${stem}-${number}`;
    taken.add(`${ref}.zy`);
    renameSync(join(place, name), join(place, `${ref}.zy`));
    return ref;
  });
  const lines = refs.map((ref) => `    - '${ref}'\n`).join('');
  const top = join(place, 'top.zy');
  writeFileSync(`${top}.new`, `# Which machine gets which settings.\nbase:\n  '*':\n${lines}`);
  renameSync(`${top}.new`, top);
}

/** For the command line of a master. */
export function sourceArgs(dir: string, name: string): string[] {
  const places = FOLDERS.flatMap((folder) => [`--${folder}`, join(dir, folder)]);
  return [...places, '--data-dir', join(dir, 'masters', name)];
}

/** Gives the peel that lives in `home` its place for what examples write. */
export function addScratch(home: string): void {
  addFact(join(home, 'facts'), 'scratch', join(home, 'scratch'));
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
