/**
 * These checks tell what a state file means here and not in Salt, where it shows in compiled states. The list for people
 * is docs/guides/coming-from-salt.md; what the compiler refuses, or warns of itself, is not here.
 */
import {
  type CompiledState,
  NO_ATTRIBUTES,
  ORDER_FIRST,
  ORDER_LAST,
} from '../../core/states/compiled-state.ts';
import type { Level } from '../../core/states/graph/graph-levels.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';

export function saltDifferences(levels: readonly Level[]): readonly StateProblem[] {
  return levels.flatMap((level) =>
    level.flatMap((state) => [
      ...decidedGuards(state),
      ...severalUnless(state),
      ...countedRetries(state),
      ...numberedOrder(state, level),
    ]),
  );
}

function decidedGuards(state: CompiledState): readonly StateProblem[] {
  const { onlyif, unless } = state.attributes;
  const said = onlyif.includes(false)
    ? 'onlyif is false'
    : unless.includes(true)
      ? 'unless is true'
      : undefined;
  if (said === undefined) return [];
  return [
    warning(
      state,
      `${state.name} never runs, because its ${said}; Salt passes over booleans there, and runs it`,
      'leave the state out in the template: `{% if … %}` around it',
    ),
  ];
}

function severalUnless(state: CompiledState): readonly StateProblem[] {
  if (state.attributes.unless.length < 2) return [];
  return [
    warning(
      state,
      `${state.name} does not run if one of its unless holds; in Salt it does not run if all of them do`,
      'write them as one command, with && or || between',
    ),
  ];
}

function countedRetries(state: CompiledState): readonly StateProblem[] {
  const { retry } = state.attributes;
  if (retry === undefined) return [];
  const tries = retry.attempts === 1 ? '1 more time' : `${retry.attempts} more times`;
  return [
    warning(
      state,
      `${state.name} is tried ${tries} after the first, ${retry.intervalMs / 1_000}s apart; Salt counts the first too, and waits 30s where no interval is given`,
      'say the interval, and one attempt less than in Salt',
    ),
  ];
}

/** `first` and `last` are told where they do not hold (state-traps.ts). */
function numberedOrder(state: CompiledState, level: Level): readonly StateProblem[] {
  const { order } = state.attributes;
  const isNumber = order !== NO_ATTRIBUTES.order && order !== ORDER_FIRST && order !== ORDER_LAST;
  if (!isNumber || !level.some(({ attributes }) => attributes.order === NO_ATTRIBUTES.order)) return [];
  const [here, there] = order < 0 ? ['before', 'after'] : ['after', 'before'];
  return [
    warning(
      state,
      `${state.name} has order: ${order}, which is ${here} states that say none; in Salt it is ${there} them`,
      order < 0 ? 'write order: last' : 'write order: first, or require where it matters',
    ),
  ];
}

function warning(state: CompiledState, message: string, hint: string): StateProblem {
  return { message, at: state.at, chain: [], hint, severity: 'warning' };
}
