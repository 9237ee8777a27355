/**
 * A replacement is what `file.replace` puts where the pattern matched. Groups are written as Salt users write them,
 * `\1`, `\g<1>` and `\g<name>`, or as users of Go do, `$1`, `${1}` and `${name}`; a text that has the first form has no
 * second. A dollar that names no group of the pattern is a dollar: PATH=$PATH stays what it is. `\n`, `\t` and `\\` are
 * as in Python.
 */
import { type ZesterError, zesterError } from '../../../core/errors/zester-error.ts';
import type { RegexMatch } from '../../../core/regex/python-regex.ts';
import type { TextRegex } from '../../../core/regex/text-regex.ts';

export interface Replacement {
  /** Whether it takes something from the match, so that it means nothing without one. */
  readonly usesGroups: boolean;
  readonly forMatch: (match: RegexMatch) => string;
}

/** A text as it stands, or the number of a group. */
type Part = string | number;

const BACKSLASH_GROUP = /\\(?:[1-9]|g<)/;
/** `\g<name>`, `\12`, or a backslash before anything else. */
const BACKSLASHES = /\\g<([^>]*)>|\\([1-9]\d?)|\\(.?)/gs;
/** `${name}`, `$name`, `$$`, or a backslash before anything. */
const DOLLARS = /\$\{(\w+)\}|\$([1-9]\d?|[A-Za-z_]\w*)|(\$\$)|\\(.?)/gs;

/** Throws MODULE_BAD_ARGUMENTS. */
export function parseReplacement(text: string, regex: TextRegex): Replacement {
  const parts = BACKSLASH_GROUP.test(text)
    ? partsOf(text, BACKSLASHES, (_, name, number, escaped) => {
        const group = name ?? number;
        return group === undefined ? unescaped(escaped) : requiredGroup(group, regex);
      })
    : dollarParts(text, regex);
  return {
    usesGroups: parts.some((part) => typeof part === 'number'),
    forMatch: ({ groups }) =>
      parts.map((part) => (typeof part === 'number' ? (groups[part] ?? '') : part)).join(''),
  };
}

function dollarParts(text: string, regex: TextRegex): readonly Part[] {
  const namesGroup = [...text.matchAll(DOLLARS)].some(
    ([, braced, bare]) => groupNumber(braced ?? bare ?? '', regex) !== undefined,
  );
  return partsOf(text, DOLLARS, (whole, braced, bare, twice, escaped) => {
    const name = braced ?? bare;
    if (name !== undefined) return groupNumber(name, regex) ?? whole;
    if (twice !== undefined) return namesGroup ? '$' : whole;
    return unescaped(escaped);
  });
}

function partsOf(
  text: string,
  pattern: RegExp,
  part: (whole: string, ...captures: (string | undefined)[]) => Part,
): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    const [whole, ...captures] = found;
    parts.push(text.slice(end, found.index), part(whole, ...captures));
    end = found.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', '\\': '\\' };

/** A backslash before something that is no letter or digit is a backslash, as in Python. */
function unescaped(char = ''): string {
  const known = ESCAPES[char];
  if (known !== undefined) return known;
  if (/^[A-Za-z0-9]$/.test(char)) throw refused(`it has \\${char}, which means nothing; write \\\\${char}`);
  return `\\${char}`;
}

function groupNumber(name: string, { groupCount, groupNumbers }: TextRegex): number | undefined {
  if (!/^\d+$/.test(name)) return groupNumbers.get(name);
  return Number(name) <= groupCount ? Number(name) : undefined;
}

function requiredGroup(name: string, regex: TextRegex): number {
  const number = groupNumber(name, regex);
  if (number !== undefined) return number;
  throw refused(`the pattern has no group ${name}`);
}

function refused(problem: string): ZesterError {
  return zesterError('MODULE_BAD_ARGUMENTS', { function: 'file.replace', problems: `repl: ${problem}` });
}
