/** These are the methods of str that change or test upper and lower case. */
import { type Native, none } from '../native.ts';
import {
  foldPoint,
  isCased,
  isLower,
  isTitle,
  isUpper,
  lowerPoint,
  titlePoint,
  wordEnds,
} from './unicode.ts';

export const CASE_METHODS: Readonly<Record<string, Native<string>>> = {
  upper: none((text) => text.toUpperCase()),
  lower: none((text) => text.toLowerCase()),
  casefold: none((text) => (isAscii(text) ? text.toLowerCase() : [...text].map(foldPoint).join(''))),
  capitalize: none((text) => capitalize(text)),
  title: none((text) => title(text)),
  swapcase: none((text) => mapPoints(text, swapPoint)),
  isupper: none((text) => hasOnly(text, isUpper, (point) => isLower(point) || isTitle(point))),
  islower: none((text) => hasOnly(text, isLower, (point) => isUpper(point) || isTitle(point))),
  istitle: none((text) => isTitled(text)),
};

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

export function capitalize(text: string): string {
  const [first] = text;
  if (first === undefined) return '';
  // The rest is lowered as part of the whole text: whether a sigma is final depends on what stands before it.
  return titlePoint(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

function title(text: string): string {
  let inWord = false;
  return mapPoints(text, (point, isWordEnd) => {
    const changed = inWord ? lowerPoint(point, isWordEnd) : titlePoint(point);
    inWord = isCased(point);
    return changed;
  });
}

function swapPoint(point: string, isWordEnd: boolean): string {
  if (isUpper(point)) return lowerPoint(point, isWordEnd);
  return isLower(point) ? point.toUpperCase() : point;
}

/** Each code point, and whether a word ends with it, which only a capital sigma asks. */
function mapPoints(text: string, map: (point: string, isWordEnd: boolean) => string): string {
  const points = [...text];
  const ends = text.includes('Σ') ? wordEnds(points) : [];
  return points.map((point, index) => map(point, ends[index] === true)).join('');
}

function hasOnly(
  text: string,
  wanted: (point: string) => boolean,
  refused: (point: string) => boolean,
): boolean {
  let found = false;
  for (const point of text) {
    if (refused(point)) return false;
    found ||= wanted(point);
  }
  return found;
}

/** Capitals only after what has no case, small letters only after what has. */
function isTitled(text: string): boolean {
  let found = false;
  let inWord = false;
  for (const point of text) {
    const capital = isUpper(point) || isTitle(point);
    if (capital ? inWord : isLower(point) && !inWord) return false;
    inWord = capital || isLower(point);
    found ||= inWord;
  }
  return found;
}
