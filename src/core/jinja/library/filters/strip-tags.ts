/**
 * `stripTags` does what the filter `striptags` does to a text: comments and tags out, spaces run together, character
 * references resolved.
 */
import { characterEntities } from 'character-entities';
import { characterEntitiesLegacy } from 'character-entities-legacy';
import { splitWords } from '../../values/text/unicode.ts';

export function stripTags(text: string): string {
  return unescapeHtml(splitWords(withoutTags(withoutComments(text))).join(' '));
}

/**
 * Removing a comment may join two halves into the start of a new one (`<!-<!-- -->-`), so the text is read letter by
 * letter onto a stack, and the stack's top says when a comment starts.
 */
function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text;
  const kept: string[] = [];
  for (let i = 0; i < text.length; i++) {
    kept.push(text.charAt(i));
    if (!endsInCommentStart(kept)) continue;
    const end = commentEnd(text, i + 1);
    if (end < 0) return kept.join('') + text.slice(i + 1);
    kept.length -= 4;
    i = end - 1;
  }
  return kept.join('');
}

function endsInCommentStart(kept: readonly string[]): boolean {
  const top = kept.length - 1;
  return kept[top] === '-' && kept[top - 1] === '-' && kept[top - 2] === '!' && kept[top - 3] === '<';
}

/** The dashes of `<!--` may already belong to the end: `<!-->` and `<!--->` are whole comments. */
function commentEnd(text: string, from: number): number {
  if (text.startsWith('>', from)) return from + 1;
  if (text.startsWith('->', from)) return from + 2;
  const end = text.indexOf('-->', from);
  return end < 0 ? -1 : end + 3;
}

function withoutTags(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf('<', from);
    const end = start < 0 ? -1 : text.indexOf('>', start);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + 1;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

const REFERENCE = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/gu;

/** As Python's `html.unescape`: the longest known name wins, and what is unknown stays as it is. */
export function unescapeHtml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, body: string) =>
    body.startsWith('#') ? numericReference(body) : (namedReference(body) ?? whole),
  );
}

function namedReference(body: string): string | undefined {
  if (body.endsWith(';')) {
    const name = body.slice(0, -1);
    if (Object.hasOwn(characterEntities, name)) return characterEntities[name];
  }
  for (let length = body.length; length > 1; length--) {
    const name = body.slice(0, length);
    if (NAMES_WITHOUT_SEMICOLON.has(name)) return `${characterEntities[name]}${body.slice(length)}`;
  }
  return undefined;
}

const NAMES_WITHOUT_SEMICOLON: ReadonlySet<string> = new Set(characterEntitiesLegacy);

const REPLACEMENT = '\ufffd';
/** What browsers make of the numbers 128 to 159: Windows-1252, with its five holes left as they are. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function numericReference(body: string): string {
  const digits = body.replace(/;$/, '');
  const point = /^#[xX]/.test(digits) ? Number.parseInt(digits.slice(2), 16) : Number(digits.slice(1));
  if (point === 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return REPLACEMENT;
  if (point >= 0x80 && point <= 0x9f) return WINDOWS_1252[point - 0x80] ?? '';
  return isNoCharacter(point) ? '' : String.fromCodePoint(point);
}

/** Control characters, and the code points Unicode keeps free for good. */
function isNoCharacter(point: number): boolean {
  const control = point < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(point);
  return control || point === 0x7f || (point >= 0xfdd0 && point <= 0xfdef) || (point & 0xfffe) === 0xfffe;
}
