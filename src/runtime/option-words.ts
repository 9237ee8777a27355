/** Reads the options of a daemon: what is unknown, doubled, without its value or with one too many is refused. */
import { parseArgs } from 'node:util';
import { nearestWord } from '../core/suggest.ts';

export interface OptionNames {
  readonly values: readonly string[];
  readonly switches: readonly string[];
}

/** Given options by name, switches with an empty text. `refuse` makes the error out of what is wrong. */
export function readOptionWords(
  words: readonly string[],
  names: OptionNames,
  refuse: (problem: string) => Error,
): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries([
      ...names.values.map((name) => [name, { type: 'string' as const }]),
      ...names.switches.map((name) => [name, { type: 'boolean' as const }]),
    ]),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens ?? []) {
    if (token.kind !== 'option') throw refuse(`it takes no argument ${words[token.index] ?? ''}`);
    const { name, rawName, value } = token;
    const takesValue = names.values.includes(name);
    if (!takesValue && !names.switches.includes(name)) {
      const near = nearestWord(name, [...names.values, ...names.switches]);
      throw refuse(`there is no option ${rawName}${near === undefined ? '' : `; did you mean --${near}?`}`);
    }
    if (given.has(name)) throw refuse(`option --${name} was given twice`);
    if (takesValue && (value === undefined || value === '')) throw refuse(`option --${name} needs a value`);
    if (!takesValue && value !== undefined) throw refuse(`option --${name} takes no value`);
    given.set(name, value ?? '');
  }
  return given;
}

/** Words of options with their values, and the others. What stands behind `--` is no option. */
export function separateWords(
  words: readonly string[],
  values: readonly string[],
): { readonly options: readonly string[]; readonly others: readonly string[] } {
  const options: string[] = [];
  const others: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') {
      others.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith('--')) {
      others.push(word);
      continue;
    }
    options.push(word);
    const value = words[i + 1];
    if (values.includes(word.slice(2)) && value !== undefined) {
      options.push(value);
      i += 1;
    }
  }
  return { options, others };
}
