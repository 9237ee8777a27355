/** These functions read the replacement text of Python's `re.sub`: `\1`, `\g<name>`, `\n` and the rest. */

import { IDENTIFIER } from '../../../regex/character-classes.ts';
import { repr } from '../../values/print.ts';
import { PythonError, type Regex } from '../../values/value.ts';

/** The whole match, then its groups from the first on. */
type Groups = readonly [whole: string, ...groups: (string | undefined)[]];

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

const ESCAPE = /\\(?:(g)(?:(<)([^>]*)(>?))?|(0[0-7]{0,2}|[1-7][0-7]{2})|([1-9][0-9]?)|([\s\S]?))/gu;
const OCTAL_MAX = 0o377;

/** What turns the groups of a match into the text that replaces it. What is wrong is found before the first match. */
export function expandReplacement(template: string, regex: Regex): (groups: Groups) => string {
  const pieces: ((groups: Groups) => string)[] = [];
  let copied = 0;
  for (const match of template.matchAll(ESCAPE)) {
    const literal = template.slice(copied, match.index);
    if (literal !== '') pieces.push(() => literal);
    pieces.push(pieceOf(match, [...template.slice(0, match.index)].length, regex));
    copied = match.index + match[0].length;
  }
  const rest = template.slice(copied);
  return (groups) => pieces.map((piece) => piece(groups)).join('') + rest;
}

/** `position` counts code points. */
function pieceOf(match: RegExpExecArray, position: number, regex: Regex): (groups: Groups) => string {
  const [whole, isNamed, opens, name = '', closes, octal, number, letter] = match;
  if (isNamed !== undefined) {
    if (opens === undefined) throw wrong('missing <', position + 2);
    if (name === '') throw wrong('missing group name', position + 3);
    if (closes !== '>') throw wrong('missing >, unterminated name', position + 3);
    return groupText(groupNumber(name, position + 3, regex), position + 3, regex);
  }
  if (octal !== undefined) {
    const code = Number.parseInt(octal, 8);
    if (code > OCTAL_MAX) throw wrong(`octal escape value ${whole} outside of range 0-0o377`, position);
    return () => String.fromCharCode(code);
  }
  if (number !== undefined) return groupText(Number(number), position + 1, regex);
  if (letter === undefined || letter === '') throw wrong('bad escape (end of pattern)', position);
  const escaped = ESCAPES[letter];
  if (escaped !== undefined) return () => escaped;
  if (/[A-Za-z]/.test(letter)) throw wrong(`bad escape ${whole}`, position);
  return () => whole;
}

function groupNumber(name: string, position: number, regex: Regex): number {
  if (/^[0-9]+$/.test(name)) return Number(name);
  if (!IDENTIFIER.test(name)) throw wrong(`bad character in group name ${repr(name)}`, position);
  const number = regex.groupNumbers.get(name);
  if (number === undefined) throw new PythonError('IndexError', `unknown group name ${repr(name)}`);
  return number;
}

function groupText(number: number, position: number, regex: Regex): (groups: Groups) => string {
  if (number > regex.groupCount) throw wrong(`invalid group reference ${number}`, position);
  return (groups) => groups[number] ?? '';
}

function wrong(problem: string, position: number): PythonError {
  return new PythonError('error', `${problem} at position ${position}`);
}
