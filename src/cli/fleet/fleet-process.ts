/**
 * One master or peel of a local fleet, kept running: started again with growing pauses when it ends by itself.
 *
 * Each is a session of its own, so that Ctrl-C reaches `zester up` alone, which then stops everything in order. When `up`
 * is killed they go on; their process ids are in fleet.json, and the next `up` ends them before it starts its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { sleep, type Timer } from '../../runtime/clock.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { makeDirectories } from '../../trust/key-files.ts';

export interface ProgramPlan {
  readonly name: string;
  /** The built program, run with this Node. */
  readonly program: string;
  readonly args: readonly string[];
  readonly logFile: string;
}

const LOG_BYTES_MAX = 16 * 1024 * 1024;
const RESTART_MS_MIN = 500;
const RESTART_MS_MAX = 30_000;
const STABLE_MS = 10_000;
const STOP_MS_MAX = 15_000;
const STOP_LOOK_MS = 50;

export class FleetProcess {
  readonly name: string;
  private readonly plan: ProgramPlan;
  private readonly runtime: Runtime;
  private child: ChildProcess | undefined;
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
    return this.child?.pid ?? 0;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.restart?.cancel();
    const { pid } = this;
    if (pid > 0) await endProcess(pid, this.plan.program, this.runtime);
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
    this.child = child;
    child.once('exit', (code, signal) => {
      if (this.stopping) return;
      this.failures = clock.monotonicMs() - startedMs > STABLE_MS ? 0 : this.failures + 1;
      const pauseMs = Math.min(RESTART_MS_MIN * 2 ** this.failures, RESTART_MS_MAX);
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

/** Ends a process that runs `program`, in order if it can, and waits until it is gone. Another process is left alone. */
export async function endProcess(pid: number, program: string | RegExp, runtime: Runtime): Promise<void> {
  const { clock } = runtime;
  if (!runs(pid, program)) return;
  process.kill(pid, 'SIGTERM');
  const untilMs = clock.monotonicMs() + STOP_MS_MAX;
  while (runs(pid, program) && clock.monotonicMs() < untilMs) await sleep(clock, STOP_LOOK_MS);
  if (runs(pid, program)) process.kill(pid, 'SIGKILL');
  while (runs(pid, program)) await sleep(clock, STOP_LOOK_MS);
}

/** Whether the process is there, is not a zombie, and is the program we mean: a pid is used again in time. */
function runs(pid: number, program: string | RegExp): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return typeof program === 'string' ? words.includes(program) : words.some((word) => program.test(word));
  } catch {
    return false;
  }
}
