/**
 * The path of a secret says where in the settings it belongs, in one word: the keys from the outside in, with dots between
 * them, an item of a list by its number from 0, as in `users.0.password`. It is the name of the secret in placeholders,
 * sealed records and markers; so it has letters, digits and a few marks only, and any other character of a key is written
 * as `%` and two hexadecimal digits of its UTF-8. A key without letters is `%` alone.
 *
 * A path may name its file: `users.0.password@web/db.zy`. Two underlines never follow one another in a path, and none ends a
 * key: they end a placeholder. Pure.
 */

/** Any path, for a regular expression. */
export const SECRET_PATH_PATTERN = '(?:[-A-Za-z0-9.:/%@]|_(?!_))+';

const PLAIN = /[A-Za-z0-9:/-]/;
const EMPTY_KEY = '%';

export function secretPathOf(keys: readonly string[]): string {
  return keys.map((key) => (key === '' ? EMPTY_KEY : escaped(key, PLAIN))).join('.');
}

/** The same with the file that has it. */
export function secretPathIn(path: string, file: string): string {
  return `${path}@${escaped(file, /[A-Za-z0-9.:/-]/)}`;
}

/** The keys of a path that a person may have written: what need not be escaped is taken as it is. Undefined: none. */
export function keysOfSecretPath(path: string): readonly string[] | undefined {
  const keys = path.split('.').map((key) => (key === EMPTY_KEY ? '' : unescaped(key)));
  const isRight = path.split('.').every((key) => key !== '') && keys.every((key) => key !== undefined);
  return isRight ? (keys as readonly string[]) : undefined;
}

function escaped(text: string, plain: RegExp): string {
  let path = '';
  const bytes = new TextEncoder().encode(text);
  for (const [at, byte] of bytes.entries()) {
    const character = String.fromCharCode(byte);
    const isInnerUnderline = character === '_' && at + 1 < bytes.length && bytes[at + 1] !== byte;
    path +=
      plain.test(character) || isInnerUnderline
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return path;
}

function unescaped(key: string): string | undefined {
  try {
    return decodeURIComponent(key);
  } catch {
    // A % without two digits behind it, or bytes that are no UTF-8.
    return undefined;
  }
}
