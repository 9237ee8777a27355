import { describe, expect, it } from 'vitest';
import { nanosFromMs } from '../../../wire/msgpack/time.ts';
import type { EnrollmentId, PeelId } from '../../../wire/names/ids.ts';
import {
  type Enrollment,
  type EnrollmentState,
  enrollmentCodec,
} from '../../../wire/records/enroll/enrollment.ts';
import { changeEventData, changeEventId, changesToTell, entered, isOverdue } from './enrollment-changes.ts';

const at = (seconds: number) => nanosFromMs(1_800_000_000_000 + seconds * 1_000);
const DAY = 86_400;
const id = (letter: string) => `enr-${letter.repeat(27)}` as EnrollmentId;
const through = (letter: string, states: readonly EnrollmentState[], given: Partial<Enrollment> = {}) => {
  const bare = enrollmentCodec.create({
    id: id(letter),
    peelId: 'web-1' as PeelId,
    state: 'pending',
    ...given,
  });
  const record = states.reduce((before, state, second) => entered(before, state, { at: at(second) }), bare);
  return { ...record, ...given };
};
const states = (record: Enrollment, current: Enrollment | undefined, seconds: number) =>
  changesToTell(record, current, at(seconds)).map(({ state }) => state);

describe('the changes of an enrollment', () => {
  it('are told, each of them, and are overdue when whoever made them had time to', () => {
    const active = through('a', ['pending', 'approved', 'issued', 'active']);
    expect(states(active, active, 5)).toEqual(['pending', 'approved', 'issued', 'active']);
    const overdue = (seconds: number) =>
      active.changes.filter((change) => isOverdue(change, at(seconds))).length;
    expect([overdue(5), overdue(11), overdue(60)]).toEqual([0, 1, 4]);
  });

  it('are told no more when the stream may have forgotten them, however often the record is written since', () => {
    const active = through('a', ['pending', 'approved', 'issued', 'active']);
    const renewed = { ...active, updatedAt: at(6 * DAY), issuedAt: at(6 * DAY) };
    expect(states(renewed, renewed, 6 * DAY + 1)).toEqual(['approved', 'issued', 'active']);
    expect(states(renewed, renewed, 6 * DAY + 60)).toEqual([]);
  });

  it('of what a token approved begin with the approval, unless the token did not get to it', () => {
    const joinToken = `tok-${'a'.repeat(27)}`;
    const approved = through('a', ['pending', 'approved'], { joinToken });
    expect(states(approved, approved, 60)).toEqual(['approved']);
    const left = through('a', ['pending'], { joinToken });
    expect(states(left, left, 60)).toEqual(['pending']);
  });

  it('of one without effect are not told, those of one that has ended are', () => {
    const current = through('b', ['pending']);
    for (const live of [['pending'], ['pending', 'approved'], ['approved']] as const)
      expect(states(through('a', live), current, 60)).toEqual([]);
    for (const end of ['rejected', 'revoked'] as const)
      expect(states(through('a', ['pending', end]), current, 60)).toEqual(['pending', end]);
  });

  it('do not end with a revocation where the machine only enrolled again', () => {
    const replaced = through('a', ['pending', 'approved', 'revoked'], { supersededBy: id('b') });
    expect(states(replaced, through('b', ['approved']), 60)).toEqual(['pending', 'approved']);
  });

  it('say who decided then, not who decided last', () => {
    const pending = through('a', ['pending'], { remoteAddress: '192.0.2.7' });
    const approved = entered(pending, 'approved', { at: at(1), by: 'alice' });
    const revoked = entered({ ...approved, decidedBy: 'bob' }, 'revoked', {
      ...{ at: at(2), by: 'bob', reason: 'stolen' },
    });
    expect(revoked).toMatchObject({ state: 'revoked', updatedAt: at(2) });
    const who = { id: id('a'), peel_id: 'web-1', ip: '192.0.2.7' };
    expect(
      revoked.changes.map((change) => [changeEventId(revoked, change), changeEventData(revoked, change)]),
    ).toEqual([
      [`${id('a')}.pending`, who],
      [`${id('a')}.approved`, { ...who, by: 'alice' }],
      [`${id('a')}.revoked`, { ...who, by: 'bob', reason: 'stolen' }],
    ]);
  });
});
