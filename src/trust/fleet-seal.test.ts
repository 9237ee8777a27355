import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { fleetKeyOf } from './fleet-key.ts';
import { generationOfContent, masterSettingsSeal, openSealedToFleet, sealToFleet } from './fleet-seal.ts';
import { decodePublicKey, newCurveKey, newSigningKey } from './nkeys.ts';
import { boxKey } from './sealed-box.ts';

const random = seededRandom(5);
const bytes = (text: string) => Uint8Array.from(Buffer.from(text));
const account = newSigningKey('account', random);
const key = fleetKeyOf(1, account);
const other = fleetKeyOf(1, newSigningKey('account', random));
/** As a rotation will make one: another key under the next number. */
const second = fleetKeyOf(2, newSigningKey('account', random));

const sealed = (plain: string, fleet = key): string =>
  sealToFleet(fleet.curveKey.publicKey, fleet.generation, bytes(plain), random) ?? expect.fail();

describe('a value that is sealed to the fleet', () => {
  it('is opened by every master, and names its generation', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (plain) => {
        const text = sealToFleet(key.curveKey.publicKey, 1, plain, random) ?? '';
        expect(text).toMatch(/^ENC\[fleet,1,[A-Za-z0-9+/]+=*\]$/);
        expect(openSealedToFleet([fleetKeyOf(1, account)], text)).toEqual(plain);
      }),
      { numRuns: 20 },
    );
  });

  it('is another text each time: whoever sees two cannot tell whether they are the same', () => {
    expect(sealed('hunter22')).not.toBe(sealed('hunter22'));
  });

  it('is opened with the key of its generation, and with no other', () => {
    const [old, now] = [sealed('one'), sealed('two', second)];
    expect(openSealedToFleet([second, key], old)).toEqual(bytes('one'));
    expect(openSealedToFleet([second, key], now)).toEqual(bytes('two'));
    expect(openSealedToFleet([second], old)).toBeUndefined();
    expect(openSealedToFleet([other], old)).toBeUndefined();
    expect(openSealedToFleet([fleetKeyOf(2, newSigningKey('account', random)), key], now)).toBeUndefined();
  });

  it('does not open when it was changed, cut off, or is something else', () => {
    const text = sealed('hunter22');
    const changed = (at: number) =>
      `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
    for (let at = 'ENC[fleet,1,'.length; at < text.length - 3; at++)
      expect(openSealedToFleet([key], changed(at))).toBeUndefined();
    for (const wrong of [
      '',
      'hunter22',
      'ENC[fleet,1,]',
      'ENC[fleet,0,AAAA]',
      'ENC[fleet,1,AAAA]',
      `${text} `,
    ])
      expect(openSealedToFleet([key], wrong)).toBeUndefined();
  });

  it('is not a box that was made for another purpose, put into its form', () => {
    const peel = newCurveKey(random);
    const withSender = (publicKey: string, box: string) => {
      const sealedBytes = Buffer.from(box.slice('ENC[nkey,'.length, -1), 'base64');
      const both = Buffer.concat([decodePublicKey(publicKey, 'curve'), sealedBytes]);
      return `ENC[fleet,1,${both.toString('base64')}]`;
    };
    const file = Buffer.from(masterSettingsSeal(() => [key], random).wrap(bytes('a: b'))).toString();
    const ofMasters = withSender(key.curveKey.publicKey, file.slice('1 '.length));
    const ofPeel = withSender(
      peel.publicKey,
      boxKey(key.curveKey, peel.publicKey)?.seal(bytes('x'), random) ?? '',
    );
    expect(openSealedToFleet([key], ofMasters)).toBeUndefined();
    expect(openSealedToFleet([key], ofPeel)).toBeUndefined();
  });

  it('is not made with what is no curve key', () => {
    expect(sealToFleet(account.publicKey, 1, bytes('x'), random)).toBeUndefined();
  });
});

describe('the seal of master-settings', () => {
  const seal = masterSettingsSeal(() => [key], random);

  it('gives back what it was given, on every master', () => {
    const again = masterSettingsSeal(() => [fleetKeyOf(1, account)], seededRandom(9));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (plain) => {
        expect(again.unwrap(seal.wrap(plain))).toEqual(plain);
        expect(again.digest(plain)).toBe(seal.digest(plain));
      }),
      { numRuns: 20 },
    );
  });

  it('opens what an older generation sealed, and names contents as the first does', () => {
    const rotated = masterSettingsSeal(() => [second, key], random);
    expect(rotated.unwrap(seal.wrap(bytes('a: 1')))).toEqual(bytes('a: 1'));
    expect(seal.unwrap(rotated.wrap(bytes('a: 1')))).toBeUndefined();
    expect(rotated.digest(bytes('a'))).toBe(seal.digest(bytes('a')));
    expect(generationOfContent(rotated.wrap(bytes('a')))).toBe(second.generation);
    expect(generationOfContent(bytes('2 a: 1'))).toBeUndefined();
  });

  it('opens nothing that somebody else wrote, or changed', () => {
    const stored = seal.wrap(bytes('a: 1'));
    expect(masterSettingsSeal(() => [other], random).unwrap(stored)).toBeUndefined();
    expect(seal.unwrap(bytes('a: 1'))).toBeUndefined();
    for (let at = 0; at < stored.length; at++) {
      const changed = Uint8Array.from(stored, (byte, index) => (index === at ? byte ^ 2 : byte));
      expect(seal.unwrap(changed)).toBeUndefined();
    }
  });

  it('has digests from which nobody can tell a content by guessing it', () => {
    const plain = bytes('password: hunter22');
    expect(seal.digest(plain)).toMatch(/^[0-9a-f]{64}$/);
    expect(seal.digest(plain)).not.toBe(createHash('sha256').update(plain).digest('hex'));
    expect(masterSettingsSeal(() => [other], random).digest(plain)).not.toBe(seal.digest(plain));
  });
});

describe('the fingerprint of sealed secrets', () => {
  const peel = other.curveKey.publicKey;
  const of = (secrets: Readonly<Record<string, string>>, fleet = key, recipient = peel) =>
    fleet.fingerprint(recipient, new Map(Object.entries(secrets)));

  it('is the same for the same secrets in any order', () => {
    expect(of({ a: '1', b: '2' })).toBe(of({ b: '2', a: '1' }));
    expect(of({ a: '1' })).toBe(of({ a: '1' }, fleetKeyOf(1, account)));
  });

  it('is another one for other paths, values, keys and generations', () => {
    const all = [
      of({}),
      of({ a: '1', b: '2' }),
      of({ a: '2', b: '1' }),
      of({ a: '1b2' }),
      of({ a1: 'b', '2': '' }),
      of({ a: '1', b: '2' }, other),
      of({ a: '1', b: '2' }, fleetKeyOf(2, account)),
      of({ a: '1', b: '2' }, key, key.curveKey.publicKey),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
