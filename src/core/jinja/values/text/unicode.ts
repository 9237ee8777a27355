/**
 * These are facts of Unicode that JavaScript does not know by itself: which characters are spaces, digits or numbers,
 * title case and case folding. Everything else comes from JavaScript's own tables, which may know newer characters than
 * Python's.
 */
import { SPACE_CLASS } from '../../../regex/character-classes.ts';

export const SPACE_RUN = new RegExp(`[${SPACE_CLASS}]+`);
export const LEADING_SPACE = new RegExp(`^[${SPACE_CLASS}]+`);
export const ALL_SPACE = new RegExp(`^[${SPACE_CLASS}]+$`);
export const ONE_SPACE = new RegExp(`^[${SPACE_CLASS}]$`);

/** Characters with the value of a digit that are no decimal digits: superscripts, circled digits and the like. */
const OTHER_DIGITS =
  '\\xb2\\xb3\\xb9\\u1369-\\u1371\\u19da\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u2474-\\u247c\\u2488-\\u2490' +
  '\\u24ea\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e\\u2780-\\u2788\\u278a-\\u2792\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}' +
  '\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}';
/** Ideographs that stand for numbers. */
const NUMBER_IDEOGRAPHS =
  '㐅㒃㠪㭍一七万三九二五世亿什仟仨伍佰億兆兩八六十千卄卅卌叁参參叄四壱壹幺廾廿弌弍弎弐拾捌柒漆玖百肆萬貮貳贰阡陆陌陸零' +
  '\\uf96b\\uf973\\uf978\\uf9b2\\uf9d1\\uf9d3\\uf9fd\\u{20001}\\u{20064}\\u{200e2}\\u{20121}\\u{2092a}\\u{20983}\\u{2098c}' +
  '\\u{2099c}\\u{20aea}\\u{20afd}\\u{20b19}\\u{22390}\\u{22998}\\u{23b1b}\\u{2626d}\\u{2f890}';

export const ALL_DECIMAL = /^\p{Nd}+$/u;
export const ALL_DIGIT = new RegExp(`^[\\p{Nd}${OTHER_DIGITS}]+$`, 'u');
export const ALL_NUMERIC = new RegExp(`^[\\p{N}${NUMBER_IDEOGRAPHS}]+$`, 'u');
export const ALL_ALPHA = /^\p{L}+$/u;
export const ALL_ALNUM = new RegExp(`^[\\p{L}\\p{N}${NUMBER_IDEOGRAPHS}]+$`, 'u');

/** `text.split()`: no empty words. */
export function splitWords(text: string): string[] {
  return text.split(SPACE_RUN).filter((word) => word !== '');
}

const CASED = /\p{Cased}/u;
const UPPERCASE = /\p{Uppercase}/u;
const LOWERCASE = /\p{Lowercase}/u;
const TITLECASE = /\p{Lt}/u;

export function isCased(point: string): boolean {
  return CASED.test(point);
}
export function isUpper(point: string): boolean {
  return UPPERCASE.test(point);
}
export function isLower(point: string): boolean {
  return LOWERCASE.test(point);
}
export function isTitle(point: string): boolean {
  return TITLECASE.test(point);
}

/** Two letters in one character have a third form for the start of a word. */
const TITLE_DIGRAPHS: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǅ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǈ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǋ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǲ: 'ǲ',
  ǳ: 'ǲ',
};
/** Ligatures: only the first letter becomes a capital. */
const LIGATURE = /^[\u00df\u0587\ufb00-\ufb06\ufb13-\ufb17]$/;
/** Georgian has capitals, but not at the start of a word. */
const GEORGIAN = /^[\u10d0-\u10fa\u10fd-\u10ff]$/;
const CAPITAL_IOTA = '\u0399';
const IOTA_SUBSCRIPT = '\u0345';

/** One code point as the first letter of a word. */
export function titlePoint(point: string): string {
  const digraph = TITLE_DIGRAPHS[point];
  if (digraph !== undefined) return digraph;
  if (GEORGIAN.test(point)) return point;
  const upper = point.toUpperCase();
  if (LIGATURE.test(point)) return upper.charAt(0) + upper.slice(1).toLowerCase();
  // The Greek iota below a letter stays below it, and joins it where there is a character for both.
  if (upper.length > 1 && upper.endsWith(CAPITAL_IOTA))
    return (upper.slice(0, -1) + IOTA_SUBSCRIPT).normalize('NFC');
  return upper;
}

/** The lower case of one code point; a sigma at the end of a word has a form of its own. */
export function lowerPoint(point: string, isWordEnd: boolean): string {
  if (point !== 'Σ') return point.toLowerCase();
  return isWordEnd ? 'ς' : 'σ';
}

const CASE_IGNORABLE = /\p{Case_Ignorable}/u;

/** For each code point whether a word ends with it: letters before it, none after it, but for accents and the like. */
export function wordEnds(points: readonly string[]): readonly boolean[] {
  const isAfterLetter = letterNextTo(points);
  const isBeforeLetter = letterNextTo(points.toReversed()).toReversed();
  return points.map((_, index) => isAfterLetter[index] === true && isBeforeLetter[index] === false);
}

function letterNextTo(points: readonly string[]): boolean[] {
  let isLetter = false;
  return points.map((point) => {
    const before = isLetter;
    isLetter = isCased(point) || (isLetter && CASE_IGNORABLE.test(point));
    return before;
  });
}

/** One code point as `casefold` has it. */
export function foldPoint(point: string): string {
  const code = point.codePointAt(0) ?? 0;
  if (code < 0x80) return point.toLowerCase();
  if (point === 'ı') return point;
  if (point === 'ẞ') return 'ss';
  // Cherokee got its small letters late, so that it folds to capitals.
  if (code >= 0x13a0 && code <= 0x13f5) return point;
  if (code >= 0x13f8 && code <= 0x13fd) return String.fromCodePoint(code - 8);
  if (code >= 0xab70 && code <= 0xabbf) return String.fromCodePoint(code - 0xab70 + 0x13a0);
  return [...point.toUpperCase()].map((upper) => upper.toLowerCase()).join('');
}
