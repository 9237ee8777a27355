import { describe, expect, it } from 'vitest';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { type Enrollment, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { judgeEnrollments, judgePeelCredentials } from './enrollments.ts';

const HOUR = 3_600n * 1_000_000_000n;
const now = 1_000n * HOUR;
const one = (peel: string, said: Partial<Enrollment>) =>
  enrollmentCodec.create({
    ...{ id: 'enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as EnrollmentId, peelId: peel as PeelId, state: 'pending' },
    ...{ createdAt: now, ...said },
  });
const judged = (judge: typeof judgeEnrollments, enrollments: readonly Enrollment[], unreadable = 0) => {
  const { verdict, found } = judge({ enrollments, unreadable, now });
  return `${verdict}: ${found}`;
};

describe('judgeEnrollments', () => {
  it.each<[string, readonly Enrollment[], number]>([
    ['ok: 0 peels enrolled', [], 0],
    ['ok: 1 peel enrolled, 1 waiting', [one('a', { state: 'active' }), one('b', { state: 'pending' })], 0],
    [
      'warn: 1 machine waits to be let in for more than an hour: b',
      [one('b', { state: 'pending', createdAt: now - HOUR - 1n })],
      0,
    ],
    ['ok: 0 peels enrolled, 1 waiting', [one('b', { state: 'pending', createdAt: now - HOUR })], 0],
    [
      'warn: 1 machine that asks to join sees another CA than ours: c',
      [one('c', { state: 'pending', trustMismatch: true })],
      0,
    ],
    ['ok: 0 peels enrolled', [one('c', { state: 'rejected', trustMismatch: true })], 0],
    ['fail: 2 records of enrollments cannot be read', [], 2],
  ])('%s', (expected, enrollments, unreadable) => {
    expect(judged(judgeEnrollments, enrollments, unreadable)).toBe(expected);
  });
});

describe('judgePeelCredentials', () => {
  const lasting = (hours: bigint, state: Enrollment['state'] = 'active') =>
    one('a', { state, issuedAt: now + hours * HOUR - 60n * HOUR, expiresAt: now + hours * HOUR });
  it.each<[string, readonly Enrollment[]]>([
    ['ok: no credentials of 1 enrolled peel expire soon', [lasting(10n)]],
    ['warn: the credentials of 1 peel expire soon and were not renewed: a', [lasting(9n)]],
    ['fail: the credentials of 1 peel have expired: a', [lasting(0n)]],
    ['ok: no credentials of 0 enrolled peels expire soon', [lasting(0n, 'revoked')]],
    ['ok: no credentials of 1 enrolled peel expire soon', [one('a', { state: 'active' })]],
  ])('%s', (expected, enrollments) => {
    expect(judged(judgePeelCredentials, enrollments)).toBe(expected);
  });
});
