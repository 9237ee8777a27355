/**
 * A glyph is one sign for what became of a state, for eyes that run down the left edge. The word always stands beside
 * it.
 */
export type Glyphs = Readonly<Record<'unchanged' | 'changed' | 'failed' | 'skipped' | 'unknown', string>>;

export const UNICODE_GLYPHS: Glyphs = {
  unchanged: '✓',
  changed: '~',
  failed: '✗',
  skipped: '–',
  unknown: '?',
};

export const ASCII_GLYPHS: Glyphs = {
  unchanged: '.',
  changed: '~',
  failed: '!',
  skipped: '-',
  unknown: '?',
};

/** The text console of Linux has no font for check marks. */
const PLAIN_TERMINALS = ['linux', 'dumb'];

/** Unicode where the locale says that the terminal takes it, in the order in which POSIX reads it. */
export function glyphsFor(env: Readonly<Record<string, string | undefined>>): Glyphs {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  const isUtf8 = /utf-?8/i.test(locale) && !PLAIN_TERMINALS.includes(env.TERM ?? '');
  return isUtf8 ? UNICODE_GLYPHS : ASCII_GLYPHS;
}
