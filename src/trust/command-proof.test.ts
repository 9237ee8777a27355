import { createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { type PeelId, parseJid, parsePeelId } from '../wire/names/ids.ts';
import { formatProof, type Proof, parseProof } from '../wire/records/proof-header.ts';
import { CertificateVerdicts } from './certificate-verdicts.ts';
import { commandKeyOf, messageIdsOf } from './command-key.ts';
import { makeCommandProof, proofKeyForMaster, proofKeyForPeel, verifyCommandProof } from './command-proof.ts';
import { ed25519Key, verifyEd25519 } from './ed25519.ts';
import { curveKeyOf, decodePublicKey, encodePublicKey, newSigningKey, rawSeedOf } from './nkeys.ts';
import { certifyOperator, formatOperatorKey, newOperatorKey, parseOperatorKey } from './operator-key.ts';
import {
  type DirectRequest,
  signCancelAsMaster,
  signCancelAsOperator,
  signDirect,
  verifyCancel,
  verifyDirect,
} from './signed-proof.ts';

const random = seededRandom(61);
const account = newSigningKey('account', random);
const accountCurve = curveKeyOf(account);
const web01 = peelId('web-01');
const peelCurve = curveKeyOf(newSigningKey('user', random));
const masterSide = present(proofKeyForPeel(accountCurve, peelCurve.publicKey));
const peelSide = present(proofKeyForMaster(peelCurve, accountCurve.publicKey));
const payload = Buffer.from('the request');

describe('what is derived from the account seed', () => {
  it('is fixed by its label: another label would be another key for the whole fleet', () => {
    const seed = rawSeedOf(account);
    const expected = ed25519Key(new Uint8Array(hkdfSync('sha256', seed, '', 'zester-command-key-v1', 32)));
    expect(commandKeyOf(account).publicKey).toEqual(expected.publicKey);
    expect(commandKeyOf(account).publicKey).not.toEqual(ed25519Key(seed).publicKey);
  });

  it('gives all masters the same message id for an event, and nobody else', () => {
    const id = messageIdsOf(account)('event-1');
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(messageIdsOf(account)('event-1')).toBe(id);
    expect(messageIdsOf(account)('event-2')).not.toBe(id);
    expect(messageIdsOf(newSigningKey('account', random))('event-1')).not.toBe(id);
  });
});

describe('command proof', () => {
  it('made by a master is accepted by the peel it is for, also after a trip through the header', () => {
    const proof = parseProof(formatProof(makeCommandProof(masterSide, web01, payload)));
    expect(verifyCommandProof(proof, [peelSide], web01, payload)).toEqual({ ok: true, by: 'master' });
  });

  it('is what the contract says: HKDF over the secret and both public keys, HMAC over label, peel and payload', () => {
    const secret = present(peelCurve.agree(accountCurve.publicKey));
    const publicKeys = [accountCurve, peelCurve].map(({ publicKey }) => decodePublicKey(publicKey, 'curve'));
    const info = Buffer.concat([Buffer.from('zester-cmd-key-v1\0'), ...publicKeys]);
    const key = new Uint8Array(hkdfSync('sha256', secret, '', info, 32));
    const mac = createHmac('sha256', key).update('zester-cmd-v1\0web-01\0the request').digest();
    expect(verifyCommandProof({ kind: 'hmac', mac }, [peelSide], web01, payload).ok).toBe(true);
  });

  it('is refused for another peel, another payload, another pair of keys', () => {
    const proof = makeCommandProof(masterSide, web01, payload);
    const other = present(proofKeyForPeel(accountCurve, curveKeyOf(newSigningKey('user', random)).publicKey));
    const no = { ok: false, reason: 'proof does not fit' };
    expect(verifyCommandProof(proof, [peelSide], peelId('web-02'), payload)).toEqual(no);
    expect(verifyCommandProof(proof, [peelSide], web01, Buffer.from('the request!'))).toEqual(no);
    expect(verifyCommandProof(makeCommandProof(other, web01, payload), [peelSide], web01, payload)).toEqual(
      no,
    );
    expect(verifyCommandProof(proof, [], web01, payload)).toEqual(no);
  });

  it('is accepted under the key before the current one during a rotation', () => {
    const next = present(
      proofKeyForMaster(peelCurve, curveKeyOf(newSigningKey('account', random)).publicKey),
    );
    const proof = makeCommandProof(masterSide, web01, payload);
    expect(verifyCommandProof(proof, [next, peelSide], web01, payload).ok).toBe(true);
  });

  it('cannot be made by moving bytes between id and payload', () => {
    const proof = makeCommandProof(masterSide, peelId('ab'), Buffer.from('c'));
    expect(verifyCommandProof(proof, [peelSide], peelId('a'), Buffer.from('bc')).ok).toBe(false);
  });

  it('is refused when it is missing, a signature, or has one bit changed', () => {
    expect(verifyCommandProof(undefined, [peelSide], web01, payload)).toEqual({
      ok: false,
      reason: 'no proof',
    });
    const signature = signCancelAsMaster(commandKeyOf(account), jid());
    expect(verifyCommandProof(signature, [peelSide], web01, payload)).toMatchObject({
      reason: 'wrong kind of proof',
    });
    const { mac } = makeCommandProof(masterSide, web01, payload) as Extract<Proof, { kind: 'hmac' }>;
    for (let bit = 0; bit < 256; bit++) {
      const changed = Uint8Array.from(mac);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(verifyCommandProof({ kind: 'hmac', mac: changed }, [peelSide], web01, payload).ok).toBe(false);
    }
    for (const length of [0, 31, 33])
      expect(
        verifyCommandProof({ kind: 'hmac', mac: new Uint8Array(length) }, [peelSide], web01, payload).ok,
      ).toBe(false);
  });

  it('cannot be set up with a curve key of small order, or with no curve key at all', () => {
    const zero = encodePublicKey('curve', new Uint8Array(32));
    expect(proofKeyForPeel(accountCurve, zero)).toBeUndefined();
    expect(proofKeyForMaster(peelCurve, zero)).toBeUndefined();
    expect(proofKeyForMaster(peelCurve, 'XNOTAKEY')).toBeUndefined();
    expect(proofKeyForMaster(peelCurve, account.publicKey)).toBeUndefined();
  });
});

const commandKey = commandKeyOf(account);
const trust = { commandKeys: [commandKey.publicKey], certificates: new CertificateVerdicts(), now: 1_000n };
const terms = { name: 'ana', issued: 500n, expires: undefined };
const ana = newOperatorKey(random, commandKey, terms);

describe('cancel', () => {
  it('is accepted from a master and from an operator whom the command key certified', () => {
    const byAna = parseProof(formatProof(signCancelAsOperator(ana, jid())));
    expect(verifyCancel(signCancelAsMaster(commandKey, jid()), jid(), trust)).toEqual({
      ok: true,
      by: 'master',
    });
    expect(verifyCancel(byAna, jid(), trust)).toEqual({ ok: true, by: { operator: 'ana' } });
  });

  it('of one job is none of another', () => {
    const other = jid('1'.repeat(27));
    expect(verifyCancel(signCancelAsMaster(commandKey, jid()), other, trust)).toMatchObject({ ok: false });
    expect(verifyCancel(signCancelAsOperator(ana, jid()), other, trust)).toMatchObject({
      reason: 'proof does not fit',
    });
  });

  it('is refused with an HMAC, without a proof, and from a stranger', () => {
    const stranger = ed25519Key(random.bytes(32));
    const hmac = makeCommandProof(masterSide, web01, payload);
    expect(verifyCancel(hmac, jid(), trust)).toMatchObject({ reason: 'wrong kind of proof' });
    expect(verifyCancel(undefined, jid(), trust)).toMatchObject({ reason: 'no proof' });
    expect(verifyCancel(signCancelAsMaster(stranger, jid()), jid(), trust)).toMatchObject({ ok: false });
  });

  it('is refused from an operator without a good certificate', () => {
    const stranger = ed25519Key(random.bytes(32));
    const selfMade = newOperatorKey(random, stranger, terms);
    const expired = newOperatorKey(random, commandKey, { ...terms, expires: 1_000n });
    const renamed = { ...ana, certificate: { ...ana.certificate, name: 'root' } };
    const prolonged = { ...expired, certificate: { ...expired.certificate, expires: 9_000n } };
    const stolen = { ...ana, certificate: newOperatorKey(random, commandKey, terms).certificate };
    const reasonOf = (key: typeof ana) => verifyCancel(signCancelAsOperator(key, jid()), jid(), trust);
    expect(reasonOf(selfMade)).toMatchObject({ reason: 'unknown operator' });
    expect(reasonOf(renamed)).toMatchObject({ reason: 'unknown operator' });
    expect(reasonOf(prolonged)).toMatchObject({ reason: 'unknown operator' });
    expect(reasonOf(expired)).toMatchObject({ reason: 'operator certificate expired' });
    expect(reasonOf(stolen)).toMatchObject({ reason: 'proof does not fit' });
  });

  it('is refused under a certified key of small order', () => {
    const identity = Buffer.alloc(32);
    identity[0] = 1;
    const certificate = certifyOperator(commandKey, { ...terms, publicKey: identity });
    const forged: Proof = {
      kind: 'ed25519',
      signature: Buffer.concat([identity, Buffer.alloc(32)]),
      certificate,
    };
    expect(verifyCancel(forged, jid(), trust)).toMatchObject({ reason: 'unknown operator' });
  });
});

describe('direct request', () => {
  const request: DirectRequest = { peel: web01, deadline: 2_000n, payload };
  const proof = signDirect(ana, request);

  it('is accepted until its deadline', () => {
    expect(verifyDirect(proof, request, trust)).toEqual({ ok: true, by: { operator: 'ana' } });
    expect(verifyDirect(proof, request, { ...trust, now: 2_000n })).toMatchObject({
      reason: 'deadline passed',
    });
  });

  it('covers peel, deadline and payload', () => {
    for (const change of [
      { peel: peelId('web-02') },
      { deadline: 9_000n },
      { payload: Buffer.from('other') },
    ])
      expect(verifyDirect(proof, { ...request, ...change }, trust)).toMatchObject({
        reason: 'proof does not fit',
      });
  });

  it('is refused from the command key itself: masters send no direct requests', () => {
    const { signature } = signDirect({ ...ana, sign: commandKey.sign }, request) as Extract<
      Proof,
      { kind: 'ed25519' }
    >;
    const bare: Proof = { kind: 'ed25519', signature, certificate: undefined };
    expect(verifyDirect(bare, request, trust)).toMatchObject({ reason: 'wrong kind of proof' });
  });

  it('cannot be passed off as a cancel, nor a certificate as either', () => {
    expect(verifyCancel(proof, jid(), trust).ok).toBe(false);
    const { signature } = ana.certificate;
    const reused: Proof = { kind: 'ed25519', signature, certificate: undefined };
    expect(verifyCancel(reused, jid(), trust).ok).toBe(false);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(verifyDirect(proof, { ...request, payload: bytes }, trust).ok).toBe(
          Buffer.from(bytes).equals(payload),
        );
      }),
    );
  });
});

