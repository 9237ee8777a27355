/** This file makes the result of an execution for programs: `{jid, status, test, targets, returns: {<peel>: …}}`. */
import type { PeelId } from '../../wire/names/ids.ts';
import type { Row } from '../../wire/records/job-return.ts';
import type { Outcome } from '../../wire/records/job-status.ts';
import { rowRecord } from './row-record.ts';

export interface ExecResult {
  /** Undefined where the peels were asked directly: there is no job. */
  readonly jid: string | undefined;
  readonly status: string;
  readonly isTest: boolean;
  readonly targets: readonly PeelId[];
  readonly returns: ReadonlyMap<PeelId, Row>;
  readonly outcomes: ReadonlyMap<PeelId, Outcome>;
}

export function execResultRecord({ jid, status, isTest, targets, returns, outcomes }: ExecResult): object {
  const rows = [...outcomes].map(([peel, outcome]) => [
    peel,
    rowRecord({ outcome, value: returns.get(peel), isTest }),
  ]);
  return { jid: jid ?? null, status, test: isTest, targets, returns: Object.fromEntries(rows) };
}
