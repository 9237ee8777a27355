/** `editKeyValues` edits lines of a key, a separator and a value: `Port 22`, `key = value`. */
import { joinLines, splitLines } from './edit-text.ts';

export interface KeyValueRule {
  /** In the order in which missing ones are added. */
  readonly pairs: readonly (readonly [key: string, value: string])[];
  /** As it is written between them; more or less white space around it is the same. */
  readonly separator: string;
  /** A commented line of this mark is taken back where no line has the key. */
  readonly uncomment: string | undefined;
  readonly addMissing: boolean;
  readonly keyIgnoreCase: boolean;
  readonly valueIgnoreCase: boolean;
  /** How many lines of a key may stay, the first ones; undefined for all. */
  readonly countMax: number | undefined;
}

export function editKeyValues(text: string, rule: KeyValueRule): string {
  return rule.pairs.reduce((edited, [key, value]) => editPair(edited, key, value, rule), text);
}

function editPair(text: string, key: string, value: string, rule: KeyValueRule): string {
  const { lines, ended } = splitLines(text);
  const { uncomment, countMax = Number.POSITIVE_INFINITY } = rule;
  const written = `${key}${rule.separator}${value}`;
  let seen = 0;
  const edited = lines.flatMap((line) => {
    const found = valueIn(line, key, rule);
    if (found === undefined) return [line];
    if (++seen > countMax) return [];
    return [isSame(found, value, rule.valueIgnoreCase) ? line : `${indentOf(line)}${written}`];
  });
  if (seen > 0 || countMax === 0) return joinLines({ lines: edited, ended });
  const commented =
    uncomment === undefined ? -1 : lines.findIndex((line) => isCommented(line, key, uncomment, rule));
  if (commented >= 0) {
    const line = `${indentOf(lines[commented] ?? '')}${written}`;
    return joinLines({ lines: lines.with(commented, line), ended });
  }
  return rule.addMissing ? joinLines({ lines: [...lines, written], ended: true }) : text;
}

function isCommented(line: string, key: string, mark: string, rule: KeyValueRule): boolean {
  const bare = line.trimStart();
  return bare.startsWith(mark) && valueIn(bare.slice(mark.length), key, rule) !== undefined;
}

/** The value that the line gives to the key; undefined where it is about something else. */
function valueIn(line: string, key: string, { separator, keyIgnoreCase }: KeyValueRule): string | undefined {
  const bare = line.trimStart();
  if (!isSame(bare.slice(0, key.length), key, keyIgnoreCase)) return undefined;
  const rest = bare.slice(key.length);
  const mark = separator.trim();
  if (mark === '') return rest === '' || /^\s/.test(rest) ? rest.trim() : undefined;
  return rest.trimStart().startsWith(mark) ? rest.trimStart().slice(mark.length).trim() : undefined;
}

function isSame(found: string, wanted: string, ignoreCase: boolean): boolean {
  const [a, b] = [found.trim(), wanted.trim()];
  return ignoreCase ? a.toLowerCase() === b.toLowerCase() : a === b;
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}
