import { describe, expect, it } from 'vitest';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import { isZesterError } from '../errors/zester-error.ts';
import { FactIndex } from './fact-index.ts';
import { NO_WORDS } from './operator-words.ts';
import { parseTarget } from './parse-target.ts';
import { resolveTarget, resolveTargetInSteps } from './resolve-target.ts';

const peel = (id: string): PeelId => parsePeelId(id) ?? expect.unreachable(id);

function indexOf(peels: Readonly<Record<string, WireMap>>): FactIndex {
  const index = new FactIndex();
  for (const [id, facts] of Object.entries(peels)) index.put(peel(id), facts);
  return index;
}

describe('resolveTarget', () => {
  const index = indexOf({
    'web-02': { env: 'prod', roles: ['web'] },
    'db-01': { env: 'prod', roles: ['db'] },
    'web-01': { env: 'dev', roles: ['web', 'cache'] },
    'web-10_example_com': {},
  });

  it.each([
    ['*', ['db-01', 'web-01', 'web-02', 'web-10_example_com']],
    ['web*', ['web-01', 'web-02', 'web-10_example_com']],
    ['web-10.example.com', ['web-10_example_com']],
    ['G@env:prod', ['db-01', 'web-02']],
    ['not G@env:prod', ['web-01', 'web-10_example_com']],
    ['G@env:!=prod', ['web-01']],
    ['G@roles:web and not G@roles:cache', ['web-02']],
    ['L@web-02,web-99,web-10.example.com', ['web-02', 'web-10_example_com']],
    ['E@^w.*0[12]$ and G@env:prod', ['web-02']],
    ['nobody', []],
  ])('%s means %j', (expression, expected) => {
    expect(resolveTarget(index, expression)).toEqual(expected);
  });

  it('looks at what operators say, which no fact of the peel can say for them', () => {
    const said = indexOf({ 'web-01': { role: 'db', site: 'there' }, 'web-02': {}, 'web-03': {} });
    said.putWords(peel('web-01'), { tags: { role: 'web' }, facts: { site: 'Berlin' } });
    said.putWords(peel('web-02'), { tags: {}, facts: { role: 'web' } });
    const everybody = (expression: string) => resolveTarget(said, expression);
    expect(everybody('T@role:web')).toEqual(['web-01', 'web-02']);
    expect(everybody('G@role:db')).toEqual(['web-01']);
    expect(everybody('G@site:berlin')).toEqual(['web-01']);
    expect(said.facts(peel('web-01'))).toEqual({ role: 'db', site: 'there' });
    // A peel that asks must not guess a fact, which may be a secret, letter by letter.
    const asPeel = (expression: string) => {
      const steps = resolveTargetInSteps(said, parseTarget(expression), 'peel');
      return steps.next().value;
    };
    expect([asPeel('T@role:web'), asPeel('T@site:b*'), asPeel('T@site')]).toEqual([['web-01'], [], []]);
    said.putWords(peel('web-01'), NO_WORDS);
    expect(everybody('T@role:web or T@site')).toEqual(['web-02']);
    said.remove(peel('web-02'));
    said.put(peel('web-02'), {});
    expect(everybody('T@role:web')).toEqual(['web-02']);
  });

  it('takes the type of a request', () => {
    expect(resolveTarget(index, 'env:prod', 'fact')).toEqual(['db-01', 'web-02']);
    expect(resolveTarget(index, 'web-01, db-01', 'list')).toEqual(['db-01', 'web-01']);
  });

  it('an empty index has nobody', () => {
    expect(resolveTarget(new FactIndex(), '* or G@a:b')).toEqual([]);
  });

  it('throws what is wrong, with its place', () => {
    try {
      resolveTarget(index, 'web* and');
      expect.unreachable();
    } catch (error) {
      expect(isZesterError(error, 'TARGET_SYNTAX') && error.at).toEqual({ file: 'target', column: 6 });
    }
  });
});

