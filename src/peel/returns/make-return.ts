/** Makes the Return of a job from how it ended. Pure. Texts of the wire reference are spelled as it spells them. */
import { EXECUTION_CANCELED } from '../../modules/run-function.ts';
import type { Leftover } from '../../system/processes.ts';
import type { DurationNanos, UnixNanos } from '../../wire/msgpack/time.ts';
import { ENCODED_NIL } from '../../wire/msgpack/wire-value.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { type ExecResponse, execResponseCodec } from '../../wire/records/exec.ts';
import { type Return, returnCodec } from '../../wire/records/job-return.ts';
import type { Outcome } from '../../wire/records/job-status.ts';
import { ABANDON_MS, type ExecutionEnd, type StopReason } from '../run/execution.ts';

const INTERRUPTED = 'interrupted by restart';
export const NOT_STARTED = `${INTERRUPTED}: it had not been started`;
/** A level of states may have hundreds at work. */
const PIDS_TOLD_MAX = 5;
export const QUEUE_FULL = 'peel busy: execution queue full';

/** Who answers, and when. */
export interface ReturnFrame {
  readonly peelId: PeelId;
  readonly jid: Jid;
  readonly now: UnixNanos;
}

/** How a job ended for this peel, in the words of its row. */
export interface JobEnding {
  readonly error: string;
  /** Only `canceled` and `expired` are for a peel to say; all else follows from success. */
  readonly outcome?: Outcome;
}

/** A Return whose response is not encoded yet: it may have to be shortened first (fit-message.ts). */
export interface OpenReturn {
  readonly value: Return;
  readonly response: ExecResponse | undefined;
}

/** A job that was run. */
export function returnOfRun(frame: ReturnFrame, end: ExecutionEnd, duration: DurationNanos): OpenReturn {
  if (end.kind === 'answered') {
    const { success, error } = end.response;
    return { value: { ...unrun(frame, { error }, duration), success }, response: end.response };
  }
  if (end.kind === 'broke') return returnOf(frame, { error: bugText(end.error) }, duration);
  const ending = endingOfStop(end.by, end.response === undefined);
  const response = end.response && { ...end.response, error: ending.error, code: '' };
  return { value: unrun(frame, ending, duration), response };
}

/** A job that was not run, or that left no answer. */
export function returnOf(frame: ReturnFrame, ending: JobEnding, duration: DurationNanos = 0n): OpenReturn {
  return { value: unrun(frame, ending, duration), response: undefined };
}

function unrun(
  { jid, peelId, now }: ReturnFrame,
  { error, outcome }: JobEnding,
  duration: DurationNanos,
): Return {
  return returnCodec.create({
    jid,
    peelId,
    success: false,
    returnData: ENCODED_NIL,
    error,
    duration,
    timestamp: now,
    outcome,
  });
}

/** The answer to a direct request that ended in any way. */
export function responseOfRun(frame: ReturnFrame, end: ExecutionEnd): ExecResponse {
  if (end.kind === 'answered') return end.response;
  if (end.kind === 'broke') return failedResponse(frame, bugText(end.error));
  const { error } = endingOfStop(end.by, end.response === undefined);
  return end.response === undefined ? failedResponse(frame, error) : { ...end.response, error, code: '' };
}

export function failedResponse({ peelId, jid }: ReturnFrame, error: string): ExecResponse {
  return execResponseCodec.create({ peelId, jid, success: false, error });
}

/** Of a job that a former life of the peel was at when it was killed. */
export function endingOfInterrupted(commands: readonly Leftover[]): JobEnding {
  return { error: [INTERRUPTED, ...LEFTOVER_WORDS.flatMap((words) => words(commands))].join('; ') };
}

const LEFTOVER_WORDS: readonly ((commands: readonly Leftover[]) => string[])[] = [
  (commands) => commandWords(commands, 'ended', 'was still running and was ended'),
  (commands) => commandWords(commands, 'alive', 'was still running and could not be ended: it may still run'),
  (commands) => commandWords(commands, 'gone', 'was no longer running'),
];

/** One part for each way in which commands of the job were found. */
function commandWords(commands: readonly Leftover[], is: Leftover['is'], what: string): string[] {
  const own = commands.filter((each) => each.is === is);
  if (own.length === 0) return [];
  const pids = own.flatMap((each) => ('pid' in each ? [each.pid] : []));
  const more = pids.length > PIDS_TOLD_MAX ? ` and ${pids.length - PIDS_TOLD_MAX} more` : '';
  const which = pids.length === 0 ? '' : ` (pid ${pids.slice(0, PIDS_TOLD_MAX).join(', ')}${more})`;
  return [`its command${which} ${what}`];
}

export function endingOfStop(by: StopReason, leftBehind = false): JobEnding {
  const remark = leftBehind ? ` (it did not stop within ${ABANDON_MS / 1_000} s and was left behind)` : '';
  switch (by) {
    case 'cancel':
      return { error: `${EXECUTION_CANCELED}${remark}`, outcome: 'canceled' };
    case 'deadline':
      // It ran, and no operator stopped it: so it failed.
      return { error: `${EXECUTION_CANCELED}: the deadline passed${remark}` };
    case 'stop':
      return { error: `${INTERRUPTED}${remark}` };
  }
}

function bugText(error: unknown): string {
  return `the function broke: ${error instanceof Error ? error.message : String(error)}`;
}
