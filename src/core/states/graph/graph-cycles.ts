/**
 * `findCycles` finds states that wait for each other in a circle, and tells them as the path that a person can follow
 * through the files.
 *
 * From any stuck state one comes, going back from what waits to what it waits for, to a circle. Its shortest way round is
 * told, its states are taken out, and what is stuck still is looked at again.
 */
import { assert } from '../../assert.ts';
import type { CompiledState, RequisiteKind, StateName } from '../compiled-state.ts';
import { printPlace, type StateProblem } from '../state-problem.ts';
import { type Edge, edgesOf } from './graph-edges.ts';
import { levelsOf } from './graph-levels.ts';

/** More are not told: each is a sentence to read, and once these are repaired the next run tells the others. */
export const CYCLES_TOLD_MAX = 20;

/** `stuck`: each waits, directly or not, for itself or for one that does. */
export function findCycles(stuck: readonly CompiledState[]): readonly StateProblem[] {
  const problems: StateProblem[] = [];
  let left = stuck;
  while (left.length > 0 && problems.length < CYCLES_TOLD_MAX) {
    const waiting = waitingFor(left);
    const circle = shortestCircle(someoneInCircle(left, waiting), waiting);
    problems.push(problemOf(circle, new Map(left.map((state) => [state.name, state]))));
    const told = new Set(circle.map(({ after }) => after));
    left = levelsOf(left.filter(({ name }) => !told.has(name))).stuck;
  }
  return problems;
}

/** For each state the edges to what it waits for, of those that are left. */
type Waiting = ReadonlyMap<StateName, readonly Edge[]>;

function waitingFor(states: readonly CompiledState[]): Waiting {
  const waiting = new Map<StateName, Edge[]>(states.map(({ name }) => [name, []]));
  for (const edge of edgesOf(states)) if (waiting.has(edge.before)) waiting.get(edge.after)?.push(edge);
  return waiting;
}

function someoneInCircle(states: readonly CompiledState[], waiting: Waiting): StateName {
  const seen = new Set<StateName>();
  let name = states[0]?.name;
  while (name !== undefined && !seen.has(name)) {
    seen.add(name);
    name = waiting.get(name)?.[0]?.before;
  }
  assert(name !== undefined, 'who is stuck waits for somebody who is stuck');
  return name;
}

/** Breadth first from `start` back to itself. The edges of the way, each from one that waits to what it waits for. */
function shortestCircle(start: StateName, waiting: Waiting): readonly Edge[] {
  const reachedBy = new Map<StateName, Edge>();
  const queue = [start];
  for (let head = 0; head < queue.length && !reachedBy.has(start); head++)
    for (const edge of waiting.get(queue[head] ?? '') ?? [])
      if (!reachedBy.has(edge.before)) {
        reachedBy.set(edge.before, edge);
        queue.push(edge.before);
      }
  const way: Edge[] = [];
  let name = start;
  do {
    const edge = reachedBy.get(name);
    assert(edge !== undefined, 'a circle leads back to where it began');
    way.unshift(edge);
    name = edge.after;
  } while (name !== start);
  return way;
}

/** Begins with the state that was declared first. */
function problemOf(circle: readonly Edge[], byName: ReadonlyMap<StateName, CompiledState>): StateProblem {
  const declared = [...byName.keys()];
  const names = new Set(circle.map(({ after }) => after));
  const first = declared.find((name) => names.has(name));
  const turn = circle.findIndex(({ after }) => after === first);
  const way = [...circle.slice(turn), ...circle.slice(0, turn)];
  const state = byName.get(first ?? '');
  assert(state !== undefined, 'a circle is made of states');
  const placed = ({ name, at }: CompiledState) => `${name} (${printPlace(at)})`;
  const steps = way.map(({ before, kind }) => {
    const next = byName.get(before);
    assert(next !== undefined, 'a circle is made of states');
    return `${waits(kind)} ${next === state ? next.name : placed(next)}`;
  });
  return {
    message: `these states wait for each other in a circle: ${placed(state)} ${steps.join(', which ')}`,
    at: state.at,
    chain: [],
    hint: 'take one of these requisites away',
    severity: 'error',
  };
}

/** As it was written: a prereq stands on the state that goes first. */
function waits(kind: RequisiteKind): string {
  return kind === 'prereq' ? 'is the prereq of' : `has ${kind}:`;
}
