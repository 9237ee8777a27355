/** These are the classes of Python's `\s` and `\w`, and its identifiers, for JavaScript's expressions. */

/** Python's `\s` as the inside of a character class. JavaScript's has U+FEFF and lacks U+001C to U+001F and U+0085. */
export const SPACE_CLASS =
  '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
/** Python's `\w`, likewise, for expressions with the flag `u`. JavaScript's knows only ASCII. */
export const WORD_CLASS = '\\p{L}\\p{N}_';
export const IDENTIFIER = /^[_\p{XIDS}]\p{XIDC}*$/u;
