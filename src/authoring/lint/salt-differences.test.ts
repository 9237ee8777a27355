import { describe, expect, it } from 'vitest';
import { type Sketch, sketchStates } from '../../../test/harness/states/random-states.ts';
import { stateGraph } from '../../core/states/graph/graph.ts';
import { saltDifferences } from './salt-differences.ts';

function told(states: Readonly<Record<string, Sketch>>): readonly string[] {
  const { levels, problems } = stateGraph(sketchStates(states));
  expect(problems).toEqual([]);
  return saltDifferences(levels).map(({ message }) => message);
}

describe('what means something else in Salt', () => {
  const retry = { attempts: 3, intervalMs: 10_000, splayMs: 0 };

  it.each<[string, Sketch, string]>([
    ['onlyif: false', { onlyif: ['x', false] }, 'a never runs, because its onlyif is false; Salt passes'],
    ['unless: true', { unless: [true] }, 'a never runs, because its unless is true; Salt passes'],
    ['several unless', { unless: ['x', 'y'] }, 'a does not run if one of its unless holds; in Salt'],
    ['retry', { retry }, 'a is tried 3 more times after the first, 10s apart; Salt counts the first too'],
    ['order: 1', { order: 1 }, 'a has order: 1, which is after states that say none; in Salt it is before'],
    [
      'order: -1',
      { order: -1 },
      'a has order: -1, which is before states that say none; in Salt it is after',
    ],
  ])('%s', (_, sketch, message) => {
    expect(told({ a: sketch, other: {} })).toEqual([expect.stringContaining(message)]);
  });

  it.each<[string, Sketch]>([
    ['onlyif: true', { onlyif: [true, 'x'] }],
    ['unless: false', { unless: [false] }],
    ['order: last', { order: 1_000_000 }],
    ['nothing', {}],
  ])('not %s', (_, sketch) => {
    expect(told({ a: sketch, other: {} })).toEqual([]);
  });

  it('not order where every state of the level says one', () => {
    expect(told({ a: { order: 1 }, b: { order: 2 } })).toEqual([]);
  });
});
