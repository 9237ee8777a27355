import { describe, expect, it } from 'vitest';
import type { EnrollmentId, PeelId } from '../../../wire/names/ids.ts';
import { type Enrollment, enrollmentCodec } from '../../../wire/records/enroll/enrollment.ts';
import { EnrollmentView } from './enrollment-view.ts';

const web = 'web-1' as PeelId;
const id = (letter: string) => `enr-${letter.repeat(27)}` as EnrollmentId;

function viewOf(...records: readonly (Partial<Enrollment> & { readonly letter: string })[]): EnrollmentView {
  const view = new EnrollmentView();
  for (const { letter, ...given } of records) {
    view.put(enrollmentCodec.create({ id: id(letter), peelId: web, curvePublicKey: `X${letter}`, ...given }));
    view.point(web, id(letter));
  }
  return view;
}

describe('a peel', () => {
  it('without an enrollment, or with one that waits or was rejected, is believed as before', () => {
    for (const view of [
      viewOf(),
      viewOf({ letter: 'a', state: 'pending' }),
      viewOf({ letter: 'a', state: 'rejected' }),
    ])
      expect([view.isShutOut(web), view.liveOf(web)?.curvePublicKey]).toEqual([false, undefined]);
  });

  it('that was revoked is shut out until a later enrollment has credentials', () => {
    const revoked = { letter: 'a', state: 'revoked' } as const;
    const then = (state: Enrollment['state']) => viewOf(revoked, { letter: 'b', state }).isShutOut(web);
    expect(viewOf(revoked).isShutOut(web)).toBe(true);
    for (const state of ['pending', 'approved', 'rejected', 'revoked'] as const)
      expect(then(state)).toBe(true);
    for (const state of ['issued', 'active'] as const) expect(then(state)).toBe(false);
  });

  it('whose enrollment was replaced by one of the same key was never shut out', () => {
    const old = { letter: 'a', state: 'revoked', supersededBy: id('b') } as const;
    expect(viewOf(old, { letter: 'b', state: 'approved' }).isShutOut(web)).toBe(false);
  });

  it('has a key that was revoked as long as a record says so, whichever peel it was of', () => {
    const given = { state: 'revoked', publicKey: 'UA' } as const;
    const view = viewOf({ letter: 'a', ...given }, { letter: 'b', ...given });
    view.put(enrollmentCodec.create({ id: id('c'), peelId: web, publicKey: 'UB', ...{ state: 'active' } }));
    const known = () => ['UA', 'UB', ''].map((key) => view.wasKeyRevoked(key));
    expect(known()).toEqual([true, false, false]);
    view.remove(id('a'));
    view.remove(id('a'));
    expect(known()).toEqual([true, false, false]);
    view.put(enrollmentCodec.create({ id: id('b'), peelId: web, ...given, supersededBy: id('c') }));
    expect(known()).toEqual([false, false, false]);
  });

  it('has the curve key that was approved, from the approval on', () => {
    for (const state of ['approved', 'issued', 'active'] as const)
      expect(viewOf({ letter: 'a', state }).liveOf(web)?.curvePublicKey).toBe('Xa');
    expect(
      viewOf({ letter: 'a', state: 'active' }, { letter: 'b', state: 'revoked' }).liveOf(web)?.curvePublicKey,
    ).toBe(undefined);
  });

  it('is counted where it stands, and by where it came from', () => {
    const from = { remoteAddress: '192.0.2.1' };
    const view = viewOf(
      { letter: 'a', state: 'pending', ...from },
      { letter: 'b', state: 'pending', ...from },
    );
    expect([view.countOf('pending'), view.waitingFrom('192.0.2.1')]).toEqual([2, 2]);
    view.put(enrollmentCodec.create({ id: id('a'), peelId: web, state: 'approved', ...from }));
    view.remove(id('b'));
    view.remove(id('b'));
    expect([view.counts().approved, view.countOf('pending'), view.waitingFrom('192.0.2.1')]).toEqual([
      1, 0, 0,
    ]);
  });
});
