import { describe, expect, it } from 'vitest';
import type { EnrollmentId, PeelId } from '../../../wire/names/ids.ts';
import { ENROLLMENT_STATES, enrollmentCodec } from '../../../wire/records/enroll/enrollment.ts';
import { carriedFrom, carriedOver, enrollmentStep, holdsId, isLive } from './enrollment-state.ts';

describe('the states of an enrollment', () => {
  it('follow each other as the reference says, and no other way', () => {
    const taken = ENROLLMENT_STATES.flatMap((from) =>
      ENROLLMENT_STATES.filter((to) => enrollmentStep(from, to) === 'take').map((to) => `${from} ${to}`),
    );
    expect(taken).toEqual([
      'pending approved',
      'pending rejected',
      'approved issued',
      'approved revoked',
      'issued active',
      'issued revoked',
      'active revoked',
    ]);
  });

  it('are done when asked for again, also when they have gone on since', () => {
    for (const state of ENROLLMENT_STATES) expect(enrollmentStep(state, state)).toBe('done');
    for (const later of ['approved', 'issued', 'active'] as const)
      expect(enrollmentStep(later, 'approved')).toBe('done');
    expect(enrollmentStep('revoked', 'approved')).toBe('refused');
    expect(enrollmentStep('rejected', 'approved')).toBe('refused');
    expect(enrollmentStep('active', 'rejected')).toBe('refused');
    expect(enrollmentStep('pending', 'revoked')).toBe('refused');
  });

  it('end: nothing leads out of rejected and revoked', () => {
    for (const end of ['rejected', 'revoked'] as const) {
      expect([isLive(end), holdsId(end)]).toEqual([false, false]);
      for (const to of ENROLLMENT_STATES) if (to !== end) expect(enrollmentStep(end, to)).toBe('refused');
    }
  });

  it('remember whose approval was carried over', () => {
    const id = `enr-${'a'.repeat(27)}` as EnrollmentId;
    const by = (decidedBy: string) =>
      carriedFrom(enrollmentCodec.create({ id, peelId: 'web-1' as PeelId, state: 'approved', decidedBy }));
    expect(by(carriedOver(id))).toBe(id);
    for (const other of ['alice', 'carried over from nobody', '', `x ${carriedOver(id)}`])
      expect(by(other)).toBe(undefined);
  });
});
