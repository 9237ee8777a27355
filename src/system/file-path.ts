/**
 * These functions handle paths as text. Linux names are bytes; ours are strings. A name that is valid UTF-8 is itself.
 * In any other name each byte from 0x80 up becomes a lone surrogate U+DC80..U+DCFF, as in Python's surrogateescape, so
 * that every name a directory holds can be listed, walked and removed.
 */
import { zesterError } from '../core/errors/zester-error.ts';

/** A path that may be handed to a system call, without slashes at its end: those would follow a link. */
export function checkedPath(path: string): string {
  const refuse = (reason: string) => zesterError('FILE_PATH_INVALID', { path: JSON.stringify(path), reason });
  if (!path.startsWith('/')) throw refuse('it is not absolute');
  if (path.includes('\0')) throw refuse('it holds a NUL character');
  if (hasForeignSurrogate(path)) throw refuse('it is not valid Unicode');
  const trimmed = path.replace(/\/+$/, '') || '/';
  // `.` and `..` at the end of a path: what it names has its name, and its parent, elsewhere.
  if (/\/\.\.?$/.test(trimmed)) throw refuse('it ends in . or ..');
  return trimmed;
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function inDirectory(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** What node:fs takes: the text, or its bytes where it stands for a name that is not UTF-8. */
export function nativePath(path: string): string | Buffer {
  if (!LONE_SURROGATE.test(path)) return path;
  return Buffer.concat([...path].map((char) => escapedByte(char) ?? Buffer.from(char)));
}

export function nameFromBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : ESCAPE_BASE + byte)).join('');
}

const ESCAPE_BASE = 0xdc00;
const LONE_SURROGATE = /\p{Surrogate}/u;

function escapedByte(char: string): Buffer | undefined {
  const byte = char.charCodeAt(0) - ESCAPE_BASE;
  return char.length === 1 && byte >= 0x80 && byte <= 0xff ? Buffer.of(byte) : undefined;
}

function hasForeignSurrogate(path: string): boolean {
  if (!LONE_SURROGATE.test(path)) return false;
  return [...path].some((char) => LONE_SURROGATE.test(char) && escapedByte(char) === undefined);
}
