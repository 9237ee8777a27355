/** `renderFindings` prints findings for people: one line each, the fix below it, and a count at the end. */
import type { Finding, Verdict } from '../../core/doctor/finding.ts';
import { printableLine } from '../../core/printable.ts';
import type { Paint } from '../terminal/paint.ts';

const VERDICTS: readonly Verdict[] = ['ok', 'warn', 'fail', 'unknown'];
const VERDICT_WIDTH = 7;

export function renderFindings(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat(VERDICT_WIDTH + 2 + width + 2);
  const lines = findings.flatMap(({ check, verdict, found, fix }) => [
    `${painted(verdict, paint)}${' '.repeat(VERDICT_WIDTH - verdict.length)}  ${check.padEnd(width)}  ${printableLine(found)}`,
    ...(fix === '' ? [] : [`${indent}fix: ${printableLine(fix)}`]),
  ]);
  const counts = VERDICTS.map((verdict) => {
    const number = findings.filter((finding) => finding.verdict === verdict).length;
    return `${number} ${verdict}`;
  });
  return `${[...lines, '', `${findings.length} checks: ${counts.join(', ')}`].join('\n')}\n`;
}

function painted(verdict: Verdict, paint: Paint): string {
  if (verdict === 'ok') return paint.good(verdict);
  return verdict === 'unknown' ? paint.dim(verdict) : paint.bad(verdict);
}
