import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStates, sketchStates } from '../../../../test/harness/states/random-states.ts';
import { type CompiledState, REQUISITE_KINDS } from '../compiled-state.ts';
import { stateGraph } from './graph.ts';
import { CYCLES_TOLD_MAX } from './graph-cycles.ts';
import { buildsOn, edgesOf, withPrereqsRequired } from './graph-edges.ts';

function namesOf(levels: readonly (readonly CompiledState[])[]): string[][] {
  return levels.map((level) => level.map(({ name }) => name));
}

describe('levels', () => {
  it('put a state one level after the last of those it waits for, whatever the kind of requisite', () => {
    for (const kind of REQUISITE_KINDS.filter((each) => each !== 'prereq')) {
      const states = sketchStates({ c: { [kind]: ['b', 'a'] }, b: { [kind]: ['a'] }, a: {}, d: {} });
      expect(namesOf(stateGraph(states).levels)).toEqual([['a', 'd'], ['b'], ['c']]);
    }
  });

  it('put a state with a prereq before its target', () => {
    const states = sketchStates({ a: {}, b: { prereq: ['a'] } });
    expect(namesOf(stateGraph(states).levels)).toEqual([['b'], ['a']]);
  });

  it('are sorted by order, then by the code units of the name', () => {
    const states = sketchStates({ b: {}, é: {}, B: {}, a: {}, last: { order: 5 }, first: { order: -5 } });
    expect(namesOf(stateGraph(states).levels)).toEqual([['first', 'B', 'a', 'b', 'é', 'last']]);
  });

  it('hold every state once, each after all it waits for and directly after one of them', () => {
    fc.assert(
      fc.property(anyStates({ countMax: 30 }), (states) => {
        const { levels, problems } = stateGraph(states);
        expect(problems).toEqual([]);
        const levelOf = new Map(levels.flatMap((level, index) => level.map(({ name }) => [name, index])));
        expect(levels.flat()).toHaveLength(states.length);
        expect(levelOf.size).toBe(states.length);
        const last = new Map<string, number>();
        for (const { before, after } of edgesOf(states))
          last.set(after, Math.max(last.get(after) ?? -1, levelOf.get(before) ?? Number.NaN));
        for (const { name } of states) expect(levelOf.get(name)).toBe((last.get(name) ?? -1) + 1);
      }),
    );
  });

  it('do not depend on the order in which states were declared', () => {
    fc.assert(
      fc.property(
        anyStates().chain((states) =>
          fc.tuple(fc.constant(states), fc.shuffledSubarray([...states], { minLength: states.length })),
        ),
        ([states, shuffled]) => {
          expect(namesOf(stateGraph(shuffled).levels)).toEqual(namesOf(stateGraph(states).levels));
        },
      ),
    );
  });

  it('take a chain as long as a run', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`s${n}`, n === 0 ? {} : { require: [`s${n - 1}`] }]),
    );
    expect(stateGraph(sketchStates(chain)).levels).toHaveLength(10_000);
  });
});

