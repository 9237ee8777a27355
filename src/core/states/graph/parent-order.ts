/**
 * A state that makes a directory comes before the states that work below it, though nobody said so: this file adds that
 * order. State files of Salt rely on the order of the file for that, and no author of such a file means anything else.
 * It is order alone: where the directory fails, the states below it are tried, and fail for themselves.
 */
import { plainPath } from '../../plain-path.ts';
import type { CompiledState, StateName } from '../compiled-state.ts';

export interface Order {
  readonly before: StateName;
  readonly after: StateName;
}

const MAKES_DIRECTORY: ReadonlySet<string> = new Set(['file.directory', 'file.recurse', 'file.symlink']);
/** A state that removes something needs no directory above it. */
const NEEDS_NONE = 'file.absent';

/** Each state after the nearest directory above it that another state makes. */
export function parentOrder(states: readonly CompiledState[]): readonly Order[] {
  const makers = new Map<string, StateName>();
  for (const state of states) {
    const path = MAKES_DIRECTORY.has(state.module) ? pathOf(state) : undefined;
    if (path !== undefined) makers.set(path, state.name);
  }
  if (makers.size === 0) return [];
  return states.flatMap((state) => {
    const path = state.module === NEEDS_NONE ? undefined : pathOf(state);
    const maker = path === undefined ? undefined : nearestAbove(path, makers);
    return maker === undefined ? [] : [{ before: maker, after: state.name }];
  });
}

function pathOf({ module, values }: CompiledState): string | undefined {
  const { name } = values;
  if (!module.startsWith('file.') || typeof name !== 'string' || !name.startsWith('/')) return undefined;
  return plainPath(name);
}

function nearestAbove(path: string, makers: ReadonlyMap<string, StateName>): StateName | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const maker = makers.get(path.slice(0, end));
    if (maker !== undefined) return maker;
  }
  return undefined;
}
