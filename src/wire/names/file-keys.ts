/**
 * File keys are the paths of published files as keys of a bucket, and back. A key allows fewer characters than a path
 * does, so every other byte of the path is written as `=` and two hexadecimal digits, `=` itself too. Ordinary paths stay
 * as they are: `web/init.zy`.
 *
 * The bytes are those of the name on disk. A name that is not UTF-8 comes from the system port with each byte from 0x80
 * up as a lone surrogate U+DC80..U+DCFF; its key holds that byte, and gives the same text back.
 *
 * One path has one key and one key has one path: a text that the system port would not give for its bytes is no path, and
 * a key that nobody would have made of a path is no file key. So the keys of the protocol (`_manifest`, `_revision`,
 * `_spread`) can never be files.
 */
import { MANIFEST_KEY, REVISION_KEY, SPREAD_KEY } from './keys.ts';

/** Longest file key: with bucket and prefix, and the question for it before them, still a subject of ours. */
export const FILE_KEY_CHARS_MAX = 900;
/** Keys of a file set that are no files. */
export const PROTOCOL_KEYS: readonly string[] = [MANIFEST_KEY, REVISION_KEY, SPREAD_KEY];

/** Most paths, and most keys: path and key are the same. */
const PLAIN_PATH = /^[-_a-zA-Z0-9]+(?:[./][-_a-zA-Z0-9]+)*$/;
const PLAIN_BYTE = /[-/_a-zA-Z0-9]/;
const DOT = 0x2e;
/** Where the raw bytes of a name that is not UTF-8 begin among the surrogates. */
const RAW_BYTE_BASE = 0xdc00;
const LONE_SURROGATE = /\p{Surrogate}/u;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined for what is no path inside a tree, and for one that is too long for a key. */
export function fileKeyOf(path: string): string | undefined {
  if (isPlain(path)) return path;
  if (!isTreePath(path)) return undefined;
  const bytes = bytesOfPath(path);
  let key = '';
  for (const [index, byte] of bytes.entries()) {
    const char = String.fromCharCode(byte);
    // A dot parts the tokens of a subject: none of them may be empty.
    const isOwn = byte === DOT ? isInnerDot(bytes, index) : PLAIN_BYTE.test(char);
    key += isOwn && !(index === 0 && PROTOCOL_KEYS.includes(path)) ? char : escaped(byte);
  }
  return key.length > FILE_KEY_CHARS_MAX ? undefined : key;
}

/** Undefined for a key that is no file's. */
export function pathOfFileKey(key: string): string | undefined {
  if (isPlain(key)) return key;
  if (key.length > FILE_KEY_CHARS_MAX || !/^(?:[-/_.a-zA-Z0-9]|=[0-9A-F]{2})+$/.test(key)) return undefined;
  const bytes: number[] = [];
  for (let at = 0; at < key.length; at++) {
    const isEscape = key[at] === '=';
    bytes.push(isEscape ? Number.parseInt(key.slice(at + 1, at + 3), 16) : key.charCodeAt(at));
    if (isEscape) at += 2;
  }
  const path = pathOfBytes(Uint8Array.from(bytes));
  return fileKeyOf(path) === key ? path : undefined;
}

/** Relative, with `/` between its parts, never outside of the tree, and spelled as the system port spells it. */
export function isTreePath(path: string): boolean {
  if (path === '' || path.includes('\0')) return false;
  if (!path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')) return false;
  return !LONE_SURROGATE.test(path) || pathOfBytes(bytesOfPath(path)) === path;
}

function isPlain(text: string): boolean {
  return text.length <= FILE_KEY_CHARS_MAX && PLAIN_PATH.test(text) && !PROTOCOL_KEYS.includes(text);
}

function bytesOfPath(path: string): Uint8Array {
  if (!LONE_SURROGATE.test(path)) return encoder.encode(path);
  return Uint8Array.from([...path].flatMap((char) => rawByte(char) ?? [...encoder.encode(char)]));
}

function rawByte(char: string): number | undefined {
  const byte = char.charCodeAt(0) - RAW_BYTE_BASE;
  return char.length === 1 && byte >= 0x80 && byte <= 0xff ? byte : undefined;
}

/** Each part for itself, as a directory lists it: one that is not UTF-8 does not spoil the others. */
function pathOfBytes(bytes: Uint8Array): string {
  const text = decodedText(bytes);
  if (text !== undefined) return text;
  const parts: string[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const slash = bytes.indexOf(0x2f, start);
    const end = slash < 0 ? bytes.length : slash;
    const part = bytes.subarray(start, end);
    parts.push(decodedText(part) ?? rawText(part));
    start = end + 1;
  }
  return parts.join('/');
}

function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    // Not UTF-8.
    return undefined;
  }
}

function rawText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 0x80 ? byte : RAW_BYTE_BASE + byte)).join('');
}

function isInnerDot(bytes: Uint8Array, index: number): boolean {
  return index > 0 && index < bytes.length - 1 && bytes[index - 1] !== DOT;
}

function escaped(byte: number): string {
  return `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
