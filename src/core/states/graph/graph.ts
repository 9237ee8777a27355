/**
 * The graph gives states their order, as levels. Every state stands one level after the last of those it waits for, so
 * the states of one level know nothing of each other and may run together. Inside a level `order` and then the name
 * decide who is launched first, so that the same states always come out in the same order (decision 17).
 */
import type { CompiledState } from '../compiled-state.ts';
import type { StateProblem } from '../state-problem.ts';
import { findCycles } from './graph-cycles.ts';
import { type Level, levelsOf } from './graph-levels.ts';
import { findDuplicates, findUnknown } from './graph-problems.ts';

export interface StateGraph {
  /** Where there are problems: of those states that can be ordered nevertheless. */
  readonly levels: readonly Level[];
  /** All of them. Nothing may run while there is one. */
  readonly problems: readonly StateProblem[];
}

export function stateGraph(states: readonly CompiledState[]): StateGraph {
  const { once, problems } = findDuplicates(states);
  const { levels, stuck } = levelsOf(once);
  return { levels, problems: [...problems, ...findUnknown(states), ...findCycles(stuck)] };
}
