/**
 * Decides what to do with a request for a job that has come through the door. Pure.
 *
 * Known comes first: a job that was ever accepted is never run again, whatever its epoch (decision 2); it is acknowledged
 * again, and its return sent again, because whoever asks again has missed them. Then what ends the job without running
 * it. Then room, before anything is recorded (decision 6). Only then is it accepted.
 *
 * Why a job that finds no room is turned away without a word at first: the first return of a target is final for its
 * master. `peel busy` at once would be the job's end, while a request that comes again a little later, after the ack
 * window, may find room. So the peel says nothing for a while and only then, if the job has not come again and been
 * accepted, answers `peel busy`; and it records that answer, so that the job cannot run after its row says it did not
 * (turned-away.ts).
 */

import { formatRfc3339, isTimeInRange, type UnixNanos } from '../../wire/msgpack/time.ts';
import { parseJid } from '../../wire/names/ids.ts';
import type { ExecRequest } from '../../wire/records/exec.ts';
import { PROTOCOL_VERSION } from '../../wire/records/job.ts';
import { endingOfStop, type JobEnding } from '../returns/make-return.ts';

export interface JobView {
  /** Exec epoch under which it was accepted; undefined when it never was. */
  readonly acceptedEpoch: number | undefined;
  /** A cancel came before it. */
  readonly canceled: boolean;
  readonly now: UnixNanos;
  /** The lane that would run it has a free slot. */
  readonly queueHasRoom: boolean;
  /** The spool can take one more return. */
  readonly spoolHasRoom: boolean;
}

export type JobVerdict =
  | { readonly do: 'repeat'; readonly remark: string }
  | { readonly do: 'answer'; readonly ending: JobEnding }
  | { readonly do: 'turn-away' }
  /** Not even an answer can be kept. */
  | { readonly do: 'drop'; readonly remark: string }
  | { readonly do: 'accept' };

export function judgeJob(request: ExecRequest, view: JobView): JobVerdict {
  if (view.acceptedEpoch !== undefined)
    return { do: 'repeat', remark: repeatRemark(request.epoch, view.acceptedEpoch) };
  if (!view.spoolHasRoom) return { do: 'drop', remark: 'the spool of returns is full' };
  const ending = endingWithoutRun(request, view);
  if (ending !== undefined) return { do: 'answer', ending };
  return { do: view.queueHasRoom ? 'accept' : 'turn-away' };
}

/** For a request that was accepted in time and found no free worker before its deadline. */
export function endingOfWait(
  { deadline }: ExecRequest,
  now: UnixNanos,
  behind: string | undefined,
): JobEnding | undefined {
  if (deadline === undefined || now < deadline) return undefined;
  const what = behind === undefined ? 'other work of this peel' : behindWords(behind);
  return { error: `expired: not started before its deadline, it waited behind ${what}`, outcome: 'expired' };
}

function behindWords(behind: string): string {
  return parseJid(behind) === undefined ? behind : `job ${behind} (\`zester job show ${behind}\`)`;
}

export function endingIfLate({ deadline }: ExecRequest, now: UnixNanos): JobEnding | undefined {
  if (deadline === undefined || now < deadline) return undefined;
  const at = (time: UnixNanos) => (isTimeInRange(time) ? formatRfc3339(time) : 'never');
  return {
    error: `expired: not started, its deadline was ${at(deadline)} and the clock here says ${at(now)}`,
    outcome: 'expired',
  };
}

function endingWithoutRun(request: ExecRequest, { canceled, now }: JobView): JobEnding | undefined {
  if (request.protocol > PROTOCOL_VERSION)
    return { error: `the request speaks protocol ${request.protocol}, this peel speaks ${PROTOCOL_VERSION}` };
  return canceled ? endingOfStop('cancel') : endingIfLate(request, now);
}

function repeatRemark(asked: number, accepted: number): string {
  if (asked < accepted) return 'rejected stale dispatch (epoch too old)';
  return asked === accepted
    ? 'rejected duplicate dispatch (jid already observed at this epoch)'
    : 'rejected duplicate dispatch (jid already observed at an earlier epoch)';
}
