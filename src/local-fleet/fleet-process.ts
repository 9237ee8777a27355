/**
 * A fleet process is one master or peel of a local fleet that is kept running: it is started again with growing pauses
 * when it ends by itself.
 *
 * Each is a session of its own, so that Ctrl-C reaches `zester up` alone, which then stops everything in order. When `up`
 * is killed they go on; `zester down` and the next `up` find them by asking the kernel (fleet-processes.ts).
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Backoff, backoffMs } from '../core/backoff.ts';
import { endProcess } from '../process/end-process.ts';
import { type ProcessIdentity, processIdentity } from '../process/process-table.ts';
import type { Timer } from '../runtime/clock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { makeDirectories } from '../trust/key-files.ts';
import { DAEMON_END } from './fleet-processes.ts';

export interface ProgramPlan {
  readonly name: string;
  /** The built program, run with this Node. */
  readonly program: string;
  readonly args: readonly string[];
  readonly logFile: string;
}

const LOG_BYTES_MAX = 16 * 1024 * 1024;
const RESTARTS: Backoff = { firstMs: 500, maxMs: 30_000 };
const STABLE_MS = 10_000;

export class FleetProcess {
  readonly name: string;
  private readonly plan: ProgramPlan;
  private readonly runtime: Runtime;
  private identity: ProcessIdentity | undefined;
  private restart: Timer | undefined;
  private failures = 0;
  private stopping = false;
  private readonly onRestart: () => void;

  /** `onRestart` is called whenever the process id has changed. */
  constructor(plan: ProgramPlan, runtime: Runtime, onRestart: () => void) {
    this.name = plan.name;
    this.plan = plan;
    this.runtime = runtime;
    this.onRestart = onRestart;
    this.start();
  }

  get pid(): number {
    return this.identity?.pid ?? 0;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.restart?.cancel();
    if (this.identity !== undefined) await endProcess(this.runtime.clock, this.identity, DAEMON_END);
  }

  private start(): void {
    const { program, args, logFile, name } = this.plan;
    const { clock, log } = this.runtime;
    const startedMs = clock.monotonicMs();
    makeDirectories(dirname(logFile));
    if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) rmSync(logFile);
    const output = openSync(logFile, 'a', 0o600);
    const child = spawn(process.execPath, [program, ...args], {
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.identity = child.pid === undefined ? undefined : processIdentity(child.pid);
    child.once('exit', (code, signal) => {
      if (this.stopping) return;
      this.failures = clock.monotonicMs() - startedMs > STABLE_MS ? 0 : this.failures + 1;
      const pauseMs = backoffMs(RESTARTS, this.failures + 1);
      log.warn('a process of the fleet ended; starting it again', {
        name,
        code,
        signal,
        pause_ms: pauseMs,
        log: logFile,
      });
      this.restart = clock.after(pauseMs, () => {
        this.start();
        this.onRestart();
      });
    });
  }
}
