/**
 * A whole deployment in one directory, for `zester up`: keys, CA, certificate, an embedded nats-server, and the assets
 * on it. Made at the first start, found again at the next; the directory can be deleted to start from nothing.
 *
 *   <dir>/auth   keys, credentials, CA, the server's certificate
 *   <dir>/nats   the server: configuration, store, log, port
 *
 * Everything is written under the server's lock on the directory, so two `up` at once cannot mix their keys. If we die
 * after any of the writes, the next start finds whole files and goes on from there.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AssetReport, ensureAssets } from '../bus/assets.ts';
import { openBus } from '../bus/bus.ts';
import { findServer } from '../bus/embedded/find-server.ts';
import { startEmbeddedServer } from '../bus/embedded/start-embedded-server.ts';
import { connectNats } from '../bus/nats/nats-connection.ts';
import type { Bus } from '../bus/port.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { credsPath, initAuthDir, loadCreds, loadPublicTrust } from '../trust/auth-dir.ts';
import { AUTH_FILES } from '../trust/auth-files.ts';
import { readPublicFile } from '../trust/key-files.ts';
import { natsAuthenticator } from '../trust/nats-authenticator.ts';
import { renderServerConfig } from '../trust/server-config.ts';
import { issueLeaf, spkiPin } from '../trust/x509/ca.ts';
import { initCaDir, loadCa, loadRoot, rootPath, writeLeaf } from '../trust/x509/ca-dir.ts';
import { leafEndsMs } from '../trust/x509/read-certificate.ts';
import { ALL_BUCKETS } from '../wire/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../wire/streams.ts';

export interface LocalDeployment {
  readonly url: string;
  readonly serverPid: number;
  readonly serverVersion: string;
  readonly serverFrom: string;
  /** The server was running already, left behind by an `up` that was killed. */
  readonly adopted: boolean;
  readonly authDir: string;
  readonly logFile: string;
  readonly caFingerprint: string;
  readonly assets: readonly AssetReport[];
  readonly bus: Bus;
  /** Resolves with the reason when the server cannot be kept running. */
  readonly gaveUp: Promise<Error>;
  stop(): Promise<void>;
}

const LEAF_NAME = 'nats';
const LEAF_NAMES = ['localhost', '127.0.0.1', '::1'];
const DAY_MS = 86_400_000;
const LEAF_VALID_MS = 365 * DAY_MS;
/** A certificate with less left than this is replaced at the next start. */
const LEAF_RENEW_MS = 60 * DAY_MS;

export async function startLocalDeployment(
  dir: string,
  options: {
    readonly runtime: Runtime;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly operator: string;
    readonly say: (line: string) => void;
    /** Decision 40: on disk before it is acknowledged, unless a benchmark wants to see what that costs. */
    readonly syncInterval?: 'always' | 'default';
  },
): Promise<LocalDeployment> {
  const { runtime, env, say } = options;
  const authDir = join(dir, 'auth');
  mkdirSync(dir, { recursive: true });
  const found = await findServer({ env, clock: runtime.clock, say });
  const server = await startEmbeddedServer({
    dir: join(dir, 'nats'),
    binary: found.path,
    runtime,
    prepare: () => prepareTrust(authDir, runtime, options.operator),
    renderConfig: ({ port, storeDir }) =>
      renderServerConfig({
        serverName: 'zester-local',
        listen: { host: '127.0.0.1', port },
        tls: { ...leafFiles(authDir), caFile: rootPath(authDir) },
        trust: loadPublicTrust(authDir),
        resolverDir: join(storeDir, '..', 'accounts'),
        jetstream: { storeDir, syncInterval: options.syncInterval ?? 'always' },
      }),
  });
  const bus = connectAsMaster(server.url, authDir, runtime);
  const stop = async () => {
    await bus.close();
    await server.stop();
  };
  try {
    await Promise.race([bus.connected(), server.gaveUp.then((error) => Promise.reject(error))]);
    const specs = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
    const assets = await ensureAssets(bus, specs, 1);
    return {
      url: server.url,
      serverPid: server.pid,
      serverVersion: server.version,
      serverFrom: `${found.path}, from the ${found.from}`,
      adopted: server.adopted,
      authDir,
      logFile: server.logFile,
      caFingerprint: spkiPin(loadRoot(authDir).root),
      assets,
      bus,
      gaveUp: server.gaveUp,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes what is missing: keys, then CA, then the server's certificate. */
function prepareTrust(authDir: string, runtime: Runtime, adminOperator: string): void {
  const { clock, random } = runtime;
  const nowMs = clock.nowMs();
  if (!existsSync(join(authDir, AUTH_FILES.operatorJwt.path))) {
    initAuthDir(authDir, random, nowMs, { adminOperator, force: false });
  }
  if (!existsSync(rootPath(authDir))) initCaDir(authDir, random, nowMs, { force: false });
  const { certificateFile } = leafFiles(authDir);
  const present = existsSync(certificateFile);
  if (present && leafEndsMs(readPublicFile(certificateFile), certificateFile) > nowMs + LEAF_RENEW_MS) return;
  const leaf = issueLeaf(loadCa(authDir), { names: LEAF_NAMES, validMs: LEAF_VALID_MS }, random, nowMs);
  writeLeaf(authDir, LEAF_NAME, leaf, { force: present });
}

function leafFiles(authDir: string) {
  return { certificateFile: join(authDir, `${LEAF_NAME}.crt`), keyFile: join(authDir, `${LEAF_NAME}.key`) };
}

function connectAsMaster(url: string, authDir: string, runtime: Runtime): Bus {
  const creds = credsPath(authDir, 'master');
  const connection = connectNats({
    servers: [url],
    name: 'zester-up',
    inboxName: 'master',
    authenticator: natsAuthenticator(() => loadCreds(creds)),
    caFile: rootPath(authDir),
    runtime,
  });
  return openBus(connection, runtime);
}
