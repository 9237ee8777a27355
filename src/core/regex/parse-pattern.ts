/**
 * `parsePythonPattern` reads a regular expression in the syntax of Python's `re` for text. What is wrong with one is said in
 * Python's words. What Python has and a linear-time engine cannot do (look-around, back-references, conditions,
 * possessive repeats, atomic groups) is refused.
 */
import { anyCharacter, characterSet } from './character-set.ts';
import { parseBrackets } from './parse-brackets.ts';
import { categoryOf, readEscape } from './parse-escape.ts';
import { isGlobalFlags, readFlags } from './parse-flags.ts';
import { PatternReader } from './pattern-reader.ts';
import {
  type ParsedPattern,
  PatternFault,
  type PatternNode,
  type PatternPlace,
  PatternTooLarge,
  type RegexFlags,
} from './pattern-tree.ts';

/** Flags at one place of a pattern. */
export interface PlaceFlags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly ascii: boolean;
  readonly verbose: boolean;
}

const DEPTH_MAX = 100;
/** What is longer and compiles to little has thousands of letters in brackets, or repeats something no times. */
const UNITS_MAX = 16_384;

/** Throws PatternFault. */
export function parsePythonPattern(pattern: string, flags: RegexFlags): ParsedPattern {
  if (pattern.length > UNITS_MAX) throw new PatternTooLarge('it is too large');
  const given: PlaceFlags = { ascii: false, verbose: false, ...flags };
  const parser = new PatternParser(new PatternReader(pattern), given);
  return parser.parse();
}

class PatternParser {
  private readonly reader: PatternReader;
  private globalFlags: PlaceFlags;
  private groupCount = 0;
  private readonly groupNumbers = new Map<string, number>();
  private readonly openGroups = new Set<number>();
  private depth = 0;

  constructor(reader: PatternReader, flags: PlaceFlags) {
    this.reader = reader;
    this.globalFlags = flags;
  }

  parse(): ParsedPattern {
    this.readGlobalFlags();
    const root = this.choice(this.globalFlags, true);
    if (this.reader.next !== undefined)
      throw new PatternFault('unbalanced parenthesis', this.reader.position);
    return { root, groupCount: this.groupCount, groupNumbers: this.groupNumbers };
  }

  /** `(?i)` and its kin at the start are for the whole pattern. */
  private readGlobalFlags(): void {
    for (;;) {
      if (this.globalFlags.verbose) this.reader.skipSpace();
      const { position } = this.reader;
      if (!isGlobalFlags(this.reader)) return;
      this.reader.skip(2);
      const read = readFlags(this.reader, this.globalFlags);
      if (!read.isGlobal) {
        this.reader.position = position;
        return;
      }
      this.globalFlags = read.flags;
    }
  }

