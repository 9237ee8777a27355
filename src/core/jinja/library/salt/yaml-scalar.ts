/** These functions write one YAML scalar as PyYAML writes it; whole documents are for the host. */

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\xa0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** In double quotes, ASCII only. */
export function doubleQuoted(text: string): string {
  return `"${text.replace(/["\\]|[^\x20-\x7e]/gu, (point) => `\\${ESCAPES[point] ?? hexEscape(point)}`)}"`;
}

/** Columns after which libyaml breaks a line at the next blank, and how far in the next line starts. */
const WIDTH = 80;
const NEXT_LINE = '\n  ';
/** What libyaml escapes even where Unicode is allowed: line breaks, and everything beyond the BMP. */
const LIBYAML_ESCAPED =
  /["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]|[\u{10000}-\u{10ffff}]/u;

/** A text alone in double quotes, as libyaml writes it for Salt: folded at blanks, letters as they are. */
export function libyamlQuoted(text: string): string {
  const points = [...text];
  let written = '"';
  let column = 1;
  let afterBlank = false;
  points.forEach((point, index) => {
    const isBlank = point === ' ';
    if (isBlank && !afterBlank && column > WIDTH && index > 0 && index < points.length - 1) {
      const start = points[index + 1] === ' ' ? '\\' : '';
      written += NEXT_LINE + start;
      column = NEXT_LINE.length - 1 + start.length;
    } else {
      const part = LIBYAML_ESCAPED.test(point) ? `\\${ESCAPES[point] ?? hexEscape(point)}` : point;
      written += part;
      column += part.length;
    }
    afterBlank = isBlank;
  });
  return `${written}"`;
}

function hexEscape(point: string): string {
  const code = point.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `u${hex.padStart(4, '0')}` : `U${hex.padStart(8, '0')}`;
}

/** In single quotes a line break folds into a space, so that one more is written; nothing else can be escaped. */
export function singleQuoted(text: string): string {
  const folded = text.replace(/[\n\x85\u2028\u2029]+/g, (breaks) =>
    breaks.startsWith('\n') ? `\n${breaks}` : breaks,
  );
  return `'${folded.replaceAll("'", "''")}'`;
}
