import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { makeCommandProof, proofKeyForMaster, verifyCommandProof } from '../../trust/command-proof.ts';
import { curveKeyOf, newSigningKey } from '../../trust/nkeys.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { ProofKeys } from './proof-keys.ts';

const random = seededRandom(3);
const account = curveKeyOf(newSigningKey('account', random));
const newPeelKey = () => curveKeyOf(newSigningKey('user', random));
const WEB = 'web-1' as PeelId;

describe('proof keys', () => {
  it('make proofs that the peel accepts, are kept, and change with the peel’s key', () => {
    const keys = new ProofKeys();
    for (const peel of [newPeelKey(), newPeelKey()]) {
      const key = keys.keyFor(WEB, peel.publicKey, account);
      expect(key).toBeDefined();
      if (key === undefined) return;
      expect(keys.keyFor(WEB, peel.publicKey, account)).toBe(key);
      const theirs = proofKeyForMaster(peel, account.publicKey);
      const payload = Uint8Array.of(1, 2, 3);
      const verdict = verifyCommandProof(
        makeCommandProof(key, WEB, payload),
        theirs === undefined ? [] : [theirs],
        WEB,
        payload,
      );
      expect(verdict.ok).toBe(true);
    }
    expect(keys.size).toBe(1);
  });

  it('are others for another generation of the fleet key, one at a time for each peel', () => {
    const keys = new ProofKeys();
    const peel = newPeelKey();
    const next = curveKeyOf(newSigningKey('account', random));
    const first = keys.keyFor(WEB, peel.publicKey, account);
    const second = keys.keyFor(WEB, peel.publicKey, next);
    expect(second?.equals(first ?? second)).toBe(false);
    expect(keys.keyFor(WEB, peel.publicKey, next)).toBe(second);
    expect(keys.size).toBe(1);
  });

  it('there is none for what is no curve key', () => {
    const keys = new ProofKeys();
    for (const text of ['', 'X', newSigningKey('user', random).publicKey, 'é'.repeat(56)]) {
      expect(keys.keyFor(WEB, text, account)).toBeUndefined();
    }
    expect(keys.size).toBe(0);
  });

  it('the oldest makes room', () => {
    const keys = new ProofKeys(2);
    const peel = newPeelKey();
    for (const id of ['a', 'b', 'c', 'd']) keys.keyFor(id as PeelId, peel.publicKey, account);
    expect(keys.size).toBe(2);
  });
});
