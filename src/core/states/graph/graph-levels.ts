/**
 * `levelsOf` puts states into levels, by Kahn's algorithm. Time grows with states plus requisites; there is no
 * recursion, so a chain may be as long as a run.
 */
import type { CompiledState, StateName } from '../compiled-state.ts';
import { edgesOf } from './graph-edges.ts';
import { parentOrder } from './parent-order.ts';

export type Level = readonly CompiledState[];

export interface Levels {
  readonly levels: readonly Level[];
  /** States that wait for themselves, and states that wait for those, in the order they were declared. */
  readonly stuck: readonly CompiledState[];
}

/** No name may be there twice. Requisites to what is not there do not count. */
export function levelsOf(states: readonly CompiledState[]): Levels {
  const byName = new Map(states.map((state) => [state.name, state]));
  const waits = new Map<StateName, number>(states.map(({ name }) => [name, 0]));
  const followers = new Map<StateName, StateName[]>(states.map(({ name }) => [name, []]));
  for (const { before, after } of edgesOf(states)) {
    if (!byName.has(before) || !byName.has(after)) continue;
    waits.set(after, (waits.get(after) ?? 0) + 1);
    followers.get(before)?.push(after);
  }
  for (const { before, after } of parentOrder(states)) {
    // What was said goes before what was not.
    if (leadsTo(after, before, followers)) continue;
    waits.set(after, (waits.get(after) ?? 0) + 1);
    followers.get(before)?.push(after);
  }

  const levels: Level[] = [];
  let ready = states.filter(({ name }) => waits.get(name) === 0);
  while (ready.length > 0) {
    levels.push(ready.sort(byLaunchOrder));
    const freed: CompiledState[] = [];
    for (const { name } of ready) {
      waits.delete(name);
      for (const follower of followers.get(name) ?? []) {
        const left = (waits.get(follower) ?? 0) - 1;
        waits.set(follower, left);
        const state = byName.get(follower);
        if (left === 0 && state !== undefined) freed.push(state);
      }
    }
    ready = freed;
  }
  return { levels, stuck: states.filter(({ name }) => waits.has(name)) };
}

function leadsTo(
  from: StateName,
  to: StateName,
  followers: ReadonlyMap<StateName, readonly StateName[]>,
): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    for (const follower of followers.get(name) ?? []) seen.add(follower);
  }
  return false;
}

/** Names compare by UTF-16 code units: the same on every machine. */
function byLaunchOrder(a: CompiledState, b: CompiledState): number {
  if (a.attributes.order !== b.attributes.order) return a.attributes.order - b.attributes.order;
  return a.name < b.name ? -1 : 1;
}
