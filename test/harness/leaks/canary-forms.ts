/**
 * `canaryForms` lists the byte strings by which a planted secret gives itself away: the value as it is and as programs
 * spell it, each cut into pieces of a few characters, so that half of a secret is found as well as the whole.
 *
 * This list is made without the product's own (core/redact/secret-forms.ts), which it is there to judge.
 */
export interface CanaryForm {
  /** For people: `base64`, `JSON`. */
  readonly spelling: string;
  readonly bytes: Uint8Array;
}

/** Long enough that random characters do not stand anywhere by chance, in any spelling. */
export const PIECE_CHARACTERS = 12;
/** A piece of dashes or blanks stands everywhere. */
const DISTINCT_CHARACTERS_MIN = 4;
/** Fewer stand somewhere by chance. */
const VALUE_BYTES_MIN = 6;

/** Throws for a value that could be looked for only in vain: too short, or too plain. */
export function canaryForms(value: string): readonly CanaryForm[] {
  if (Buffer.byteLength(value) < VALUE_BYTES_MIN) throw new Error('a canary has at least six bytes');
  const forms = new Map<string, CanaryForm>();
  for (const piece of piecesOf(value)) {
    for (const [spelling, spell] of SPELLINGS) {
      for (const bytes of spell(piece)) {
        const key = bytes.toString('latin1');
        if (!forms.has(key)) forms.set(key, { spelling, bytes });
      }
    }
  }
  if (forms.size === 0) throw new Error('a canary has several different characters');
  return [...forms.values()];
}

/** Every stretch of `PIECE_CHARACTERS`; a shorter value as a whole. */
function piecesOf(value: string): readonly string[] {
  const characters = [...value];
  const count = Math.max(1, characters.length - PIECE_CHARACTERS + 1);
  return Array.from({ length: count }, (_, at) => characters.slice(at, at + PIECE_CHARACTERS))
    .filter((piece) => new Set(piece).size >= DISTINCT_CHARACTERS_MIN)
    .map((piece) => piece.join(''));
}

type Spell = (piece: string) => readonly Buffer[];

const SPELLINGS: readonly (readonly [spelling: string, spell: Spell])[] = [
  ['as it is', (piece) => [Buffer.from(piece)]],
  ['UTF-8 taken for Latin-1', (piece) => [Buffer.from(Buffer.from(piece).toString('latin1'))]],
  ['UTF-16', (piece) => [Buffer.from(piece, 'utf16le'), Buffer.from(piece, 'utf16le').swap16()]],
  ['hexadecimal', (piece) => ofTexts(inHex(piece), inHex(piece).toUpperCase())],
  ['base64', (piece) => ofTexts(...inBase64(piece, 'base64'))],
  ['base64 for URLs', (piece) => ofTexts(...inBase64(piece, 'base64url'))],
  ['JSON', (piece) => ofTexts(...inJson(piece))],
  ['an URL', (piece) => ofTexts(...inUrls(piece))],
  ['HTML', (piece) => ofTexts(...inHtml(piece))],
  ['a shell', (piece) => ofTexts(...inShells(piece))],
  ['YAML', (piece) => ofTexts(piece.replaceAll("'", "''"), byNumber(inJson(piece)[0] ?? '', true))],
  ['Python', (piece) => ofTexts(...inShells(piece).map((text) => byNumber(text, false)))],
];

function ofTexts(...texts: readonly string[]): readonly Buffer[] {
  return texts.map((text) => Buffer.from(text));
}

function inHex(piece: string): string {
  return Buffer.from(piece).toString('hex');
}

/** Wherever it begins in a longer content; without the letters that also hold bits of what stands beside it. */
function inBase64(piece: string, alphabet: 'base64' | 'base64url'): readonly string[] {
  const bytes = Buffer.from(piece);
  return [0, 1, 2].map((before) => {
    const bitsBefore = before * 8;
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(alphabet);
    return text.slice(Math.ceil(bitsBefore / 6), Math.floor((bitsBefore + bytes.length * 8) / 6));
  });
}

function inJson(piece: string): readonly string[] {
  const once = JSON.stringify(piece).slice(1, -1);
  const escaped = (text: string, capitals: boolean) =>
    text.replace(/[^\0-\x7f]/g, (unit) => {
      const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${capitals ? hex.toUpperCase() : hex}`;
    });
  const twice = JSON.stringify(once).slice(1, -1);
  const forHtml = once.replace(/[<>&']/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);
  return [once, escaped(once, false), escaped(once, true), twice, forHtml, once.replaceAll('/', '\\/')];
}

/** What is not ASCII by its number, in as many digits as it needs. */
function byNumber(text: string, capitals: boolean): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    const digits = capitals ? hex.toUpperCase() : hex;
    if (hex.length <= 2) return `\\x${digits}`;
    return hex.length <= 4 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
  });
}

function inUrls(piece: string): readonly string[] {
  const component = encodeURIComponent(piece);
  const strict = component.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const spelled = [component, strict, encodeURI(piece), strict.replaceAll('%2F', '/')];
  const withPlus = spelled.map((text) => text.replaceAll('%20', '+'));
  const form = strict.replaceAll('%2A', '*').replaceAll('~', '%7E').replaceAll('%20', '+');
  const all = [...spelled, ...withPlus, form];
  return [...all, ...all.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

function inHtml(piece: string): readonly string[] {
  const text = piece.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = text.replaceAll('"', '&quot;');
  return [
    text,
    quoted,
    ...['&#39;', '&#039;', '&#x27;', '&apos;'].map((mark) => quoted.replaceAll("'", mark)),
  ];
}

function inShells(piece: string): readonly string[] {
  const withBreaks = (text: string) =>
    text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  return [
    piece.replaceAll("'", String.raw`'\''`),
    piece.replaceAll("'", `'"'"'`),
    piece.replace(/[\\"$`]/g, '\\$&'),
    withBreaks(piece.replace(/[\\']/g, '\\$&')),
    withBreaks(piece.replaceAll('\\', '\\\\')),
  ];
}
