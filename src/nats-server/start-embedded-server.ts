/**
 * Starts the nats-server of a local fleet, which is then kept running until it is stopped (decision 41). One supervisor
 * for each directory (directory-lock.ts); the server outlives a supervisor that is killed and is adopted by the next
 * one (orphans.ts).
 *
 * Safety: never two servers on one store. Every start happens under the lock, after all other users of the directory
 * were stopped, and a new process is spawned only once the one before it is seen to have ended.
 * Liveness: a server that ends is started again on the same port, with growing delays; clients reconnect by
 * themselves. After too many failures in a row supervision ends and `gaveUp` tells why. What was acknowledged is on
 * disk: how hard, the configuration's `sync_interval` decides (decision 40).
 *
 * The port: the server itself takes a free one at the first start, so nothing can come between; it is recorded and
 * used again. If it is held by another program at a start, a new one is taken and the log says so. While supervising,
 * the same port is tried to the end, because clients know no other; a reconnecting client can hold it itself for a
 * moment, when the kernel gives its outgoing connection that very number.
 */

import { isVersionEnough, SERVER_FLOOR } from '../bus/server-floor.ts';
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { lockDirectory } from '../process/directory-lock.ts';
import { sleep } from '../runtime/clock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { fingerprint, settleOrphans } from './orphans.ts';
import { DEFAULT_RESTARTS, type RestartPolicy } from './restart-policy.ts';
import { ANY_PORT, openServerDir, readPort, recordPort, replaceFile } from './server-dir.ts';
import { readServerInfo } from './server-info.ts';
import { boundLog } from './server-log.ts';
import { type LaunchPlan, launch, type ServerProcess, stopProcess } from './server-process.ts';
import { type EmbeddedServer, supervise } from './supervisor.ts';

export interface EmbeddedPlace {
  /** Always -1: the real port is given on the command line, so that the text is the same whatever port was free. */
  readonly port: number;
  readonly storeDir: string;
  readonly portsDir: string;
  readonly pidFile: string;
  /** Gets what the server prints; a configuration need not name it. */
  readonly logFile: string;
}

export interface EmbeddedOptions {
  readonly dir: string;
  /** The directory that a person named, as they could write it again; in the message when it is in use. */
  readonly knownAs?: string;
  readonly binary: string;
  /** The same settings must give the same text: another text means that a running server is replaced. */
  readonly renderConfig: (place: EmbeddedPlace) => string;
  readonly runtime: Runtime;
  readonly restarts?: RestartPolicy;
  /** Ends a start that is not over: what it started is stopped, and it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** At a start, how often a recorded port that is in use is tried before another one is taken. */
const PORT_TRIES_MAX = 4;
const PORT_RETRY_MS = 250;
const FOREIGN_INFO_MS = 1_000;

export async function startEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { runtime } = options;
  const signal = options.signal ?? new AbortController().signal;
  const dir = await openServerDir(options.dir).catch((error: Error) => {
    throw zesterError('SERVER_DIR_UNUSABLE', { dir: options.dir, reason: error.message }, { cause: error });
  });
  const knownAs = options.knownAs ?? dir.root;
  const lock = await lockDirectory(runtime.clock, dir.root, ({ pid, since }) =>
    zesterError('SERVER_DIR_IN_USE', { dir: knownAs, pid, since }),
  );
  try {
    const { storeDir, portsDir, pidFile, logFile } = dir;
    const text = options.renderConfig({ port: ANY_PORT, storeDir, portsDir, pidFile, logFile });
    const plan: LaunchPlan = { dir, binary: options.binary, fingerprint: fingerprint(text, options.binary) };
    await replaceFile(dir.configFile, text);
    boundLog(dir.logFile);
    const orphan = await settleOrphans(runtime, plan, signal);
    const server = orphan ?? (await firstLaunch(runtime, plan, signal));
    await refuseTooOld(runtime, plan, server);
    await recordPort(dir, server.port);
    const restarts = options.restarts ?? DEFAULT_RESTARTS;
    return supervise({ runtime, plan, lock, restarts, server, adopted: orphan !== undefined });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function firstLaunch(runtime: Runtime, plan: LaunchPlan, signal: AbortSignal): Promise<ServerProcess> {
  const { clock, log } = runtime;
  const port = await readPort(plan.dir);
  if (port === ANY_PORT) return launch(clock, plan, ANY_PORT, signal);
  for (let tries = 1; tries <= PORT_TRIES_MAX; tries++) {
    try {
      return await launch(clock, plan, port, signal);
    } catch (error) {
      if (!isPortTaken(error)) throw error;
      if (tries < PORT_TRIES_MAX) await sleep(clock, PORT_RETRY_MS * tries, signal);
    }
  }
  // Processes of another user cannot be looked into. A NATS server on our own port is most likely one of those.
  if ((await readServerInfo(clock, port, FOREIGN_INFO_MS)) !== undefined) {
    throw zesterError('SERVER_PORT_HELD', { port, dir: plan.dir.root });
  }
  log.warn('the recorded port is in use by another program; taking a new one', { port });
  return launch(clock, plan, ANY_PORT, signal);
}

async function refuseTooOld(runtime: Runtime, plan: LaunchPlan, server: ServerProcess): Promise<void> {
  const { version } = server.info;
  if (isVersionEnough(version)) return;
  await stopProcess(runtime.clock, server, plan.dir.root);
  throw zesterError('SERVER_TOO_OLD', { version, floor: SERVER_FLOOR });
}

/** nats-server tells why it ended in its log alone. */
function isPortTaken(error: unknown): boolean {
  return (
    isZesterError(error, 'SERVER_START_FAILED') && /address already in use/.test(String(error.params.lines))
  );
}
