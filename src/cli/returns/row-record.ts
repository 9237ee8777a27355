/**
 * A row record tells programs how one target of a job stands: it has the same shape in the result of an execution, in
 * `job attach` and in `job show`. docs/reference/json has the schemas.
 */
import { responseIn } from '../../client/jobs/return-response.ts';
import { stateResultRecord } from '../../core/jobs/result-record.ts';
import { formatRfc3339, msFromNanos, nanosFromMs } from '../../wire/msgpack/time.ts';
import type { ExecResponse } from '../../wire/records/exec.ts';
import type { Row } from '../../wire/records/job-return.ts';
import type { Outcome } from '../../wire/records/job-status.ts';

export interface TargetRow {
  readonly outcome: Outcome;
  /** What it returned, or what a master wrote for it; undefined as long as there is neither. */
  readonly value: Row | undefined;
  /** The job asks for a dry run; what the target says itself goes before. */
  readonly isTest: boolean;
  readonly signs?: LifeSigns;
}

/** The last that was heard of a target. */
export interface LifeSigns {
  readonly ackedMs: number | undefined;
  readonly heartbeatAgeMs: number | undefined;
  /** What it waits behind, if it has accepted the job and not started it. */
  readonly behind?: string | undefined;
}

export function rowRecord({ outcome, value, isTest, signs = signsIn(value) }: TargetRow): object {
  const answer = value === undefined ? undefined : responseIn(value);
  const response = answer?.isReadable ? answer.value : undefined;
  return {
    outcome,
    final: value !== undefined,
    success: outcome === 'returned',
    test: response?.test ?? isTest,
    duration_ms: value === undefined ? 0 : msFromNanos(value.duration),
    error: value?.error ?? '',
    ...(response === undefined || response.code === '' ? {} : { error_code: response.code }),
    ...(response === undefined ? {} : revisionsRecord(response)),
    ...(answer?.isReadable === false ? { unreadable_answer: answer.problem } : {}),
    ...(signs === undefined ? {} : { proof: proofRecord(signs) }),
    results: (response?.results ?? []).map(stateResultRecord),
  };
}

function revisionsRecord({ statesRevision, settingsRevision }: ExecResponse): object {
  return {
    ...(statesRevision > 0 ? { states_revision: statesRevision } : {}),
    ...(settingsRevision > 0 ? { settings_revision: settingsRevision } : {}),
  };
}

function signsIn(value: Row | undefined): LifeSigns | undefined {
  if (value?.proof === undefined) return undefined;
  const { acked, heartbeatAge } = value.proof;
  return {
    ackedMs: acked === undefined ? undefined : msFromNanos(acked),
    heartbeatAgeMs: heartbeatAge === undefined ? undefined : msFromNanos(heartbeatAge),
  };
}

function proofRecord({ ackedMs, heartbeatAgeMs, behind }: LifeSigns): object {
  return {
    acked: ackedMs === undefined ? null : formatRfc3339(nanosFromMs(ackedMs)),
    heartbeat_age_ms: heartbeatAgeMs === undefined ? null : Math.max(0, Math.round(heartbeatAgeMs)),
    ...(behind === undefined ? {} : { waits_behind: behind }),
  };
}
