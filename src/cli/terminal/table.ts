/**
 * `table` sets columns as wide as they must be, the last one as it is. Cells are mostly words of others: each is made
 * one printable line and cut, so that no record can forge a row or pad the rows of all others.
 */
import { printableLine } from '../../core/printable.ts';

/** As long as the longest id; facts and the like are cut shorter by who gives them. */
const CELL_CHARS_MAX = 128;
/** Behind it nothing is aligned. */
const LAST_CELL_CHARS_MAX = 400;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const last = head.length - 1;
  const all = [head, ...rows].map((row) =>
    row.map((cell, column) => printableLine(cell, column === last ? LAST_CELL_CHARS_MAX : CELL_CHARS_MAX)),
  );
  const widths = head.map((_, column) =>
    all.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === last ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}
