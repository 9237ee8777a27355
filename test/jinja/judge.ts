/**
 * `judgeCase` tells whether our engine did what Salt did with a case: the same, a difference that is listed, or
 * another one.
 */
import { DIFFERENCES } from './differences.ts';
import type { RecordedCase, RecordedCases, RecordedOutcome } from './recorded-cases.ts';

export { parseCases, RecordedCases } from './recorded-cases.ts';

export interface Judged {
  readonly recorded: RecordedCase;
  readonly ours: RecordedOutcome;
  /** The name of a listed difference stands for itself. */
  readonly verdict: 'same' | 'differs' | string;
}

export function judgeCase(cases: RecordedCases, recorded: RecordedCase): Judged {
  const ours = cases.run(recorded);
  if (isSame(recorded, ours)) return { recorded, ours, verdict: 'same' };
  const listed = DIFFERENCES.find(({ applies }) => applies(recorded, ours));
  return { recorded, ours, verdict: listed?.name ?? 'differs' };
}

/** Errors are the same if a person would read the same: kind, message, file and line. Python knows no columns. */
function isSame(recorded: RecordedCase, ours: RecordedOutcome): boolean {
  if (recorded.err === undefined) return 'out' in ours && ours.out === recorded.out;
  if (!('err' in ours)) return false;
  const { type, message, line = ours.err.line, name = ours.err.name } = recorded.err;
  return (
    ours.err.type === type && ours.err.message === message && ours.err.line === line && ours.err.name === name
  );
}
