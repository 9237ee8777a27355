/** The embedded server as the product runs it: operator mode, TLS 1.3, synced file storage. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { afterAll, expect, it } from 'vitest';
import { type EmbeddedPlace, startEmbeddedServer } from '../../../src/nats-server/start-embedded-server.ts';
import { processesIn } from '../../../src/process/process-table.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { newTopology } from '../../../src/trust/accounts/topology.ts';
import { mintTrustedUser } from '../../../src/trust/accounts/users.ts';
import { formatCreds, parseCreds } from '../../../src/trust/creds.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { newSigningKey } from '../../../src/trust/nkeys.ts';
import { renderServerConfig } from '../../../src/trust/server-config.ts';
import { issueLeaf, newCa, openCa } from '../../../src/trust/x509/ca.ts';
import { MASTER_GRANT } from '../../../src/wire/names/grants.ts';
import { natsServerBinary } from '../../harness/servers/nats-server.ts';

const HOUR_MS = 3_600_000;
const dir = mkdtempSync(join(tmpdir(), 'zester-embedded-tls-'));
afterAll(async () => {
  for (const left of processesIn(join(dir, 'nats'))) process.kill(left.pid, 'SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

function tlsFiles(nowMs: number) {
  const { root, intermediate } = newCa(systemRandom, nowMs);
  const pems = {
    rootPem: root.certificatePem,
    intermediatePem: intermediate.certificatePem,
    intermediateKeyPem: intermediate.keyPem,
  };
  const request = { names: ['localhost', '127.0.0.1'], validMs: HOUR_MS };
  const leaf = issueLeaf(openCa(pems, 'ca'), request, systemRandom, nowMs);
  const files = {
    caFile: join(dir, 'ca.crt'),
    certificateFile: join(dir, 'leaf.crt'),
    keyFile: join(dir, 'leaf.key'),
  };
  writeFileSync(files.caFile, pems.rootPem);
  writeFileSync(files.certificateFile, leaf.chainPem);
  writeFileSync(files.keyFile, leaf.keyPem, { mode: 0o600 });
  return files;
}

it('serves with TLS and credentials, over kill -9 and adoption, and keeps what it acknowledged', async () => {
  const nowMs = systemClock.nowMs();
  const topology = newTopology(systemRandom, nowMs);
  const files = tlsFiles(nowMs);
  const key = newSigningKey('user', systemRandom);
  const user = { name: 'zester-master', userPublicKey: key.publicKey, permissions: MASTER_GRANT, nowMs };
  const creds = parseCreds(formatCreds(mintTrustedUser(topology.control, user), key), 'test');
  const options = {
    dir: join(dir, 'nats'),
    binary: await natsServerBinary(),
    renderConfig: (place: EmbeddedPlace) =>
      renderServerConfig({
        serverName: 'embedded',
        listen: { host: '127.0.0.1', port: place.port },
        tls: files,
        trust: topology.public,
        resolverDir: join(dir, 'resolver'),
        jetstream: { storeDir: place.storeDir, syncInterval: 'always' },
      }),
    runtime: {
      clock: systemClock,
      random: systemRandom,
      log: jsonLog({ clock: systemClock, write: () => undefined }),
    },
  };
  const first = await startEmbeddedServer(options);
  expect(first.url).toBe(`tls://127.0.0.1:${first.port}`);
  const nc = await connect({
    servers: first.url,
    tls: { ca: readFileSync(files.caFile, 'utf8') },
    authenticator: natsAuthenticator(() => creds),
    inboxPrefix: '_INBOX.zester-master',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 20,
  });
  const wanted = { name: 'EVENTS', subjects: ['zester.event.>'], storage: 'file' };
  await nc.request('$JS.API.STREAM.CREATE.EVENTS', JSON.stringify(wanted));
  expect((await nc.request('zester.event.x', '1')).json()).toMatchObject({ seq: 1 });

  const again = new Promise((resolve) => first.onRestart(resolve));
  process.kill(first.pid, 'SIGKILL');
  await again;
  await first.release();
  const second = await startEmbeddedServer(options);
  expect(second).toMatchObject({ adopted: true, pid: first.pid, url: first.url });
  const info = () => nc.request('$JS.API.STREAM.INFO.EVENTS').then((answer) => answer.json());
  await expect.poll(info, { timeout: 10_000 }).toMatchObject({ state: { messages: 1 } });
  await nc.close();
  await second.stop();
});
