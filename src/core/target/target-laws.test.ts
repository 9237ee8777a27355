/** Laws that hold for every target and every fleet, with made-up ones of both. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printTarget } from '../../../test/harness/print-target.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import { FactIndex } from './fact-index.ts';
import { matchTarget } from './match-target.ts';
import { factsWithWords, NO_WORDS, type OperatorWords } from './operator-words.ts';
import { parseTarget } from './parse-target.ts';
import { resolveTarget } from './resolve-target.ts';
import type { Combination, Matcher, TargetNode } from './target.ts';

const column = 1;
const peelId = (text: string): PeelId => parsePeelId(text) ?? expect.unreachable(text);
const anyPeel = fc.constantFrom('a', 'b', 'web-1', 'web-2', 'db-1', 'db_x', 'and', 'not').map(peelId);
const scalar = fc.constantFrom<string | number | boolean | null>(
  'x',
  'X',
  'two words',
  '',
  '10',
  9,
  10,
  true,
  null,
);
const anyFacts: fc.Arbitrary<WireMap> = fc.dictionary(
  fc.constantFrom('k', 'n', 'roles', 'os'),
  fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(fc.constantFrom('k', 'name'), scalar)),
  { maxKeys: 4 },
);
const value = fc.oneof(
  fc.constantFrom(
    'x',
    'two words',
    '',
    '9',
    '10',
    '(',
    `'`,
    `"`,
    `it's "so"`,
    'and',
    'a:b',
    '*',
    'tw? *',
    ')(',
    '[x]*',
  ),
  fc.string({ maxLength: 6 }).filter((text) => !/^[\s<>=]|^!=|\[/.test(text)),
);
const anyMatcher: fc.Arbitrary<Matcher> = fc.oneof(
  fc
    .constantFrom('*', 'web-*', 'a', '?', '[a-w]*', 'db.x', 'and')
    .map((pattern): Matcher => ({ kind: 'glob', column, pattern })),
  fc
    .constantFrom('web', '^(web|db)-\\d$', 'x y', '"')
    .map((pattern): Matcher => ({ kind: 'regex', column, pattern })),
  fc
    .array(anyPeel, { minLength: 1, maxLength: 3 })
    .map((peels): Matcher => ({ kind: 'list', column, peels })),
  fc.record({
    kind: fc.constant('fact' as const),
    column: fc.constant(column),
    prefix: fc.constantFrom('G' as const, 'I' as const),
    path: fc.constantFrom('k', 'n', 'roles', 'os', 'os.name', 'os.k', 'missing', 'a b'),
    operator: fc.constantFrom(
      '=' as const,
      '!=' as const,
      '>' as const,
      '>=' as const,
      '<' as const,
      '<=' as const,
    ),
    value,
  }),
  fc.record({
    kind: fc.constant('tag' as const),
    column: fc.constant(column),
    name: fc.constantFrom('role', 'k', 'os', 'os.name', 'roles', 'missing'),
    wanted: fc.option(
      fc.record({ operator: fc.constantFrom('=' as const, '!=' as const, '>=' as const), value }),
      { nil: undefined },
    ),
  }),
);
const anyWords = fc.record({
  tags: fc.dictionary(fc.constantFrom('role', 'k', 'os'), fc.constantFrom('x', 'X', 'web', '', '10')),
  facts: anyFacts,
});
const { node: anyNode } = fc.letrec<{ node: TargetNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyMatcher,
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      )
      .map(([kind, parts]): Combination => ({ kind, column, parts })),
    tie('node').map((part): TargetNode => ({ kind: 'not', column, part })),
  ),
}));
const anyFleet = fc.array(fc.tuple(anyPeel, anyFacts, anyWords), { maxLength: 12 });

function withoutColumns(node: TargetNode): unknown {
  return JSON.parse(JSON.stringify(node, (key, inner: unknown) => (key === 'column' ? undefined : inner)));
}

function indexOf(fleet: readonly (readonly [PeelId, WireMap, OperatorWords])[]): FactIndex {
  const index = new FactIndex();
  // In any order: every other peel has its words before its facts.
  for (const [at, [id, facts, words]] of fleet.entries()) {
    if (at % 2 === 0) index.putWords(id, words);
    index.put(id, facts);
    if (at % 2 === 1) index.putWords(id, words);
  }
  return index;
}

/** The meaning of a combination, told from the meaning of its matchers alone. */
function naive(node: TargetNode, id: PeelId, facts: WireMap, words: OperatorWords): boolean {
  switch (node.kind) {
    case 'and':
      return node.parts.every((part) => naive(part, id, facts, words));
    case 'or':
      return node.parts.some((part) => naive(part, id, facts, words));
    case 'not':
      return !naive(node.part, id, facts, words);
    case 'glob':
    case 'regex':
    case 'fact':
    case 'tag':
    case 'list':
      return matchTarget({ expression: '', root: node }, id, factsWithWords(facts, words), words);
  }
}

