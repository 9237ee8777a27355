/**
 * The lexer cuts a template into text and the tokens of its tags, and does all whitespace control on the way: what the
 * parser gets as text is what a render writes. Every character is looked at a bounded number of times, whatever the
 * template holds.
 */

import { SPACE_CLASS } from '../../regex/character-classes.ts';
import { TemplateError } from '../errors.ts';
import { type FoundTag, makeTagFinder, type TagFinder } from './find-tag.ts';
import { Scan } from './lex-scan.ts';
import { lexTag } from './lex-tag.ts';
import type { Syntax } from './syntax-options.ts';
import type { Tokens } from './token.ts';

export function lex(source: string, name: string | undefined, syntax: Syntax): Tokens {
  const scan = new Scan(source, name, syntax);
  try {
    lexText(scan, finderFor(syntax));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { tokens: scan.tokens, fault: error };
  }
  return { tokens: scan.tokens, fault: undefined };
}

const finders = new WeakMap<Syntax, TagFinder>();

function finderFor(syntax: Syntax): TagFinder {
  const known = finders.get(syntax);
  if (known !== undefined) return known;
  const made = makeTagFinder(syntax);
  finders.set(syntax, made);
  return made;
}

function lexText(scan: Scan, findTag: TagFinder): void {
  while (scan.pos < scan.text.length) {
    const tag = findTag(scan.text, scan.pos);
    if (tag === undefined) {
      addText(scan, scan.pos, scan.text.length);
      return;
    }
    lexFoundTag(scan, tag);
  }
}

function lexFoundTag(scan: Scan, tag: FoundTag): void {
  const { text, syntax } = scan;
  const raw = text.startsWith(syntax.blockStart, tag.start) ? rawBegin(scan, tag.start) : undefined;
  const end = raw?.signAt ?? tag.end;
  const sign = signAt(text, end);
  addTextBefore(scan, tag.start, sign, raw !== undefined || tag.kind !== 'variable');
  scan.pos = end + sign.length;
  if (raw !== undefined) {
    scan.pos = raw.end;
    lexRaw(scan);
    return;
  }
  switch (tag.kind) {
    case 'comment':
      skipComment(scan, tag.start);
      return;
    case 'lineComment': {
      const newline = text.indexOf('\n', scan.pos);
      scan.pos = newline < 0 ? text.length : newline;
      return;
    }
    case 'variable':
      scan.add('variableBegin', '', tag.start);
      lexTag(scan, 'variable');
      return;
    case 'block':
    case 'lineStatement':
      scan.add('blockBegin', '', tag.start);
      lexTag(scan, tag.kind);
      return;
  }
}

function signAt(text: string, at: number): '-' | '+' | '' {
  const char = text.charAt(at);
  return char === '-' || char === '+' ? char : '';
}

const SPACE_CHAR = new RegExp(`[${SPACE_CLASS}]`, 'u');

/**
 * The text from here up to a tag: a `-` drops the whitespace at its end; without a sign, and where blocks are stripped,
 * only what stands between the start of the line and the tag is dropped.
 */
function addTextBefore(scan: Scan, tagStart: number, sign: '-' | '+' | '', strippable: boolean): void {
  let end = tagStart;
  if (sign === '-') end = beforeSpaces(scan.text, scan.pos, tagStart);
  else if (sign === '' && strippable && scan.syntax.lstripBlocks) end = beforeIndentation(scan, tagStart);
  addText(scan, scan.pos, end);
}

/** The start of the tag's line where only whitespace stands before the tag, otherwise the tag. */
function beforeIndentation(scan: Scan, tagStart: number): number {
  const { text, pos } = scan;
  const newline = text.slice(pos, tagStart).lastIndexOf('\n');
  const lineStart = pos + newline + 1;
  // Where the line started before this text there is another tag on it, and nothing is stripped.
  const onOwnLine = newline >= 0 || pos === 0 || text.charAt(pos - 1) === '\n';
  return onOwnLine && scan.afterSpaces(lineStart) >= tagStart ? lineStart : tagStart;
}

/** Where the whitespace starts that ends at `end`, but not before `start`. */
function beforeSpaces(text: string, start: number, end: number): number {
  let stop = end;
  while (stop > start && SPACE_CHAR.test(text.charAt(stop - 1))) stop--;
  return stop;
}

function addText(scan: Scan, start: number, end: number): void {
  if (end <= start) return;
  const text = scan.text.slice(start, end);
  const { newlineSequence } = scan.syntax;
  scan.add('data', newlineSequence === '\n' ? text : text.replaceAll('\n', newlineSequence), start);
}

/** `{% raw %}` at `start`, with or without signs: where its first sign may stand, and where its content starts. */
function rawBegin(scan: Scan, start: number): { readonly signAt: number; readonly end: number } | undefined {
  const { text, syntax } = scan;
  const signed = start + syntax.blockStart.length;
  const word = scan.afterSpaces(signed + signAt(text, signed).length);
  if (!text.startsWith('raw', word)) return undefined;
  const end = scan.afterEnd(scan.afterSpaces(word + 3), syntax.blockEnd, { trims: false, keeps: false });
  return end === undefined ? undefined : { signAt: signed, end };
}

function lexRaw(scan: Scan): void {
  const { text, syntax, pos } = scan;
  // At the very end of the template Jinja2 does not miss what closes a comment or a raw block, and neither do we.
  if (pos >= text.length) return;
  for (let start = text.indexOf(syntax.blockStart, pos); start >= 0; ) {
    const signed = start + syntax.blockStart.length;
    const sign = signAt(text, signed);
    const word = scan.afterSpaces(signed + sign.length);
    const end = text.startsWith('endraw', word)
      ? scan.afterEnd(scan.afterSpaces(word + 6), syntax.blockEnd, { trims: syntax.trimBlocks, keeps: true })
      : undefined;
    if (end !== undefined) {
      addTextBefore(scan, start, sign, true);
      scan.pos = end;
      return;
    }
    start = text.indexOf(syntax.blockStart, start + 1);
  }
  throw scan.fault('Missing end of raw directive', pos);
}

function skipComment(scan: Scan, start: number): void {
  const { text, syntax, pos } = scan;
  if (pos >= text.length) return;
  const delimiter = text.indexOf(syntax.commentEnd, pos);
  if (delimiter < 0) throw scan.fault('Missing end of comment tag', start);
  const signed = delimiter > pos && signAt(text, delimiter - 1) !== '' ? delimiter - 1 : delimiter;
  scan.pos =
    scan.afterEnd(signed, syntax.commentEnd, { trims: syntax.trimBlocks, keeps: true }) ?? text.length;
}
