/**
 * `editBlock` replaces a block of lines between two lines that mark it. What stands outside of the block belongs to
 * others.
 */
import type { TextRegex } from '../../../core/regex/text-regex.ts';
import { type Edited, joinLines, type Lines, splitLines, withLines } from './edit-text.ts';

export interface BlockRule {
  /** The markers are lines that have these texts in them. */
  readonly markerStart: string;
  readonly markerEnd: string;
  readonly content: readonly string[];
  /** Where a text without the block gets it; undefined: nowhere. */
  readonly missing: 'start' | 'end' | BesideLine | undefined;
}

/** Beside the first line that the pattern fits. */
interface BesideLine {
  readonly side: 'before' | 'after';
  readonly regex: TextRegex;
}

export function editBlock(text: string, rule: BlockRule): Edited {
  const { markerStart, markerEnd, content } = rule;
  if (content.some((line) => line.includes(markerEnd)))
    return { problem: `the content of the block has its end marker ${markerEnd} in it` };
  const there = splitLines(text);
  const start = there.lines.findIndex((line) => line.includes(markerStart));
  if (start < 0) return withNewBlock(text, there, rule);
  const end = there.lines.findIndex((line, index) => index > start && line.includes(markerEnd));
  if (end < 0)
    return { problem: `line ${start + 1} is ${markerStart}, and no line after it is ${markerEnd}` };
  return joinLines({ ...there, lines: withLines(there.lines, start + 1, content, end - start - 1) });
}

function withNewBlock(text: string, there: Lines, rule: BlockRule): Edited {
  if (rule.missing === undefined) return text;
  const at = placeFor(there.lines, rule.missing);
  if (at === undefined) return { problem: 'no line is there to put the block beside' };
  const block = [rule.markerStart, ...rule.content, rule.markerEnd];
  return joinLines({
    lines: withLines(there.lines, at, block),
    ended: there.ended || at === there.lines.length,
  });
}

function placeFor(lines: readonly string[], missing: 'start' | 'end' | BesideLine): number | undefined {
  if (missing === 'start') return 0;
  if (missing === 'end') return lines.length;
  const found = lines.findIndex((line) => missing.regex.test(line));
  if (found < 0) return undefined;
  return missing.side === 'after' ? found + 1 : found;
}
