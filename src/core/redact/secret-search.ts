/**
 * `SecretSearch` finds all spellings of all secrets in a text, and says which ranges to hide. Ranges that overlap are one:
 * what begins inside of one secret and goes on behind it is hidden to its end. The pieces of one secret are one, too.
 *
 * Whoever shortens a text may cut a secret in two. So a part of one is found as well where a text was cut: its beginning before a
 * `…`, which is our mark for that, its end behind one, and its beginning at the end of a text, where some more characters of it must
 * be there. Pure.
 */
import { PATTERN_UNITS_MIN, type PatternMatch, PatternSearch } from './pattern-search.ts';
import { secretForms } from './secret-forms.ts';
import { withoutLineBreaks } from './without-line-breaks.ts';

const CUT = '…';
/** At the end of a text there may be any word that a secret happens to begin with. */
const CUT_UNITS_MIN = { atMark: PATTERN_UNITS_MIN, atEnd: 2 * PATTERN_UNITS_MIN };

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface HiddenRange extends TextRange {
  /** The secrets that it consists of, in the order in which they begin. */
  readonly paths: readonly string[];
}

export class SecretSearch {
  private readonly all: FormSearch;
  private readonly encoded: FormSearch;

  constructor(secrets: Iterable<readonly [path: string, value: string]>) {
    const written = new Map<string, string>();
    const encoded = new Map<string, string>();
    for (const [path, value] of secrets) {
      const forms = secretForms(value);
      for (const form of forms.written) if (!written.has(form)) written.set(form, path);
      for (const form of forms.encoded) if (!encoded.has(form)) encoded.set(form, path);
    }
    this.all = new FormSearch(new Map([...encoded, ...written]));
    this.encoded = new FormSearch(encoded);
  }

  /** In order, none touching a range of `kept` unless it goes beyond it. `isCut`: the text is known to go on behind its end. */
  find(text: string, kept: readonly TextRange[], isCut: boolean): readonly HiddenRange[] {
    const overLines = text.includes('\n') ? this.findOverLines(text) : [];
    const found = [...this.all.find(text), ...this.all.findCut(text, isCut), ...overLines];
    return found.length === 0 ? [] : merged(found.sort(byPlace), kept);
  }

  private findOverLines(text: string): readonly FoundForm[] {
    const joined = withoutLineBreaks(text);
    return this.encoded.find(joined.text).map(({ from, to, path }) => ({
      from: joined.placeOf(from),
      to: joined.placeOf(to - 1) + 1,
      path,
    }));
  }
}

interface FoundForm extends TextRange {
  readonly path: string;
}

class FormSearch {
  private readonly search: PatternSearch;
  private readonly pathOf: ReadonlyMap<string, string>;
  /** Made for the first text that has a mark. */
  private reversed: PatternSearch | undefined;

  constructor(pathOf: ReadonlyMap<string, string>) {
    this.pathOf = pathOf;
    this.search = new PatternSearch(pathOf.keys());
  }

  find(text: string): readonly FoundForm[] {
    return this.search.matches(text).map((match) => this.foundForm(match));
  }

  /** What is left of a form where the text was cut. */
  findCut(text: string, isCut: boolean): readonly FoundForm[] {
    const atEnd = isCut ? CUT_UNITS_MIN.atMark : CUT_UNITS_MIN.atEnd;
    const found = [this.search.beginningBefore(text, text.length, atEnd)];
    for (let at = text.indexOf(CUT); at >= 0; at = text.indexOf(CUT, at + 1)) {
      found.push(this.search.beginningBefore(text, at, CUT_UNITS_MIN.atMark));
      found.push(this.endBehind(text, at + CUT.length));
    }
    return found.flatMap((match) => (match === undefined ? [] : [this.foundForm(match)]));
  }

  /** The same as a beginning, seen from behind. */
  private endBehind(text: string, from: number): PatternMatch | undefined {
    this.reversed ??= new PatternSearch([...this.pathOf.keys()].map(reversedUnits));
    const behind = reversedUnits(text.slice(from, from + this.reversed.unitsMax));
    const match = this.reversed.beginningBefore(behind, behind.length, CUT_UNITS_MIN.atMark);
    if (match === undefined) return undefined;
    return { from, to: from + match.to - match.from, pattern: reversedUnits(match.pattern) };
  }

  private foundForm({ from, to, pattern }: PatternMatch): FoundForm {
    return { from, to, path: this.pathOf.get(pattern) ?? '' };
  }
}

function reversedUnits(text: string): string {
  return text.split('').reverse().join('');
}

/** The longer of two that begin together first. */
function byPlace(a: TextRange, b: TextRange): number {
  return a.from - b.from || b.to - a.to;
}

function merged(sorted: readonly FoundForm[], kept: readonly TextRange[]): readonly HiddenRange[] {
  const ranges: { from: number; to: number; paths: string[] }[] = [];
  let nextKept = 0;
  for (const { from, to, path } of sorted) {
    while ((kept[nextKept]?.to ?? Number.POSITIVE_INFINITY) <= from) nextKept++;
    const keeper = kept[nextKept];
    if (keeper !== undefined && keeper.from <= from && to <= keeper.to) continue;
    const last = ranges.at(-1);
    const isSame = last?.paths.at(-1) === path;
    if (last === undefined || from > last.to || (from === last.to && !isSame))
      ranges.push({ from, to, paths: [path] });
    else if (to > last.to) {
      last.to = to;
      if (!isSame) last.paths.push(path);
    }
  }
  return ranges;
}
