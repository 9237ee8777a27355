/**
 * These functions decide whether a pattern of a top file means this peel: the full target grammar (decision 16), and
 * what top files have said before: `role:web` alone is the fact, because no id has a colon.
 */

import type { WireMap } from '../../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../../wire/names/ids.ts';
import { isZesterError } from '../../errors/zester-error.ts';
import { matchTarget } from '../../target/match-target.ts';
import type { OperatorWords } from '../../target/operator-words.ts';
import { parseTarget } from '../../target/parse-target.ts';
import type { Target } from '../../target/target.ts';
import type { MatchPattern } from '../compile/compile-input.ts';

const BARE_FACT = /^[\w.-]+:\S+$/;

/** Throws a TARGET_… error. `type` is what `- match:` says, empty without it. */
export function parsePattern(pattern: string, type: string): Target {
  return parseTarget(pattern, type === '' && BARE_FACT.test(pattern) ? 'fact' : type);
}

/** For one peel, or why a pattern cannot be read. */
export function patternMatcher(peelId: PeelId, facts: WireMap, words: OperatorWords): MatchPattern {
  return (pattern, type) => {
    try {
      return matchPattern(parsePattern(pattern, type), peelId, facts, words);
    } catch (error) {
      if (!isZesterError(error)) throw error;
      return { message: error.message, hint: error.hint };
    }
  };
}

export function matchPattern(target: Target, peelId: PeelId, facts: WireMap, words: OperatorWords): boolean {
  return matchTarget(target, peelId, facts, words);
}
