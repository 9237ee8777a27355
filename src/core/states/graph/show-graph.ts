/**
 * These functions show the order of states to people and programs: as text, plain data, and Graphviz DOT. Made from
 * levels, without running.
 */
import type { WireMap, WireValue } from '../../../wire/msgpack/wire-value.ts';
import type { CompiledState, StateName } from '../compiled-state.ts';
import { printPlace } from '../state-problem.ts';
import { type Edge, edgesOf } from './graph-edges.ts';
import type { Level } from './graph-levels.ts';

/** For each level its states in launch order, each with what it waits for. */
export function graphText(levels: readonly Level[]): string {
  const waiting = waitingOf(levels);
  return levels
    .flatMap((level, index) => [
      `level ${index}`,
      ...level.flatMap((state) => [
        `  ${state.name}  (${printPlace(state.at)})`,
        ...(waiting.get(state.name) ?? []).map(({ before, kind }) => `    after ${before} (${kind})`),
      ]),
    ])
    .join('\n');
}

export function graphData(levels: readonly Level[]): WireMap {
  return {
    levels: levels.map((level) => level.map(({ name }) => name)),
    states: levels.flatMap((level, index) => level.map((state) => stateData(state, index))),
    edges: allEdges(levels).map(({ before, after, kind }) => ({ before, after, kind })),
  };
}

function stateData(state: CompiledState, level: number): WireValue {
  const { name, module, id, sls, at, attributes } = state;
  return { name, module, id, sls, at: printPlace(at), level, order: attributes.order };
}

/** An arrow goes from what runs first to what waits for it. `require` is the common case and has no label. */
export function graphDot(levels: readonly Level[]): string {
  return [
    'digraph states {',
    '  rankdir=LR;',
    '  node [shape=box];',
    ...levels.map((level) => `  { rank=same; ${level.map(({ name }) => `${quoted(name)};`).join(' ')} }`),
    ...allEdges(levels).map(
      ({ before, after, kind }) =>
        `  ${quoted(before)} -> ${quoted(after)}${kind === 'require' ? '' : ` [label=${quoted(kind)}]`};`,
    ),
    '}',
  ].join('\n');
}

function allEdges(levels: readonly Level[]): readonly Edge[] {
  return edgesOf(levels.flat());
}

function waitingOf(levels: readonly Level[]): ReadonlyMap<StateName, readonly Edge[]> {
  const waiting = new Map<StateName, Edge[]>();
  for (const edge of allEdges(levels)) waiting.set(edge.after, [...(waiting.get(edge.after) ?? []), edge]);
  return waiting;
}

/** A DOT string: quotes end it, a backslash would begin an escape such as \N, a line break is shown as one. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
