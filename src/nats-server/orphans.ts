/**
 * Finds orphans: servers left running by a supervisor that was killed. The store has no lock, so a start must know
 * every process that uses it: those that stand in its directory and were started on its configuration file. Nothing on
 * disk is asked for that, because anything on disk can be older than the process.
 *
 * One that runs the same binary on the same settings (its fingerprint, in its environment) is adopted: clients keep
 * their connections. Any other is stopped, and the caller starts a new one.
 */
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type DirectoryUser, processesIn } from '../process/process-table.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { CONFIG_NAME } from './server-dir.ts';
import {
  adopt,
  FINGERPRINT_VARIABLE,
  type LaunchPlan,
  type ServerProcess,
  stopProcess,
} from './server-process.ts';

/** An orphan that was well before needs no time; one that was starting may be recovering its store. */
const ADOPT_MS_MAX = 10_000;

/** The orphan to go on with, if there is one. After this no other server uses the directory. */
export async function settleOrphans(
  runtime: Runtime,
  plan: LaunchPlan,
  signal: AbortSignal,
): Promise<ServerProcess | undefined> {
  const { clock, log } = runtime;
  const orphans = serversIn(plan.dir.root);
  const [only] = orphans;
  if (orphans.length === 1 && only?.env.get(FINGERPRINT_VARIABLE) === plan.fingerprint) {
    const adopted = await adopt(clock, plan.dir, only, ADOPT_MS_MAX, signal);
    if (adopted !== undefined) {
      log.info('adopted a running nats-server', { pid: adopted.pid, port: adopted.port });
      return adopted;
    }
  }
  for (const orphan of orphans) {
    log.info('stopping a nats-server that an earlier run left with other settings, or that does not answer', {
      pid: orphan.pid,
    });
    await stopProcess(clock, orphan, plan.dir.root);
  }
  return undefined;
}

/** Names settings and binary: a replaced file under the same path is another binary. */
export function fingerprint(configText: string, binary: string): string {
  const path = realpathSync(binary);
  const { size, mtimeMs } = statSync(path);
  return createHash('sha256').update([configText, path, size, mtimeMs].join('\0')).digest('hex').slice(0, 32);
}

/** Every nats-server that uses this directory, whoever started it and whether or not anybody supervises it. */
export function serversIn(dir: string): DirectoryUser[] {
  return processesIn(dir).filter(isServer);
}

function isServer(process: DirectoryUser): boolean {
  const config = process.args[process.args.indexOf('-c') + 1];
  return process.args.includes('-c') && config !== undefined && basename(config) === CONFIG_NAME;
}
