import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { newSigningKey } from '../nkeys.ts';
import { scopedUserClaims, type UserBody } from './claims.ts';
import { decodeJwt, encodeJwt, isExpired } from './jwt.ts';

const random = seededRandom(21);
const NOW_MS = Date.UTC(2026, 10, 15, 12, 0, 0, 500);
const account = newSigningKey('account', random);
const operator = newSigningKey('operator', random);
const user = newSigningKey('user', random);

const input = {
  subject: user.publicKey,
  name: 'web-01',
  issuedAtMs: NOW_MS,
  nats: scopedUserClaims(account.publicKey),
};
const jwt = encodeJwt(input, account);

describe('encodeJwt', () => {
  it('writes what decodeJwt reads', () => {
    const claims = decodeJwt<UserBody>(
      encodeJwt({ ...input, expiresAtMs: NOW_MS + 10_000 }, account),
      'user',
    );
    expect(claims).toMatchObject({
      sub: user.publicKey,
      iss: account.publicKey,
      name: 'web-01',
      iat: Math.floor(NOW_MS / 1000),
      exp: Math.floor(NOW_MS / 1000) + 10,
      nats: { type: 'user', version: 2, issuer_account: account.publicKey },
    });
    expect(isExpired(claims, NOW_MS)).toBe(false);
    expect(isExpired(claims, NOW_MS + 10_000)).toBe(true);
  });

  it('names the algorithm of nkeys in its header', () => {
    const [header = ''] = jwt.split('.');
    expect(Buffer.from(header, 'base64url').toString()).toBe('{"typ":"JWT","alg":"ed25519-nkey"}');
  });

  it('gives equal claims the same text and different ones different ids', () => {
    const other = encodeJwt({ ...input, name: 'web-02' }, account);
    expect(encodeJwt(input, account)).toBe(jwt);
    expect(decodeJwt(other, 'user').jti).not.toBe(decodeJwt(jwt, 'user').jti);
    expect(decodeJwt(jwt, 'user').jti).toMatch(/^[A-Z2-7]{52}$/);
  });
});

describe('decodeJwt', () => {
  it('refuses a JWT with any one character changed, dropped or doubled', () => {
    for (let at = 0; at < jwt.length; at++) {
      const next = jwt.charAt(at) === 'A' ? 'B' : 'A';
      refuse(jwt.slice(0, at) + next + jwt.slice(at + 1));
      if (at % 7 === 0) refuse(jwt.slice(0, at) + jwt.slice(at + 1));
      if (at % 7 === 0) refuse(jwt.slice(0, at) + jwt.charAt(at) + jwt.slice(at));
    }
  });

  it('refuses a second spelling of the same signature', () => {
    // 64 bytes leave four bits of the last character unused.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(jwt.slice(-1));
    const respelled = jwt.slice(0, -1) + alphabet.charAt(last | 1);
    expect(Buffer.from(respelled.split('.')[2] ?? '', 'base64url')).toEqual(
      Buffer.from(jwt.split('.')[2] ?? '', 'base64url'),
    );
    refuse(respelled);
    refuse(`${jwt}==`);
  });

  it('refuses arbitrary text', () => {
    const base64ish = fc.string({ unit: fc.constantFrom(...'eyJhbGciOi0-_.='), maxLength: 60 });
    fc.assert(fc.property(fc.oneof(fc.string(), base64ish), (text) => refuse(text)));
  });

  it('refuses claims of any JSON shape, even well signed', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => refuse(signed(JSON.stringify(value)))));
  });

  it('refuses a well signed JWT whose issuer is of the wrong kind', () => {
    refuse(encodeJwt(input, operator));
    refuse(encodeJwt({ ...input, subject: account.publicKey }, account));
  });

  it('refuses a JWT of another type than was asked for', () => {
    expect(() => decodeJwt(jwt, 'account')).toThrow(/not a valid account JWT/);
  });

  it('refuses version 1, fractions of seconds and negative times', () => {
    const claims = decodeJwt(jwt, 'user');
    refuse(signed(JSON.stringify({ ...claims, nats: { ...claims.nats, version: 1 } })));
    refuse(signed(JSON.stringify({ ...claims, iat: 1.5 })));
    refuse(signed(JSON.stringify({ ...claims, exp: -1 })));
    refuse(signed(JSON.stringify({ ...claims, exp: '1' })));
    expect(() => decodeJwt(signed(JSON.stringify(claims)), 'user')).not.toThrow();
  });

  it('refuses another algorithm in the header, whatever the signature', () => {
    const [, body = ''] = jwt.split('.');
    for (const alg of ['none', 'HS256', 'ed25519']) {
      const text = `${b64(JSON.stringify({ typ: 'JWT', alg }))}.${body}`;
      refuse(`${text}.${b64(account.sign(Buffer.from(text)))}`);
    }
    refuse(jwt.replace(/[^.]*$/, ''));
  });

  it('refuses more than a megabyte before it looks at it', () => {
    expect(() => decodeJwt('a'.repeat(1_000_001), 'user')).toThrow(/longer than/);
  });
});

function b64(data: string | Uint8Array): string {
  return Buffer.from(data as Uint8Array).toString('base64url');
}

function signed(claimsJson: string): string {
  const text = `${jwt.split('.')[0]}.${b64(claimsJson)}`;
  return `${text}.${b64(account.sign(Buffer.from(text)))}`;
}

function refuse(text: string): void {
  let error: unknown;
  try {
    decodeJwt(text, 'user');
  } catch (thrown) {
    error = thrown;
  }
  expect(isZesterError(error, 'TRUST_JWT_INVALID'), `accepted or crashed: ${String(error)}`).toBe(true);
}
