/** Every execution function, by name. A family is a folder; what it offers is its `functions.ts`. */
import { assert } from '../core/assert.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import { nearestWord } from '../core/suggest.ts';
import { CMD_FUNCTIONS } from './cmd/functions.ts';
import { type ExecutionFunction, type FunctionRegistry, familyOf } from './contract.ts';
import { DISK_FUNCTIONS } from './disk/functions.ts';
import { FACTS_FUNCTIONS } from './facts/functions.ts';
import { GRAINS_FUNCTIONS } from './grains/functions.ts';
import { SYS_FUNCTIONS } from './sys/functions.ts';
import { TEST_FUNCTIONS } from './test/functions.ts';

const ALL_FUNCTIONS: readonly ExecutionFunction[] = [
  ...CMD_FUNCTIONS,
  ...DISK_FUNCTIONS,
  ...FACTS_FUNCTIONS,
  ...GRAINS_FUNCTIONS,
  ...SYS_FUNCTIONS,
  ...TEST_FUNCTIONS,
];

export const FUNCTIONS: FunctionRegistry = functionRegistry(ALL_FUNCTIONS);

export function functionRegistry(functions: readonly ExecutionFunction[]): FunctionRegistry {
  const byName = new Map(functions.map((fn) => [fn.name, fn]));
  assert(byName.size === functions.length, 'two execution functions have one name');
  return {
    all: [...functions].sort((a, b) => (a.name < b.name ? -1 : 1)),
    has: (name) => byName.has(name),
    get(name) {
      const found = byName.get(name);
      if (found !== undefined) return found;
      const suggestion = suggestionFor(name, [...byName.keys()].sort());
      throw zesterError('MODULE_UNKNOWN_FUNCTION', { function: name, suggestion });
    },
  };
}

/** A name that was perhaps meant; else what the family has; else the families there are. */
function suggestionFor(name: string, names: readonly string[]): string {
  const near = nearestWord(name, names);
  if (near !== undefined) return `, did you mean ${near}?`;
  const families = [...new Set(names.map(familyOf))];
  const family = nearestWord(familyOf(name) || name, families);
  if (family === undefined) return `; there are ${families.map((known) => `${known}.*`).join(', ')}`;
  const members = names.filter((known) => familyOf(known) === family);
  return `; ${family} has ${members.map((known) => known.slice(family.length + 1)).join(', ')}`;
}
