/** The other side of each box is the library of NATS. */
import * as library from '@nats-io/nkeys';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { encodePublicKey, newCurveKey, newSigningKey } from './nkeys.ts';
import { type BoxKey, boxKey } from './sealed-box.ts';

const random = seededRandom(7);
const master = newCurveKey(random);
const peel = newCurveKey(random);
const theirs = (key: typeof peel) => library.fromCurveSeed(Buffer.from(key.exposeSeed()));

function between(own: typeof peel, peer: string): BoxKey {
  return boxKey(own, peer) ?? expect.fail('the key is usable');
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(/^ENC\[nkey,(.*)\]$/.exec(text)?.[1] ?? '', 'base64'));
}

describe('a sealed box', () => {
  it('is opened by the library of NATS, and opens what that has sealed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (plain) => {
        const ours = bytesOf(between(master, peel.publicKey).seal(plain, random));
        expect(theirs(peel).open(ours, master.publicKey)).toEqual(plain);
        const foreign = theirs(master).seal(plain, peel.publicKey);
        const text = `ENC[nkey,${Buffer.from(foreign).toString('base64')}]`;
        expect(between(peel, master.publicKey).open(text)).toEqual(plain);
        expect(between(peel, master.publicKey).openBytes(foreign)).toEqual(plain);
      }),
      { numRuns: 20 },
    );
  });

  it('is another text each time, from which nothing can be read', () => {
    const key = between(master, peel.publicKey);
    const plain = Buffer.from('a password of the database');
    const [one, two] = [key.seal(plain, random), key.seal(plain, random)];
    expect(one).not.toBe(two);
    expect(Buffer.from(bytesOf(one)).includes(plain.subarray(0, 4))).toBe(false);
  });

  it('opens with no other key', () => {
    const sealed = between(master, peel.publicKey).seal(Buffer.from('plain'), random);
    const other = newCurveKey(random);
    expect(between(other, master.publicKey).open(sealed)).toBeUndefined();
    expect(between(peel, other.publicKey).open(sealed)).toBeUndefined();
    expect(between(peel, master.publicKey).open(sealed)).toEqual(Uint8Array.from(Buffer.from('plain')));
  });

  it('does not open when a single bit was changed, or the end cut off', () => {
    const key = between(peel, master.publicKey);
    const box = between(master, peel.publicKey).sealBytes(Buffer.from('plain'), random);
    for (let at = 0; at < box.length; at++) {
      const changed = Uint8Array.from(box, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(key.openBytes(changed)).toBeUndefined();
      expect(key.openBytes(box.subarray(0, at))).toBeUndefined();
    }
  });

  it.each(['', 'plain', 'ENC[nkey,]', 'ENC[nkey,eGt2MQ==]', 'ENC[fleet,1,eGt2MQ==]', 'ENC[nkey,a b]'])(
    'is not %j',
    (text) => {
      expect(between(peel, master.publicKey).open(text)).toBeUndefined();
    },
  );

  it('is not made with what is no curve key, or one that gives everybody the same secret', () => {
    expect(boxKey(master, newSigningKey('user', random).publicKey)).toBeUndefined();
    expect(boxKey(master, 'X')).toBeUndefined();
    expect(boxKey(master, encodePublicKey('curve', new Uint8Array(32)))).toBeUndefined();
  });
});
