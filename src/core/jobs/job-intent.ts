/**
 * This file decides what to do when a job id is there already. A client that got no answer sends the same job again,
 * perhaps to another master; and an id may be taken by a different job, by mistake or on purpose.
 */

import { WireTime } from '../../wire/msgpack/time.ts';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';

export type Collision =
  /** Our own claim, interrupted before anything was sent: go on from there. */
  | 'resume'
  /** Another master's claim, not sent yet: neither success nor conflict, ask again later. */
  | 'claim-pending'
  /** The same job is on its way or done: success. */
  | 'already-dispatched'
  /** Another job has this id. */
  | 'conflict';

export function judgeCollision(existing: Job, asked: Job, me: MasterId): Collision {
  if (existing.status === 'pending' || existing.status === 'claimed') {
    if (existing.owner !== me) return 'claim-pending';
    return sameIntent(existing, asked) ? 'resume' : 'conflict';
  }
  return sameIntent(existing, asked) ? 'already-dispatched' : 'conflict';
}

/** Whether two records ask for the same thing: everything but clocks, owners and progress. */
export function sameIntent(a: Job, b: Job): boolean {
  return intentOf(a) === intentOf(b);
}

function intentOf(job: Job): string {
  // Masters add this one when they give a job up; the client that asks again does not know it.
  const { failed_reason: _mastersWord, ...metadata } = job.metadata;
  return canonical([
    job.jid,
    job.function,
    job.stateId,
    job.timeout,
    job.user,
    [...job.targets].sort(),
    job.args,
    metadata,
  ]);
}

/** One text for one value: keys sorted, numbers and bigints alike, bytes as numbers. */
function canonical(value: WireValue): string {
  if (typeof value === 'number' || typeof value === 'bigint') return `n${value}`;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `b${[...value].join(',')}`;
  if (value instanceof WireTime) return `t${value.unixNanos}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const map = value as Readonly<Record<string, WireValue>>;
  return `{${Object.keys(map)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(map[key] ?? null)}`)
    .join()}}`;
}
