/** The edges of the graph say which state waits for which: the requisites of all states. */
import {
  type CompiledState,
  REQUISITE_KINDS,
  type RequisiteKind,
  type StateName,
} from '../compiled-state.ts';

/** `before` has come to its end when `after` begins. */
export interface Edge {
  readonly before: StateName;
  readonly after: StateName;
  readonly kind: RequisiteKind;
}

/** In the order of the states, then of the kinds, then as they were written. May name states that are not there. */
export function edgesOf(states: readonly CompiledState[]): readonly Edge[] {
  const edges: Edge[] = [];
  // Loops: of the ten lists of a state most are empty, and each would cost a new array.
  for (const { name, requisites } of states)
    for (const kind of REQUISITE_KINDS)
      for (const named of requisites[kind])
        edges.push(
          kind === 'prereq' ? { before: name, after: named, kind } : { before: named, after: name, kind },
        );
  return edges;
}

/**
 * A state with `prereq: B` prepares B, so B must not go on when it failed: B requires it, as if that had been written.
 * The levels stay as they are. Several of them come in the order of their names, so that a result which blames them is the same
 * whatever the order of the states.
 */
export function withPrereqsRequired(states: readonly CompiledState[]): readonly CompiledState[] {
  const preparing = new Map<StateName, StateName[]>();
  for (const { name, requisites } of states)
    for (const target of requisites.prereq) preparing.set(target, [...(preparing.get(target) ?? []), name]);
  return states.map((state) => {
    const added = preparing.get(state.name);
    if (added === undefined) return state;
    const require = [...new Set([...state.requisites.require, ...added.sort()])];
    return { ...state, requisites: { ...state.requisites, require } };
  });
}

/** The kinds that say: this one builds on what the other did. `onfail` does not, it runs where the other did nothing. */
const BUILDS_ON = [
  'require',
  'require_any',
  'watch',
  'watch_any',
  'onchanges',
  'onchanges_any',
] as const satisfies readonly RequisiteKind[];

/** The states that this one builds on: what has to stay as long as it does. */
export function buildsOn({ requisites }: CompiledState): readonly StateName[] {
  return [...new Set(BUILDS_ON.flatMap((kind) => requisites[kind]))];
}
