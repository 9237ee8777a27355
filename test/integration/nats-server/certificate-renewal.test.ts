/**
 * Certificates of a real nats-server are renewed while it runs: connections stay, new ones get the new certificate, also one of
 * another intermediate, and clients trust the root all the time.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, expect, it } from 'vitest';
import { openBus } from '../../../src/bus/bus.ts';
import { connectNats } from '../../../src/bus/nats/nats-connection.ts';
import { renewLeaf } from '../../../src/local-fleet/local-deployment.ts';
import { startEmbeddedServer } from '../../../src/nats-server/start-embedded-server.ts';
import { processesIn } from '../../../src/process/process-table.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { credsPath, initAuthDir, loadCreds, loadPublicTrust } from '../../../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { renderServerConfig } from '../../../src/trust/server-config.ts';
import { issueLeaf } from '../../../src/trust/x509/ca.ts';
import {
  initCaDir,
  loadCa,
  rootPath,
  rotateIntermediate,
  writeLeaf,
} from '../../../src/trust/x509/ca-dir.ts';
import { natsServerBinary } from '../../harness/servers/nats-server.ts';
import { until } from '../../harness/until.ts';

const HOUR_MS = 3_600_000;
const dir = mkdtempSync(join(tmpdir(), 'zester-certificates-'));
const authDir = join(dir, 'auth');
const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: () => undefined }),
};
afterAll(async () => {
  for (const left of processesIn(join(dir, 'nats'))) process.kill(left.pid, 'SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

/** Fingerprints of the leaf and of its intermediate, as a client gets them that trusts the root alone. */
function shownBy(port: number): Promise<readonly (string | undefined)[]> {
  return new Promise((resolve, reject) => {
    const plain = connect(port, '127.0.0.1');
    plain.on('error', reject);
    // The server says who it is first; then both go on with TLS.
    plain.once('data', () => {
      const socket = connectTls(
        { socket: plain, host: '127.0.0.1', ca: readFileSync(rootPath(authDir)) },
        () => {
          const leaf = socket.getPeerCertificate(true);
          resolve([leaf.fingerprint256, leaf.issuerCertificate?.fingerprint256]);
          socket.destroy();
        },
      );
      socket.on('error', reject);
    });
  });
}

it('a renewed certificate, and one of another intermediate, are served without a restart and without losing a connection', async () => {
  const nowMs = systemClock.nowMs();
  initAuthDir(authDir, systemRandom, nowMs, { adminOperator: 'test', force: false });
  initCaDir(authDir, systemRandom, nowMs, { force: false });
  // Almost over: it began a day ago, as every certificate does, and ends in an hour.
  const names = ['localhost', '127.0.0.1'];
  writeLeaf(authDir, 'nats', issueLeaf(loadCa(authDir), { names, validMs: HOUR_MS }, systemRandom, nowMs), {
    force: false,
  });
  const files = { certificateFile: join(authDir, 'nats.crt'), keyFile: join(authDir, 'nats.key') };
  const server = await startEmbeddedServer({
    dir: join(dir, 'nats'),
    binary: await natsServerBinary(),
    runtime,
    renderConfig: (place) =>
      renderServerConfig({
        serverName: 'embedded',
        listen: { host: '127.0.0.1', port: place.port },
        // As `zester up` has it: servers name the root for their routes.
        tls: { ...files, caFile: rootPath(authDir) },
        trust: loadPublicTrust(authDir),
        resolverDir: join(dir, 'resolver'),
        jetstream: { storeDir: place.storeDir, syncInterval: 'default' },
      }),
  });
  const connection = connectNats({
    servers: [server.url],
    name: 'certificates',
    inboxName: 'master',
    caFile: rootPath(authDir),
    authenticator: natsAuthenticator(() => loadCreds(credsPath(authDir, 'master'))),
    runtime,
  });
  const bus = openBus(connection, runtime);
  await bus.connected();
  const statuses: string[] = [];
  bus.onStatus((status) => statuses.push(status));
  const first = await shownBy(server.port);
  const { pid } = server;

  expect(renewLeaf(authDir, runtime)).toBe(true);
  expect(renewLeaf(authDir, runtime)).toBe(false);
  server.reload();
  await until(async () => (await shownBy(server.port))[0] !== first[0], 'the new certificate');
  const second = await shownBy(server.port);
  expect(second[1]).toBe(first[1]);

  const ca = rotateIntermediate(authDir, systemRandom, nowMs);
  writeLeaf(authDir, 'nats', issueLeaf(ca, { names, validMs: HOUR_MS }, systemRandom, nowMs), {
    force: true,
  });
  server.reload();
  await until(async () => (await shownBy(server.port))[1] !== first[1], 'the new intermediate');

  expect(server.pid).toBe(pid);
  expect(statuses).toEqual([]);
  await expect(bus.api('$JS.API.INFO', {})).resolves.toBeDefined();
  await bus.close();
  await server.stop();
}, 60_000);
