/**
 * `staleStep` says what is to be done with an enrollment that nobody comes back to, so that the table does not grow for ever and what a
 * master left that died is put right. Masters ask it for every record from time to time, and apply it by compare-and-set.
 *
 *   waits for a decision for `PENDING_DAYS`                  rejected
 *   is live, and the index names another one of its key      superseded (its machine enrolled again, and the master died)
 *   has no effect (the index names another, or none)         removed after a day
 *   was rejected                                             removed after `REJECTED_DAYS`, and the id is free of it
 *   was revoked                                              removed a day after its last credentials have expired
 *   was revoked without ever having asked                    removed when credentials of that time must have expired
 */
import type { EnrollmentId } from '../../../wire/names/ids.ts';
import type { Enrollment } from '../../../wire/records/enroll/enrollment.ts';
import { CREDENTIALS_DAYS_MAX } from '../../accounts/desired-revocations.ts';
import { isKeyRevoked, isLive } from './enrollment-state.ts';

const NANOS_PER_DAY = 86_400_000_000_000n;
export const PENDING_DAYS = 30;
const REJECTED_DAYS = 90;

export type StaleStep =
  | { readonly is: 'keep' | 'reject' | 'remove' }
  | { readonly is: 'supersede'; readonly by: EnrollmentId };

/** `current`: the enrollment that holds the peel id now. */
export function staleStep(record: Enrollment, current: Enrollment | undefined, now: bigint): StaleStep {
  const isOlder = (time: bigint | undefined, days: number) =>
    now - (time ?? record.updatedAt) > BigInt(days) * NANOS_PER_DAY;
  const isCurrent = current?.id === record.id;
  if (isKeyRevoked(record)) {
    const { expiresAt, decidedAt, changes } = record;
    // When credentials of a peel that never enrolled expire is not known: as late as any may.
    if (changes[0]?.state === 'revoked')
      return { is: isOlder(decidedAt, CREDENTIALS_DAYS_MAX + 1) ? 'remove' : 'keep' };
    return { is: isOlder(expiresAt, 1) && isOlder(decidedAt, 1) ? 'remove' : 'keep' };
  }
  if (isCurrent) {
    if (record.state === 'pending') return { is: isOlder(undefined, PENDING_DAYS) ? 'reject' : 'keep' };
    return { is: record.state === 'rejected' && isOlder(undefined, REJECTED_DAYS) ? 'remove' : 'keep' };
  }
  const heir = current !== undefined && current.publicKey === record.publicKey ? current : undefined;
  if (isLive(record.state) && heir !== undefined && record.createdAt < heir.createdAt)
    return { is: 'supersede', by: heir.id };
  return { is: isOlder(undefined, 1) ? 'remove' : 'keep' };
}
