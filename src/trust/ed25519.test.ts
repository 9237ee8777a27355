import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { ed25519Key, isUsableEd25519PublicKey, verifyEd25519 } from './ed25519.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const random = seededRandom(1);

describe('ed25519', () => {
  it('makes the signature of RFC 8032, test 2', () => {
    const key = ed25519Key(hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'));
    expect(Buffer.from(key.publicKey).toString('hex')).toBe(
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    );
    expect(Buffer.from(key.sign(Buffer.of(0x72))).toString('hex')).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
  });

  it('accepts its own signatures and none with any bit changed', () => {
    const key = ed25519Key(random.bytes(32));
    const data = Buffer.from('payload');
    const signature = key.sign(data);
    expect(verifyEd25519(key.publicKey, data, signature)).toBe(true);
    for (let bit = 0; bit < 512; bit++) {
      const changed = Uint8Array.from(signature);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(verifyEd25519(key.publicKey, data, changed)).toBe(false);
    }
    expect(verifyEd25519(key.publicKey, Buffer.from('Payload'), signature)).toBe(false);
  });

  it('says no, and does not throw, to keys and signatures of any length and content', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 70 }),
        fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 32, maxLength: 32 })),
        fc.uint8Array({ minLength: 60, maxLength: 66 }),
        (data, key, signature) => {
          expect(verifyEd25519(key, data, signature)).toBe(false);
        },
      ),
    );
  });

  it('refuses the key of small order with which a signature fits many messages', () => {
    // R = identity, S = 0 under A = identity: S·B = R + k·A holds for every message. OpenSSL alone accepts it.
    const identity = Buffer.alloc(32);
    identity[0] = 1;
    const forged = Buffer.concat([identity, Buffer.alloc(32)]);
    expect(verifyEd25519(identity, Buffer.from('anything'), forged)).toBe(false);
  });

  it('refuses every encoding of every point of small order, and no ordinary key', () => {
    const encodings = smallOrderEncodings();
    // Five values of y, two of which (0 and 1) also fit below 2^255 as y + p; each with both signs of x.
    expect(encodings.length).toBe(14);
    for (const encoding of encodings) expect(isUsableEd25519PublicKey(encoding)).toBe(false);
    for (let i = 0; i < 200; i++)
      expect(isUsableEd25519PublicKey(ed25519Key(random.bytes(32)).publicKey)).toBe(true);
  });
});

/**
 * The encodings, computed and not copied. Of the points P with 8·P = 0 those of order 1, 2 and 4 have y = 1, -1 and 0.
 * P has order 8 when 2·P has y = 0, that is x² = -y²; the curve -x² + y² = 1 + d·x²·y² then says d·y⁴ + 2·y² = 1.
 */
function smallOrderEncodings(): Buffer[] {
  const p = 2n ** 255n - 19n;
  const mod = (n: bigint) => ((n % p) + p) % p;
  const power = (base: bigint, exponent: bigint): bigint => {
    let result = 1n;
    for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = mod(b * b))
      if (e & 1n) result = mod(result * b);
    return result;
  };
  const d = mod(-121665n * power(121666n, p - 2n));
  const root = (square: bigint): bigint | undefined => {
    const candidate = power(square, (p + 3n) / 8n);
    const other = mod(candidate * power(2n, (p - 1n) / 4n));
    return [candidate, other].find((r) => mod(r * r) === mod(square));
  };
  // y² = (-1 ± √(1 + d)) / d
  const disc = root(1n + d) ?? 0n;
  const order8 = [disc, mod(-disc)]
    .map((s) => mod((-1n + s) * power(d, p - 2n)))
    .map(root)
    .filter((y) => y !== undefined)
    .flatMap((y) => [y, mod(-y)]);
  const canonical = [0n, 1n, p - 1n, ...order8];
  const spellings = canonical.flatMap((y) => [y, y + p]).filter((y) => y < 2n ** 255n);
  return spellings.flatMap((y) => {
    const bytes = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
    const negative = Buffer.from(bytes);
    negative[31] = (negative[31] ?? 0) | 0x80;
    return [bytes, negative];
  });
}
