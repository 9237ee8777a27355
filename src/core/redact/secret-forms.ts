/**
 * `secretForms` lists the spellings under which a secret shows up in output: as it is, as other programs escape it in
 * URLs, JSON, shells, HTML, YAML and Python, and as bytes in base64 or hexadecimal. A value of several lines is also
 * looked for line by line, because a diff or an indented file takes the lines apart. Pure.
 *
 * What is not found: a value that was compressed, encrypted, hashed, translated, or cut without our mark (secret-search.ts); one of
 * fewer than four characters; and escapes of letters that nobody needs to escape (`%61` for an a).
 */
import { encodeBase64 } from '../base64.ts';
import { doubleQuoted } from '../jinja/library/salt/yaml-scalar.ts';
import { PATTERN_UNITS_MIN } from './pattern-search.ts';

/** Long enough not to stand anywhere by chance. */
const PIECE_UNITS = 128;

export interface SecretForms {
  readonly written: readonly string[];
  /** In alphabets in which programs break lines: base64 and hexadecimal. */
  readonly encoded: readonly string[];
}

export function secretForms(value: string): SecretForms {
  const parts = partsOf(value);
  const written = parts.flatMap((part) => ESCAPES.map((spell) => spell(part)));
  return {
    written: distinct(written.flatMap((form) => [form, misread(form)])),
    encoded: distinct(parts.flatMap(encodedForms)),
  };
}

/** The value, and each of its lines without the blanks around it. */
function partsOf(value: string): readonly string[] {
  const lines = value.split(/\r\n|[\n\r]/).map((line) => line.trim());
  return [...new Set([value, ...lines])].filter((part) => part.trim().length >= PATTERN_UNITS_MIN);
}

function distinct(forms: readonly string[]): readonly string[] {
  return [...new Set(forms.flatMap(pieces))].filter((form) => form.length >= PATTERN_UNITS_MIN);
}

/** A long form is looked for in pieces: each is found by itself, and no pattern makes the search slow. */
function pieces(form: string): readonly string[] {
  if (form.length <= PIECE_UNITS) return [form];
  const starts = Array.from({ length: Math.floor(form.length / PIECE_UNITS) }, (_, at) => at * PIECE_UNITS);
  return [...starts.map((from) => form.slice(from, from + PIECE_UNITS)), form.slice(-PIECE_UNITS)];
}

/** UTF-8 that was read one byte a character: bytes that are no text, and programs that take it for Latin-1. */
function misread(form: string): string {
  return Buffer.from(form).toString('latin1');
}

const ESCAPES: readonly ((text: string) => string)[] = [
  (text) => text,

  // JSON; with ASCII only, as Python writes it; fit for HTML, as Go does; with its slashes escaped, as PHP does.
  json,
  (text) => asciiOnly(json(text), (hex) => hex),
  (text) => asciiOnly(json(text), (hex) => hex.toUpperCase()),
  (text) => json(text).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${hexOf(character)}`),
  // As Jinja's `tojson` makes it fit for HTML, where all else than ASCII is escaped too.
  (text) => asciiOnly(json(text), (hex) => hex).replace(/[<>&']/g, (character) => `\\u${hexOf(character)}`),
  (text) => json(text).replaceAll('/', '\\/'),
  // JSON as a text in JSON.
  (text) => json(json(text)),

  // URLs: RFC 3986, JavaScript's two functions, Python's, and forms.
  ...percentForms(/[A-Za-z0-9\-_.~]/),
  ...percentForms(/[A-Za-z0-9\-_.~/]/),
  ...percentForms(/[A-Za-z0-9\-_.!~*'()]/),
  ...percentForms(/[A-Za-z0-9\-_.!~*'();,/?:@&=+$#]/),
  ...percentForms(/[A-Za-z0-9\-_.*]/),

  // Shells: in single quotes, in two ways; in double quotes; with backslashes; in $'…', which is also what Python prints.
  (text) => text.replaceAll("'", String.raw`'\''`),
  (text) => text.replaceAll("'", `'"'"'`),
  (text) => text.replace(/[\\"$`]/g, '\\$&'),
  (text) => text.replace(/[^A-Za-z0-9,._+:@%/\n-]/g, '\\$&'),
  (text) => withBreaks(text.replace(/[\\']/g, '\\$&')),
  (text) => withBreaks(text.replaceAll('\\', '\\\\')),

  // HTML and XML, which differ in the quotes.
  markup,
  (text) => markup(text).replaceAll('"', '&quot;'),
  (text) => markup(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  (text) => markup(text).replaceAll('"', '&quot;').replaceAll("'", '&#039;'),
  (text) => markup(text).replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
  (text) => markup(text).replaceAll('"', '&quot;').replaceAll("'", '&apos;'),
  (text) => markup(text).replaceAll('"', '&#34;').replaceAll("'", '&#39;'),

  // YAML in double quotes, as PyYAML writes it, and as libyaml does, which leaves letters as they are; Python's `ascii`.
  (text) => doubleQuoted(text).slice(1, -1),
  (text) =>
    json(text).replace(/[\u{10000}-\u{10ffff}]/gu, (character) => doubleQuoted(character).slice(1, -1)),
  (text) => pythonAscii(text.replace(/[\\']/g, '\\$&')),
  (text) => pythonAscii(text.replaceAll('\\', '\\\\')),

  // YAML and SQL in single quotes.
  (text) => text.replaceAll("'", "''"),
];

function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiOnly(text: string, spelled: (hex: string) => string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${spelled(hexOf(unit))}`);
}

function pythonAscii(text: string): string {
  return withBreaks(text).replace(/[^\0-\x7f]/gu, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    if (hex.length <= 2) return `\\x${hex}`;
    return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  });
}

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}

function withBreaks(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}

function markup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** With capital and with small digits, and in each a blank as `%20` and as `+`. */
function percentForms(keeps: RegExp): readonly ((text: string) => string)[] {
  return [true, false].flatMap((hasCapitals) => {
    const spelled = Array.from({ length: 256 }, (_, byte) => {
      const character = String.fromCharCode(byte);
      if (byte < 0x80 && keeps.test(character)) return character;
      const hex = byte.toString(16).padStart(2, '0');
      return `%${hasCapitals ? hex.toUpperCase() : hex}`;
    });
    const escaped = (text: string) => Array.from(Buffer.from(text), (byte) => spelled[byte]).join('');
    return [escaped, (text: string) => escaped(text).replaceAll('%20', '+')];
  });
}

function encodedForms(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const whole = encodeBase64(bytes);
  // Without its padding too, as it stands in URLs and tokens.
  const base64 = [whole, whole.replace(/=+$/, ''), ...[0, 1, 2].map((before) => base64Within(bytes, before))];
  return [hex, hex.toUpperCase(), ...base64, ...base64.map(urlSafe)];
}

/** What base64 makes of the bytes wherever they stand in a longer content: 0, 1 or 2 bytes after a multiple of three. */
function base64Within(bytes: Uint8Array, before: number): string {
  const encoded = encodeBase64(Buffer.concat([Buffer.alloc(before), bytes]));
  // A letter has 6 bits; those that also hold bits of a neighbour are anything.
  return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}