describe('problems', () => {
  const told = (states: readonly CompiledState[]) =>
    stateGraph(states).problems.map(({ message, at, hint }) => `${at.line}: ${message} (${hint})`);

  it('two states of one name', () => {
    const [state] = sketchStates({ a: {} });
    const states = state === undefined ? [] : [state, { ...state, at: { file: 'web/b.zy', line: 9 } }];
    expect(told(states)).toEqual([
      '9: there are two states a; the other one stands at web/init.zy:1:1 (give one of them another id)',
    ]);
  });

  it('a reference to nothing, with what was perhaps meant', () => {
    const states = sketchStates({
      'pkg.installed:nginx': {},
      b: { require: ['pkg.installed:ngnix'], prereq: ['nowhere at all'] },
    });
    expect(told(states)).toEqual([
      '2: b has require: pkg.installed:ngnix, and there is no such state in this run (perhaps pkg.installed:nginx was meant)',
      '2: b has prereq: nowhere at all, and there is no such state in this run (include the file that declares it)',
    ]);
  });

  it('a circle, with the way round it and where each state stands', () => {
    const states = sketchStates({ outside: { require: ['a'] }, a: { watch: ['b'] }, b: { require: ['a'] } });
    expect(told(states)).toEqual([
      '2: these states wait for each other in a circle: a (web/init.zy:2:1) has watch: b (web/init.zy:3:1), which has require: a (take one of these requisites away)',
    ]);
  });

  it('a circle through a prereq reads as it was written', () => {
    const states = sketchStates({ a: { require: ['b'], prereq: ['b'] }, b: {} });
    expect(told(states)).toEqual([
      '1: these states wait for each other in a circle: a (web/init.zy:1:1) has require: b (web/init.zy:2:1), which is the prereq of a (take one of these requisites away)',
    ]);
  });

  it('a state that waits for itself', () => {
    expect(told(sketchStates({ a: { onchanges: ['a'] } }))).toEqual([
      '1: these states wait for each other in a circle: a (web/init.zy:1:1) has onchanges: a (take one of these requisites away)',
    ]);
  });

  it('of several circles each is told once, with the shortest way round', () => {
    const states = sketchStates({
      a: { require: ['b', 'c'] },
      b: { require: ['c'] },
      c: { require: ['a'] },
      x: { require: ['y'] },
      y: { require: ['x'] },
      between: { require: ['a', 'x'] },
    });
    const problems = stateGraph(states).problems;
    expect(problems).toHaveLength(2);
    expect(problems[0]?.message).toContain(
      ': a (web/init.zy:1:1) has require: c (web/init.zy:3:1), which has require: a',
    );
    expect(problems[1]?.message).toContain(': x (web/init.zy:4:1) has require: y');
  });

  it('are found among any states: back edges always make at least one circle, and a circle is real', () => {
    fc.assert(
      fc.property(anyStates({ countMax: 20 }), fc.nat(), fc.nat(), (states, i, j) => {
        const [one, other] = [states[i % states.length], states[j % states.length]];
        if (one === undefined || other === undefined) return;
        // Each requires the other: a circle, whatever else there is.
        const crossed = states.map((state) =>
          state === one || state === other
            ? {
                ...state,
                requisites: { ...state.requisites, require: [state === one ? other.name : one.name] },
              }
            : state,
        );
        const { levels, problems } = stateGraph(crossed);
        expect(problems.length).toBeGreaterThan(0);
        const ordered = new Set(levels.flat().map(({ name }) => name));
        expect(ordered.has(one.name) || ordered.has(other.name)).toBe(false);
        for (const { at } of problems) {
          const first = crossed.find((state) => state.at.line === at.line);
          expect(reachesItself(first?.name ?? '', crossed)).toBe(true);
        }
      }),
    );
  });

  it('are bounded, and cost little for the longest chains', () => {
    const pairs = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`s${n}`, { require: [`s${n % 2 === 0 ? n + 1 : n - 1}`] }]),
    );
    const tail = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`t${n}`, { require: [n === 0 ? 's0' : `t${n - 1}`] }]),
    );
    const { problems } = stateGraph(sketchStates({ ...pairs, ...tail }));
    expect(problems).toHaveLength(CYCLES_TOLD_MAX);
  });
});

function reachesItself(name: string, states: readonly CompiledState[]): boolean {
  const edges = edgesOf(states);
  const seen = new Set<string>();
  const queue = [name];
  for (const at of queue)
    for (const { before, after } of edges)
      if (after === at && !seen.has(before)) {
        seen.add(before);
        queue.push(before);
      }
  return seen.has(name);
}

describe('rewritten requisites', () => {
  it('who is prepared requires who prepares it, once', () => {
    const states = sketchStates({ a: { prereq: ['c'] }, b: { prereq: ['c'] }, c: { require: ['a'] } });
    const [, , c] = withPrereqsRequired(states);
    expect(c?.requisites.require).toEqual(['a', 'b']);
    expect(withPrereqsRequired(states)[0]).toBe(states[0]);
  });

  it('a state builds on what it requires, watches or follows the changes of, and on nothing else', () => {
    const states = sketchStates({
      a: { onfail: ['x'] },
      b: { require: ['a'], watch: ['a'] },
      c: { onchanges_any: ['a'] },
      d: { onfail: ['a'] },
      x: {},
    });
    const bases = states.map((state) => [state.name, buildsOn(state)]);
    expect(Object.fromEntries(bases)).toEqual({ a: [], b: ['a'], c: ['a'], d: [], x: [] });
  });
});
