import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { type IssuedLeaf, issueLeaf, newCa, newIntermediate, openCa, spkiPin } from './ca.ts';
import { buildCertificate, commonName, keyIdOf, newSerial, toPem } from './certificate.ts';
import { newP256Key } from './p256-key.ts';
import { readCaCertificate, readLeaf } from './read-certificate.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Math.floor(systemClock.nowMs() / 1000) * 1000;
const random = seededRandom(51);
const made = newCa(random, NOW_MS);
const files = {
  rootPem: made.root.certificatePem,
  intermediatePem: made.intermediate.certificatePem,
  intermediateKeyPem: made.intermediate.keyPem,
};
const ca = openCa(files, 'ca');
const NAMES = ['nats.example.com', '*.fleet.example', 'localhost', '127.0.0.1', '::1', '10.1.2.3'];
const leaf = issueLeaf(ca, { names: NAMES, validMs: 90 * DAY_MS }, random, NOW_MS);
const root = new X509Certificate(files.rootPem);
const intermediate = new X509Certificate(files.intermediatePem);
const certificate = new X509Certificate(leaf.chainPem);

describe('newCa', () => {
  it('makes a root that signs itself and an intermediate that the root signs', () => {
    expect(root.ca && intermediate.ca).toBe(true);
    expect(root.verify(root.publicKey)).toBe(true);
    expect(root.checkIssued(root)).toBe(true);
    expect(intermediate.verify(root.publicKey)).toBe(true);
    expect(intermediate.checkIssued(root)).toBe(true);
    expect(root.checkPrivateKey(createPrivateKey(made.root.keyPem))).toBe(true);
    expect(root.subject).toMatch(/^CN=Zester Root CA [0-9a-f]{8}$/);
  });

  it('lets the root live ten years and the intermediate five, both from yesterday', () => {
    expect(Date.parse(root.validFrom)).toBe(NOW_MS - DAY_MS);
    expect(Date.parse(root.validTo)).toBe(NOW_MS + 3650 * DAY_MS);
    expect(Date.parse(intermediate.validTo)).toBe(NOW_MS + 1825 * DAY_MS);
  });

  it('gives the same keys for the same randomness', () => {
    const [a, b] = [newCa(seededRandom(1), NOW_MS), newCa(seededRandom(1), NOW_MS)];
    expect(a.root.keyPem).toBe(b.root.keyPem);
    expect(newCa(seededRandom(2), NOW_MS).root.keyPem).not.toBe(a.root.keyPem);
  });

  it('still works in 2055, when dates change their form', () => {
    const later = newCa(random, Date.UTC(2055, 0, 1));
    expect(Date.parse(new X509Certificate(later.root.certificatePem).validFrom)).toBe(Date.UTC(2054, 11, 31));
  });
});

