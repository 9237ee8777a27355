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
