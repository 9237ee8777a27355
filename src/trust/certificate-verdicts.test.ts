import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { CERTIFICATES_MAX, CertificateVerdicts } from './certificate-verdicts.ts';
import { ed25519Key, verifyEd25519 } from './ed25519.ts';
import { checkOperatorCertificate, newOperatorKey } from './operator-key.ts';

const random = seededRandom(5);
const commandKey = ed25519Key(random.bytes(32));
const { certificate } = newOperatorKey(random, commandKey, { name: 'ana', issued: 1n, expires: 100n });

function counting() {
  let checks = 0;
  const certificates = new CertificateVerdicts((...given) => {
    checks += 1;
    return verifyEd25519(...given);
  });
  return { certificates, checks: () => checks };
}

describe('verdicts on certificates', () => {
  it('are made once for each certificate, good or bad, and expiry is looked at every time', () => {
    const { certificates, checks } = counting();
    const judge = (given: Partial<typeof certificate>, now: bigint) =>
      checkOperatorCertificate(
        { ...certificate, ...given },
        { commandKeys: [commandKey.publicKey], certificates, now },
      );
    const verdicts = Array.from({ length: 1_000 }, () => judge({}, 50n));
    expect([new Set(verdicts), checks()]).toEqual([new Set([undefined]), 1]);
    expect(judge({}, 100n)).toBe('operator certificate expired');
    const forged = Array.from({ length: 1_000 }, () => judge({ name: 'root' }, 50n));
    expect([new Set(forged), checks()]).toEqual([new Set(['unknown operator']), 2]);
  });

  it('of one key say nothing about another: after a rotation it is checked anew', () => {
    const { certificates, checks } = counting();
    const next = ed25519Key(random.bytes(32));
    const judge = (key: typeof next) =>
      checkOperatorCertificate(certificate, { commandKeys: [key.publicKey], certificates, now: 50n });
    expect([judge(commandKey), judge(next), judge(commandKey)]).toEqual([
      undefined,
      'unknown operator',
      undefined,
    ]);
    expect(checks()).toBe(2);
  });

  it('are bounded: many forged ones drive a true one out, which is then checked again', () => {
    const { certificates, checks } = counting();
    const data = (i: number) => Uint8Array.of(i >> 8, i & 255);
    for (let i = 0; i <= CERTIFICATES_MAX; i++)
      certificates.isSigned(commandKey.publicKey, data(i), new Uint8Array(64));
    certificates.isSigned(commandKey.publicKey, data(0), new Uint8Array(64));
    expect(checks()).toBe(CERTIFICATES_MAX + 2);
  });
});