describe('newP256Key', () => {
  it('draws again when the number is not below the order of the group', () => {
    const draws = [Buffer.alloc(32, 0xff), Buffer.alloc(32, 0), Buffer.alloc(32, 1)];
    const key = newP256Key({ bytes: () => draws.shift() ?? Buffer.of(), fraction: () => 0 });
    expect(key.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(draws).toHaveLength(0);
  });
});

describe('issueLeaf', () => {
  it('makes a leaf for servers and clients, under the names asked for', () => {
    expect(certificate.ca).toBe(false);
    expect(certificate.checkIssued(intermediate)).toBe(true);
    expect(certificate.verify(intermediate.publicKey)).toBe(true);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect(certificate.checkHost('nats.example.com')).toBe('nats.example.com');
    expect(certificate.checkHost('web.fleet.example')).toBe('*.fleet.example');
    expect(certificate.checkHost('example.com')).toBeUndefined();
    expect(certificate.checkIP('10.1.2.3')).toBe('10.1.2.3');
    expect(certificate.checkIP('::1')).toBeDefined();
    expect(certificate.checkIP('10.1.2.4')).toBeUndefined();
  });

  it('hands out the chain in the order a server sends it', () => {
    const [first, second, ...more] = leaf.chainPem.split(/(?<=-----END CERTIFICATE-----\n)/);
    expect(new X509Certificate(first ?? '').fingerprint256).toBe(certificate.fingerprint256);
    expect(second).toBe(files.intermediatePem);
    expect(more).toEqual([]);
  });

  it('gives every certificate another positive serial of up to 128 bits', () => {
    const serials = Array.from({ length: 50 }, () => {
      const issued = issueLeaf(ca, { names: ['a'], validMs: DAY_MS }, random, NOW_MS);
      return new X509Certificate(issued.chainPem).serialNumber;
    });
    expect(new Set(serials).size).toBe(50);
    for (const serial of serials) expect(serial).toMatch(/^[0-9A-F]{1,32}$/);
  });

  it('tells when it ends, and so does its certificate', () => {
    expect(leaf.notAfterMs).toBe(NOW_MS + 90 * DAY_MS);
    expect(readLeaf(leaf.chainPem, 'leaf.crt')).toMatchObject({
      beginsMs: NOW_MS - DAY_MS,
      endsMs: leaf.notAfterMs,
    });
    expect(() => readLeaf('x', 'leaf.crt')).toThrow(/leaf.crt cannot be used/);
    const { names } = readLeaf(leaf.chainPem, 'leaf.crt');
    expect(names.map((name) => name.replace('0:0:0:0:0:0:0:1', '::1'))).toEqual(NAMES);
  });

  it('never outlives the intermediate and never begins before it', () => {
    const nearEndMs = NOW_MS + 1800 * DAY_MS;
    const late = new X509Certificate(
      issueLeaf(ca, { names: ['a'], validMs: 90 * DAY_MS }, random, nearEndMs).chainPem,
    );
    expect(late.validTo).toBe(intermediate.validTo);
    const early = issueLeaf(ca, { names: ['a'], validMs: DAY_MS }, random, NOW_MS - DAY_MS / 2);
    expect(new X509Certificate(early.chainPem).validFrom).toBe(intermediate.validFrom);
    expect(() => issueLeaf(ca, { names: ['a'], validMs: 1 }, random, NOW_MS + 1825 * DAY_MS)).toThrow(
      /expired/,
    );
  });

  it('takes a common name that is short enough for one', () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}`;
    const subjectOf = (...names: string[]) =>
      new X509Certificate(issueLeaf(ca, { names, validMs: DAY_MS }, random, NOW_MS).chainPem).subject;
    expect(subjectOf(long, 'short')).toBe('CN=short');
    expect(subjectOf(long)).toBe('CN=zester');
  });

  it('refuses no names and too many', () => {
    expect(() => issueLeaf(ca, { names: [], validMs: 1 }, random, NOW_MS)).toThrow(/needs 1 to 100 names/);
    expect(() => issueLeaf(ca, { names: Array(101).fill('a'), validMs: 1 }, random, NOW_MS)).toThrow(
      /not 101/,
    );
  });
});

describe('newIntermediate', () => {
  const rootKeyPem = made.root.keyPem;

  it('is another one under the same root, whose leaves clients of the root take; it never outlives it', () => {
    const next = newIntermediate({ rootPem: files.rootPem, rootKeyPem }, 'ca', random, NOW_MS);
    const rotated = openCa(
      { ...files, intermediatePem: next.certificatePem, intermediateKeyPem: next.keyPem },
      'ca',
    );
    expect(spkiPin(rotated.intermediate)).not.toBe(spkiPin(ca.intermediate));
    expect(spkiPin(rotated.root)).toBe(spkiPin(ca.root));
    const late = newIntermediate(
      { rootPem: files.rootPem, rootKeyPem },
      'ca',
      random,
      NOW_MS + 3600 * DAY_MS,
    );
    expect(new X509Certificate(late.certificatePem).validTo).toBe(root.validTo);
  });

  it('is not made with another key than that of the root, or after its end', () => {
    const strange = { rootPem: files.rootPem, rootKeyPem: made.intermediate.keyPem };
    expect(() => newIntermediate(strange, 'ca', random, NOW_MS)).toThrow(/not the key of root.crt/);
    const files10 = { rootPem: files.rootPem, rootKeyPem };
    expect(() => newIntermediate(files10, 'ca', random, NOW_MS + 3651 * DAY_MS)).toThrow(/expired/);
  });
});

describe('openCa', () => {
  const other = newCa(random, NOW_MS);

  it('refuses parts that do not belong together', () => {
    expect(() => openCa({ ...files, rootPem: other.root.certificatePem }, 'ca')).toThrow(
      /not signed by root.crt/,
    );
    expect(() => openCa({ ...files, intermediateKeyPem: other.intermediate.keyPem }, 'ca')).toThrow(
      /not the key/,
    );
    expect(() => openCa({ ...files, intermediateKeyPem: 'x' }, 'ca')).toThrow(/as a private key/);
    expect(() => openCa({ ...files, rootPem: 'x' }, 'ca')).toThrow(/ca\/root.crt cannot be used/);
    const rootName = { subject: ca.root.subject, keyId: ca.root.keyId };
    const forged = buildCertificate(
      {
        profile: { kind: 'intermediate' },
        serial: newSerial(random),
        subject: ca.intermediate.subject,
        publicKey: ca.intermediateKey,
        notBeforeMs: NOW_MS,
        notAfterMs: NOW_MS + DAY_MS,
      },
      { ...rootName, privateKey: newP256Key(random) },
    );
    expect(() => openCa({ ...files, intermediatePem: toPem(forged) }, 'ca')).toThrow(
      /not signed by root.crt/,
    );
    expect(() => readCaCertificate(leaf.chainPem, 'leaf.crt')).toThrow(/not the certificate of a CA/);
  });
});

describe('spkiPin', () => {
  it('is the hash of the public key of the root, in the form that peels pin', () => {
    expect(spkiPin(ca.root)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(spkiPin(ca.root)).not.toBe(spkiPin(ca.intermediate));
  });
});

describe('a TLS 1.3 handshake with only the root trusted', () => {
  const server = createServer({ cert: leaf.chainPem, key: leaf.keyPem, minVersion: 'TLSv1.3' }, (socket) => {
    socket.end('hello');
  });
  const clientErrors: unknown[] = [];

  beforeAll(async () => {
    server.on('tlsClientError', (error) => clientErrors.push(error));
    await new Promise<void>((resolve) => server.listen(0, resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const shake = (host: string, options: object = {}) => {
    const { port } = server.address() as AddressInfo;
    return new Promise<TLSSocket>((resolve, reject) => {
      const socket = connect(
        {
          host: isIPv6(host) ? '::1' : '127.0.0.1',
          port,
          ca: files.rootPem,
          ...serverName(host),
          ...options,
        },
        () => resolve(socket.end()),
      );
      socket.on('error', reject);
    });
  };
  // node checks `servername` when given, else `host`; an address may not be sent as a server name.
  const serverName = (host: string) => (/^[0-9.]+$|:/.test(host) ? {} : { servername: host });

  it('succeeds for every name in the certificate', async () => {
    for (const host of ['nats.example.com', 'a.fleet.example', 'localhost', '127.0.0.1', '::1']) {
      const socket = await shake(host);
      expect(socket.authorized).toBe(true);
      expect(socket.getProtocol()).toBe('TLSv1.3');
    }
  });

  it('fails for another name', async () => {
    await expect(shake('evil.example.com')).rejects.toThrow(/does not match/);
  });

  it('fails with another root', async () => {
    const other = newCa(seededRandom(99), NOW_MS);
    await expect(shake('localhost', { ca: other.root.certificatePem })).rejects.toThrow();
  });

  it('fails for a client that can do TLS 1.2 only', async () => {
    await expect(shake('localhost', { maxVersion: 'TLSv1.2' })).rejects.toThrow();
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('openssl', () => {
  const folder = mkdtempSync(`${tmpdir()}/zester-ca-`);
  afterAll(() => rmSync(folder, { recursive: true }));
  const put = (name: string, text: string) => {
    writeFileSync(`${folder}/${name}`, text);
    return `${folder}/${name}`;
  };
  const openssl = (...args: string[]) => execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });

  it('verifies the chain strictly, for servers and clients', () => {
    for (const purpose of ['sslserver', 'sslclient']) {
      const verdict = openssl(
        ...['verify', '-x509_strict', '-purpose', purpose, '-CAfile', put('root.crt', files.rootPem)],
        ...['-untrusted', put('int.crt', files.intermediatePem), put('leaf.crt', leaf.chainPem)],
      );
      expect(verdict).toMatch(/: OK\n$/);
    }
  });

  it('refuses a certificate that was signed with the key of a leaf', () => {
    const rogue = rogueLeaf(leaf);
    expect(() =>
      openssl(
        ...['verify', '-CAfile', put('root.crt', files.rootPem), '-untrusted'],
        ...[put('chain.crt', leaf.chainPem), put('rogue.crt', rogue)],
      ),
    ).toThrow(/invalid CA certificate/);
  });

  it('finds the extensions, critical where they must be', () => {
    const text = openssl('x509', '-noout', '-text', '-in', put('leaf.crt', leaf.chainPem));
    expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE/);
    expect(text).toMatch(/X509v3 Key Usage: critical\s+Digital Signature\n/);
    expect(text).toMatch(
      /Extended Key Usage: \s+TLS Web Server Authentication, TLS Web Client Authentication/,
    );
    const ofIntermediate = openssl('x509', '-noout', '-text', '-in', put('int.crt', files.intermediatePem));
    expect(ofIntermediate).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    expect(ofIntermediate).toMatch(/X509v3 Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
    const ofRoot = openssl('x509', '-noout', '-text', '-in', put('root.crt', files.rootPem));
    expect(ofRoot).toMatch(/Basic Constraints: critical\s+CA:TRUE\n/);
    const keyId = /Subject Key Identifier: \s+(\S+)/.exec(ofIntermediate)?.[1] ?? 'none';
    expect(text).toContain(keyId);
  });
});

/** What the holder of a leaf's key could make: a certificate that names the leaf as its CA. */
function rogueLeaf(signer: IssuedLeaf): string {
  const intermediateKey = createPrivateKey(signer.keyPem);
  const pretended = {
    ...ca,
    intermediate: {
      ...ca.intermediate,
      subject: commonName('nats.example.com'),
      keyId: keyIdOf(intermediateKey),
    },
    intermediateKey,
  };
  return issueLeaf(pretended, { names: ['evil.example.com'], validMs: DAY_MS }, random, NOW_MS).chainPem;
}
