import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BANS_MAX,
  CREDENTIALS_DAYS_MAX,
  desiredRevocations,
  REVOCATIONS_MAX,
  type RevocationFacts,
} from './desired-revocations.ts';

const NOW_S = 1_800_000_000;
const NOTHING: RevocationFacts = { revoked: [], bans: [], stored: {}, storedBans: [] };
const wanted = (facts: Partial<RevocationFacts>, nowS = NOW_S, mayForget = true) =>
  desiredRevocations({ ...NOTHING, ...facts }, { nowS, mayForget });

describe('desiredRevocations', () => {
  it('shuts out revoked enrollments from their decision on, and not before the issue of their credentials', () => {
    const { revocations, bannedKeys } = wanted({
      revoked: [
        { publicKey: 'UA', decidedAtS: NOW_S - 5, issuedAtS: NOW_S - 50 },
        { publicKey: 'UB', decidedAtS: NOW_S - 5, issuedAtS: NOW_S + 3 },
      ],
    });
    expect(revocations).toEqual({ UA: NOW_S - 5, UB: NOW_S + 3 });
    expect(bannedKeys).toEqual([]);
  });

  it('keeps what the stored document has, also when no table knows why', () => {
    expect(wanted({ stored: { UA: NOW_S - 9, '*': NOW_S - 7 } }).revocations).toEqual({
      UA: NOW_S - 9,
      '*': NOW_S - 7,
    });
  });

  it('counts a ban until its end, so that credentials issued meanwhile are dead, and lets go then', () => {
    const bans = [{ publicKey: 'UA', untilS: NOW_S + 60 }];
    const during = wanted({ bans });
    expect(during).toEqual({ revocations: { UA: NOW_S + 60 }, bannedKeys: ['UA'], leftOut: 0 });
    const stored = { stored: during.revocations, storedBans: during.bannedKeys };
    expect(wanted({ bans, ...stored }, NOW_S + 59).revocations).toEqual({ UA: NOW_S + 60 });
    expect(wanted({ bans, ...stored }, NOW_S + 60)).toEqual({ revocations: {}, bannedKeys: [], leftOut: 0 });
    expect(wanted({ ...stored }), 'the ban was lifted').toEqual({
      ...during,
      revocations: {},
      bannedKeys: [],
    });
  });

  it('keeps a key that is banned and revoked for good after the ban', () => {
    const revoked = [{ publicKey: 'UA', decidedAtS: NOW_S - 5, issuedAtS: 0 }];
    const bans = [{ publicKey: 'UA', untilS: NOW_S + 60 }];
    const during = wanted({ revoked, bans });
    expect(during.revocations).toEqual({ UA: NOW_S + 60 });
    const later = { revoked, bans, stored: during.revocations, storedBans: during.bannedKeys };
    expect(wanted(later, NOW_S + 61)).toEqual({ revocations: { UA: NOW_S - 5 }, bannedKeys: [], leftOut: 0 });
  });

  it('forgets a revocation when no credentials can be as old', () => {
    const stored = { UA: NOW_S };
    const lifeS = CREDENTIALS_DAYS_MAX * 86_400;
    expect(wanted({ stored }, NOW_S + lifeS).revocations).toEqual(stored);
    expect(wanted({ stored }, NOW_S + lifeS + 3 * 86_400).revocations).toEqual({});
    expect(wanted({ stored }, NOW_S + 9 * lifeS, false).revocations, 'by a clock in doubt').toEqual(stored);
  });

  it('leaves the oldest out when there are too many, says how many, and never everybody at once', () => {
    const many = Array.from({ length: REVOCATIONS_MAX + 3 }, (_, i) => [`U${i}`, NOW_S - i] as const);
    const { revocations, leftOut } = wanted({ stored: Object.fromEntries([...many, ['*', NOW_S - 1e6]]) });
    expect(leftOut).toBe(4);
    expect(Object.keys(revocations)).toHaveLength(REVOCATIONS_MAX);
    expect(revocations['*']).toBe(NOW_S - 1e6);
    expect(revocations[`U${REVOCATIONS_MAX}`]).toBeUndefined();
    const bans = many.map(([publicKey]) => ({ publicKey, untilS: NOW_S + 9 }));
    expect(wanted({ bans }).bannedKeys).toHaveLength(BANS_MAX);
    expect(wanted({ bans }).leftOut).toBe(bans.length - BANS_MAX);
  });

  const key = fc.constantFrom('UA', 'UB', 'UC', 'UD', 'UE');
  const time = fc.integer({ min: NOW_S - 1_000, max: NOW_S + 1_000 });
  const past = fc.integer({ min: NOW_S - 1_000, max: NOW_S });
  const facts = fc.record({
    revoked: fc.array(fc.record({ publicKey: key, decidedAtS: past, issuedAtS: past })),
    bans: fc.array(fc.record({ publicKey: key, untilS: time })),
    stored: fc.dictionary(key, past),
    storedBans: fc.constant([]),
  });

  it('shuts out every key that was revoked, whatever bans come and go', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { revocations } = desiredRevocations(given, { nowS: NOW_S, mayForget: true });
        for (const { publicKey, decidedAtS } of given.revoked)
          expect(revocations[publicKey]).toBeGreaterThanOrEqual(decidedAtS);
        for (const [stored, atS] of Object.entries(given.stored))
          expect(revocations[stored]).toBeGreaterThanOrEqual(atS);
        for (const { publicKey, untilS } of given.bans)
          if (untilS > NOW_S) expect(revocations[publicKey]).toBeGreaterThanOrEqual(untilS);
      }),
    );
  });

  it('comes to the same when it is asked again of its own answer', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const once = desiredRevocations(given, { nowS: NOW_S, mayForget: true });
        const again = { ...given, stored: once.revocations, storedBans: once.bannedKeys };
        expect(desiredRevocations(again, { nowS: NOW_S, mayForget: true })).toEqual(once);
      }),
    );
  });

  it('does not depend on the order of what it is told', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const turned = { ...given, revoked: given.revoked.toReversed(), bans: given.bans.toReversed() };
        expect(desiredRevocations(turned, { nowS: NOW_S, mayForget: true })).toEqual(
          desiredRevocations(given, { nowS: NOW_S, mayForget: true }),
        );
      }),
    );
  });
});
