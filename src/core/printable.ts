/**
 * Foreign text is made harmless here, in one place, before it is printed. Facts, heartbeats, returns and errors are a
 * stranger's words: an escape moves the cursor, a newline forges a line of ours, a bidi mark turns what we wrote
 * around, a long name pads every row.
 *
 *   printableLine   text inside a line of ours: one line, bounded, no character that a terminal obeys
 *   printableText   text on lines of its own, which the caller indents: keeps newlines and tabs. Without a bound for its
 *                   lines it is as long as it came: an answer that was asked for, bounded by the message that brought it
 *   printableJson   data: the value is kept, the characters are written as escapes
 */

/**
 * Control (C0, C1, DEL), format (bidi marks, zero width, tags), line and paragraph separators, half characters; and
 * U+2065, which has no category yet but stands among the bidi marks and is not shown.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u2065]/gu;
const UNPRINTABLE_BUT_LAYOUT = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u2065]/gu;
const SPACES = /[\t-\r\u0085\u2028\u2029]/g;

/** A longer text in a line of ours is cut and ends in `…`. */
export const LINE_CHARS_MAX = 1_000;

/** One character for each that came, so that a caret below it stays under its place. */
export function printableLine(text: string, charsMax: number = LINE_CHARS_MAX): string {
  return cutTo(text, charsMax).replace(SPACES, ' ').replace(UNPRINTABLE, questionMarks);
}

export function printableText(text: string, lineCharsMax = Number.POSITIVE_INFINITY): string {
  // Cut first: the cut may leave half of a character, which is replaced then.
  const short =
    text.length <= lineCharsMax
      ? text
      : text
          .split('\n')
          .map((line) => cutTo(line, lineCharsMax))
          .join('\n');
  return short.replace(UNPRINTABLE_BUT_LAYOUT, questionMarks);
}

export function printableJson(value: unknown, indent?: number): string {
  // What JSON itself leaves raw stands inside of strings: the only control character outside is our newline.
  return JSON.stringify(value, undefined, indent).replace(UNPRINTABLE_BUT_LAYOUT, (odd) =>
    odd
      .split('')
      .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
      .join(''),
  );
}

/** Whether a text has a character that must not reach a terminal as it is. Newlines and tabs are layout. */
export function hasUnprintable(text: string): boolean {
  return text.search(UNPRINTABLE_BUT_LAYOUT) >= 0;
}

/** The same escapes as YAML spells them, for a text in which such characters stand between double quotes only. */
export function escapedInYaml(yaml: string): string {
  return yaml.replace(UNPRINTABLE_BUT_LAYOUT, (odd) => {
    const point = odd.codePointAt(0) ?? 0;
    return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
  });
}

function cutTo(text: string, charsMax: number): string {
  return text.length > charsMax ? `${text.slice(0, charsMax - 1)}…` : text;
}

function questionMarks(odd: string): string {
  return '?'.repeat(odd.length);
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}
