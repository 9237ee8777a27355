/** What a door stands on: the CA of the deployment, certificates from elsewhere, or nothing. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DOOR_BOUNDS, DoorLimits } from '../../../core/enroll/desk/door-limits.ts';
import { jsonLog } from '../../../runtime/log.ts';
import { seededRandom } from '../../../runtime/seeded-random.ts';
import { systemClock } from '../../../runtime/system-clock.ts';
import { virtualClock } from '../../../runtime/virtual-clock.ts';
import { issueLeaf, newCa, openCa, spkiPin } from '../../../trust/x509/ca.ts';
import { initCaDir, loadCa, rootPath, rotateIntermediate } from '../../../trust/x509/ca-dir.ts';
import { ENROLL_CA_PATH } from '../../../wire/names/enroll-routes.ts';
import type { EnrollBootstrap } from '../../../wire/records/enroll/enroll-http.ts';
import { enrollOptions } from '../enroll-options.ts';
import { type DoorCertificate, filedCertificate, isIssuedBy, ownCertificate } from './door-certificate.ts';
import { type EnrollDoor, openEnrollDoor } from './enroll-door.ts';
import { doorGround } from './serve-enroll.ts';

const DAY_MS = 86_400_000;
const clock = virtualClock();
const random = seededRandom(4);
const lines: string[] = [];
const runtime = { clock, random, log: jsonLog({ clock, write: (line) => void lines.push(line) }) };
const refuse = (problem: string) => new Error(problem);
const options = (...given: readonly (readonly [string, string])[]) => enrollOptions(new Map(given), refuse);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-door-'));
  lines.length = 0;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const place = (ca?: string) => ({ authDir: dir, ca, natsUrls: ['tls://nats:4222'] });

/** A certificate of a CA that is not ours, as files. */
function foreign(name = 'door') {
  const { root, intermediate } = newCa(random, clock.nowMs());
  const files = {
    rootPem: root.certificatePem,
    intermediatePem: intermediate.certificatePem,
    intermediateKeyPem: intermediate.keyPem,
  };
  const leaf = issueLeaf(
    openCa(files, dir),
    { names: ['door.example'], validMs: DAY_MS },
    random,
    clock.nowMs(),
  );
  const [certFile, keyFile, caFile] = [`${dir}/${name}.crt`, `${dir}/${name}.key`, `${dir}/${name}-ca.crt`];
  writeFileSync(certFile, leaf.chainPem);
  writeFileSync(keyFile, leaf.keyPem, { mode: 0o600 });
  writeFileSync(caFile, root.certificatePem);
  return { certFile, keyFile, caFile };
}

describe('a master with the CA of the deployment', () => {
  it('serves a certificate of its own, tells CA and addresses, and compares pins', () => {
    const ca = initCaDir(dir, random, clock.nowMs(), { force: false });
    const ground = doorGround(options(), place(rootPath(dir)), runtime);
    const { certificate, caPin } = ground;
    const bootstrap = ground.bootstrap();
    expect(caPin).toBe(spkiPin(ca.root));
    expect(certificate && isIssuedBy(certificate.current(), ca)).toBe(true);
    expect(bootstrap).toMatchObject({ v: 1, fingerprint: caPin, nats_urls: ['tls://nats:4222'] });
    expect(bootstrap?.ca_bundle_pem.match(/BEGIN CERTIFICATE/g)?.length).toBe(2);
    const told = doorGround(options(['nats-advertise', 'tls://a:1,tls://b:2']), place(), runtime).bootstrap();
    expect(told?.nats_urls).toEqual(['tls://a:1', 'tls://b:2']);
    // Whoever compares two of them leaves the time out.
    expect({ ...told, issued_at: '', nats_urls: [] }).toEqual({ ...bootstrap, issued_at: '', nats_urls: [] });
  });

  it('renews it at two thirds of its life', async () => {
    initCaDir(dir, random, clock.nowMs(), { force: false });
    const certificate = ownCertificate(() => loadCa(dir), ['localhost'], runtime);
    const first = certificate.current();
    const renewed: string[] = [];
    const kept = certificate.keep(({ cert }) => renewed.push(cert));
    clock.jumpWall(59 * DAY_MS);
    await clock.advance(70_000);
    expect(renewed).toEqual([]);
    clock.jumpWall(DAY_MS);
    await clock.advance(140_000);
    expect([renewed.length, renewed[0] === first.cert]).toEqual([1, false]);
    kept.stop();
  });
});

