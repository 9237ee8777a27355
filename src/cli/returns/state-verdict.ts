/** A state verdict tells what became of one state, as a kind that can be counted and in words. A dry run says `would`. */
import type { StateResult } from '../../wire/records/exec.ts';
import type { Glyphs } from './glyphs.ts';

export type StateKind = keyof Glyphs;

/** Reasons as they travel, in words. A reason that is not here is shown as it came. */
const SKIP_REASONS: Readonly<Record<string, string>> = {
  require_failed: 'a state it requires failed',
  onchanges_not_met: 'nothing it waits for changed',
  onfail_not_met: 'nothing it stands in for failed',
  prereq_not_met: 'nothing it prepares would change',
  failhard_abort: 'a failhard state failed before it',
  dependent_not_reverted: 'what builds on it could not be undone',
  '': 'the run was ended before it',
};

export function kindOf(result: StateResult): StateKind {
  if (result.error !== '') return 'failed';
  if (result.skipped) return 'skipped';
  if (isGuess(result)) return 'unknown';
  return result.changed ? 'changed' : 'unchanged';
}

export function verdictOf(result: StateResult, isTest: boolean): string {
  switch (kindOf(result)) {
    case 'failed':
      return isTest ? 'would fail' : 'failed';
    case 'skipped':
      return `${skippedWord(result, isTest)}: ${reasonWords(result)}`;
    case 'unknown':
      return 'may change: only a real run can tell';
    case 'changed':
      return isTest ? 'would change' : 'changed';
    case 'unchanged':
      return 'no change';
  }
}

/** With the states that failed, where the peel names them. */
function reasonWords({ skipReason, details: { because } }: StateResult): string {
  const words = SKIP_REASONS[skipReason] ?? skipReason;
  return because === undefined ? words : `${words} (${because})`;
}

/** A dry run says so where a state hangs on what a program would do. */
function isGuess({ details }: StateResult): boolean {
  return details.prediction === 'unknown';
}

function skippedWord(result: StateResult, isTest: boolean): string {
  if (!isTest) return 'skipped';
  return isGuess(result) ? 'may be skipped' : 'would be skipped';
}
