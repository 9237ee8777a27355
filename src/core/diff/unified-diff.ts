/**
 * The difference of two texts as people and `patch` read it: hunks with three lines around each change. It is for
 * reading: what is longer than its bound is cut at a line and says so, and texts too large to compare are only counted.
 */
import { type LineEdit, lineScript } from './line-script.ts';

/** Of one diff. Results of a whole run share a message of 1 MiB. */
export const DIFF_BYTES_MAX = 32 * 1024;
/** Of both texts together; beyond it a diff is only counted, because nobody reads it and it takes time. */
export const COMPARED_CHARS_MAX = 16 * 1024 * 1024;
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
  const script = lineScript(linesOf(before), linesOf(after));
  return capped([...headers, ...hunksOf(script).flatMap(hunkLines)], bytesMax);
}

/** Each with the newline that ends it; the last one perhaps without. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function count(text: string): string {
  return `${linesOf(text).length} lines with ${text.length} characters`;
}

interface Hunk {
  readonly edits: readonly LineEdit[];
  /** How many lines of each text come before it. */
  readonly before: number;
  readonly after: number;
}

/** Changes with fewer than two contexts of kept lines between them share a hunk. */
function hunksOf(script: readonly LineEdit[]): readonly Hunk[] {
  const changes = script.flatMap((edit, index) => (edit.kind === 'keep' ? [] : [index]));
  const hunks: Hunk[] = [];
  const seen = { at: 0, before: 0, after: 0 };
  for (let i = 0; i < changes.length; ) {
    const start = Math.max(0, (changes[i] ?? 0) - CONTEXT_LINES);
    while (i + 1 < changes.length && (changes[i + 1] ?? 0) - (changes[i] ?? 0) <= 2 * CONTEXT_LINES) i++;
    const end = Math.min(script.length, (changes[i] ?? 0) + CONTEXT_LINES + 1);
    advance(seen, script, start);
    hunks.push({ edits: script.slice(start, end), before: seen.before, after: seen.after });
    advance(seen, script, end);
    i++;
  }
  return hunks;
}

function advance(
  seen: { at: number; before: number; after: number },
  script: readonly LineEdit[],
  to: number,
): void {
  for (; seen.at < to; seen.at++) {
    const kind = script[seen.at]?.kind;
    if (kind !== 'add') seen.before++;
    if (kind !== 'remove') seen.after++;
  }
}

const SIGNS = { keep: ' ', remove: '-', add: '+' } as const;

function hunkLines({ edits, before, after }: Hunk): string[] {
  const removed = edits.filter(({ kind }) => kind !== 'add').length;
  const added = edits.filter(({ kind }) => kind !== 'remove').length;
  return [
    `@@ -${range(before, removed)} +${range(after, added)} @@`,
    ...edits.flatMap(({ kind, line }) =>
      line.endsWith('\n') ? [`${SIGNS[kind]}${line.slice(0, -1)}`] : [`${SIGNS[kind]}${line}`, NO_NEWLINE],
    ),
  ];
}

/** Lines count from 1; an empty range names the line before it. */
function range(skipped: number, lines: number): string {
  return `${lines === 0 ? skipped : skipped + 1},${lines}`;
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
