/**
 * The matcher parser reads one word of an expression as a matcher: its prefix tells which, a word without one is a
 * glob. Prefixes are capitals, as in Salt; `g@` is refused with a hint rather than read as a glob that matches nobody.
 * The same holds for any character that no peel id has: an expression that cannot match is a mistake, and the person
 * who wrote it should hear of it.
 */
import { type PeelId, peelIdOfName } from '../../wire/names/ids.ts';
import { zesterError } from '../errors/zester-error.ts';
import { PatternTooLarge } from '../regex/pattern-tree.ts';
import { GRAINS } from '../states/template/grain-table.ts';
import { compileGlob, isGlobFault, plainOffsets } from './glob.ts';
import type { Word } from './lex-target.ts';
import { compileRegex, isRegexFault } from './regex.ts';
import {
  FACT_PATHS_MAX,
  type FactMatcher,
  type FactOperator,
  GLOB_CHARS_MAX,
  type GlobMatcher,
  hasWildcards,
  type ListMatcher,
  MATCHERS_MAX,
  type Matcher,
  REGEX_CHARS_MAX,
  REGEX_INSTRUCTIONS_MAX,
  type RegexMatcher,
  type TagMatcher,
} from './target.ts';
import { placeIn, quoted, tooLarge } from './target-error.ts';

/** Longest first: `>=` is no `>`. */
const OPERATORS: readonly Exclude<FactOperator, '='>[] = ['>=', '<=', '!=', '>', '<'];
const ID_CHAR = /[A-Za-z0-9_.*?-]/;

/** Parses the matchers of one expression and watches its limits. */
export class MatcherParser {
  private readonly expression: string;
  private readonly paths = new Set<string>();
  private matchers = 0;
  private instructions = 0;

  constructor(expression: string) {
    this.expression = expression;
  }

  parse(word: Word): Matcher {
    if (++this.matchers > MATCHERS_MAX)
      throw tooLarge(this.expression, word.column, { max: MATCHERS_MAX, what: 'matchers' });
    const prefix = /^([^\s@:*?[\]]*)@/.exec(word.text)?.[1];
    switch (prefix) {
      case undefined:
        return this.parseGlob(word);
      case 'E':
        return this.parseRegex(word, 2);
      case 'G':
      case 'I':
        return this.parseFact(word, 2, prefix);
      case 'T':
        return this.parseTag(word, 2);
      case 'L':
        return this.parseList(word, 2);
      default:
        throw this.unknownPrefix(word, prefix);
    }
  }

  parseGlob(word: Word): GlobMatcher {
    const pattern = word.text;
    this.checkGlob(word, 0);
    for (const offset of plainOffsets(pattern)) {
      const char = pattern.charAt(offset);
      if (ID_CHAR.test(char)) continue;
      const problem = `${quoted(char)} cannot be part of a peel id${adviceFor(char, pattern)}`;
      throw this.fault('TARGET_GLOB_INVALID', problem, word.columnOf(offset));
    }
    return { kind: 'glob', column: word.column, pattern };
  }

  /** `skip` characters of the word are its prefix. */
  parseRegex(word: Word, skip: number): RegexMatcher {
    const pattern = word.text.slice(skip);
    const { column } = word;
    if (pattern === '') throw this.regexFault('it is empty', column);
    if (pattern.length > REGEX_CHARS_MAX)
      throw tooLarge(this.expression, column, {
        max: REGEX_CHARS_MAX,
        what: 'characters in a regular expression',
      });
    const regex = compileRegex(pattern);
    if (isRegexFault(regex)) {
      if (regex.cause instanceof PatternTooLarge) throw this.tooManySteps(column);
      throw this.regexFault(regex.problem, word.columnOf(skip + regex.offset), regex.cause);
    }
    this.checkInstructions(regex.instructions, column);
    this.instructions += regex.instructions;
    return { kind: 'regex', column, pattern };
  }

  parseFact(word: Word, skip: number, prefix: 'G' | 'I'): FactMatcher {
    const { text, column } = word;
    const end = text.indexOf(':', skip);
    if (end < 0) throw this.fault('TARGET_FACT_INVALID', `${quoted(text)} has no \`:\` and value`, column);
    const { path, colon } = keyOf(text, skip, end);
    if (path.split('.').includes(''))
      throw this.fault('TARGET_FACT_INVALID', 'the key of the fact is empty or has an empty part', column);
    this.countPath(path, column);
    return { kind: 'fact', column, prefix, path, ...this.wantedAfter(word, colon, 'TARGET_FACT_INVALID') };
  }

  parseTag(word: Word, skip: number): TagMatcher {
    const { text, column } = word;
    const colon = text.indexOf(':', skip);
    const name = colon < 0 ? text.slice(skip) : text.slice(skip, colon);
    if (name.split('.').includes(''))
      throw this.fault('TARGET_TAG_INVALID', 'the name of the tag is empty or has an empty part', column);
    this.countPath(`T@${name}`, column);
    const wanted = colon < 0 ? undefined : this.wantedAfter(word, colon, 'TARGET_TAG_INVALID');
    return { kind: 'tag', column, name, wanted };
  }

