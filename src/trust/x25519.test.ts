import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { x25519Key } from './x25519.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const random = seededRandom(2);

describe('x25519', () => {
  it('agrees as RFC 7748, section 6.1, says', () => {
    const alice = x25519Key(hex('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a'));
    const bob = x25519Key(hex('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'));
    const secret = hex('4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742');
    expect(Buffer.from(alice.publicKey).toString('hex')).toBe(
      '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a',
    );
    expect(alice.agree(bob.publicKey)).toEqual(secret);
    expect(bob.agree(alice.publicKey)).toEqual(secret);
  });

  it('refuses public keys of small order, which would give a secret that everybody knows', () => {
    const own = x25519Key(random.bytes(32));
    const smallOrder = [
      '00'.repeat(32),
      `01${'00'.repeat(31)}`,
      'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
      '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
      `ec${'ff'.repeat(30)}7f`,
      `ed${'ff'.repeat(30)}7f`,
      `ee${'ff'.repeat(30)}7f`,
    ];
    for (const peer of smallOrder) expect(own.agree(hex(peer))).toBeUndefined();
  });

  it('refuses keys of another length', () => {
    const own = x25519Key(random.bytes(32));
    for (const length of [0, 31, 33, 64]) expect(own.agree(random.bytes(length))).toBeUndefined();
  });
});