/** What a machine gets that trusts the root alone: the fingerprint of the intermediate, and the bundle. */
function shownBy({
  address,
}: EnrollDoor): Promise<{ readonly intermediate: string; readonly bundle: string }> {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(rootPath(dir));
    const options = { ...address, path: ENROLL_CA_PATH, ca, agent: false, servername: 'localhost' };
    const request = get(options, (response) => {
      const leaf = (response.socket as TLSSocket).getPeerCertificate(true);
      const intermediate = leaf.issuerCertificate?.fingerprint256 ?? '';
      json(response).then(
        (body) => resolve({ intermediate, bundle: (body as EnrollBootstrap).ca_bundle_pem }),
        reject,
      );
    });
    request.on('error', reject);
  });
}

describe('a door that is open while the CA changes', () => {
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) await clock.advance(66_000);
  };
  let door: EnrollDoor;
  beforeEach(async () => {
    // TLS goes by the time of this machine.
    clock.jumpWall(systemClock.nowMs() - clock.nowMs());
    initCaDir(dir, random, clock.nowMs(), { force: false });
    const given = options(['enroll-name', 'localhost']);
    const { certificate, bootstrap } = doorGround(given, place(rootPath(dir)), runtime);
    door = await openEnrollDoor(
      {
        runtime,
        certificate: certificate as DoorCertificate,
        bootstrap,
        limits: new DoorLimits(DOOR_BOUNDS),
        desk: { agentsKeys: () => [] } as never,
        isReady: () => true,
        metrics: { doorAnswered: () => undefined, doorClosed: () => undefined },
      },
      { host: '127.0.0.1', port: 0 },
    );
  });
  afterEach(() => door.stop());

  it('serves and hands out a rotated intermediate without a restart', async () => {
    const before = await shownBy(door);
    const { intermediate, intermediatePem } = rotateIntermediate(dir, random, clock.nowMs());
    await minutes(2);
    const after = await shownBy(door);
    expect(after.intermediate).toBe(intermediate.x509.fingerprint256);
    expect(after.intermediate).not.toBe(before.intermediate);
    expect(after.bundle).toBe(`${readFileSync(rootPath(dir), 'utf8')}${intermediatePem}`);
    await minutes(2);
    // Issued once for each intermediate, not at each look.
    expect(lines.filter((line) => line.includes('renewed')).length).toBe(1);
  });

  it('goes on as it was while only one of the two files has arrived, and with another root', async () => {
    const before = await shownBy(door);
    const [crt, key] = [`${dir}/ca/intermediate.crt`, `${dir}/ca/intermediate.key`];
    const oldKey = readFileSync(key);
    const rotated = rotateIntermediate(dir, random, clock.nowMs());
    const newKey = readFileSync(key);
    writeFileSync(key, oldKey);
    await minutes(2);
    expect(await shownBy(door)).toEqual(before);
    expect(lines.join()).toContain('it is not the key of intermediate.crt beside it');
    writeFileSync(key, newKey);
    await minutes(2);
    expect((await shownBy(door)).intermediate).toBe(rotated.intermediate.x509.fingerprint256);
    const ours = readFileSync(rootPath(dir));
    initCaDir(dir, random, clock.nowMs(), { force: true });
    await minutes(2);
    expect(lines.join()).toContain('it is another root than at the start');
    writeFileSync(rootPath(dir), ours);
    writeFileSync(crt, rotated.intermediatePem);
    writeFileSync(key, newKey);
    expect((await shownBy(door)).intermediate).toBe(rotated.intermediate.x509.fingerprint256);
  });
});

