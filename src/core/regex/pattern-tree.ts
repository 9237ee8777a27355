/** These types are the tree of a parsed regular expression: what of Python's syntax a linear-time engine can run. */
import type { CharacterSet } from './character-set.ts';

export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'place'; readonly place: PatternPlace }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly item: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  /** A capturing group; they are numbered from 1 in the order of their opening brackets. */
  | { readonly kind: 'group'; readonly item: PatternNode };

/** An assertion that takes no character. */
export type PatternPlace =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  /** The end of the text, or before a newline that ends it: Python's `$`. */
  | 'last-line-end'
  | 'boundary'
  | 'no-boundary'
  | 'ascii-boundary'
  | 'ascii-no-boundary';

export interface RegexFlags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  /** Whether `\w`, `\d`, `\s`, `\b` and the case of letters know ASCII only, as in Python's patterns of bytes. */
  readonly ascii?: boolean;
  /** Whether blanks and comments in the pattern mean nothing. */
  readonly verbose?: boolean;
}

export const NO_FLAGS: RegexFlags = { ignoreCase: false, multiline: false, dotAll: false };

export interface ParsedPattern {
  readonly root: PatternNode;
  readonly groupCount: number;
  readonly groupNumbers: ReadonlyMap<string, number>;
}

/** What is wrong with a pattern, or what it has that a linear-time engine cannot do. */
export class PatternFault extends Error {
  readonly problem: string;
  /** In the pattern, in code points. */
  readonly position: number;
  /** Whether Python would take the pattern. */
  readonly isBeyondUs: boolean;

  constructor(problem: string, position: number, isBeyondUs = false) {
    super(problem);
    this.problem = problem;
    this.position = position;
    this.isBeyondUs = isBeyondUs;
  }
}

/** A pattern that is right, and more than may be compiled. */
export class PatternTooLarge extends PatternFault {
  constructor(problem: string) {
    super(problem, 0, true);
  }
}

/** How many instructions the tree compiles to, so that `(x{30}){30}` is refused before anything works on it. */
export function instructionsOf(node: PatternNode): number {
  switch (node.kind) {
    case 'set':
    case 'place':
      return 1;
    case 'sequence':
      return sum(node.items);
    case 'choice':
      return sum(node.branches) + node.branches.length - 1;
    case 'group':
      return instructionsOf(node.item) + 2;
    case 'repeat': {
      const size = instructionsOf(node.item);
      const copies = Number.isFinite(node.max) ? node.max : Math.max(node.min, 1);
      const forks = Number.isFinite(node.max) ? node.max - node.min : 1;
      return size * copies + forks;
    }
  }
}

/** How often the innermost of nested repeats may repeat: 1,100 for `(?:a{100}){11}`. */
export function repeatCountOf(node: PatternNode): number {
  switch (node.kind) {
    case 'set':
    case 'place':
      return 1;
    case 'sequence':
      return mostRepeated(node.items);
    case 'choice':
      return mostRepeated(node.branches);
    case 'group':
      return repeatCountOf(node.item);
    case 'repeat': {
      const count = Number.isFinite(node.max) ? node.max : node.min;
      return Math.max(count, 1) * repeatCountOf(node.item);
    }
  }
}

function mostRepeated(nodes: readonly PatternNode[]): number {
  return nodes.reduce((most, node) => Math.max(most, repeatCountOf(node)), 1);
}

function sum(nodes: readonly PatternNode[]): number {
  return nodes.reduce((total, node) => total + instructionsOf(node), 0);
}

/** Whether it can match without taking a character. */
function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'place':
      return true;
    case 'sequence':
      return node.items.every(isNullable);
    case 'choice':
      return node.branches.some(isNullable);
    case 'group':
      return isNullable(node.item);
    case 'repeat':
      return node.min === 0 || isNullable(node.item);
  }
}

/** Whether a group is repeated as part of something that may be empty, as in `(a*)*`. */
export function repeatsEmptyGroup(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'place':
      return false;
    case 'sequence':
      return node.items.some(repeatsEmptyGroup);
    case 'choice':
      return node.branches.some(repeatsEmptyGroup);
    case 'group':
      return repeatsEmptyGroup(node.item);
    case 'repeat':
      return (node.max > 1 && isNullable(node.item) && hasGroup(node.item)) || repeatsEmptyGroup(node.item);
  }
}

function hasGroup(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'place':
      return false;
    case 'sequence':
      return node.items.some(hasGroup);
    case 'choice':
      return node.branches.some(hasGroup);
    case 'group':
      return true;
    case 'repeat':
      return hasGroup(node.item);
  }
}
