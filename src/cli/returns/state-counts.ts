/** This file makes the counts of a run, and the block at its end that Salt users know. */
import { formatDuration } from '../../core/duration.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import { kindOf, type StateKind } from './state-verdict.ts';

export type StateCounts = Readonly<Record<StateKind, number>>;

const RULE = '-'.repeat(12);

export function countStates(results: readonly StateResult[]): StateCounts {
  const counts = { unchanged: 0, changed: 0, failed: 0, skipped: 0, unknown: 0 };
  for (const result of results) counts[kindOf(result)]++;
  return counts;
}

export interface SummaryInput {
  readonly counts: StateCounts;
  readonly isTest: boolean;
  /** Whose: the name of a peel, or how many there are. */
  readonly whose: string;
  readonly durationMs: number;
  /** Of the published files that were used; 0: none were. */
  readonly statesRevision: number;
  readonly settingsRevision: number;
}

export function summaryBlock(input: SummaryInput): readonly string[] {
  const { counts, isTest, whose, durationMs } = input;
  const succeeded = counts.unchanged + counts.changed + counts.unknown;
  const total = succeeded + counts.failed + counts.skipped;
  const changes = [`${isTest ? 'would change' : 'changed'}=${counts.changed}`];
  if (counts.unknown > 0) changes.push(`may change=${counts.unknown}`);
  return [
    `Summary for ${whose}${isTest ? ' (dry run: nothing was changed)' : ''}`,
    RULE,
    `Succeeded: ${succeeded} (${changes.join(', ')})`,
    `Failed:    ${counts.failed}`,
    ...(counts.skipped > 0 ? [`Skipped:   ${counts.skipped}`] : []),
    RULE,
    `Total states run: ${total}`,
    `Total run time:   ${formatDuration(durationMs)}`,
    ...revisionsUsed(input).map((revisions) => `Revisions:        ${revisions}`),
  ];
}

/** One text, or none where no published files were used. */
function revisionsUsed({ statesRevision, settingsRevision }: SummaryInput): readonly string[] {
  const used = [
    ...(statesRevision > 0 ? [`states ${statesRevision}`] : []),
    ...(settingsRevision > 0 ? [`settings ${settingsRevision}`] : []),
  ];
  return used.length === 0 ? [] : [used.join(', ')];
}

/** The same in one line. */
export function summaryLine(input: SummaryInput): string {
  const { counts, isTest, whose, durationMs } = input;
  const parts = [
    `${counts.changed} ${isTest ? 'would change' : 'changed'}`,
    ...(counts.unknown > 0 ? [`${counts.unknown} may change`] : []),
    `${counts.unchanged} unchanged`,
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    `${counts.failed} failed`,
  ];
  const revisions = revisionsUsed(input).map((used) => `; revisions: ${used}`);
  return `${whose}: ${parts.join(', ')} (${formatDuration(durationMs)}${revisions.join('')})`;
}
