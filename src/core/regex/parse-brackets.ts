/** `parseBrackets` reads a set of characters in square brackets, as Python's `re` does. */
import {
  type CaseRule,
  type Category,
  type CharacterRange,
  type CharacterSet,
  characterSet,
} from './character-set.ts';
import { categoryOf, readEscapeInBrackets } from './parse-escape.ts';
import type { PatternReader } from './pattern-reader.ts';
import { PatternFault } from './pattern-tree.ts';

type Member = { readonly point: number } | { readonly category: Category };

/** `start` is where the bracket opens; the reader is behind it. */
export function parseBrackets(reader: PatternReader, start: number, rule: CaseRule): CharacterSet {
  const ranges: CharacterRange[] = [];
  const categories: Category[] = [];
  const add = (member: Member) => {
    if ('category' in member) categories.push(member.category);
    else ranges.push({ from: member.point, to: member.point });
  };
  const isNegated = reader.take('^');
  // A closing bracket that comes first is one of the characters.
  for (let isFirst = true; isFirst || !reader.take(']'); isFirst = false) {
    const from = reader.position;
    const member = readMember(reader, start, rule.ascii);
    const memberText = tokenAt(reader, from);
    if (!reader.take('-')) {
      add(member);
      continue;
    }
    const to = reader.position;
    if (reader.take(']')) {
      add(member);
      add({ point: 0x2d });
      break;
    }
    const last = readMember(reader, start, rule.ascii);
    if ('category' in member || 'category' in last || last.point < member.point)
      throw badRange(reader, memberText, tokenAt(reader, to));
    ranges.push({ from: member.point, to: last.point });
  }
  return characterSet(ranges, categories, isNegated, rule);
}

function readMember(reader: PatternReader, start: number, ascii: boolean): Member {
  const { position } = reader;
  if (reader.next === undefined) throw new PatternFault('unterminated character set', start);
  const letter = reader.get();
  if (letter !== '\\') return { point: letter.codePointAt(0) ?? 0 };
  const category = categoryOf(reader.next ?? '', ascii);
  if (category === undefined) return readEscapeInBrackets(reader, position);
  reader.skip(1);
  return { category };
}

/** What Python calls the text at a position: a letter, or a backslash and the letter behind it. */
function tokenAt(reader: PatternReader, position: number): string {
  const text = reader.since(position);
  return text.startsWith('\\') ? [...text].slice(0, 2).join('') : text;
}

function badRange(reader: PatternReader, from: string, to: string): PatternFault {
  const length = [...from].length + 1 + [...to].length;
  return new PatternFault(`bad character range ${from}-${to}`, reader.position - length);
}