  parseList(word: Word, skip: number): ListMatcher {
    const peels: PeelId[] = [];
    let offset = skip;
    for (const item of word.text.slice(skip).split(',')) {
      const name = item.trim();
      const peel = peelIdOfName(name);
      if (peel !== undefined) peels.push(peel);
      else if (name !== '')
        throw this.fault(
          'TARGET_LIST_INVALID',
          `${quoted(name)} cannot be the id of a peel`,
          word.columnOf(offset + item.indexOf(name)),
        );
      offset += item.length + 1;
    }
    if (peels.length === 0) throw this.fault('TARGET_LIST_INVALID', 'the list is empty', word.column);
    return { kind: 'list', column: word.column, peels };
  }

  /** What stands behind the colon of a fact or tag. */
  private wantedAfter(
    word: Word,
    colon: number,
    code: 'TARGET_FACT_INVALID' | 'TARGET_TAG_INVALID',
  ): Pick<FactMatcher, 'operator' | 'value'> {
    const { text, column } = word;
    const operator = OPERATORS.find((sign) => text.startsWith(sign, colon + 1)) ?? '=';
    const start = colon + 1 + (operator === '=' ? 0 : operator.length);
    const value = operator === '=' ? text.slice(start) : text.slice(start).trimStart();
    if (value === '' && !word.isQuoted)
      throw this.fault(code, `${quoted(text)} has no value; the empty one is \`""\``, column);
    if (hasWildcards(operator, value)) this.checkGlob(word, text.length - value.length);
    return { operator, value };
  }

  /** The text of the word from `skip` on must be a glob. */
  private checkGlob(word: Word, skip: number): void {
    const pattern = word.text.slice(skip);
    if (pattern === '') throw this.fault('TARGET_GLOB_INVALID', 'the pattern is empty', word.column);
    if (pattern.length > GLOB_CHARS_MAX)
      throw tooLarge(this.expression, word.column, { max: GLOB_CHARS_MAX, what: 'characters in a glob' });
    const glob = compileGlob(pattern);
    if (isGlobFault(glob))
      throw this.fault('TARGET_GLOB_INVALID', glob.problem, word.columnOf(skip + glob.offset));
  }

  private checkInstructions(instructions: number, column: number): void {
    if (this.instructions + instructions <= REGEX_INSTRUCTIONS_MAX) return;
    throw this.tooManySteps(column);
  }

  private tooManySteps(column: number): Error {
    return tooLarge(this.expression, column, {
      max: REGEX_INSTRUCTIONS_MAX,
      what: 'steps in its regular expressions',
    });
  }

  private countPath(path: string, column: number): void {
    this.paths.add(path);
    if (this.paths.size > FACT_PATHS_MAX)
      throw tooLarge(this.expression, column, { max: FACT_PATHS_MAX, what: 'different facts and tags' });
  }

  private unknownPrefix(word: Word, prefix: string): Error {
    const place = placeIn(this.expression, word.column);
    const suggestion = prefixAdvice(prefix);
    return zesterError(
      'TARGET_PREFIX_UNKNOWN',
      { prefix: quoted(`${prefix}@`), suggestion, excerpt: place.excerpt },
      place,
    );
  }

  private regexFault(problem: string, column: number, cause?: unknown): Error {
    const place = placeIn(this.expression, column);
    const options = cause === undefined ? place : { ...place, cause };
    return zesterError('TARGET_REGEX_INVALID', { problem, excerpt: place.excerpt }, options);
  }

  private fault(
    code: 'TARGET_GLOB_INVALID' | 'TARGET_FACT_INVALID' | 'TARGET_TAG_INVALID' | 'TARGET_LIST_INVALID',
    problem: string,
    column: number,
  ): Error {
    const place = placeIn(this.expression, column);
    return zesterError(code, { problem, excerpt: place.excerpt }, place);
  }
}

/** Salt's `ip4_interfaces:eth0:10.*` has a key of two parts; of all other keys the first colon is the end. */
function keyOf(text: string, skip: number, end: number): { readonly path: string; readonly colon: number } {
  const path = text.slice(skip, end);
  const second = GRAINS.get(path)?.isByInterface === true ? text.indexOf(':', end + 1) : -1;
  if (second < 0) return { path, colon: end };
  return { path: `${path}.${text.slice(end + 1, second)}`, colon: second };
}

function adviceFor(char: string, pattern: string): string {
  switch (char) {
    case ':':
      return `; did you mean ${quoted(`G@${pattern}`)}?`;
    case ',':
      return `; did you mean ${quoted(`L@${pattern}`)}?`;
    case '|':
      return '; did you mean `or`?';
    case '&':
      return '; did you mean `and`?';
    case '!':
      return '; did you mean `not`?';
    default:
      return '';
  }
}

/** What a prefix was meant to be, with the ones of Salt that Zester has no use for. */
const SALT_PREFIXES: Readonly<Record<string, string>> = {
  P: '; facts take wildcards, as in G@os.name:debian*',
  J: '; settings take wildcards, as in I@role:web*',
  S: '; match an address with G@default_ipv4:10.1.*',
  N: '; there are no node groups, give the peels a tag and write T@group:name',
  R: '; there are no ranges, use a glob or E@',
};

function prefixAdvice(prefix: string): string {
  const upper = prefix.toUpperCase();
  if (['E', 'G', 'I', 'L', 'T'].includes(upper)) return `; did you mean ${upper}@?`;
  return (Object.hasOwn(SALT_PREFIXES, upper) ? SALT_PREFIXES[upper] : undefined) ?? '';
}
