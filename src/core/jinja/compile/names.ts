/** `Names` are names with their values, in layers: what a template sees as its context. */
import type { Value } from '../values/value.ts';

export interface Names {
  get(name: string): Value | undefined;
  keys(): Iterable<string>;
}

export const NO_NAMES: Names = new Map<string, Value>();

/** The names of `upper`, and below them those of `lower` that `upper` does not have. */
export function layered(upper: Names, lower: Names): Names {
  return {
    get: (name) => {
      // Not `??`: None is null.
      const value = upper.get(name);
      return value === undefined ? lower.get(name) : value;
    },
    keys: function* () {
      yield* upper.keys();
      yield* lower.keys();
    },
  };
}
