import { describe, expect, it } from 'vitest';
import { nanosFromMs } from '../../../wire/msgpack/time.ts';
import type { EnrollmentId, PeelId } from '../../../wire/names/ids.ts';
import { type Enrollment, enrollmentCodec } from '../../../wire/records/enroll/enrollment.ts';
import { entered } from './enrollment-changes.ts';
import { staleStep } from './stale-enrollments.ts';

const DAY = 86_400_000_000_000n;
const id = (letter: string) => `enr-${letter.repeat(27)}` as EnrollmentId;
const record = (letter: string, given: Partial<Enrollment>): Enrollment =>
  enrollmentCodec.create({
    id: id(letter),
    peelId: 'web-1' as PeelId,
    publicKey: 'U',
    createdAt: 0n,
    updatedAt: 0n,
    state: 'pending',
    ...given,
  });

describe('an enrollment that nobody comes back to', () => {
  it('is rejected when nobody decided for a month', () => {
    const waiting = record('a', {});
    expect(staleStep(waiting, waiting, 30n * DAY)).toEqual({ is: 'keep' });
    expect(staleStep(waiting, waiting, 31n * DAY)).toEqual({ is: 'reject' });
  });

  it('stays as long as it is in use, however old', () => {
    for (const state of ['approved', 'issued', 'active'] as const) {
      const live = record('a', { state });
      expect(staleStep(live, live, 9_999n * DAY)).toEqual({ is: 'keep' });
    }
  });

  it('whose place another of its key has taken is ended; one of another key is not', () => {
    const old = record('a', { state: 'active' });
    expect(staleStep(old, record('b', { state: 'approved', createdAt: 1n }), 2n)).toEqual({
      is: 'supersede',
      by: id('b'),
    });
    expect(staleStep(old, record('b', { publicKey: 'V', createdAt: 1n }), 2n)).toEqual({ is: 'keep' });
    // The heir of a master that died before the index named it has no effect, and is not in the way.
    const heir = record('b', { state: 'approved', createdAt: 1n });
    expect([staleStep(heir, old, 2n), staleStep(heir, old, 2n * DAY)]).toEqual([
      { is: 'keep' },
      { is: 'remove' },
    ]);
  });

  it('without effect is removed after a day', () => {
    for (const state of ['pending', 'rejected'] as const) {
      const other = record('b', { state: 'active', publicKey: 'V' });
      expect(staleStep(record('a', { state }), other, DAY)).toEqual({ is: 'keep' });
      expect(staleStep(record('a', { state }), other, DAY + 1n)).toEqual({ is: 'remove' });
    }
    const replaced = record('a', { state: 'revoked', supersededBy: id('b') });
    expect(staleStep(replaced, record('b', { state: 'active' }), 2n * DAY)).toEqual({ is: 'remove' });
  });

  it('of a peel that never asked and was revoked stays until credentials of any age are dead', () => {
    const revoked = entered(record('a', { decidedAt: 5n * DAY }), 'revoked', { at: nanosFromMs(0) });
    expect(staleStep(revoked, undefined, 406n * DAY)).toEqual({ is: 'keep' });
    expect(staleStep(revoked, undefined, 407n * DAY)).toEqual({ is: 'remove' });
  });

  it('that was revoked stays until its last credentials are dead, also when the id is in use again', () => {
    const revoked = record('a', { state: 'revoked', decidedAt: 5n * DAY, expiresAt: 180n * DAY });
    for (const current of [revoked, record('b', { state: 'active' })]) {
      expect(staleStep(revoked, current, 181n * DAY)).toEqual({ is: 'keep' });
      expect(staleStep(revoked, current, 182n * DAY)).toEqual({ is: 'remove' });
    }
  });
});
