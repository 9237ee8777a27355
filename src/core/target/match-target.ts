/**
 * `compileTarget` makes a target a predicate. Written once for whoever has peels to judge: a peel that asks about
 * itself (top files) hands over id, facts and words, the index (resolve-target.ts) its own entries with remembered values.
 *
 * Matchers have no effects, so the cheap ones of an `and` or `or` are asked first, whatever the order they were typed in.
 */

import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { assert, never } from '../assert.ts';
import { compileFactTest, type FactTest } from './fact-test.ts';
import { factPath, factValues } from './fact-values.ts';
import { compileGlob, isGlobFault, plainOffsets } from './glob.ts';
import { type OperatorWords, wordValues } from './operator-words.ts';
import { compileRegex, isRegexFault } from './regex.ts';
import type { FactMatcher, RegexMatcher, TagMatcher, Target, TargetNode } from './target.ts';

/** Whether one peel is meant. */
export function matchTarget(target: Target, peel: PeelId, facts: WireMap, words: OperatorWords): boolean {
  return compileTarget(target, ONE_PEEL).test({ id: peel, facts, words });
}

/** The same for many peels, or the same peel many times. */
export function targetMatcher(
  target: Target,
): (peel: PeelId, facts: WireMap, words: OperatorWords) => boolean {
  const { test } = compileTarget(target, ONE_PEEL);
  return (id, facts, words) => test({ id, facts, words });
}

/** How matchers look at a subject of the caller's choice. */
export interface SubjectReader<S> {
  readonly idOf: (subject: S) => PeelId;
  readonly factTest: (matcher: FactMatcher) => (subject: S) => boolean;
  readonly tagTest: (matcher: TagMatcher) => (subject: S) => boolean;
  /** `test` takes an id; its answer is worth caching. */
  readonly regexTest: (matcher: RegexMatcher, test: (id: PeelId) => boolean) => (subject: S) => boolean;
}

export interface CompiledTarget<S> {
  readonly test: (subject: S) => boolean;
  /** What one test may cost at worst, in units of one plain comparison. */
  readonly cost: number;
}

interface OnePeel {
  readonly id: PeelId;
  readonly facts: WireMap;
  readonly words: OperatorWords;
}

const ONE_PEEL: SubjectReader<OnePeel> = {
  idOf: (subject) => subject.id,
  regexTest: (_, test) => (subject) => test(subject.id),
  factTest(matcher) {
    const path = factPath(matcher.path);
    const test = compileFactTest(matcher);
    return (subject) => {
      const values = factValues(subject, path);
      return values !== undefined && test(values);
    };
  },
  tagTest({ name, wanted }) {
    const test = tagTest(wanted);
    return ({ words }) => {
      const values = wordValues(words, name);
      return values !== undefined && test(values);
    };
  },
};

/** Of the values of a peel that has the tag. */
export function tagTest(wanted: TagMatcher['wanted']): FactTest {
  return wanted === undefined ? () => true : compileFactTest(wanted);
}

export function compileTarget<S>(target: Target, reader: SubjectReader<S>): CompiledTarget<S> {
  return compileNode(target.root, reader);
}

function compileNode<S>(node: TargetNode, reader: SubjectReader<S>): CompiledTarget<S> {
  switch (node.kind) {
    case 'glob': {
      const glob = compileGlob(withoutDots(node.pattern));
      assert(!isGlobFault(glob), 'a target was parsed with a malformed glob');
      return { test: (subject) => glob(reader.idOf(subject)), cost: globCost(node.pattern) };
    }
    case 'regex': {
      const regex = compileRegex(node.pattern);
      assert(!isRegexFault(regex), 'a target was parsed with a malformed regular expression');
      return { test: reader.regexTest(node, regex.test), cost: regex.instructions };
    }
    case 'list': {
      const peels = new Set(node.peels);
      return { test: (subject) => peels.has(reader.idOf(subject)), cost: 1 };
    }
    case 'fact':
      return { test: reader.factTest(node), cost: 1 };
    case 'tag':
      return { test: reader.tagTest(node), cost: 1 };
    case 'not': {
      const { test, cost } = compileNode(node.part, reader);
      return { test: (subject) => !test(subject), cost };
    }
    case 'and':
    case 'or':
      return combine(
        node.kind,
        node.parts.map((part) => compileNode(part, reader)),
      );
    default:
      return never(node);
  }
}

function combine<S>(kind: 'and' | 'or', parts: readonly CompiledTarget<S>[]): CompiledTarget<S> {
  const tests = [...parts].sort((a, b) => a.cost - b.cost).map((part) => part.test);
  const cost = parts.reduce((sum, part) => sum + part.cost, 0);
  // One part decides: for `or` the first that holds, for `and` the first that does not.
  const decisive = kind === 'or';
  const test = (subject: S): boolean => {
    for (const part of tests) if (part(subject) === decisive) return decisive;
    return !decisive;
  };
  return { test, cost };
}

/** One star is a comparison of the start and the end; several may try a place for every character. */
function globCost(pattern: string): number {
  return /\*[^*]+\*/.test(pattern) ? 4 : 1;
}

/** Ids have no dots: where a host name has one, they have `_`. A character class is taken as written. */
function withoutDots(pattern: string): string {
  const chars = [...pattern];
  for (const offset of plainOffsets(pattern)) if (chars[offset] === '.') chars[offset] = '_';
  return chars.join('');
}
