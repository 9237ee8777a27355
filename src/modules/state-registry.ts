/**
 * This registry lists every state function, by name. A family is a folder; what it can hold true is its `states.ts`.
 */
import { assert } from '../core/assert.ts';
import type { StateSchemas } from '../core/states/state-schema.ts';
import { CMD_STATES } from './cmd/states.ts';
import { FILE_STATES } from './file/states.ts';
import { moduleStates } from './module/states.ts';
import type { StateModule, StateModuleRegistry } from './state-contract.ts';
import { TEST_STATES } from './test/states.ts';
import { unknownFunction } from './unknown-function.ts';

const PLAIN_STATES: readonly StateModule[] = [...CMD_STATES, ...FILE_STATES, ...TEST_STATES];

/** `module.run` may call a state function as well; it gets the others, so that it cannot call itself. */
export const STATE_MODULES: StateModuleRegistry = stateModuleRegistry([
  ...PLAIN_STATES,
  ...moduleStates(stateModuleRegistry(PLAIN_STATES)),
]);

/** What the compiler needs to know of them. */
export const STATE_SCHEMAS: StateSchemas = stateSchemas(STATE_MODULES);

export function stateModuleRegistry(modules: readonly StateModule[]): StateModuleRegistry {
  const byName = new Map(modules.map((module) => [module.name, module]));
  assert(byName.size === modules.length, 'two state functions have one name');
  return {
    all: [...modules].sort((a, b) => (a.name < b.name ? -1 : 1)),
    has: (name) => byName.has(name),
    get(name) {
      const found = byName.get(name);
      if (found !== undefined) return found;
      throw unknownFunction(name, [...byName.keys()].sort());
    },
  };
}

export function stateSchemas(registry: StateModuleRegistry): StateSchemas {
  return {
    names: registry.all.map(({ name }) => name),
    find(name) {
      if (!registry.has(name)) return undefined;
      const module = registry.get(name);
      const { params, open = false, passesOn } = module;
      return { name, params, open, passesOn, check: (values) => module.check?.(values as never) };
    },
  };
}
