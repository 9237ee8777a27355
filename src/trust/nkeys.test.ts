import * as library from '@nats-io/nkeys';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../core/errors/zester-error.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { decodeBase32, encodeBase32 } from './base32.ts';
import {
  curveKeyFromSeed,
  curveKeyOf,
  decodePublicKey,
  encodePublicKey,
  isPublicKey,
  type KeyRole,
  newSigningKey,
  type SigningRole,
  signingKeyFromSeed,
  verifyWithPublicKey,
} from './nkeys.ts';

const random = seededRandom(11);
const ROLES: readonly SigningRole[] = ['operator', 'account', 'user'];
const bytes = (text: string) => new TextEncoder().encode(text);

describe('nkeys', () => {
  it('have the same seeds, public keys and signatures as the NATS library', () => {
    for (const role of ROLES) {
      const ours = newSigningKey(role, random);
      const theirs = library.fromSeed(bytes(ours.exposeSeed()));
      const data = bytes('a nonce');
      expect(theirs.getPublicKey()).toBe(ours.publicKey);
      expect(theirs.sign(data)).toEqual(new Uint8Array(ours.sign(data)));
      expect(theirs.verify(data, ours.sign(data))).toBe(true);
      expect(ours.verify(data, theirs.sign(data))).toBe(true);
    }
  });

  it('read seeds that the NATS library made', () => {
    const theirs = library.createAccount();
    const seed = new TextDecoder().decode(theirs.getSeed());
    expect(signingKeyFromSeed(seed, 'account').publicKey).toBe(theirs.getPublicKey());
  });

  it('begin with the letters of their role', () => {
    expect(ROLES.map((role) => newSigningKey(role, random).publicKey.charAt(0))).toEqual(['O', 'A', 'U']);
    expect(ROLES.map((role) => newSigningKey(role, random).exposeSeed().slice(0, 2))).toEqual([
      'SO',
      'SA',
      'SU',
    ]);
  });

  it('are the same for the same randomness', () => {
    const [first, second] = [seededRandom(5), seededRandom(5)].map((r) =>
      newSigningKey('user', r).exposeSeed(),
    );
    expect(first).toBe(second);
  });

  it('do not show their seed when they are printed', () => {
    const key = newSigningKey('account', random);
    expect(JSON.stringify(key)).not.toContain(key.exposeSeed());
  });

  it('check signatures against a public key alone', () => {
    const key = newSigningKey('operator', random);
    const signature = key.sign(bytes('x'));
    expect(verifyWithPublicKey(key.publicKey, 'operator', bytes('x'), signature)).toBe(true);
    expect(verifyWithPublicKey(key.publicKey, 'operator', bytes('y'), signature)).toBe(false);
  });

  it('refuse a seed or public key of another role', () => {
    const user = newSigningKey('user', random);
    expect(codeOf(() => signingKeyFromSeed(user.exposeSeed(), 'account'))).toBe('TRUST_KEY_INVALID');
    expect(codeOf(() => signingKeyFromSeed(user.publicKey, 'user'))).toBe('TRUST_KEY_INVALID');
    expect(isPublicKey(user.publicKey, 'account')).toBe(false);
    expect(isPublicKey(user.publicKey, 'curve')).toBe(false);
  });

  it('refuse a seed with spare bits set, although its checksum is right', () => {
    const seed = Buffer.from(decodeBase32(newSigningKey('user', random).exposeSeed()) ?? []);
    const respelled = (second: number) => {
      seed.writeUInt8(second, 1);
      seed.writeUInt16LE(crc16(seed.subarray(0, -2)), seed.length - 2);
      return encodeBase32(seed);
    };
    const second = seed.readUInt8(1);
    expect(codeOf(() => signingKeyFromSeed(respelled(second | 1), 'user'))).toBe('TRUST_KEY_INVALID');
    expect(() => signingKeyFromSeed(respelled(second), 'user')).not.toThrow();
  });

  it('refuse a public key of small order', () => {
    expect(isPublicKey(encodePublicKey('user', new Uint8Array(32)), 'user')).toBe(false);
  });

  it('refuse every text that differs from a key in one character', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567abc=1 ';
    const seed = newSigningKey('user', random).exposeSeed();
    const publicKey = newSigningKey('user', random).publicKey;
    for (let at = 0; at < seed.length; at++) {
      for (const char of alphabet) {
        const change = (text: string) => text.slice(0, at) + char + text.slice(at + 1);
        if (change(seed) !== seed)
          expect(codeOf(() => signingKeyFromSeed(change(seed), 'user'))).toBe('TRUST_KEY_INVALID');
        if (at < publicKey.length && change(publicKey) !== publicKey)
          expect(isPublicKey(change(publicKey), 'user')).toBe(false);
      }
    }
  });

  it('refuse arbitrary text with a registry error that does not repeat it', () => {
    const anyText = fc.oneof(
      fc.string({ maxLength: 70 }),
      fc.string({
        unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
        minLength: 55,
        maxLength: 59,
      }),
    );
    const roles: readonly KeyRole[] = ['operator', 'account', 'user', 'curve'];
    fc.assert(
      fc.property(anyText, fc.constantFrom(...roles), (text, role) => {
        for (const decode of [
          () => decodePublicKey(text, role),
          () => (role === 'curve' ? curveKeyFromSeed(text) : signingKeyFromSeed(text, role)),
        ]) {
          const error = errorOf(decode);
          if (error === undefined) continue; // A valid key by chance: one in 2^21 of those with the right length.
          expect(isZesterError(error, 'TRUST_KEY_INVALID')).toBe(true);
          if (text.length > 12) expect((error as Error).message).not.toContain(text);
        }
      }),
    );
  });
});

describe('curve keys', () => {
  it('are the 32 bytes of the signing seed, as the NATS library reads them', () => {
    const ours = curveKeyOf(newSigningKey('account', random));
    const theirs = library.fromCurveSeed(bytes(ours.exposeSeed()));
    expect(theirs.getPublicKey()).toBe(ours.publicKey);
    expect(ours.publicKey.startsWith('X')).toBe(true);
    expect(curveKeyFromSeed(ours.exposeSeed()).publicKey).toBe(ours.publicKey);
  });

  it('agree on a secret from either side, and on none with something that is no curve key', () => {
    const [a, b] = [curveKeyOf(newSigningKey('account', random)), curveKeyOf(newSigningKey('user', random))];
    expect(a.agree(b.publicKey)).toEqual(b.agree(a.publicKey));
    expect(a.agree('not a key')).toBeUndefined();
    expect(a.agree(newSigningKey('user', random).publicKey)).toBeUndefined();
    expect(a.agree(encodePublicKey('curve', new Uint8Array(32)))).toBeUndefined();
  });
});

/** CRC-16/XMODEM, once more. */
function crc16(data: Uint8Array): number {
  return data.reduce((crc, byte) => {
    let next = crc ^ (byte << 8);
    for (let i = 0; i < 8; i++) next = next & 0x8000 ? (next << 1) ^ 0x1021 : next << 1;
    return next & 0xffff;
  }, 0);
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

function codeOf(run: () => unknown): unknown {
  const error = errorOf(run);
  return isZesterError(error) ? error.code : error;
}
