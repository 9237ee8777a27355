/** The result of an execution for programs: `{jid, status, targets, returns: {<peel>: …}}`. A result has every field. */
import type { PeelId } from '../../wire/ids.ts';
import type { Return } from '../../wire/job-return.ts';
import type { Outcome } from '../../wire/job-status.ts';
import { msFromNanos } from '../../wire/time.ts';
import { responseOf } from './render-return.ts';

export interface ExecResult {
  readonly jid: string;
  readonly status: string;
  readonly targets: readonly PeelId[];
  readonly returns: ReadonlyMap<PeelId, Return>;
  readonly outcomes: ReadonlyMap<PeelId, Outcome>;
}

export function resultRecord(result: ExecResult): object {
  const rows = [...result.outcomes].map(([peel, outcome]) => [
    peel,
    rowRecord(outcome, result.returns.get(peel)),
  ]);
  return {
    jid: result.jid,
    status: result.status,
    targets: result.targets,
    returns: Object.fromEntries(rows),
  };
}

function rowRecord(outcome: Outcome, value: Return | undefined): object {
  const response = value === undefined ? undefined : responseOf(value);
  const results = (response?.results ?? []).map(
    ({ name, changed, details, duration, diff, error, skipped, skipReason }) => ({
      name,
      changed,
      details,
      duration_ms: msFromNanos(duration),
      diff,
      error,
      skipped,
      skip_reason: skipReason,
    }),
  );
  return {
    outcome,
    success: outcome === 'returned',
    ...(value?.error ? { error: value.error } : {}),
    duration_ms: value === undefined ? 0 : msFromNanos(value.duration),
    ...(response?.test === true ? { test: true } : {}),
    results,
  };
}
