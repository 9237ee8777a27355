/**
 * A PythonRegex finds what Python's `re` finds, and runs on RE2: no backtracking, so that no pattern and no text can stop
 * a run (decision 14). Where RE2 could only give another answer than Python, it throws a PatternFault.
 */
import { type Matcher, RE2JS } from 're2js';
import { Alphabet, type AlphabetNeeds, type EncodedText } from './alphabet.ts';
import type { CharacterSet } from './character-set.ts';
import { parsePythonPattern } from './parse-pattern.ts';
import {
  instructionsOf,
  type ParsedPattern,
  PatternFault,
  type PatternNode,
  type PatternPlace,
  PatternTooLarge,
  type RegexFlags,
  repeatsAtMost,
  repeatsEmptyGroup,
} from './pattern-tree.ts';

export interface RegexMatch {
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The whole match first; undefined for a group that took no part. */
  readonly groups: readonly [whole: string, ...groups: (string | undefined)[]];
}

export interface RegexOptions extends RegexFlags {
  /** Refused where it compiles to more. */
  readonly instructionsMax: number;
  /** Whether a match must begin where the text does, as of Python's `match`. */
  readonly atStart?: boolean;
}

/** What an alphabet remembers of the texts before, so that a pattern that is kept does not grow with every text. */
const CHARACTERS_KEPT_MAX = 4_096;
/** RE2 counts no further, nested repeats multiplied. */
const REPEAT_MAX = 1_000;

/** The pattern for RE2, over the symbols that an alphabet had when it was compiled. */
interface Program {
  readonly program: RE2JS;
  readonly alphabet: Alphabet;
  readonly size: number;
  /** Made when it is asked for. */
  longest: RE2JS | undefined;
}

export class PythonRegex {
  readonly groupCount: number;
  readonly groupNumbers: ReadonlyMap<string, number>;
  private readonly root: PatternNode;
  private readonly places: ReadonlySet<PatternPlace>;
  private readonly needs: AlphabetNeeds;
  private alphabet: Alphabet;
  private readonly isUnsureOfGroups: boolean;
  private compiled: Program | undefined;

  /** Throws PatternFault. */
  constructor(pattern: string, options: RegexOptions) {
    const { root, groupCount, groupNumbers }: ParsedPattern = parsePythonPattern(pattern, options);
    if (instructionsOf(root) > options.instructionsMax) throw new PatternTooLarge('it is too large');
    if (!repeatsAtMost(REPEAT_MAX, root))
      throw new PatternTooLarge(`it repeats something more than ${REPEAT_MAX} times`);
    this.root =
      options.atStart === true
        ? { kind: 'sequence', items: [{ kind: 'place', place: 'text-start' }, root] }
        : root;
    this.groupCount = groupCount;
    this.groupNumbers = groupNumbers;
    const found = leavesOf(root);
    this.places = found.places;
    this.isUnsureOfGroups = repeatsEmptyGroup(root);
    this.needs = needsOf(found.sets, found.places);
    this.alphabet = new Alphabet(this.needs);
    this.program();
  }

  /** Size of the program: what one character of text may cost. */
  get instructions(): number {
    return this.program().program.programSize();
  }

  /** Whether it occurs anywhere. */
  test(text: string): boolean {
    if (this.isNowhere(text)) return this.matches(text).next().done !== true;
    const { symbols } = this.encode(text);
    return this.program().program.test(symbols);
  }

  /** From the start, not overlapping, as Python's `finditer`. */
  *matches(text: string): Generator<RegexMatch, void> {
    if (this.isUnsureOfGroups)
      throw new PatternFault('it repeats a group that may be empty, which RE2 fills differently', 0, true);
    const encoded = this.encode(text);
    const current = this.program();
    const program = this.isNowhere(text) ? this.compile(true) : current.program;
    const matcher = program.matcher(encoded.symbols);
    for (let from = 0; from <= encoded.symbols.length; ) {
      if (!matcher.find(from)) return;
      const start = matcher.start();
      const end = matcher.end();
      yield matchOf(matcher, text, encoded);
      from = end;
      if (end > start) continue;
      this.checkOnlyEmpty(current, encoded.symbols, start);
      from += 1;
    }
  }

  /** Python finds `\B` nowhere in an empty text. */
  private isNowhere(text: string): boolean {
    return text === '' && (this.places.has('no-boundary') || this.places.has('ascii-no-boundary'));
  }

  /**
   * After an empty match Python looks at the same place for the next match that is not empty, however low its rank. RE2
   * cannot be asked for that; a longest match tells whether there is one.
   */
  private checkOnlyEmpty(current: Program, symbols: string, at: number): void {
    current.longest ??= RE2JS.compile(sourceOf(this.root, current.alphabet, false), RE2JS.LONGEST_MATCH);
    const matcher = current.longest.matcher(symbols);
    if (matcher.find(at) && matcher.end() > at)
      throw new PatternFault(
        'it prefers an empty match to a longer one, which RE2 cannot search for again',
        0,
        true,
      );
  }