  private choice(flags: PlaceFlags, isFirst = false): PatternNode {
    if (this.depth >= DEPTH_MAX)
      throw new PatternFault(`brackets are nested more than ${DEPTH_MAX} deep`, this.reader.position, true);
    this.depth += 1;
    const branches = [this.sequence(flags, isFirst)];
    while (this.reader.take('|')) branches.push(this.sequence(flags, false));
    this.depth -= 1;
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: 'choice', branches };
  }

  private sequence(flags: PlaceFlags, isFirst: boolean): PatternNode {
    const items: PatternNode[] = [];
    /** Whether the last item already has a repeat: `a**` is an error, `(?:a*)*` is none. */
    let isRepeated = false;
    for (;;) {
      if (flags.verbose) this.reader.skipSpace();
      const { position, next } = this.reader;
      if (next === undefined || next === '|' || next === ')') break;
      const repeat = this.repeat();
      if (repeat === undefined) {
        const item = this.item(flags, isFirst && items.length === 0);
        if (item === undefined) continue;
        items.push(item);
        isRepeated = false;
        continue;
      }
      const item = items.at(-1);
      if (item === undefined || item.kind === 'place') throw new PatternFault('nothing to repeat', position);
      if (isRepeated) throw new PatternFault('multiple repeat', position);
      if (this.reader.next === '+')
        throw beyond(position, 'possessive repeats', `${this.reader.since(position)}+`);
      items[items.length - 1] = { kind: 'repeat', item, ...repeat, lazy: this.reader.take('?') };
      isRepeated = true;
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items };
  }

  /** Undefined where none stands here; a brace that counts nothing is a letter. */
  private repeat(): { readonly min: number; readonly max: number } | undefined {
    const { reader } = this;
    if (reader.take('*')) return { min: 0, max: Infinity };
    if (reader.take('+')) return { min: 1, max: Infinity };
    if (reader.take('?')) return { min: 0, max: 1 };
    const { position } = reader;
    if (!reader.take('{')) return undefined;
    const low = reader.takeWhile(/[0-9]/);
    const high = reader.take(',') ? reader.takeWhile(/[0-9]/) : low;
    const isCount = reader.since(position) !== '{' && reader.take('}');
    if (!isCount) {
      reader.position = position;
      return undefined;
    }
    const min = Number(low);
    const max = high === '' ? Infinity : Number(high);
    if (max < min) throw new PatternFault('min repeat greater than max repeat', position + 1);
    return { min, max };
  }

  /** Undefined for what matches nothing by itself, such as a comment. */
  private item(flags: PlaceFlags, isFirst: boolean): PatternNode | undefined {
    const { reader } = this;
    const { position } = reader;
    const letter = reader.get();
    if (letter === '(') return this.bracket(position, flags, isFirst);
    if (letter === '[') return { kind: 'set', set: parseBrackets(reader, position, flags) };
    if (letter === '.') return { kind: 'set', set: anyCharacter(flags.dotAll) };
    if (letter === '^') return place(flags.multiline ? 'line-start' : 'text-start');
    if (letter === '$') return place(flags.multiline ? 'line-end' : 'last-line-end');
    if (letter === '\\') return this.escape(position, flags);
    return literal(letter.codePointAt(0) ?? 0, flags);
  }

  private escape(position: number, flags: PlaceFlags): PatternNode {
    const letter = this.reader.next ?? '';
    const where = PLACES[letter];
    if (where !== undefined) {
      this.reader.skip(1);
      const isBoundary = letter === 'b' || letter === 'B';
      return place(isBoundary && flags.ascii ? (`ascii-${where}` as PatternPlace) : where);
    }
    const category = categoryOf(letter, flags.ascii);
    if (category !== undefined) {
      this.reader.skip(1);
      return { kind: 'set', set: characterSet([], [category], false, flags) };
    }
    const read = readEscape(this.reader, position);
    if (read.kind === 'point') return literal(read.point, flags);
    if (read.group > this.groupCount)
      throw new PatternFault(`invalid group reference ${read.group}`, position + 1);
    if (this.openGroups.has(read.group)) throw new PatternFault('cannot refer to an open group', position);
    throw beyond(position, 'back-references', this.reader.since(position));
  }

  private bracket(start: number, flags: PlaceFlags, isFirst: boolean): PatternNode | undefined {
    const { reader } = this;
    if (!reader.take('?')) return this.group(start, flags, undefined);
    const letter = reader.next;
    if (letter === undefined) throw new PatternFault('unexpected end of pattern', reader.position);
    if (letter === 'P') return this.named(start, flags);
    if (letter === ':') {
      reader.skip(1);
      return this.grouped(start, flags);
    }
    if (letter === '#') {
      reader.takeWhile(/[^)]/);
      if (!reader.take(')')) throw new PatternFault('missing ), unterminated comment', start);
      return undefined;
    }
    if (letter === '=' || letter === '!') throw beyond(start, 'look-around', `(?${letter}`);
    if (letter === '<') {
      reader.skip(1);
      const sign = reader.next;
      if (sign === undefined) throw new PatternFault('unexpected end of pattern', reader.position);
      if (sign === '=' || sign === '!') throw beyond(start, 'look-around', `(?<${sign}`);
      throw new PatternFault(`unknown extension ?<${reader.token}`, start + 1);
    }
    if (letter === '(') throw beyond(start, 'conditions', '(?(');
    if (letter === '>') throw beyond(start, 'atomic groups', '(?>');
    if (!/[aiLmsux-]/.test(letter)) throw new PatternFault(`unknown extension ?${reader.token}`, start + 1);
    const read = readFlags(reader, flags);
    if (!read.isGlobal) return this.grouped(start, read.flags);
    if (!isFirst) throw new PatternFault('global flags not at the start of the expression', start);
    return undefined;
  }

  private named(start: number, flags: PlaceFlags): PatternNode {
    const { reader } = this;
    reader.skip(1);
    if (reader.take('<')) {
      const from = reader.position;
      const name = reader.takeName('>');
      const number = this.groupNumbers.get(name);
      if (number !== undefined)
        throw new PatternFault(
          `redefinition of group name '${name}' as group ${this.groupCount + 1}; was group ${number}`,
          from,
        );
      return this.group(start, flags, name);
    }
    if (reader.take('=')) {
      const from = reader.position;
      const name = reader.takeName(')');
      const number = this.groupNumbers.get(name);
      if (number === undefined) throw new PatternFault(`unknown group name '${name}'`, from);
      if (this.openGroups.has(number)) throw new PatternFault('cannot refer to an open group', from);
      throw beyond(start, 'back-references', reader.since(start));
    }
    const letter = reader.next;
    if (letter === undefined) throw new PatternFault('unexpected end of pattern', reader.position);
    throw new PatternFault(`unknown extension ?P${reader.token}`, start + 1);
  }

  private group(start: number, flags: PlaceFlags, name: string | undefined): PatternNode {
    this.groupCount += 1;
    const number = this.groupCount;
    if (name !== undefined) this.groupNumbers.set(name, number);
    this.openGroups.add(number);
    const item = this.grouped(start, flags);
    this.openGroups.delete(number);
    return { kind: 'group', item };
  }

  /** What stands up to the closing bracket. */
  private grouped(start: number, flags: PlaceFlags): PatternNode {
    const item = this.choice(flags);
    if (!this.reader.take(')')) throw new PatternFault('missing ), unterminated subpattern', start);
    // A place in brackets may be repeated, a bare one may not.
    return item.kind === 'place' || item.kind === 'repeat' ? { kind: 'sequence', items: [item] } : item;
  }
}

const PLACES: Readonly<Record<string, PatternPlace>> = {
  A: 'text-start',
  Z: 'text-end',
  b: 'boundary',
  B: 'no-boundary',
};

function place(where: PatternPlace): PatternNode {
  return { kind: 'place', place: where };
}

function literal(point: number, flags: PlaceFlags): PatternNode {
  return { kind: 'set', set: characterSet([{ from: point, to: point }], [], false, flags) };
}

function beyond(position: number, what: string, text: string): PatternFault {
  return new PatternFault(`RE2 has no ${what} (\`${text}\`)`, position, true);
}
