/** These functions read the replacement text of Python's `re.sub`: `\1`, `\g<name>`, `\n` and the rest. */
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

const ESCAPE = /\\(?:g<([^>]*)>|(0[0-7]{0,2})|([0-3][0-7]{2})|([1-9][0-9]?)|([\s\S]?))/g;

/** What turns the groups of a match into the text that replaces it. A wrong escape is found before the first match. */
export function expandReplacement(template: string, regex: Regex): (groups: Groups) => string {
  const pieces: ((groups: Groups) => string)[] = [];
  let copied = 0;
  for (const match of template.matchAll(ESCAPE)) {
    const literal = template.slice(copied, match.index);
    if (literal !== '') pieces.push(() => literal);
    pieces.push(pieceOf(match, regex));
    copied = match.index + match[0].length;
  }
  const rest = template.slice(copied);
  return (groups) => pieces.map((piece) => piece(groups)).join('') + rest;
}

function pieceOf(match: RegExpExecArray, regex: Regex): (groups: Groups) => string {
  const [whole, name, zero, octal, number, letter] = match;
  if (name !== undefined) return groupText(groupNumber(name, regex), match.index + 3);
  const code = zero ?? octal;
  if (code !== undefined) {
    const text = String.fromCharCode(Number.parseInt(code, 8));
    return () => text;
  }
  if (number !== undefined) return groupText(Number(number), match.index + 1);
  const escaped = letter === undefined || letter === '' ? undefined : ESCAPES[letter];
  if (escaped !== undefined) return () => escaped;
  if (letter === undefined || letter === '' || /[A-Za-z]/.test(letter))
    throw new PythonError('error', `bad escape ${whole} at position ${match.index}`);
  return () => whole;
}

function groupNumber(name: string, regex: Regex): number {
  if (/^[0-9]+$/.test(name)) return Number(name);
  const number = regex.groupNumbers.get(name);
  if (number === undefined) throw new PythonError('IndexError', `unknown group name '${name}'`);
  return number;
}

function groupText(number: number, position: number): (groups: Groups) => string {
  return (groups) => {
    if (number >= groups.length)
      throw new PythonError('error', `invalid group reference ${number} at position ${position}`);
    return groups[number] ?? '';
  };
}
