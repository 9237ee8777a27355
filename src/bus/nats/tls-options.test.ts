import type { PeerCertificate } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { parseNatsUrls } from './nats-url.ts';
import { identityError } from './tls-options.ts';

const certificateFor = (...names: string[]) =>
  ({
    subject: { CN: '' },
    subjectaltname: names
      .map((name) => (/^[\d.:]+$/.test(name) ? `IP Address:${name}` : `DNS:${name}`))
      .join(', '),
  }) as unknown as PeerCertificate;
const passes = (name: string, servers: string, ...names: string[]) =>
  identityError(name, certificateFor(...names), parseNatsUrls(servers)) === undefined;

describe('identity of a NATS server', () => {
  it('a name must be in the certificate', () => {
    expect(passes('nats-1.example.com', 'tls://nats-1.example.com', 'nats-1.example.com')).toBe(true);
    expect(passes('nats-1.example.com', 'tls://nats-1.example.com', 'evil.example.com')).toBe(false);
    expect(passes('localhost', 'tls://localhost', 'localhost')).toBe(true);
  });

  it('an address must be in the certificate; one for localhost does not pass for it', () => {
    expect(passes('localhost', 'tls://10.0.0.5', '10.0.0.5')).toBe(true);
    expect(passes('localhost', 'tls://10.0.0.5,tls://10.0.0.6', '10.0.0.6')).toBe(true);
    expect(passes('localhost', 'tls://10.0.0.5', 'localhost')).toBe(false);
    expect(passes('localhost', 'tls://10.0.0.5', '10.0.0.7')).toBe(false);
  });

  it('localhost beside an address proves nothing, and nothing passes unchecked', () => {
    expect(passes('localhost', 'tls://localhost,tls://10.0.0.5', 'localhost')).toBe(false);
    expect(passes('localhost', 'tls://nats.example.com', 'other.example.com')).toBe(false);
  });

  it('addresses that a cluster tells later pass under the name that was dialled', () => {
    expect(passes('nats.example.com', 'tls://nats.example.com', 'nats.example.com')).toBe(true);
  });
});
