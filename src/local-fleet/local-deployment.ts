/**
 * A local deployment is a whole deployment in one directory, for `zester up`: keys, CA, certificate, one embedded
 * nats-server or three, and the assets on them. Made at the first start, found again at the next; the directory can be
 * deleted to start from nothing.
 *
 *   <dir>/auth   keys, credentials, CA, the servers' certificate
 *   <dir>/nats   the server: configuration, store, log, port; of a cluster <dir>/nats-1, -2 and -3
 *   <dir>/lock   held by the `up` that runs the deployment
 *
 * Everything is written under the lock, so two `up` at once cannot mix their keys. If we die between two files of a set,
 * the next start finds the set unfinished: keys are then refused with the name of a file that is there already (delete
 * the directory), a certificate is simply made again. It is looked at every hour and renewed at two thirds of its life; the
 * servers read it without a restart.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AssetReport, ensureAssets } from '../bus/assets.ts';
import { openBus } from '../bus/bus.ts';
import type { Connection } from '../bus/connection.ts';
import { isTransient } from '../bus/failed-call.ts';
import { connectNats } from '../bus/nats/nats-connection.ts';
import type { Bus } from '../bus/port.ts';
import { isRenewalDue } from '../core/certificate-life.ts';
import { copiesFor } from '../core/copies.ts';
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { shellWord } from '../core/shell-word.ts';
import { findServer } from '../nats-server/find-server.ts';
import { lockDirectory } from '../process/directory-lock.ts';
import { unlessAborted } from '../runtime/abortable-wait.ts';
import { type Clock, sleep } from '../runtime/clock.ts';
import { type Period, periodic } from '../runtime/periodic.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { timeoutSignal } from '../runtime/signals.ts';
import { credsPath, initAuthDir, loadCreds, loadPublicTrust } from '../trust/auth-dir.ts';
import { AUTH_FILES } from '../trust/auth-files.ts';
import { upgradeAuthDir } from '../trust/auth-upgrade.ts';
import { makeDirectories } from '../trust/key-files.ts';
import { natsAuthenticator } from '../trust/nats-authenticator.ts';
import { issueLeaf, spkiPin } from '../trust/x509/ca.ts';
import { initCaDir, leafIn, loadCa, loadRoot, rootPath, writeLeaf } from '../trust/x509/ca-dir.ts';
import { ALL_BUCKETS } from '../wire/names/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../wire/names/streams.ts';
import type { FleetEvent } from './fleet-event.ts';
import { type LocalServer, type LocalServers, startLocalServers } from './local-servers.ts';
import { settleCount } from './server-places.ts';

export interface LocalDeployment {
  /** Of every server, with commas, as `--nats-url` takes them. */
  readonly url: string;
  readonly servers: readonly LocalServer[];
  /** Called whenever a server has another process id. */
  onServerRestart(listener: () => void): void;
  readonly serverVersion: string;
  readonly serverFrom: string;
  readonly authDir: string;
  readonly caFingerprint: string;
  readonly assets: readonly AssetReport[];
  readonly bus: Bus;
  /** Resolves with the reason when the servers cannot be kept running. */
  readonly gaveUp: Promise<Error>;
  stop(): Promise<void>;
}

const ASSETS = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
const CONNECT_MS_MAX = 20_000;
const ASSETS_MS_MAX = 30_000;
const ASSETS_RETRY_MS = 250;
const LEAF_NAME = 'nats';
const LEAF_NAMES = ['localhost', '127.0.0.1', '::1'];
const DAY_MS = 86_400_000;
const LEAF_VALID_MS = 365 * DAY_MS;
const LEAF_LOOKS: Period = {
  what: 'renewing the certificate of nats-server',
  everyMs: 3_600_000,
  spread: 0.1,
};

