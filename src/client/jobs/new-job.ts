/**
 * `newJob` makes the record of a new job, as it is handed to the masters: with its id, who asked, and when. Sends
 * nothing.
 */
import { newKsuid } from '../../runtime/ids.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { type Job, jobCodec, PROTOCOL_VERSION } from '../../wire/records/job.ts';
import type { ClientContext } from '../client-context.ts';

/** What is to be run. */
export interface CallRequest {
  readonly functionName: string;
  /** The bare argument; may be empty. */
  readonly id: string;
  readonly args: WireMap;
  /** How long the targets have. */
  readonly timeoutMs: number;
}

/** How long targets have when nobody said: states take longer than questions. */
export const DEFAULT_TIMEOUT_MS = { question: 60_000, states: 5 * 60_000, highstate: 10 * 60_000 } as const;

const RUNS_STATES = ['state.apply', 'state.sls', 'state.single', 'state.revert'];

export function defaultTimeoutMs({ functionName, id }: Pick<CallRequest, 'functionName' | 'id'>): number {
  const isHighstate = functionName === 'state.highstate' || (functionName === 'state.apply' && id === '');
  if (isHighstate) return DEFAULT_TIMEOUT_MS.highstate;
  return RUNS_STATES.includes(functionName) ? DEFAULT_TIMEOUT_MS.states : DEFAULT_TIMEOUT_MS.question;
}

export interface JobRequest extends CallRequest {
  readonly targets: readonly PeelId[];
  /** As a person wrote it. */
  readonly targetExpr: string;
}

export function newJob({ runtime, user }: ClientContext, request: JobRequest): Job {
  const { clock, random } = runtime;
  const now = nanosFromMs(clock.nowMs());
  return jobCodec.create({
    jid: newKsuid(clock, random) as Jid,
    function: request.functionName,
    stateId: request.id,
    args: request.args,
    targets: request.targets,
    targetExpr: request.targetExpr,
    timeout: nanosFromMs(request.timeoutMs),
    status: 'pending',
    created: now,
    updated: now,
    user,
    protocol: PROTOCOL_VERSION,
  });
}