describe('certificates from elsewhere', () => {
  it('of an intermediate that was rotated away are still ours', () => {
    const old = initCaDir(dir, random, clock.nowMs(), { force: false });
    const leaf = issueLeaf(old, { names: ['localhost'], validMs: DAY_MS }, random, clock.nowMs());
    const ca = rotateIntermediate(dir, random, clock.nowMs());
    expect(isIssuedBy({ cert: leaf.chainPem, key: leaf.keyPem }, ca)).toBe(true);
    const { certFile, keyFile } = foreign();
    expect(isIssuedBy(filedCertificate({ certFile, keyFile }, runtime).current(), ca)).toBe(false);
  });

  it('are served; there is no CA to hand out and nothing to compare', () => {
    const { certFile, keyFile } = foreign();
    const given = options(['enroll-cert', certFile], ['enroll-key', keyFile]);
    const without = doorGround(given, place(), runtime);
    expect([without.bootstrap(), without.caPin]).toEqual([undefined, undefined]);
    initCaDir(dir, random, clock.nowMs(), { force: false });
    const beside = doorGround(given, place(), runtime);
    expect([beside.caPin, beside.bootstrap()?.v]).toEqual([undefined, 1]);
    expect(lines.join()).toContain('not compared');
  });

  it('with the CA of the servers in --ca, that is handed out', () => {
    const { certFile, keyFile, caFile } = foreign();
    const given = options(['enroll-cert', certFile], ['enroll-key', keyFile]);
    const { bootstrap, caPin } = doorGround(given, place(caFile), runtime);
    expect([caPin, bootstrap()?.ca_bundle_pem.includes('BEGIN CERTIFICATE')]).toEqual([undefined, true]);
  });

  it('are read again, and one that cannot be used is told of while the old one stays', async () => {
    const { certFile, keyFile } = foreign();
    const certificate = filedCertificate({ certFile, keyFile }, runtime);
    const seen: string[] = [];
    const kept = certificate.keep(({ cert }) => seen.push(cert));
    writeFileSync(certFile, 'nonsense');
    await clock.advance(70_000);
    expect([seen.length, lines.join().includes('not this time')]).toEqual([0, true]);
    foreign();
    await clock.advance(70_000);
    expect(seen).toEqual([certificate.current().cert]);
    kept.stop();
  });

  it('that are no pair, or that of a CA, are refused at the start', () => {
    const [one, two] = [foreign('one'), foreign('two')];
    const open = (certFile: string, keyFile: string) => () =>
      doorGround(options(['enroll-cert', certFile], ['enroll-key', keyFile]), place(), runtime);
    expect(open(one.certFile, two.keyFile)).toThrow('cannot be served with');
    expect(open(one.caFile, one.keyFile)).toThrow('cannot be served with');
  });
});

describe('a master without any certificate', () => {
  it('goes without a door and says so, unless one was asked for', () => {
    expect(doorGround(options(), place(), runtime).certificate).toBe(undefined);
    expect(lines.join()).toContain('ENROLL_NO_CERTIFICATE');
    const asked = options(['enroll-addr', ':8443']);
    expect(() => doorGround(asked, place(), runtime)).toThrow('no certificate to serve enrollment with');
    expect(doorGround(options(['enroll-addr', 'off']), place(), runtime).certificate).toBe(undefined);
  });
});

describe('the options of the door', () => {
  it('are read', () => {
    expect(
      options(['enroll-addr', '[::1]:0'], ['enroll-file', 'f'], ['enroll-name', 'a,b'], ['enroll-rate', '7']),
    ).toMatchObject({
      address: { host: '::1', port: 0 },
      isDefault: false,
      file: 'f',
      names: ['a', 'b'],
      perSecond: 7,
    });
  });

  it.each([
    ['enroll-addr', '8443'],
    ['enroll-addr', ':99999'],
    ['enroll-rate', '0'],
    ['enroll-rate', '1e3'],
    ['enroll-cert', 'a'],
    ['enroll-key', 'a'],
  ])('--%s %s is refused', (name, value) => {
    expect(() => options([name, value])).toThrow('enroll');
  });

  it('a file has nothing to tell without a door', () => {
    expect(() => options(['enroll-addr', 'off'], ['enroll-file', 'f'])).toThrow('nothing to tell');
  });
});
