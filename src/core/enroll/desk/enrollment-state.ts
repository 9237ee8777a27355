/**
 * The state machine of an enrollment: which state may follow which, and what each is worth. Masters apply it by
 * compare-and-set; a step that is asked for twice is `done` the second time.
 *
 *   pending ──▶ approved ──▶ issued ──▶ active
 *      │            │           │          │
 *      ▼            └───────────┴──────────┴──▶ revoked
 *   rejected
 *
 * A record never leaves `rejected` or `revoked`: the same machine comes back with a new record.
 */

import type { UnixNanos } from '../../../wire/msgpack/time.ts';
import { type EnrollmentId, parseEnrollmentId } from '../../../wire/names/ids.ts';
import type { Enrollment, EnrollmentState } from '../../../wire/records/enroll/enrollment.ts';

export type CredentialTimes = Pick<Enrollment, 'issuedAt' | 'expiresAt'>;

const NEXT: Readonly<Record<EnrollmentState, readonly EnrollmentState[]>> = {
  pending: ['approved', 'rejected'],
  approved: ['issued', 'revoked'],
  issued: ['active', 'revoked'],
  active: ['revoked'],
  rejected: [],
  revoked: [],
};

/** `done`: it is there already, or has been and went on from there. */
export type EnrollmentStep = 'take' | 'done' | 'refused';

export function enrollmentStep(from: EnrollmentState, to: EnrollmentState): EnrollmentStep {
  if (from === to) return 'done';
  if (NEXT[from].includes(to)) return 'take';
  // What was approved and went on was approved; nothing that was refused ever was.
  return isLive(from) && isLive(to) && NEXT[to].some((next) => reaches(next, from)) ? 'done' : 'refused';
}

/** Approved, and not taken back: its key is that of the peel. */
export function isLive(state: EnrollmentState): boolean {
  return state === 'approved' || state === 'issued' || state === 'active';
}

/** Nobody else may have its peel id. */
export function holdsId(state: EnrollmentState): boolean {
  return state === 'pending' || isLive(state);
}

/** Credentials of it are out, and good. */
export function hasCredentials(state: EnrollmentState): boolean {
  return state === 'issued' || state === 'active';
}

/** Its key must not be let in again, as against one that another enrollment of the same key has replaced. */
export function isKeyRevoked({ state, supersededBy }: Enrollment): boolean {
  return state === 'revoked' && supersededBy === '';
}

/** When the newest credentials of either were issued, and when the last ones expire: for two enrollments of one key. */
export function laterTimes(a: CredentialTimes, b: CredentialTimes): CredentialTimes {
  return { issuedAt: later(a.issuedAt, b.issuedAt), expiresAt: later(a.expiresAt, b.expiresAt) };
}

const later = (a: UnixNanos | undefined, b: UnixNanos | undefined) =>
  a === undefined || (b !== undefined && b > a) ? b : a;

const CARRIED = 'carried over from ';

/** Who decided about an enrollment whose machine has proven the key of an approved one. */
export function carriedOver(from: EnrollmentId): string {
  return `${CARRIED}${from}`;
}

/** The enrollment whose approval this one has; undefined: somebody decided about it. */
export function carriedFrom({ decidedBy }: Enrollment): EnrollmentId | undefined {
  return decidedBy.startsWith(CARRIED) ? parseEnrollmentId(decidedBy.slice(CARRIED.length)) : undefined;
}

function reaches(from: EnrollmentState, to: EnrollmentState): boolean {
  return from === to || NEXT[from].some((next) => reaches(next, to));
}
