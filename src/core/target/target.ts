/**
 * These types are a target expression as data: parse-target.ts makes it, match-target.ts and resolve-target.ts evaluate
 * it. Columns count from 1 in the expression as it was typed.
 */
import type { PeelId } from '../../wire/names/ids.ts';

/** A parsed expression. Everything in it has been checked: matching cannot fail. */
export interface Target {
  readonly expression: string;
  readonly root: TargetNode;
}

export type TargetNode = Matcher | Combination | Negation;
export type Matcher = GlobMatcher | RegexMatcher | FactMatcher | TagMatcher | ListMatcher;

/** `web*`: the whole id. A dot stands for the `_` that ids have in its place. */
export interface GlobMatcher {
  readonly kind: 'glob';
  readonly column: number;
  readonly pattern: string;
}

/** `E@^web-\d+$`: RE2, found anywhere in the id. */
export interface RegexMatcher {
  readonly kind: 'regex';
  readonly column: number;
  readonly pattern: string;
}

/** `G@os.family:debian`, `G@cpu.count:>=4`. */
export interface FactMatcher {
  readonly kind: 'fact';
  readonly column: number;
  /** `I` is kept so that what was typed is printed back; it matches like `G`. */
  readonly prefix: 'G' | 'I';
  /** Keys from the outside in, joined by dots; none of them is empty. */
  readonly path: string;
  readonly operator: FactOperator;
  readonly value: string;
}

/** `T@role:web`, `T@role:!=web`; `T@role`: it has one. What operators say of the peel (operator-words.ts). */
export interface TagMatcher {
  readonly kind: 'tag';
  readonly column: number;
  /** Of the tag, or the path of a fact that an operator set. */
  readonly name: string;
  /** Undefined: any value will do. */
  readonly wanted: Pick<FactMatcher, 'operator' | 'value'> | undefined;
}

/** `=` is not written; it is what a value without an operator means. */
export type FactOperator = '=' | '!=' | '>' | '>=' | '<' | '<=';

/** Whether a value is a glob, as Salt's users expect. */
export function hasWildcards(operator: FactOperator, value: string): boolean {
  return (operator === '=' || operator === '!=') && /[*?]/.test(value);
}

/** `L@web-01,web-02`: exactly these. */
export interface ListMatcher {
  readonly kind: 'list';
  readonly column: number;
  readonly peels: readonly PeelId[];
}

/** `a and b and c` is one node of three parts. Never fewer than two. */
export interface Combination {
  readonly kind: 'and' | 'or';
  readonly column: number;
  readonly parts: readonly TargetNode[];
}

export interface Negation {
  readonly kind: 'not';
  readonly column: number;
  readonly part: TargetNode;
}

/** Over any of these an expression is refused with TARGET_TOO_LARGE. They bound what one evaluation of a peel costs. */
export const TARGET_CHARS_MAX = 262_144;
/** Words and parentheses. */
export const TOKENS_MAX = 4_096;
export const MATCHERS_MAX = 256;
/** Parentheses and `not` inside one another. */
export const NESTING_MAX = 64;
export const GLOB_CHARS_MAX = 256;
export const REGEX_CHARS_MAX = 512;
/** Compiled instructions of all regular expressions of one target together. */
export const REGEX_INSTRUCTIONS_MAX = 1_000;
/** Different facts and tags that one target looks at. */
export const FACT_PATHS_MAX = 32;
