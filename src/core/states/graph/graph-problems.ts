/**
 * These functions find what keeps states from being ordered, apart from circles: two of one name, and references to
 * nothing.
 */
import { nearestWord } from '../../suggest.ts';
import {
  type CompiledState,
  REQUISITE_KINDS,
  type RequisiteKind,
  type StateName,
} from '../compiled-state.ts';
import { printPlace, type StateProblem } from '../state-problem.ts';

/** `once`: the first state of each name. */
export function findDuplicates(states: readonly CompiledState[]): {
  readonly once: readonly CompiledState[];
  readonly problems: readonly StateProblem[];
} {
  const first = new Map<StateName, CompiledState>();
  const problems: StateProblem[] = [];
  for (const state of states) {
    const other = first.get(state.name);
    if (other === undefined) first.set(state.name, state);
    else
      problems.push(
        problem(state, {
          message: `there are two states ${state.name}; the other one stands at ${printPlace(other.at)}`,
          hint: 'give one of them another id',
        }),
      );
  }
  return { once: [...first.values()], problems };
}

export function findUnknown(states: readonly CompiledState[]): readonly StateProblem[] {
  const known = new Set(states.map(({ name }) => name));
  const problems: StateProblem[] = [];
  for (const state of states)
    for (const kind of REQUISITE_KINDS)
      for (const named of state.requisites[kind])
        if (!known.has(named)) problems.push(unknown(state, kind, named, known));
  return problems;
}

function unknown(
  state: CompiledState,
  kind: RequisiteKind,
  named: StateName,
  known: ReadonlySet<StateName>,
): StateProblem {
  const meant = nearestWord(named, known);
  return problem(state, {
    message: `${state.name} has ${kind}: ${named}, and there is no such state in this run`,
    hint: meant === undefined ? 'include the file that declares it' : `perhaps ${meant} was meant`,
  });
}

function problem(state: CompiledState, told: Pick<StateProblem, 'message' | 'hint'>): StateProblem {
  return { ...told, at: state.at, chain: [], severity: 'error' };
}