export interface DeploymentOptions {
  readonly runtime: Runtime;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whose name the admin's operator key carries. */
  readonly operator: string;
  readonly onEvent?: (event: FleetEvent) => void;
  /** How many NATS servers; without, as many as there are, at first one. */
  readonly servers?: number | undefined;
  /** Decision 40: on disk before it is acknowledged, unless a benchmark wants to see what that costs. */
  readonly syncInterval?: 'always' | 'default';
  /** Ends a start that is not over: what it started is stopped, and it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export async function startLocalDeployment(
  dir: string,
  options: DeploymentOptions,
): Promise<LocalDeployment> {
  try {
    makeDirectories(dir);
  } catch (cause) {
    throw zesterError('SERVER_DIR_UNUSABLE', { dir, reason: (cause as Error).message }, { cause });
  }
  const knownAs = shellWord(dir);
  const lock = await lockDirectory(options.runtime.clock, dir, ({ pid, since }) =>
    zesterError('SERVER_DIR_IN_USE', { dir: knownAs, pid, since }),
  );
  try {
    const deployment = await startLocked(dir, knownAs, options);
    const stop = () => deployment.stop().finally(() => lock.release());
    return { ...deployment, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startLocked(
  dir: string,
  knownAs: string,
  options: DeploymentOptions,
): Promise<LocalDeployment> {
  const { runtime, env, onEvent = () => undefined } = options;
  const signal = options.signal ?? new AbortController().signal;
  const authDir = join(dir, 'auth');
  const count = settleCount(dir, options.servers);
  const say = (said: string) => onEvent({ kind: 'server-search', said });
  const found = await findServer({ env, clock: runtime.clock, say, signal });
  signal.throwIfAborted();
  prepareTrust(authDir, runtime, options.operator);
  const servers = await startLocalServers(dir, {
    count,
    binary: found.path,
    knownAs,
    tls: { ...leafFiles(authDir), caFile: rootPath(authDir) },
    trust: loadPublicTrust(authDir),
    syncInterval: options.syncInterval ?? 'always',
    runtime,
    onEvent,
    signal,
    connectAsSystem: (urls) => connectWith('system', urls, authDir, runtime),
  });
  return withAssets(servers, authDir, `${found.path}, from the ${found.from}`, runtime, signal);
}

/** Stops the servers when it fails. */
async function withAssets(
  servers: LocalServers,
  authDir: string,
  serverFrom: string,
  runtime: Runtime,
  signal: AbortSignal,
): Promise<LocalDeployment> {
  const urls = servers.all.map(({ url }) => url);
  const connection = connectWith('master', urls, authDir, runtime);
  const bus = openBus(connection, runtime);
  const renewing = periodic(runtime, LEAF_LOOKS, () => {
    if (renewLeaf(authDir, runtime)) servers.reload();
  });
  const stop = async () => {
    renewing.stop();
    await bus.close();
    await servers.stop();
  };
  try {
    await Promise.race([
      connectedSoon(bus, connection, runtime, signal),
      servers.gaveUp.then((error) => Promise.reject(error)),
    ]);
    const assets = await assetsSoon(bus, copiesFor(urls.length), runtime.clock, signal);
    return {
      url: urls.join(','),
      servers: servers.all,
      onServerRestart: (listener) => servers.onRestart(listener),
      serverVersion: servers.all[0]?.version ?? 'unknown',
      serverFrom,
      authDir,
      caFingerprint: spkiPin(loadRoot(authDir).root),
      assets,
      bus,
      gaveUp: servers.gaveUp,
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
  } else {
    // Of an older Zester. The system user follows when servers know who signs it: masters see to that.
    upgradeAuthDir(authDir, { nowMs, systemToo: false });
  }
  if (!existsSync(rootPath(authDir))) initCaDir(authDir, random, nowMs, { force: false });
  renewLeaf(authDir, runtime);
}

/** Whether there is a new one: at two thirds of the life of the old one, or where there is none that is whole. */
export function renewLeaf(authDir: string, { clock, random }: Pick<Runtime, 'clock' | 'random'>): boolean {
  const nowMs = clock.nowMs();
  const old = leafIn(authDir, LEAF_NAME);
  if (old?.hasItsKey === true && !isRenewalDue(old, nowMs)) return false;
  const leaf = issueLeaf(loadCa(authDir), { names: LEAF_NAMES, validMs: LEAF_VALID_MS }, random, nowMs);
  writeLeaf(authDir, LEAF_NAME, leaf, { force: true });
  return true;
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
  const what = 'the embedded nats-server';
  const reason = () => connection.failure() ?? zesterError('BUS_TIMEOUT', { what, ms: CONNECT_MS_MAX });
  const limit = timeoutSignal(clock, CONNECT_MS_MAX, reason);
  await bus.connected(AbortSignal.any([signal, limit.signal])).finally(() => limit.cancel());
}

/**
 * The servers of a cluster that was just started elect a leader for each asset, and hear of each other's room a moment
 * after they are together: until then nobody answers, or fewer copies are made. When time is up, what there is must do.
 */
async function assetsSoon(
  bus: Bus,
  copies: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly AssetReport[]> {
  const untilMs = clock.monotonicMs() + ASSETS_MS_MAX;
  for (;;) {
    const isLast = clock.monotonicMs() > untilMs;
    try {
      const reports = await unlessAborted(ensureAssets(bus, ASSETS, copies), signal);
      if (isLast || reports.every(({ replicas }) => replicas >= copies)) return reports;
    } catch (error) {
      if (isLast || !(isTransient(error) || isZesterError(error, 'BUS_STORE'))) throw error;
    }
    await sleep(clock, ASSETS_RETRY_MS, signal);
  }
}

function connectWith(
  role: 'master' | 'system',
  servers: readonly string[],
  authDir: string,
  runtime: Runtime,
): Connection {
  const creds = credsPath(authDir, role);
  return connectNats({
    servers,
    name: 'zester-up',
    inboxName: role,
    authenticator: natsAuthenticator(() => loadCreds(creds)),
    caFile: rootPath(authDir),
    runtime,
  });
}
