/**
 * Globs match as in fnmatch: `*`, `?`, `[a-z]`, `[!a-z]` (or `[^a-z]`); there is no escape character, `[*]` is a star.
 * The whole text must match. No regular expression is involved and nothing is tried twice for two stars: the cost is at
 * most pattern × text characters, whatever the pattern.
 */

export interface GlobOptions {
  /** The text comes in lower case; the pattern is read as if it did too. */
  readonly ignoreCase?: boolean;
}

/** What is wrong with a pattern; `offset` is where in it. */
export interface GlobFault {
  readonly offset: number;
  readonly problem: string;
}

/** One step of a pattern: a star, or what one character must be. */
type Step = typeof STAR | CharTest;
type CharTest = (code: number) => boolean;
const STAR = '*';

export type Glob = (text: string) => boolean;

/** The pattern as a predicate, or what is wrong with it. */
export function compileGlob(pattern: string, options: GlobOptions = {}): Glob | GlobFault {
  const steps: Step[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    if (char === '*') {
      if (steps.at(-1) !== STAR) steps.push(STAR);
    } else if (char === '?') {
      steps.push(anyCharacter);
    } else if (char === '[') {
      const end = classEnd(pattern, i);
      if (end === undefined) return { offset: i, problem: 'the `[` is never closed' };
      const ranges = classRanges(pattern.slice(i + 1, end));
      if (ranges === undefined) return { offset: i, problem: 'a range in `[…]` runs backwards' };
      steps.push(classTest(ranges, options.ignoreCase ?? false));
      i = end;
    } else {
      steps.push(literalTest(options.ignoreCase ? char.toLowerCase() : char));
    }
  }
  return withLiteralStart(pattern, options, (text) => matchesSteps(steps, text));
}

export function isGlobFault(glob: Glob | GlobFault): glob is GlobFault {
  return typeof glob !== 'function';
}

/** Offsets of the characters outside `[…]`, which stand for themselves unless they are `*` or `?`. */
export function* plainOffsets(pattern: string): Generator<number> {
  for (let i = 0; i < pattern.length; i++) {
    if (pattern.charAt(i) === '[') i = classEnd(pattern, i) ?? pattern.length;
    else yield i;
  }
}

/**
 * Walks both from the left. At a mismatch only the latest star takes one more character: an earlier star cannot help,
 * since everything up to the latest one already matched with the shortest text.
 */
function matchesSteps(steps: readonly Step[], text: string): boolean {
  let step = 0;
  let at = 0;
  let retryStep = -1;
  let retryAt = 0;
  while (at < text.length) {
    const test = steps[step];
    if (test === STAR) {
      retryStep = ++step;
      retryAt = at;
      if (step === steps.length) return true;
    } else if (test?.(text.charCodeAt(at))) {
      step++;
      at++;
    } else if (retryStep >= 0) {
      step = retryStep;
      at = ++retryAt;
    } else {
      return false;
    }
  }
  while (steps[step] === STAR) step++;
  return step === steps.length;
}

/** A fast path: most globs start with letters, and most ids with other ones. */
function withLiteralStart(pattern: string, options: GlobOptions, glob: Glob): Glob {
  const raw = /^[^*?[]*/.exec(pattern)?.[0] ?? '';
  const start = options.ignoreCase ? raw.toLowerCase() : raw;
  if (raw.length === pattern.length) return (text) => text === start;
  return start === '' ? glob : (text) => text.startsWith(start) && glob(text);
}

/** A `]` directly after the bracket or its negation is a member, as in fnmatch. */
function classEnd(pattern: string, open: number): number | undefined {
  const first = open + (isNegation(pattern.charAt(open + 1)) ? 2 : 1);
  const end = pattern.indexOf(']', first + 1);
  return end < 0 ? undefined : end;
}

interface ClassRanges {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

function classRanges(body: string): ClassRanges | undefined {
  const negated = isNegation(body.charAt(0));
  const ranges: [number, number][] = [];
  for (let i = negated ? 1 : 0; i < body.length; i++) {
    const from = body.charCodeAt(i);
    const isRange = body.charAt(i + 1) === '-' && i + 2 < body.length;
    const to = isRange ? body.charCodeAt(i + 2) : from;
    if (to < from) return undefined;
    ranges.push([from, to]);
    if (isRange) i += 2;
  }
  return { negated, ranges };
}

function isNegation(char: string): boolean {
  return char === '!' || char === '^';
}

function classTest({ negated, ranges }: ClassRanges, ignoreCase: boolean): CharTest {
  const has: CharTest = (code) => ranges.some(([from, to]) => code >= from && code <= to);
  if (!ignoreCase) return (code) => has(code) !== negated;
  return (code) => (has(code) || has(String.fromCharCode(code).toUpperCase().charCodeAt(0))) !== negated;
}

function literalTest(char: string): CharTest {
  const wanted = char.charCodeAt(0);
  return (code) => code === wanted;
}

const anyCharacter: CharTest = () => true;