describe('operator name', () => {
  it('is something that can be shown', () => {
    for (const name of ['', ' ', 'a\nb', 'a\x1b[2J', 'a\u202e', ' a', 'a'.repeat(129), 'é'.repeat(65)])
      expect(() => newOperatorKey(random, commandKey, { ...terms, name })).toThrow(/needs a name/);
    for (const name of ['a', 'ana', 'Ana María', 'a'.repeat(128), 'é'.repeat(64)])
      expect(newOperatorKey(random, commandKey, { ...terms, name }).certificate.name).toBe(name);
  });
});

describe('operator key file', () => {
  const text = formatOperatorKey(ana);

  it('is read back as it was written', () => {
    const read = parseOperatorKey(text, 'x');
    expect(read.certificate).toEqual(ana.certificate);
    expect(verifyEd25519(ana.certificate.publicKey, payload, read.sign(payload))).toBe(true);
  });

  it('is refused when it is cut off, damaged, or has the seed of somebody else', () => {
    const other = newOperatorKey(random, commandKey, terms);
    const damaged = [
      text.slice(0, -40),
      text.replace(ana.exposeSeed(), other.exposeSeed()),
      text.replace(ana.exposeSeed(), ana.exposeSeed().toLowerCase()),
      text.replace(/CERTIFICATE-----\n./, 'CERTIFICATE-----\n!'),
      '',
    ];
    for (const bad of damaged)
      expect(() => parseOperatorKey(bad, 'admin-operator.key')).toThrow(/admin-operator.key/);
  });
});

function jid(text = '2'.repeat(27)) {
  return present(parseJid(text));
}

function peelId(text: string): PeelId {
  return present(parsePeelId(text));
}

function present<T>(value: T | undefined): T {
  return value ?? expect.fail('there should be a value');
}
