/**
 * A whole deployment in one directory, for `zester up`: keys, CA, certificate, an embedded nats-server, and the assets
 * on it. Made at the first start, found again at the next; the directory can be deleted to start from nothing.
 *
 *   <dir>/auth   keys, credentials, CA, the server's certificate
 *   <dir>/nats   the server: configuration, store, log, port
 *
 * Everything is written under the server's lock on the directory, so two `up` at once cannot mix their keys. If we die
 * between two files of a set, the next start finds the set unfinished: keys are then refused with the name of a file that
 * is there already (delete the directory), a certificate is simply made again.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AssetReport, ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import type { Connection } from '../../bus/connection.ts';
import { findServer } from '../../bus/embedded/find-server.ts';
import { startEmbeddedServer } from '../../bus/embedded/start-embedded-server.ts';
import { connectNats } from '../../bus/nats/nats-connection.ts';
import type { Bus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { credsPath, initAuthDir, loadCreds, loadPublicTrust } from '../../trust/auth-dir.ts';
import { AUTH_FILES } from '../../trust/auth-files.ts';
import { makeDirectories } from '../../trust/key-files.ts';
import { natsAuthenticator } from '../../trust/nats-authenticator.ts';
import { renderServerConfig } from '../../trust/server-config.ts';
import { issueLeaf, spkiPin } from '../../trust/x509/ca.ts';
import {
  initCaDir,
  leafGoodUntilMs,
  loadCa,
  loadRoot,
  rootPath,
  writeLeaf,
} from '../../trust/x509/ca-dir.ts';
import { ALL_BUCKETS } from '../../wire/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../../wire/streams.ts';
import { unlessAborted } from '../unless-aborted.ts';

export interface LocalDeployment {
  readonly url: string;
  /** Changes when the server is restarted. */
  serverPid(): number;
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

const CONNECT_MS_MAX = 20_000;
const LEAF_NAME = 'nats';
const LEAF_NAMES = ['localhost', '127.0.0.1', '::1'];
const DAY_MS = 86_400_000;
const LEAF_VALID_MS = 365 * DAY_MS;
/** A certificate with less left than this is replaced at the next start. */
const LEAF_RENEW_MS = 60 * DAY_MS;

export interface DeploymentOptions {
  readonly runtime: Runtime;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whose name the admin's operator key carries. */
  readonly operator: string;
  readonly say: (line: string) => void;
  /** Decision 40: on disk before it is acknowledged, unless a benchmark wants to see what that costs. */
  readonly syncInterval?: 'always' | 'default';
  /** Ends a start that is not over: what it started is stopped, and it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export async function startLocalDeployment(
  dir: string,
  options: DeploymentOptions,
): Promise<LocalDeployment> {
  const { runtime, env, say } = options;
  const signal = options.signal ?? new AbortController().signal;
  const authDir = join(dir, 'auth');
  try {
    makeDirectories(dir);
  } catch (cause) {
    throw zesterError('SERVER_DIR_UNUSABLE', { dir, reason: (cause as Error).message }, { cause });
  }
  const found = await findServer({ env, clock: runtime.clock, say, signal });
  signal.throwIfAborted();
  const server = await startEmbeddedServer({
    dir: join(dir, 'nats'),
    binary: found.path,
    runtime,
    signal,
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
  const connection = connectAsMaster(server.url, authDir, runtime);
  const bus = openBus(connection, runtime);
  const stop = async () => {
    await bus.close();
    await server.stop();
  };
  try {
    await Promise.race([
      connectedSoon(bus, connection, runtime, signal),
      server.gaveUp.then((error) => Promise.reject(error)),
    ]);
    const specs = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
    const assets = await unlessAborted(ensureAssets(bus, specs, 1), signal);
    return {
      url: server.url,
      serverPid: () => server.pid,
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
  if ((leafGoodUntilMs(authDir, LEAF_NAME) ?? 0) > nowMs + LEAF_RENEW_MS) return;
  const leaf = issueLeaf(loadCa(authDir), { names: LEAF_NAMES, validMs: LEAF_VALID_MS }, random, nowMs);
  writeLeaf(authDir, LEAF_NAME, leaf, { force: true });
}

function leafFiles(authDir: string) {
  return { certificateFile: join(authDir, `${LEAF_NAME}.crt`), keyFile: join(authDir, `${LEAF_NAME}.key`) };
}

/** The server is ours and is there: what takes longer than this is a reason, not a delay. */
async function connectedSoon(
  bus: Bus,
  connection: Connection,
  { clock }: Runtime,
  signal: AbortSignal,
): Promise<void> {
  const giveUp = new AbortController();
  const timer = clock.after(CONNECT_MS_MAX, () =>
    giveUp.abort(
      connection.failure() ??
        zesterError('BUS_TIMEOUT', { what: 'the embedded nats-server', ms: CONNECT_MS_MAX }),
    ),
  );
  await bus.connected(AbortSignal.any([signal, giveUp.signal])).finally(() => timer.cancel());
}

function connectAsMaster(url: string, authDir: string, runtime: Runtime): Connection {
  const creds = credsPath(authDir, 'master');
  return connectNats({
    servers: [url],
    name: 'zester-up',
    inboxName: 'master',
    authenticator: natsAuthenticator(() => loadCreds(creds)),
    caFile: rootPath(authDir),
    runtime,
  });
}
