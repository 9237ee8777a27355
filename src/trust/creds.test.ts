import { credsAuthenticator } from '@nats-io/nats-core';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../core/errors/zester-error.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { mintPeelUser } from './accounts/users.ts';
import { formatCreds, parseCreds } from './creds.ts';
import { natsAuthenticator } from './nats-authenticator.ts';
import { newSigningKey } from './nkeys.ts';

const random = seededRandom(31);
const NOW_MS = Date.UTC(2026, 10, 15);
const account = newSigningKey('account', random);
const user = newSigningKey('user', random);
const jwt = mintPeelUser(account, {
  agentsAccount: newSigningKey('account', random).publicKey,
  peelId: 'web-01',
  userPublicKey: user.publicKey,
  nowMs: NOW_MS,
  expiresAtMs: NOW_MS + 1_000,
});
const text = formatCreds(jwt, user);

describe('creds', () => {
  it('are read back as they were written', () => {
    const creds = parseCreds(text, 'web-01.creds');
    expect(creds.jwt).toBe(jwt);
    expect(creds.claims.name).toBe('web-01');
    expect(creds.key.exposeSeed()).toBe(user.exposeSeed());
  });

  it('may have Windows line ends and the remarks of NATS tools', () => {
    const nsc = `-----BEGIN NATS USER JWT-----
${jwt}
------END NATS USER JWT------

************************* IMPORTANT *************************
NKEY Seed printed below can be used to sign and prove identity.
NKEYs are sensitive and should be treated as secrets.

-----BEGIN USER NKEY SEED-----
${user.exposeSeed()}
------END USER NKEY SEED------

*************************************************************
`;
    expect(parseCreds(nsc, 'x').jwt).toBe(jwt);
    expect(parseCreds(nsc.replaceAll('\n', '\r\n'), 'x').jwt).toBe(jwt);
  });

  it('are refused when cut off anywhere', () => {
    const end = text.lastIndexOf('END USER NKEY SEED') + 'END USER NKEY SEED-----'.length;
    for (let length = 0; length < end; length += 3) refuse(text.slice(0, length));
  });

  it('are refused when a part is missing, doubled, swapped or of somebody else', () => {
    const [first = '', second = ''] = text.split(/\n(?=-----BEGIN USER)/);
    refuse(first);
    refuse(second);
    refuse(`${second}\n${first}`);
    refuse(text + text);
    refuse(`${text}\n-----BEGIN`);
    refuse(text.replace(user.exposeSeed(), newSigningKey('user', random).exposeSeed()));
    refuse(text.replace(user.exposeSeed(), account.exposeSeed()));
  });

  it('are refused with the name of the file and without their content', () => {
    const error = refuse(text.replace('END USER', 'END USUR'), '/etc/zester/web-01.creds');
    expect(error).toContain('/etc/zester/web-01.creds');
    expect(error).not.toContain(user.exposeSeed());
  });
});

describe('natsAuthenticator', () => {
  it('answers a nonce as the client library does, without the key beside the JWT that has it', () => {
    const theirs = credsAuthenticator(new TextEncoder().encode(text));
    const ours = natsAuthenticator(() => parseCreds(text, 'x'));
    for (const nonce of ['the-nonce', undefined]) {
      const { nkey, ...rest } = { nkey: '', ...theirs(nonce) };
      expect(nkey).toBe(user.publicKey);
      expect(ours(nonce)).toEqual(rest);
    }
  });

  it('reads the credentials again at every attempt', () => {
    const creds = [text, formatCreds(jwt, user)].map((t) => parseCreds(t, 'x'));
    let reads = 0;
    const authenticate = natsAuthenticator(() => creds[reads++] ?? expect.fail('read too often'));
    authenticate('a');
    authenticate('b');
    expect(reads).toBe(2);
  });
});

function refuse(damaged: string, source = 'x'): string {
  try {
    parseCreds(damaged, source);
  } catch (error) {
    expect(isZesterError(error, 'TRUST_CREDS_INVALID')).toBe(true);
    return String(error);
  }
  return expect.fail('accepted damaged credentials');
}
