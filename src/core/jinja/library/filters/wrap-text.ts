/**
 * `wrapText` is Python's `textwrap.wrap` for one line, as `wordwrap` uses it: tabs and other whitespace are kept as
 * they are, lines neither start (after the first) nor end with spaces. Lengths count code points.
 */

import { SPACE_CLASS, WORD_CLASS } from '../../../regex/character-classes.ts';
import { PythonError } from '../../values/value.ts';

export interface WrapOptions {
  readonly width: number;
  readonly breakLongWords: boolean;
  /** Whether a line may end after a hyphen within a word, */
  readonly partAtHyphens: boolean;
  /** and whether a word that is too long is cut there rather than anywhere. */
  readonly cutAtHyphens: boolean;
}

export function wrapText(line: string, options: WrapOptions): string[] {
  const pieces = options.partAtHyphens ? splitAtHyphens(line) : splitAtSpaces(line);
  const lines: string[] = [];
  let next = 0;
  /** How much of the next piece stands in lines already: a long word is not copied again for each of its lines. */
  let cutOff = 0;
  /** Where its last letter that is no blank ends. */
  let inkEnd = 0;
  while (next < pieces.length) {
    const isBlank = (cutOff === 0 ? endOfInk(pieces[next]) : inkEnd) <= cutOff;
    if (lines.length > 0 && isBlank) {
      next += 1;
      cutOff = 0;
    }
    const taken: string[][] = [];
    let room = options.width;
    for (
      let piece = pieces[next];
      piece !== undefined && piece.length - cutOff <= room;
      piece = pieces[next]
    ) {
      taken.push(cutOff === 0 ? piece : piece.slice(cutOff));
      room -= piece.length - cutOff;
      next += 1;
      cutOff = 0;
    }
    const long = pieces[next];
    if (long !== undefined && long.length - cutOff > options.width) {
      if (options.breakLongWords) {
        // Python counts with any number, but cuts only at whole ones.
        if (!Number.isInteger(room))
          throw new PythonError(
            'TypeError',
            'slice indices must be integers or None or have an __index__ method',
          );
        const start = long.slice(cutOff, cutOff + room);
        const cut = breakPoint(start, options.cutAtHyphens);
        taken.push(start.slice(0, cut));
        if (cutOff === 0) inkEnd = endOfInk(long);
        cutOff += cut;
      } else if (taken.length === 0) {
        taken.push(long);
        next += 1;
      }
    }
    if (endOfInk(taken.at(-1)) === 0) taken.pop();
    if (taken.length > 0) lines.push(taken.map((piece) => piece.join('')).join(''));
  }
  return lines;
}

/** After the last hyphen that fits and has something other than hyphens before it, else wherever the line is full. */
function breakPoint(start: readonly string[], atHyphens: boolean): number {
  const hyphen = atHyphens ? start.lastIndexOf('-') : -1;
  return hyphen > 0 && start.slice(0, hyphen).some((letter) => letter !== '-') ? hyphen + 1 : start.length;
}

const BLANK = new RegExp(`^[${SPACE_CLASS}]$`, 'u');

function endOfInk(piece: readonly string[] = []): number {
  let end = piece.length;
  while (end > 0 && BLANK.test(piece[end - 1] ?? '')) end -= 1;
  return end;
}

/** Only the six ASCII spaces part words. */
const BREAKING = /[\t-\r ]/;

/** Runs of spaces and runs of other letters. */
function splitAtSpaces(line: string): string[][] {
  const pieces: string[][] = [];
  let blank: boolean | undefined;
  for (const letter of line) {
    const letterIsBlank = BREAKING.test(letter);
    if (letterIsBlank !== blank) pieces.push([]);
    blank = letterIsBlank;
    pieces.at(-1)?.push(letter);
  }
  return pieces;
}

/** The same, and words are parted again after hyphens within them and around dashes of two hyphens and more. */
function splitAtHyphens(line: string): string[][] {
  const letters = [...line];
  const pieces: string[][] = [];
  let runEnd = 0;
  for (const run of splitAtSpaces(line)) {
    const runStart = runEnd;
    runEnd += run.length;
    if (BREAKING.test(run[0] ?? '')) {
      pieces.push(run);
      continue;
    }
    for (let start = runStart; start < runEnd; ) {
      const end = pieceEnd(letters, start, runEnd);
      pieces.push(letters.slice(start, end));
      start = end;
    }
  }
  return pieces;
}

function pieceEnd(letters: readonly string[], start: number, runEnd: number): number {
  const afterDash = dashEnd(letters, start);
  if (afterDash !== undefined) return afterDash;
  for (let end = start + 1; end < runEnd; end++) {
    if (isWordHyphen(letters, end)) return end + 1;
    if (dashEnd(letters, end) !== undefined) return end;
  }
  return runEnd;
}

const BEFORE_DASH = new RegExp(`^[${WORD_CLASS}!"'&.,?]$`, 'u');
const WORD_LETTER = new RegExp(`^[${WORD_CLASS}]$`, 'u');
/** A letter of a word that is no digit. */
const LETTER = /^[\p{L}\p{Nl}\p{No}_]$/u;

/** Where a dash between two words ends, if one starts here. */
function dashEnd(letters: readonly string[], at: number): number | undefined {
  if (letters[at] !== '-' || letters[at + 1] !== '-' || !BEFORE_DASH.test(letters[at - 1] ?? ''))
    return undefined;
  let end = at + 2;
  while (letters[end] === '-') end += 1;
  return WORD_LETTER.test(letters[end] ?? '') ? end : undefined;
}

/** A hyphen with two letters on both sides, where one more hyphen may stand between the two. */
function isWordHyphen(letters: readonly string[], at: number): boolean {
  if (letters[at] !== '-') return false;
  const isLetter = (index: number) => LETTER.test(letters[index] ?? '');
  const twoLetters = (near: number, step: 1 | -1) =>
    isLetter(near) && (isLetter(near + step) || (letters[near + step] === '-' && isLetter(near + 2 * step)));
  return twoLetters(at - 1, -1) && twoLetters(at + 1, 1);
}
