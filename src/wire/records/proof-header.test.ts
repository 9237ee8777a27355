import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../../../test/fixtures/go/describe.ts';
import { JID, PEEL, SAMPLES } from '../../../test/fixtures/go/samples.ts';
import { decodeBase64url, encodeBase64url } from '../msgpack/base64url.ts';
import { WireError } from '../msgpack/wire-error.ts';
import {
  type OperatorCertificate,
  operatorCertificateBytes,
  operatorCertificateCodec,
} from './operator-certificate.ts';
import {
  cancelProofBytes,
  commandProofBytes,
  directProofBytes,
  formatDeadline,
  parseDeadline,
} from './proof-bytes.ts';
import { formatProof, PROOF_HEADER_CHARS_MAX, type Proof, parseProof } from './proof-header.ts';

const certificate = SAMPLES.OperatorCertificate?.[0] as OperatorCertificate;
const mac = new Uint8Array(32).fill(0xfb);
const signature = new Uint8Array(64).fill(0x3f);
const PROOFS: readonly Proof[] = [
  { kind: 'hmac', mac },
  { kind: 'ed25519', signature, certificate: undefined },
  { kind: 'ed25519', signature, certificate },
  { kind: 'ed25519', signature, certificate: { ...certificate, name: 'ä'.repeat(64), expires: undefined } },
];

describe('base64url', () => {
  it('agrees with Node on all bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = encodeBase64url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(decodeBase64url(text)).toEqual(bytes);
      }),
    );
  });

  it.each(['A', 'AAAAA', 'AA=', 'AA==', 'AB', 'AAB', 'A+', 'A/', 'A A', 'ä', '🍋', 'AA\n'])(
    'refuses %j',
    (text) => {
      expect(decodeBase64url(text)).toBeUndefined();
    },
  );
});

describe('a proof header', () => {
  it('is read back as it was written, and fits', () => {
    for (const proof of PROOFS) {
      const text = formatProof(proof);
      expect(text).toMatch(/^v1\.(hmac|ed25519)\.[\w.-]+$/);
      expect(text.length).toBeLessThanOrEqual(PROOF_HEADER_CHARS_MAX);
      expect(parseProof(text)).toEqual(proof);
    }
  });

  it('in any other form is no proof', () => {
    const [hmac = '', , full = ''] = PROOFS.map(formatProof);
    const [version, kind, proof = '', certified = ''] = full.split('.');
    const bad = [
      '',
      'v1',
      'v1.hmac',
      'v1.hmac.',
      hmac.replace('v1', 'v2'),
      hmac.replace('hmac', 'none'),
      hmac.replace('hmac', 'ed25519'),
      full.replace('ed25519', 'hmac'),
      `${hmac}.`,
      `${hmac}=`,
      ` ${hmac}`,
      `${full}.x`,
      [version, kind, proof].join('.').slice(0, -1),
      [version, kind, proof, ''].join('.'),
      [version, kind, proof, certified.slice(0, -1)].join('.'),
      [version, kind, proof, encodeBase64url(new Uint8Array(3))].join('.'),
      `${version}.${kind}.${proof}.${'A'.repeat(2_000)}`,
    ];
    expect(bad.filter((text) => parseProof(text) !== undefined)).toEqual([]);
  });

  it('of any text never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('v1', 'hmac', 'ed25519', '.', 'AAAA', '\0', '=')), (pieces) => {
        expect(parseProof(pieces.join(''))).toBeUndefined();
      }),
    );
  });

  it('is not made from a proof of a wrong length', () => {
    expect(() => formatProof({ kind: 'hmac', mac: mac.subarray(1) })).toThrow(WireError);
  });
});

describe('the bytes of a proof', () => {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const payload = new TextEncoder().encode('payload');

  it('are exactly these', () => {
    expect(text(commandProofBytes(PEEL, payload))).toBe(`zester-cmd-v1\0${PEEL}\0payload`);
    expect(text(cancelProofBytes(JID))).toBe(`zester-cancel-v1\0${JID}`);
    expect(text(directProofBytes(PEEL, 1_700_000_000_123_456_789n, payload))).toBe(
      `zester-direct-v1\0${PEEL}\x001700000000123456789\0payload`,
    );
  });

  it('of a certificate are a label and its fields without the signature', () => {
    const { signature: _, ...identity } = certificate;
    const bytes = operatorCertificateBytes(certificate);
    expect(hexOf(operatorCertificateBytes(identity))).toBe(hexOf(bytes));
    expect(text(bytes.subarray(0, 19))).toBe('zester-operator-v1\0');
    const whole = hexOf(operatorCertificateCodec.encode(certificate));
    expect(whole.slice(2)).toContain(hexOf(bytes.subarray(20)));
  });

  it('change with every field of a certificate', () => {
    const changed = [
      certificate,
      { ...certificate, name: 'mallory' },
      { ...certificate, issued: certificate.issued + 1n },
      { ...certificate, expires: undefined },
      { ...certificate, publicKey: mac },
    ].map((one) => hexOf(operatorCertificateBytes(one)));
    expect(new Set(changed).size).toBe(changed.length);
  });
});

describe('a deadline header', () => {
  it('is read back as it was written', () => {
    expect(parseDeadline(formatDeadline(1_700_000_000_123_456_789n))).toBe(1_700_000_000_123_456_789n);
  });

  it.each(['', '0', '-1', '01', '1.5', '1e9', ' 1', '1 ', '0x1', '9'.repeat(22), 'never'])(
    'is not %j',
    (text) => {
      expect(parseDeadline(text)).toBeUndefined();
    },
  );
});
