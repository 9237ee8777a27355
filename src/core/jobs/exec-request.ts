/**
 * `execRequestOf` makes the request that every target of a job gets: one constructor for every path (first send, re-send,
 * adoption), from the record alone, so that all copies are the same bytes and a peel can tell a duplicate from anything
 * else.
 */
import type { ExecRequest } from '../../wire/records/exec.ts';
import { type Job, PROTOCOL_VERSION } from '../../wire/records/job.ts';
import { deadlineOf } from './job-record.ts';

const DEPTH_TEXT = /^\d{1,6}$/;

export function execRequestOf(job: Job, execEpoch: number): ExecRequest {
  return {
    protocol: PROTOCOL_VERSION,
    jid: job.jid,
    module: job.function,
    id: job.stateId,
    args: job.args,
    epoch: execEpoch,
    reactorDepth: depthOf(job.metadata.reactor_depth),
    deadline: deadlineOf(job),
  };
}

/** What is not a depth counts as none. */
function depthOf(text: string | undefined): number {
  return text !== undefined && DEPTH_TEXT.test(text) ? Number(text) : 0;
}
