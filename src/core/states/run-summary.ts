/** The summary of a run says in numbers what came of it. */
import type { StateResult } from '../../wire/records/exec.ts';
import { failed } from './run-rules.ts';

export interface RunOutcome {
  /** In execution order: level, order, name. */
  readonly results: readonly StateResult[];
  /** States that changed something, or would in a dry run. One that failed half way may be among them. */
  readonly changed: number;
  readonly failed: number;
  readonly skipped: number;
  /** A cancel or the deadline cut at least one state off. */
  readonly canceled: boolean;
}

export function summarize(results: readonly StateResult[], canceled: boolean): RunOutcome {
  return {
    results,
    changed: results.filter(({ changed }) => changed).length,
    failed: results.filter(failed).length,
    skipped: results.filter(({ skipped }) => skipped).length,
    canceled,
  };
}

/** Skipped states and states without a change are no failures. */
export function succeeded(outcome: RunOutcome): boolean {
  return outcome.failed === 0 && !outcome.canceled;
}
