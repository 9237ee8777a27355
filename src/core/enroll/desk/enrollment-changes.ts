/**
 * These functions keep the list of states that an enrollment went through, and say which events follow from it. The change is written
 * together with the state, in one compare-and-set, so whoever reads the record knows what has to be told: no matter which
 * master made the step, and whether it lived to tell.
 *
 * An event follows from its change alone, so that two masters that tell it tell the same, byte for byte.
 *
 *   told        every change of an enrollment that holds its peel id, or did until it ended
 *   not told    `pending` of what a join token approved at once: nobody has to decide;
 *               the end of one whose machine enrolled again: it goes on under the new one;
 *               what has no effect, because the index names another
 *               what is older than `TOLD_DAYS`: the stream forgets events after a week, so nobody could say whether it was told
 */
import { nanosFromMs, type UnixNanos } from '../../../wire/msgpack/time.ts';
import type { Enrollment, EnrollmentState, StateChange } from '../../../wire/records/enroll/enrollment.ts';
import { isLive } from './enrollment-state.ts';

/** A day less than stream `events` keeps them. */
const TOLD_DAYS = 6;
/** The master that made the step tells it within milliseconds; whoever looks after it waits for that. */
const GRACE_MS = 10_000;
const DAY_MS = 86_400_000;

/** The record in its next state. */
export function entered(
  record: Enrollment,
  state: EnrollmentState,
  { at, by = '', reason = '' }: { readonly at: UnixNanos; readonly by?: string; readonly reason?: string },
): Enrollment {
  const changes = [...record.changes, { state, at, by, reason }];
  return { ...record, state, updatedAt: at, changes };
}

/** Changes whose event belongs into the stream. `current`: the enrollment that holds the peel id. */
export function changesToTell(
  record: Enrollment,
  current: Enrollment | undefined,
  now: UnixNanos,
): readonly StateChange[] {
  const { changes, state, joinToken, supersededBy } = record;
  if (current?.id !== record.id && (state === 'pending' || isLive(state))) return [];
  const oldest = now - nanosFromMs(TOLD_DAYS * DAY_MS);
  return changes.filter((change) => {
    if (change.at < oldest) return false;
    if (change.state === 'pending') return joinToken === '' || state === 'pending';
    return change.state !== 'revoked' || supersededBy === '';
  });
}

/** Whoever made it had the time to tell it. */
export function isOverdue({ at }: StateChange, now: UnixNanos): boolean {
  return now - at > nanosFromMs(GRACE_MS);
}

/** The same for the same change, whoever asks. */
export function changeEventId({ id }: Enrollment, { state }: StateChange): string {
  return `${id}.${state}`;
}

export function changeEventData(
  { id, peelId, remoteAddress }: Enrollment,
  { by, reason }: StateChange,
): Readonly<Record<string, string>> {
  return {
    id,
    peel_id: peelId,
    ...(remoteAddress === '' ? {} : { ip: remoteAddress }),
    ...(by === '' ? {} : { by }),
    ...(reason === '' ? {} : { reason }),
  };
}
