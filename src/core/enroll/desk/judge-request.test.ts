import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnrollmentId, PeelId } from '../../../wire/names/ids.ts';
import { ENROLLMENT_STATES, enrollmentCodec } from '../../../wire/records/enroll/enrollment.ts';
import { holdsId } from './enrollment-state.ts';
import { HALF_MADE_MS, type IdHolder, judgeRequest, mismatchNoted } from './judge-request.ts';

const id = `enr-${'a'.repeat(27)}` as EnrollmentId;
const peelId = 'web-1' as PeelId;
const keys = fc.record({
  publicKey: fc.constantFrom('UA', 'UB'),
  curvePublicKey: fc.constantFrom('XA', 'XB'),
});
const record = fc
  .record({ state: fc.constantFrom(...ENROLLMENT_STATES), keys })
  .map(({ state, keys: own }) => enrollmentCodec.create({ id, peelId, state, ...own }));
const holder: fc.Arbitrary<IdHolder> = fc.oneof(
  fc.constant({ is: 'nobody' as const }),
  fc.integer({ min: -1e9, max: 1e9 }).map((ageMs) => ({ is: 'half-made' as const, ageMs })),
  record.map((each) => ({ is: 'record' as const, record: each })),
);

describe('judgeRequest', () => {
  it('never gives an id that is held to another key', () => {
    fc.assert(
      fc.property(holder, keys, (held, asked) => {
        const verdict = judgeRequest(held, asked);
        if (held.is !== 'record' || !holdsId(held.record.state)) return verdict !== 'conflict';
        const isSame =
          held.record.publicKey === asked.publicKey && held.record.curvePublicKey === asked.curvePublicKey;
        return isSame ? verdict === 'same' || verdict === 'supersede' : verdict === 'conflict';
      }),
    );
  });

  it('a join token changes nothing but who has an id that only waits', () => {
    const now = 1_000_000_000_000_000n;
    fc.assert(
      fc.property(holder, keys, (held, asked) => {
        const [without, by] = [judgeRequest(held, asked), judgeRequest(held, asked, { now })];
        const isWaiting = held.is === 'record' && held.record.state === 'pending';
        return without === 'conflict' && isWaiting ? by === 'displace' : by === without;
      }),
    );
  });

  it('a request that came with a token is left alone while a master may be at it, whatever the clocks say', () => {
    const now = 1_000_000_000_000_000n;
    const nanos = BigInt(HALF_MADE_MS) * 1_000_000n;
    const at = (updatedAt: bigint) => {
      const given = { id, peelId, state: 'pending', publicKey: 'UA', joinToken: 'tok-1', updatedAt } as const;
      const held = { is: 'record' as const, record: enrollmentCodec.create(given) };
      return judgeRequest(held, { publicKey: 'UB', curvePublicKey: 'XB' }, { now });
    };
    expect([at(now), at(now - nanos + 1n), at(now + nanos - 1n)]).toEqual(['wait', 'wait', 'wait']);
    expect([at(now - nanos), at(now + nanos)]).toEqual(['displace', 'displace']);
  });

  it.each([
    ['pending', 'same'],
    ['approved', 'same'],
    ['issued', 'supersede'],
    ['active', 'supersede'],
    ['rejected', 'new'],
    ['revoked', 'new'],
  ] as const)('the key of an enrollment that is %s gives %s', (state, verdict) => {
    const own = { publicKey: 'UA', curvePublicKey: 'XA' };
    const held = { is: 'record' as const, record: enrollmentCodec.create({ id, peelId, state, ...own }) };
    expect(judgeRequest(held, own)).toBe(verdict);
  });

  it('waits for who may be at it, whatever the clocks say, and not for ever', () => {
    const at = (ageMs: number) =>
      judgeRequest({ is: 'half-made', ageMs }, { publicKey: 'U', curvePublicKey: 'X' });
    expect([at(0), at(HALF_MADE_MS - 1), at(1 - HALF_MADE_MS)]).toEqual(['wait', 'wait', 'wait']);
    expect([at(HALF_MADE_MS), at(-HALF_MADE_MS)]).toEqual(['new', 'new']);
  });
});

describe('what a machine says later of the CA that it sees', () => {
  const own = { publicKey: 'UA', curvePublicKey: 'XA' };
  const seen = { trustMismatch: true, trustedCaSpki: 'sha256:other' };
  const waiting = enrollmentCodec.create({ id, peelId, state: 'pending', ...own, trustChecked: true });

  it('is noted when it is another one, of the request that waits, by its own key', () => {
    expect(mismatchNoted(waiting, { ...own, ...seen })).toEqual({ ...waiting, ...seen });
    expect(mismatchNoted(waiting, { ...own, ...seen, publicKey: 'UB' })).toBe(undefined);
    expect(mismatchNoted({ ...waiting, state: 'approved' }, { ...own, ...seen })).toBe(undefined);
  });

  it('never takes a mismatch back', () => {
    const good = { trustMismatch: false, trustedCaSpki: 'sha256:ours' };
    expect(mismatchNoted({ ...waiting, ...seen }, { ...own, ...good })).toBe(undefined);
    expect(mismatchNoted(waiting, { ...own, ...good })).toBe(undefined);
  });
});
