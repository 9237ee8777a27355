/** `exitCodeOf` gives the exit code of a command that ran something on targets (decision 9). */
import type { Outcome } from '../../wire/records/job-status.ts';
import type { ExitCode } from '../errors/error-spec.ts';

const SILENT: readonly Outcome[] = ['unreachable', 'running'];

/** 0 all good; 2 some target failed or refused; 3 some target is unreachable or silent; 4 both. */
export function exitCodeOf(outcomes: Iterable<Outcome>): ExitCode {
  let failed = false;
  let silent = false;
  for (const outcome of outcomes) {
    if (SILENT.includes(outcome)) silent = true;
    else if (outcome !== 'returned') failed = true;
  }
  if (failed && silent) return 4;
  return failed ? 2 : silent ? 3 : 0;
}