describe('targets', () => {
  it('what is printed parses back to the same', () => {
    fc.assert(
      fc.property(anyNode, (node) => {
        expect(withoutColumns(parseTarget(printTarget(node)).root)).toEqual(withoutColumns(node));
      }),
      { numRuns: 2_000 },
    );
  });

  it('an expression means what its parts mean, on a peel and in an index, asked once or twice', () => {
    fc.assert(
      fc.property(anyNode, anyFleet, (node, fleet) => {
        const index = indexOf(fleet);
        const expression = printTarget(node);
        const expected = index.ids().filter((id) => naive(node, id, index.facts(id) ?? {}, index.words(id)));
        expect(resolveTarget(index, expression)).toEqual(expected);
        expect(resolveTarget(index, expression)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('and, or and not are a boolean algebra', () => {
    fc.assert(
      fc.property(anyNode, anyNode, anyNode, anyFleet, (a, b, c, fleet) => {
        const index = indexOf(fleet);
        const [x, y, z] = [a, b, c].map((node) => `(${printTarget(node)})`);
        const same = (left: string, right: string) =>
          expect(resolveTarget(index, left), `${left} = ${right}`).toEqual(resolveTarget(index, right));
        same(`${x} and ${y}`, `${y} and ${x}`);
        same(`${x} or ${y}`, `${y} or ${x}`);
        same(`not (${x} and ${y})`, `not ${x} or not ${y}`);
        same(`not (${x} or ${y})`, `not ${x} and not ${y}`);
        same(`${x} and (${y} or ${z})`, `${x} and ${y} or ${x} and ${z}`);
        same(`${x} or ${x} and ${y}`, `${x}`);
        same(`not not ${x}`, `${x}`);
        same(`${x} or not ${x}`, '*');
      }),
      { numRuns: 200 },
    );
  });

  it('an index after any puts, removals and questions answers like one made anew', () => {
    const change = fc.oneof(
      fc.record({ put: anyPeel, facts: anyFacts }),
      fc.record({ say: anyPeel, words: anyWords }),
      fc.record({ remove: anyPeel }),
      fc.record({ ask: anyNode.map(printTarget) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), anyNode.map(printTarget), (changes, question) => {
        const index = new FactIndex();
        const model = new Map<PeelId, WireMap>();
        const said = new Map<PeelId, OperatorWords>();
        for (const step of changes) {
          if ('ask' in step) {
            resolveTarget(index, step.ask);
          } else if ('say' in step) {
            index.putWords(step.say, step.words);
            said.set(step.say, step.words);
          } else if ('put' in step) {
            index.put(step.put, step.facts);
            model.set(step.put, step.facts);
          } else {
            expect(index.remove(step.remove)).toBe(model.delete(step.remove));
          }
        }
        const anew = indexOf([...model].map(([id, facts]) => [id, facts, said.get(id) ?? NO_WORDS]));
        expect(index.size).toBe(model.size);
        expect([...index.ids()]).toEqual([...model.keys()].sort());
        expect(resolveTarget(index, question)).toEqual(resolveTarget(anew, question));
      }),
      { numRuns: 500 },
    );
  });
});
