/**
 * This registry lists every execution function, by name. A family is a folder; what it offers is its `functions.ts`.
 */
import { assert } from '../core/assert.ts';
import { CMD_FUNCTIONS } from './cmd/functions.ts';
import type { ExecutionFunction, FunctionRegistry } from './contract.ts';
import { DISK_FUNCTIONS } from './disk/functions.ts';
import { FACTS_FUNCTIONS } from './facts/functions.ts';
import { FILES_FUNCTIONS } from './files/functions.ts';
import { GRAINS_FUNCTIONS } from './grains/functions.ts';
import { PILLAR_FUNCTIONS } from './pillar/functions.ts';
import { SETTINGS_FUNCTIONS } from './settings/functions.ts';
import { STATE_FUNCTIONS } from './state/functions.ts';
import { SYS_FUNCTIONS } from './sys/functions.ts';
import { TEST_FUNCTIONS } from './test/functions.ts';
import { unknownFunction } from './unknown-function.ts';

const ALL_FUNCTIONS: readonly ExecutionFunction[] = [
  ...CMD_FUNCTIONS,
  ...DISK_FUNCTIONS,
  ...FACTS_FUNCTIONS,
  ...FILES_FUNCTIONS,
  ...GRAINS_FUNCTIONS,
  ...PILLAR_FUNCTIONS,
  ...SETTINGS_FUNCTIONS,
  ...STATE_FUNCTIONS,
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
      throw unknownFunction(name, [...byName.keys()].sort());
    },
  };
}
