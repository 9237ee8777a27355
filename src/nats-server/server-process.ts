/**
 * A server process is one nats-server, started by us or found running and adopted. Either way it is named by pid and
 * start time, stopped with SIGINT (on old servers SIGTERM ends with an error), and watched for its end.
 *
 * A started process is a session of its own, so that Ctrl-C in a terminal reaches the supervisor alone, which then
 * stops things in order. It survives us on purpose (orphans.ts).
 *
 * If we die right after the spawn: the process stands in the server's directory and carries its fingerprint in its
 * environment, so the next start finds it without anything having been written.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { zesterError } from '../core/errors/zester-error.ts';
import { type EndStep, endProcess } from '../process/end-process.ts';
import { isSameProcess, type ProcessIdentity, processIdentity } from '../process/process-table.ts';
import { type Clock, sleep } from '../runtime/clock.ts';
import type { ServerDir } from './server-dir.ts';
import { readPortsFile, readServerInfo, type ServerInfo } from './server-info.ts';
import { lastLines, logBytes, openLog } from './server-log.ts';

export interface ServerProcess extends ProcessIdentity {
  readonly port: number;
  readonly info: ServerInfo;
  /** Resolves once the process has ended, with the reason in words. */
  readonly exited: Promise<string>;
  /** From now on it does not keep our own process alive. */
  letGo(): void;
}

export interface LaunchPlan {
  readonly dir: ServerDir;
  readonly binary: string;
  /** Names binary and settings; see orphans.ts. */
  readonly fingerprint: string;
}

export const FINGERPRINT_VARIABLE = 'ZESTER_SERVER_FINGERPRINT';

/** A server with a large store recovers it before it listens. */
const READY_MS_MAX = 120_000;
const READY_POLL_MS = 20;
const INFO_MS_MAX = 2_000;
const WATCH_POLL_MS = 250;
/** In order first: with SIGTERM old servers end with an error. */
export const SERVER_END: readonly EndStep[] = [
  { signal: 'SIGINT', waitMs: 15_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/** Starts a server and waits until it greets clients. Throws SERVER_START_FAILED, or the signal's reason. */
export async function launch(
  clock: Clock,
  plan: LaunchPlan,
  port: number,
  signal: AbortSignal,
): Promise<ServerProcess> {
  const { dir } = plan;
  // No server runs here now, so every ports file is a dead one's, maybe with the pid that comes next.
  for (const name of await readdir(dir.portsDir)) await rm(join(dir.portsDir, name), { force: true });
  const logStart = logBytes(dir.logFile);
  const child = spawnServer(plan, port);
  const exited = endOf(child);
  const identity = child.pid === undefined ? undefined : processIdentity(child.pid);
  try {
    const ready =
      identity === undefined ? undefined : await greeted(clock, dir, identity, READY_MS_MAX, signal);
    if (identity !== undefined && ready !== undefined)
      return { ...identity, ...ready, exited, letGo: () => child.unref() };
  } catch (error) {
    if (identity !== undefined) await stopProcess(clock, identity, dir.root);
    throw error;
  }
  const stillRuns = identity !== undefined && isSameProcess(identity);
  if (stillRuns) await stopProcess(clock, identity, dir.root);
  const reason = stillRuns ? `not ready within ${READY_MS_MAX / 1000} s` : await exited;
  throw zesterError('SERVER_START_FAILED', {
    reason,
    log: dir.logFile,
    lines: lastLines(dir.logFile, logStart),
  });
}

/** Takes over a process that already runs. Undefined when it does not greet clients within `timeoutMs`. */
export async function adopt(
  clock: Clock,
  dir: ServerDir,
  identity: ProcessIdentity,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ServerProcess | undefined> {
  const ready = await greeted(clock, dir, identity, timeoutMs, signal);
  if (ready === undefined) return undefined;
  const watch = new AbortController();
  const exited = (async () => {
    while (isSameProcess(identity) && !watch.signal.aborted) await sleep(clock, WATCH_POLL_MS);
    return 'ended';
  })();
  const { pid, startTicks } = identity;
  return { pid, startTicks, ...ready, exited, letGo: () => watch.abort() };
}

/** Throws SERVER_ORPHAN_STUCK when even SIGKILL does not end it. */
export async function stopProcess(clock: Clock, target: ProcessIdentity, dir: string): Promise<void> {
  if (!(await endProcess(clock, target, SERVER_END)))
    throw zesterError('SERVER_ORPHAN_STUCK', { pid: target.pid, dir });
}

function spawnServer(plan: LaunchPlan, port: number): ChildProcess {
  const { dir } = plan;
  const log = openLog(dir.logFile);
  try {
    return spawn(
      plan.binary,
      ['-c', dir.configFile, '-p', String(port), '--ports_file_dir', dir.portsDir, '-P', dir.pidFile],
      { cwd: dir.root, detached: true, stdio: ['ignore', log, log], env: serverEnv(plan.fingerprint) },
    );
  } finally {
    closeSync(log);
  }
}

/** Only what a Go program may need; our own environment is none of its business. */
function serverEnv(fingerprint: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|HOME|LANG|TZ|TMPDIR|GO[A-Z]+)$/.test(name),
  );
  return { ...Object.fromEntries(kept), [FINGERPRINT_VARIABLE]: fingerprint };
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return signal === null ? `exit code ${code}` : `killed by ${signal}`;
  } catch (error) {
    // The program could not be run at all.
    return (error as Error).message;
  }
}

/** Ready means: this very process says that it listens, and greets. Undefined when it ended or time is up. */
async function greeted(
  clock: Clock,
  dir: ServerDir,
  identity: ProcessIdentity,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ port: number; info: ServerInfo } | undefined> {
  const untilMs = clock.monotonicMs() + timeoutMs;
  while (isSameProcess(identity) && clock.monotonicMs() < untilMs) {
    const port = await readPortsFile(dir.portsDir, identity.pid);
    const info = port === undefined ? undefined : await readServerInfo(clock, port, INFO_MS_MAX);
    if (port !== undefined && info !== undefined) return { port, info };
    await sleep(clock, READY_POLL_MS, signal);
  }
  return undefined;
}
