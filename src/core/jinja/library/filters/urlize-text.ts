/**
 * `linkAddresses` finds addresses in plain text and makes links of them, for `urlize`. The text is escaped here, once.
 */
import { SPACE_CLASS, WORD_CLASS } from '../../../regex/character-classes.ts';

export interface LinkOptions {
  /** The address as it is shown. */
  readonly shorten: (address: string) => string;
  /** Further attributes of a link, each with a space before it, already escaped. */
  readonly attributes: string;
  /** Further prefixes that make a word an address, such as `tel:`. */
  readonly schemes: readonly string[];
}

export function linkAddresses(escaped: string, options: LinkOptions): string {
  return escaped
    .split(new RegExp(`([${SPACE_CLASS}]+)`, 'u'))
    .map((word) => linkWord(word, options))
    .join('');
}

function linkWord(word: string, options: LinkOptions): string {
  const [head, middle, tail] = balance(...peel(word));
  return head + link(middle, options) + tail;
}

const OPENING = /^(?:[(<]|&lt;)+/;
const CLOSERS = [')', '>', '.', ',', '\n', '&gt;'];

/** Opening brackets before the address, and brackets, dots and commas after it, are not part of it. */
function peel(word: string): [head: string, middle: string, tail: string] {
  const head = OPENING.exec(word)?.[0] ?? '';
  let end = word.length;
  for (;;) {
    const closer = CLOSERS.find(
      (text) => end - text.length >= head.length && word.startsWith(text, end - text.length),
    );
    if (closer === undefined) break;
    end -= closer.length;
  }
  return [head, word.slice(head.length, end), word.slice(end)];
}

/** A closing bracket belongs to the address if the address has its opening one. */
function balance(head: string, middle: string, tail: string): [head: string, middle: string, tail: string] {
  for (const [open, close] of [
    ['(', ')'],
    ['<', '>'],
    ['&lt;', '&gt;'],
  ] as const) {
    const opened = count(middle, open);
    if (opened <= count(middle, close)) continue;
    for (let moves = Math.min(opened, count(tail, close)); moves > 0; moves--) {
      const end = tail.indexOf(close) + close.length;
      middle += tail.slice(0, end);
      tail = tail.slice(end);
    }
  }
  return [head, middle, tail];
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

const HOST = `[${WORD_CLASS}%\\-]`;
const WEB = new RegExp(
  [
    `^(?:(?:https?://|www\\.)(?:(?:${HOST}+\\.)+)?(?:[a-z]{2,63}|xn--[${WORD_CLASS}%]{2,59})`,
    `|(?:${HOST}{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)`,
    '|https?://(?:\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3}){3}|\\[(?:[\\p{Nd}a-f]{0,4}:){2}(?:[\\p{Nd}a-f]{0,4}:?){1,6}\\]))',
    `(?::\\p{Nd}{1,5})?(?:[/?#][^${SPACE_CLASS}]*)?$`,
  ].join(''),
  'iu',
);
const MAIL = new RegExp(`^[^${SPACE_CLASS}]+@[${WORD_CLASS}][${WORD_CLASS}.\\-]*\\.[${WORD_CLASS}]+$`, 'u');

function link(word: string, options: LinkOptions): string {
  if (WEB.test(word)) {
    const address = /^https?:\/\//.test(word) ? word : `https://${word}`;
    return `<a href="${address}"${options.attributes}>${options.shorten(word)}</a>`;
  }
  if (word.startsWith('mailto:') && MAIL.test(word.slice(7))) return `<a href="${word}">${word.slice(7)}</a>`;
  const mayBeMail = word.includes('@') && !word.startsWith('www.') && !word.includes(':');
  if (mayBeMail && MAIL.test(word)) return `<a href="mailto:${word}">${word}</a>`;
  let result = word;
  for (const scheme of options.schemes) {
    if (result !== scheme && result.startsWith(scheme))
      result = `<a href="${result}"${options.attributes}>${result}</a>`;
  }
  return result;
}
