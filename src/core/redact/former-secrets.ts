/**
 * `hideFormer` takes out of a diff what stood where a secret stands now. That is mostly the same secret from before it was
 * rotated, and a book of secrets does not know all of those: after a restart it knows the last few. So in every change
 * whose new lines show a secret, the old lines are not shown. Lines that went away without a secret in their place stay.
 * Of a diff that was redacted. Twice changes nothing. Pure.
 */
const SHOWN_SECRET = /\[secret [^\s[\]]+\]/;
const CHANGED = /^[-+\\]/;
const FIRST_HUNK = /^@@ /m;
const HIDDEN = '-[not shown: a secret stands here now]';

export function hideFormer(diff: string): string {
  if (!SHOWN_SECRET.test(diff)) return diff;
  const lines = diff.split('\n');
  const hidden = new Set<number>();
  // The names of the two files stand before the first hunk, and are no lines of theirs.
  const first = Math.max(
    0,
    lines.findIndex((line) => FIRST_HUNK.test(line)),
  );
  for (let from = first; from < lines.length; ) {
    const to = endOfChange(lines, from);
    const change = lines.slice(from, to);
    if (change.some((line) => line.startsWith('+') && SHOWN_SECRET.test(line)))
      for (const [i, line] of change.entries()) if (line.startsWith('-')) hidden.add(from + i);
    from = Math.max(to, from + 1);
  }
  return lines.map((line, i) => (hidden.has(i) ? HIDDEN : line)).join('\n');
}

/** Old and new lines that stand together; a remark that a file ends without a newline is among them. */
function endOfChange(lines: readonly string[], from: number): number {
  let to = from;
  while (CHANGED.test(lines[to] ?? '')) to++;
  return to;
}