describe('an index that changes', () => {
  it('answers with the latest facts, also where it remembers earlier ones', () => {
    const index = indexOf({ a: { v: 1 }, b: { v: 2 } });
    expect(resolveTarget(index, 'G@v:1')).toEqual(['a']);
    index.put(peel('b'), { v: 1 });
    index.put(peel('a'), { v: 3 });
    index.put(peel('c'), { v: 1 });
    expect(resolveTarget(index, 'G@v:1')).toEqual(['b', 'c']);
    expect(index.remove(peel('b'))).toBe(true);
    expect(index.remove(peel('b'))).toBe(false);
    index.put(peel('d'), {});
    expect(resolveTarget(index, 'G@v:1')).toEqual(['c']);
    expect([...index.ids()]).toEqual(['a', 'c', 'd']);
    expect([index.size, index.has(peel('b')), index.facts(peel('a'))]).toEqual([3, false, { v: 3 }]);
  });

  it('does not take a newcomer for the peel whose place it took', () => {
    const index = indexOf({ 'web-1': {}, 'db-1': {} });
    expect(resolveTarget(index, 'E@^web')).toEqual(['web-1']);
    index.remove(peel('web-1'));
    index.put(peel('api-1'), {});
    expect(resolveTarget(index, 'E@^web')).toEqual([]);
    index.remove(peel('db-1'));
    index.put(peel('web-2'), {});
    expect(resolveTarget(index, 'E@^web')).toEqual(['web-2']);
  });

  it('gives the room of peels that went to those that come', () => {
    const index = indexOf({ stays: {} });
    for (let i = 0; i < 100; i++) {
      index.put(peel(`p-${i}`), {});
      index.remove(peel(`p-${i}`));
    }
    index.put(peel('last'), {});
    expect(index.view().peels.map((entry) => entry.slot)).toEqual([0, 1]);
  });

  it('remembers no more than it may: many answers, long answers, many facts', () => {
    const index = new FactIndex();
    const numbers = Array.from({ length: 6_000 }, (_, i) => i);
    for (const i of numbers)
      index.put(peel(`p-${i}`), { n: i, text: 'x'.repeat(250 + (i % 10)), [`f${i % 50}`]: 'y' });
    for (let round = 0; round < 2; round++) {
      expect(resolveTarget(index, 'G@n:5999')).toEqual(['p-5999']);
      expect(resolveTarget(index, 'G@n:<10')).toHaveLength(10);
      expect(resolveTarget(index, `G@text:${'x'.repeat(259)}`)).toHaveLength(600);
      for (let fact = 0; fact < 50; fact++) expect(resolveTarget(index, `G@f${fact}:y`)).toHaveLength(120);
    }
    for (const i of numbers) index.put(peel(`p-${i}`), { n: i + 1 });
    expect(resolveTarget(index, 'G@n:5999')).toEqual(['p-5998']);
  });

  it('keeps answers apart that look alike when joined', () => {
    const index = indexOf({
      a: { v: ['x', 'y'] },
      b: { v: '["x","y"]' },
      c: { v: 'x' },
      d: { v: ['x'] },
      e: { v: ['["x","y"]'] },
    });
    expect(resolveTarget(index, 'G@v:x')).toEqual(['a', 'c', 'd']);
    expect(resolveTarget(index, `G@v:'["x","y"]'`)).toEqual(['b', 'e']);
  });
});

describe('resolveTargetInSteps', () => {
  const fleet = (size: number) => {
    const index = new FactIndex();
    for (let i = 0; i < size; i++) index.put(peel(`peel-${String(i).padStart(5, '0')}`), { i });
    return index;
  };

  function countSteps(index: FactIndex, expression: string): number {
    const steps = resolveTargetInSteps(index, parseTarget(expression));
    let count = 1;
    while (!steps.next().done) count++;
    return count;
  }

  it('takes smaller steps for costlier expressions: a hostile pattern cannot hold a master', () => {
    const index = fleet(1_000);
    expect(countSteps(index, 'peel-*')).toBe(1);
    const hostile = 'E@p[a-z0-9-]{0,30}([a-z0-9-]{0,30}e){10}[^a-z0-9-]';
    // Programs of more than 500 instructions: at most three ids between two yields.
    expect(countSteps(index, hostile)).toBeGreaterThan(300);
    expect(countSteps(index, Array(200).fill('*a*b*').join(' or '))).toBeGreaterThan(300);
  });

  it('is left in the middle without harm', () => {
    const index = fleet(5_000);
    const steps = resolveTargetInSteps(index, parseTarget('*'));
    steps.next();
    steps.return([]);
    expect(resolveTarget(index, '*')).toHaveLength(5_000);
  });

  it('judges each peel by one set of facts while the index changes under it', () => {
    const index = fleet(5_000);
    const steps = resolveTargetInSteps(index, parseTarget('G@i:>=0 and G@i:<5000'));
    steps.next();
    const early = peel('peel-00000');
    const late = peel('peel-04999');
    const gone = peel('peel-04998');
    index.put(early, { i: -1 });
    index.put(late, { i: -1 });
    index.remove(gone);
    // The slot of the peel that went is taken by one that was not there at the start.
    index.put(peel('newcomer'), { i: 1 });
    let step = steps.next();
    while (!step.done) step = steps.next();
    const found = new Set(step.value);
    expect(found.has(early)).toBe(true);
    expect(found.has(late) || found.has(gone) || found.has(peel('newcomer'))).toBe(false);
    expect(found.size).toBe(4_998);
  });
});
