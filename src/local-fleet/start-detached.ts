/**
 * `startDetached` runs `zester up` in the background: this program once more, in a session of its own, with its output
 * in a log. It tells that it is up through the fleet file. If we die while we wait, it goes on; `zester down` finds it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zesterError } from '../core/errors/zester-error.ts';
import { endProcess } from '../process/end-process.ts';
import { processIdentity } from '../process/process-table.ts';
import { type Clock, sleep } from '../runtime/clock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { makeDirectories } from '../trust/key-files.ts';
import { type FleetFile, readFleetFile } from './fleet-file.ts';
import { UP_END } from './fleet-processes.ts';

const LOOK_MS = 100;
const LINES_SHOWN_MAX = 20;

/** Resolves when the fleet is up. When `signal` aborts before, it is stopped, and this rejects with the reason. */
export async function startDetached(
  dir: string,
  words: readonly string[],
  runtime: Runtime,
  signal: AbortSignal,
): Promise<{ readonly fleet: FleetFile; readonly logFile: string }> {
  const program = process.argv[1] ?? '';
  const logFile = join(dir, 'logs', 'up.log');
  makeDirectories(join(dir, 'logs'));
  const output = openSync(logFile, 'a', 0o600);
  const logStart = fstatSync(output).size;
  const child = spawn(process.execPath, [program, ...words], {
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.unref();
  try {
    const fleet = await whenUp(child, dir, runtime.clock, signal);
    if (fleet !== undefined) return { fleet, logFile };
  } catch (error) {
    // It stops what it had started; we wait, so that nothing is left when we are gone.
    const identity = processIdentity(child.pid ?? 0);
    if (identity !== undefined) await endProcess(runtime.clock, identity, UP_END);
    throw error;
  }
  const lines = readFileSync(logFile)
    .toString('utf8', logStart)
    .trimEnd()
    .split('\n')
    .slice(-LINES_SHOWN_MAX);
  throw zesterError('CLI_UP_FAILED', { log: logFile, lines: lines.join('\n') });
}

/** Undefined when it ends before it is up. It bounds its own start, so there is no other limit here. */
async function whenUp(
  child: ChildProcess,
  dir: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<FleetFile | undefined> {
  for (;;) {
    const fleet = readFleetFile(dir);
    if (fleet?.pid === child.pid && fleet?.missing !== undefined) return fleet;
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    await sleep(clock, LOOK_MS, signal);
  }
}