  /** What is found depends on the text alone: where texts before took symbols that this one needs, they are forgotten. */
  private encode(text: string): EncodedText {
    if (this.alphabet.characters <= CHARACTERS_KEPT_MAX)
      try {
        return this.alphabet.encode(text);
      } catch (error) {
        if (!(error instanceof PatternFault)) throw error;
      }
    this.alphabet = new Alphabet(this.needs);
    return this.alphabet.encode(text);
  }

  /** The program, compiled again where a text brought a new symbol. */
  private program(): Program {
    const { alphabet } = this;
    if (this.compiled?.alphabet !== alphabet || this.compiled.size !== alphabet.size)
      this.compiled = { program: this.compile(false), alphabet, size: alphabet.size, longest: undefined };
    return this.compiled;
  }

  private compile(isTextEmpty: boolean): RE2JS {
    return RE2JS.compile(sourceOf(this.root, this.alphabet, isTextEmpty));
  }
}

/** Throws PatternFault where a pattern means two things by a newline, or by a letter. */
function needsOf(sets: ReadonlyMap<string, CharacterSet>, places: ReadonlySet<PatternPlace>): AlphabetNeeds {
  const asksLines = places.has('line-start') || places.has('line-end');
  const asksLast = places.has('last-line-end');
  if (asksLines && asksLast)
    throw new PatternFault('`$` stands both for the end of a line and for that of the text', 0, true);
  const asksAscii = places.has('ascii-boundary') || places.has('ascii-no-boundary');
  const asksUnicode = places.has('boundary') || places.has('no-boundary');
  if (asksAscii && asksUnicode)
    throw new PatternFault('`\\b` stands both for words of ASCII and of Unicode', 0, true);
  return {
    sets: [...sets.values()],
    words: asksAscii ? 'ascii' : asksUnicode ? 'unicode' : 'unasked',
    newlines: asksLines ? 'all' : asksLast ? 'last' : 'unasked',
  };
}

interface Leaves {
  readonly sets: Map<string, CharacterSet>;
  readonly places: Set<PatternPlace>;
}

function leavesOf(root: PatternNode, leaves: Leaves = { sets: new Map(), places: new Set() }): Leaves {
  switch (root.kind) {
    case 'set':
      leaves.sets.set(root.set.key, root.set);
      break;
    case 'place':
      leaves.places.add(root.place);
      break;
    case 'sequence':
      for (const item of root.items) leavesOf(item, leaves);
      break;
    case 'choice':
      for (const branch of root.branches) leavesOf(branch, leaves);
      break;
    case 'repeat':
    case 'group':
      leavesOf(root.item, leaves);
  }
  return leaves;
}

const NOTHING = '[^\\x00-\\x{10FFFF}]';

const PLACE_SOURCES: Readonly<Record<PatternPlace, string>> = {
  'text-start': '\\A',
  'text-end': '\\z',
  'line-start': '(?m:^)',
  'line-end': '(?m:$)',
  'last-line-end': '(?m:$)',
  boundary: '\\b',
  'no-boundary': '\\B',
  'ascii-boundary': '\\b',
  'ascii-no-boundary': '\\B',
};

/** The pattern for RE2, over the symbols of the alphabet. */
function sourceOf(node: PatternNode, alphabet: Alphabet, isTextEmpty: boolean): string {
  const below = (inner: PatternNode): string => sourceOf(inner, alphabet, isTextEmpty);
  switch (node.kind) {
    case 'set':
      return classOf(alphabet.symbolsOf(node.set));
    case 'place':
      return isTextEmpty && node.place.endsWith('no-boundary') ? NOTHING : PLACE_SOURCES[node.place];
    case 'sequence':
      return node.items.map((item) => (item.kind === 'choice' ? `(?:${below(item)})` : below(item))).join('');
    case 'choice':
      return node.branches.map(below).join('|');
    case 'group':
      return `(${below(node.item)})`;
    case 'repeat':
      return `(?:${below(node.item)})${countOf(node.min, node.max)}${node.lazy ? '?' : ''}`;
  }
}

function countOf(min: number, max: number): string {
  return max === Infinity ? `{${min},}` : `{${min},${max}}`;
}

function classOf(symbols: readonly string[]): string {
  if (symbols.length === 0) return NOTHING;
  const codes = symbols.map((symbol) => symbol.charCodeAt(0)).sort((a, b) => a - b);
  let source = '';
  for (let i = 0; i < codes.length; ) {
    let last = i;
    while (codes[last + 1] === (codes[last] ?? 0) + 1) last += 1;
    source += i === last ? hex(codes[i]) : `${hex(codes[i])}-${hex(codes[last])}`;
    i = last + 1;
  }
  return `[${source}]`;
}

function hex(code = 0): string {
  return `\\x{${code.toString(16)}}`;
}

function matchOf(matcher: Matcher, text: string, { offsets }: EncodedText): RegexMatch {
  const offset = (position: number): number => (offsets === undefined ? position : (offsets[position] ?? 0));
  const start = offset(matcher.start());
  const end = offset(matcher.end());
  const groups: (string | undefined)[] = [];
  for (let group = 1; group <= matcher.groupCount(); group++)
    groups.push(
      matcher.start(group) < 0
        ? undefined
        : text.slice(offset(matcher.start(group)), offset(matcher.end(group))),
    );
  return { start, end, groups: [text.slice(start, end), ...groups] };
}
