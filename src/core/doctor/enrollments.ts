/**
 * These checks of `zester doctor` judge who waits to be let in, and whose credentials run out. A peel renews its credentials at two
 * thirds of their life, so one that has less than a sixth left has failed to for long.
 */
import type { UnixNanos } from '../../wire/msgpack/time.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { count, fail, type Judgement, nameSome, ok, warn } from './finding.ts';

export interface EnrollmentFacts {
  readonly enrollments: readonly Enrollment[];
  /** Records that are none. */
  readonly unreadable: number;
  readonly now: UnixNanos;
}

/** Somebody forgot it. */
const WAITS_LONG_NANOS = 3_600n * 1_000_000_000n;
const LIFE_PART = 6n;

export function judgeEnrollments({ enrollments, unreadable, now }: EnrollmentFacts): Judgement {
  if (unreadable > 0)
    return fail(
      `${count(unreadable, 'record')} of enrollments cannot be read`,
      'run `zester enroll list`; who may join and who is shut out may be decided by them',
    );
  const pending = enrollments.filter(({ state }) => state === 'pending');
  const names = (some: readonly Enrollment[]) => nameSome(some.map(({ peelId }) => peelId));
  const mismatched = pending.filter(({ trustMismatch }) => trustMismatch);
  if (mismatched.length > 0)
    return warn(
      `${count(mismatched.length, 'machine')} that asks to join sees another CA than ours: ${names(mismatched)}`,
      'somebody may stand between it and the masters: look with `zester enroll show` before you decide',
    );
  const forgotten = pending.filter(({ createdAt }) => now - createdAt > WAITS_LONG_NANOS);
  if (forgotten.length > 0)
    return warn(
      `${count(forgotten.length, 'machine')} waits to be let in for more than an hour: ${names(forgotten)}`,
      'decide with `zester enroll approve` or `zester enroll reject`; `zester enroll list --state pending` shows them',
    );
  const inside = enrollments.filter(isIn).length;
  const waits = pending.length === 0 ? '' : `, ${pending.length} waiting`;
  return ok(`${count(inside, 'peel')} enrolled${waits}`);
}

export function judgePeelCredentials({ enrollments, now }: EnrollmentFacts): Judgement {
  const inside = enrollments.filter(isIn);
  const names = (some: readonly Enrollment[]) => nameSome(some.map(({ peelId }) => peelId));
  const expired = inside.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now);
  if (expired.length > 0)
    return fail(
      `the credentials of ${count(expired.length, 'peel')} have expired: ${names(expired)}`,
      'a peel asks a master for new ones with its key when it is started, and its log says why not; machines that are gone are taken off with `zester enroll revoke`',
    );
  const soon = inside.filter((each) => isNearEnd(each, now));
  if (soon.length > 0)
    return warn(
      `the credentials of ${count(soon.length, 'peel')} expire soon and were not renewed: ${names(soon)}`,
      'a peel that is online renews them by itself: see its log, and whether it is there with `zester peel list`',
    );
  return ok(`no credentials of ${count(inside.length, 'enrolled peel')} expire soon`);
}

function isIn({ state }: Enrollment): boolean {
  return state === 'issued' || state === 'active';
}

function isNearEnd({ issuedAt, expiresAt }: Enrollment, now: UnixNanos): boolean {
  if (issuedAt === undefined || expiresAt === undefined) return false;
  return (expiresAt - now) * LIFE_PART < expiresAt - issuedAt;
}
