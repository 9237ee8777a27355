/**
 * `unifiedDiff` shows the difference of two texts as people and `patch` read it: hunks with three lines around each
 * change. It is for reading: what is longer than its bound is cut at a line and says so, and texts too large to compare
 * are only counted.
 *
 * The search for the shortest list of edits is the package `diff`'s. Its cost grows with the square of the number of
 * edits: over `EDITS_MAX` everything between the common start and the common end is shown as replaced, which is right as
 * well, only longer.
 */
import { type StructuredPatchHunk, structuredPatch } from 'diff';

/** Of one diff. Results of a whole run share a message of 1 MiB. */
export const DIFF_BYTES_MAX = 32 * 1024;
/** Of both texts together; beyond it a diff is only counted, because nobody reads it and it takes time. */
export const COMPARED_CHARS_MAX = 16 * 1024 * 1024;
/** Lines removed and added that are searched for. */
export const EDITS_MAX = 1_000;
const CONTEXT_LINES = 3;
const NO_NEWLINE = '\\ No newline at end of file';

export interface DiffOptions {
  /** Shown in both headers. */
  readonly path: string;
  readonly bytesMax?: number;
}

/** Without a newline at its end. Empty when the texts are the same. */
export function unifiedDiff(before: string, after: string, options: DiffOptions): string {
  if (before === after) return '';
  const { path, bytesMax = DIFF_BYTES_MAX } = options;
  const headers = [`--- ${path}`, `+++ ${path}`];
  if (before.length + after.length > COMPARED_CHARS_MAX)
    return [...headers, `[too large to compare: ${count(before)} before, ${count(after)} after]`].join('\n');
  const hunks = shortestHunks(before, after) ?? [replacedHunk(linesOf(before), linesOf(after))];
  return capped([...headers, ...hunks.flatMap(hunkLines)], bytesMax);
}

type Hunk = Readonly<StructuredPatchHunk>;

/** Undefined when more than `EDITS_MAX` edits are needed. */
function shortestHunks(before: string, after: string): readonly Hunk[] | undefined {
  const options = { context: CONTEXT_LINES, maxEditLength: EDITS_MAX };
  return structuredPatch('', '', before, after, undefined, undefined, options)?.hunks;
}

/** All that lies between the lines that both texts start with and the lines that both end with, removed and added. */
function replacedHunk(before: readonly string[], after: readonly string[]): Hunk {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const from = Math.max(0, start - CONTEXT_LINES);
  const context = Math.min(end, CONTEXT_LINES);
  return {
    oldStart: from + 1,
    oldLines: before.length - end + context - from,
    newStart: from + 1,
    newLines: after.length - end + context - from,
    lines: [
      ...signed(' ', before.slice(from, start)),
      ...signed('-', before.slice(start, before.length - end)),
      ...signed('+', after.slice(start, after.length - end)),
      ...signed(' ', before.slice(before.length - end, before.length - end + context)),
    ],
  };
}

function signed(sign: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [`${sign}${line.slice(0, -1)}`] : [`${sign}${line}`, NO_NEWLINE],
  );
}

/** Each with the newline that ends it; the last one perhaps without. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function count(text: string): string {
  return `${linesOf(text).length} lines with ${text.length} characters`;
}

function hunkLines({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string[] {
  return [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...lines];
}

/** Lines count from 1; an empty range names the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function capped(lines: readonly string[], bytesMax: number): string {
  let bytes = 0;
  const fitting = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > bytesMax;
  });
  if (fitting < 0) return lines.join('\n');
  return [
    ...lines.slice(0, fitting),
    `[${lines.length - fitting} more lines of this diff are not shown]`,
  ].join('\n');
}
