/**
 * These checks find traps in compiled states: what is legal, runs, and is seldom what its author meant. Each is sure:
 * it tells what will happen, not what might be bad style.
 */
import { type CompiledState, ORDER_FIRST, ORDER_LAST } from '../../core/states/compiled-state.ts';
import type { Level } from '../../core/states/graph/graph-levels.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import { nearestWord } from '../../core/suggest.ts';
import { modeText } from '../../modules/file/facets.ts';
import type { StateModuleRegistry } from '../../modules/state-contract.ts';
import { pathInTree } from './source-path.ts';

/** The only one of its family that does something when a state that it watches has changed. */
const ACTS_WHEN_FORCED = 'file.touch';

export async function stateTraps(
  levels: readonly Level[],
  modules: StateModuleRegistry,
  tree: StateTree,
): Promise<readonly StateProblem[]> {
  const states = levels.flat();
  const missing = await Promise.all(states.map((state) => missingSource(state, tree)));
  return [
    ...states.flatMap(runsEveryTime),
    ...states.flatMap(watchesForNothing),
    ...states.flatMap((state) => turnedModes(state, modules)),
    ...orderAcrossLevels(levels),
    ...levels.flatMap((level) => sameFile(level, modules)),
    ...missing.flat(),
  ];
}

/** A program that nothing holds back reports a change in every run, and whoever watches it acts in every run. */
function runsEveryTime(state: CompiledState): readonly StateProblem[] {
  const { module, values, attributes, requisites } = state;
  if (module !== 'cmd.run' && module !== 'cmd.script') return [];
  const { onchanges, onchanges_any, onfail, onfail_any, onfail_all, prereq } = requisites;
  const conditions = [
    ...[onchanges, onchanges_any, onfail, onfail_any, onfail_all, prereq],
    ...[attributes.onlyif, attributes.unless],
    ...(values.creates === undefined ? [] : [values.creates as readonly string[] | string]),
  ];
  if (conditions.some(({ length }) => length > 0)) return [];
  return [
    warning(
      state,
      `${state.name} runs every time, and reports a change every time`,
      'say when it is needed: creates, onlyif, unless or onchanges',
    ),
  ];
}

/** What compares a file with its declaration has nothing to do again. */
function watchesForNothing(state: CompiledState): readonly StateProblem[] {
  const { watch, watch_any } = state.requisites;
  const hasNothingToRepeat = state.module.startsWith('file.') && state.module !== ACTS_WHEN_FORCED;
  if (!hasNothingToRepeat || watch.length + watch_any.length === 0) return [];
  return [
    warning(
      state,
      `watch is no more than require for ${state.module}: a change elsewhere gives it nothing to do`,
      'write require; or use onchanges, if it should act only after a change',
    ),
  ];
}

/** The group or others may do what the owner may not: 420 is 0644 read as decimal, and 64 has lost a digit. */
function turnedModes(state: CompiledState, modules: StateModuleRegistry): readonly StateProblem[] {
  const modes = Object.entries(modules.get(state.module).params).filter(([, { type }]) => type === 'mode');
  return modes.flatMap(([name]) => {
    const mode = state.values[name];
    if (typeof mode !== 'number') return [];
    const [owner, group, others] = [(mode >> 6) & 7, (mode >> 3) & 7, mode & 7];
    if (((group | others) & ~owner) === 0) return [];
    return [
      warning(
        state,
        `${state.name} has ${name} ${modeText(mode)}, which lets the group or others do what the owner may not`,
        'write modes in octal, such as 0644',
      ),
    ];
  });
}

/** In Salt `order: last` is the end of the run; here it is the end of a level. */
function orderAcrossLevels(levels: readonly Level[]): readonly StateProblem[] {
  return levels.flatMap((level, index) => {
    const before = levels.slice(0, index).flat().length;
    const after = levels.slice(index + 1).flat().length;
    return level.flatMap((state) => {
      const { order } = state.attributes;
      if (order >= ORDER_LAST && after > 0)
        return [orderWarning(state, 'last', `${statesCome(after)} after it`)];
      if (order <= ORDER_FIRST && before > 0)
        return [orderWarning(state, 'first', `${statesCome(before)} before it`)];
      return [];
    });
  });
}

function statesCome(count: number): string {
  return count === 1 ? '1 state comes' : `${count} states come`;
}

function orderWarning(state: CompiledState, word: string, but: string): StateProblem {
  return warning(
    state,
    `${state.name} has order: ${word}, but ${but}: order only sorts states that do not wait for one another`,
    'say with require what has to come before what',
  );
}

/** The states of a level run side by side. */
function sameFile(level: Level, modules: StateModuleRegistry): readonly StateProblem[] {
  const first = new Map<string, CompiledState>();
  const problems: StateProblem[] = [];
  for (const state of level) {
    const paths = modules.get(state.module).locks?.(state.values as never) ?? [];
    for (const path of new Set(paths)) {
      const other = first.get(path);
      if (other === undefined) first.set(path, state);
      else
        problems.push(
          warning(
            state,
            `${state.name} and ${other.name} both work on ${path}, and neither waits for the other`,
            'say with require which one comes first',
          ),
        );
    }
  }
  return problems;
}

async function missingSource(state: CompiledState, tree: StateTree): Promise<readonly StateProblem[]> {
  const sources = [state.values.source ?? []].flat().filter((each) => typeof each === 'string');
  const paths = sources.map(pathInTree).filter((path) => path !== undefined);
  // Of a list the first that is there is taken, and a path of the machine may be.
  if (paths.length === 0 || paths.length < sources.length) return [];
  const files = await tree.list();
  for (const path of paths) if (await isThere(path, files, tree)) return [];
  const near = nearestWord(paths[0] ?? '', files);
  return [
    warning(
      state,
      `${state.name} has a source that is not in the tree: ${sources.join(', ')}`,
      near === undefined ? 'add the file, or mend its path' : `did you mean ${near}?`,
    ),
  ];
}

/** A list of the tree leaves hidden files out, and directories are only in the paths of their files. */
async function isThere(path: string, files: readonly string[], tree: StateTree): Promise<boolean> {
  if (path === '' || files.some((file) => file === path || file.startsWith(`${path}/`))) return true;
  try {
    return (await tree.readBytes(path)) !== undefined;
  } catch {
    // It leads out of the tree or cannot be read: a run says that better.
    return true;
  }
}

function warning(state: CompiledState, message: string, hint: string): StateProblem {
  return { message, at: state.at, chain: [], hint, severity: 'warning' };
}
