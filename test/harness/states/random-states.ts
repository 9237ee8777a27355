/** This file makes states without files, for tests of what orders, judges and runs them. */
import fc from 'fast-check';
import {
  type Attributes,
  type CompiledState,
  NO_ATTRIBUTES,
  NO_REQUISITES,
  REQUISITE_KINDS,
  type Requisites,
} from '../../../src/core/states/compiled-state.ts';
import type { WireMap } from '../../../src/wire/msgpack/wire-value.ts';

export interface Sketch extends Partial<Requisites>, Partial<Attributes> {
  readonly module?: string;
  readonly args?: WireMap;
}

/** `name` is the whole name, as requisites use it. Each state stands on a line of its own. */
export function sketchStates(sketches: Readonly<Record<string, Sketch>>): readonly CompiledState[] {
  return Object.entries(sketches).map(([name, sketch], index) => sketchState(name, sketch, index + 1));
}

export function sketchState(name: string, sketch: Sketch = {}, line = 1): CompiledState {
  const { module = 'test.nop', args = {} } = sketch;
  return {
    name,
    module,
    id: name,
    about: name,
    sls: 'web',
    at: { file: 'web/init.zy', line, column: 1 },
    args,
    values: args,
    requisites: pick(NO_REQUISITES, sketch),
    attributes: pick(NO_ATTRIBUTES, sketch),
  };
}

function pick<T extends object>(defaults: T, given: object): T {
  const known = Object.entries(given).filter(([key]) => key in defaults);
  return { ...defaults, ...Object.fromEntries(known) };
}

/**
 * A graph that can be ordered: requisites name states that were declared before, and a prereq names one declared after.
 * Names are shuffled against that, so that sorting by name does not give the order away.
 */
export function anyStates(
  options: { readonly countMax?: number; readonly sketch?: fc.Arbitrary<Sketch> } = {},
): fc.Arbitrary<readonly CompiledState[]> {
  const { countMax = 12, sketch = fc.constant({}) } = options;
  return fc.integer({ min: 1, max: countMax }).chain((count) =>
    fc
      .tuple(
        fc.shuffledSubarray(
          Array.from({ length: count }, (_, index) => `s${index}`),
          { minLength: count, maxLength: count },
        ),
        fc.array(fc.tuple(sketch, fc.integer({ min: -2, max: 2 }), anyWishes()), {
          minLength: count,
          maxLength: count,
        }),
      )
      .map(([names, parts]) =>
        parts.map(([given, order, wishes], index) =>
          sketchState(
            names[index] ?? '',
            { order, ...given, ...requisitesFrom(wishes, names, index) },
            index + 1,
          ),
        ),
      ),
  );
}

interface Wish {
  readonly kind: keyof Requisites;
  /** Which of the states that may be named, as a fraction of them. */
  readonly which: number;
}

function anyWishes(): fc.Arbitrary<readonly Wish[]> {
  return fc.array(
    fc.record({
      kind: fc.constantFrom(...REQUISITE_KINDS),
      which: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
    { maxLength: 3 },
  );
}

function requisitesFrom(
  wishes: readonly Wish[],
  names: readonly string[],
  index: number,
): Partial<Requisites> {
  const requisites: Record<string, string[]> = {};
  for (const { kind, which } of wishes) {
    const choice = kind === 'prereq' ? names.slice(index + 1) : names.slice(0, index);
    const name = choice[Math.floor(which * choice.length)];
    if (name === undefined) continue;
    requisites[kind] = [...new Set([...(requisites[kind] ?? []), name])];
  }
  return requisites;
}
