/**
 * Watches over the server of a directory whose lock we hold: starts it again when it ends, keeps its log bounded,
 * stops it. The header of start-embedded-server.ts says what this gives and what it does not.
 *
 * One loop does all restarts, so two can never overlap; stop and release first end that loop, then act on what it
 * left. If we die at any point here, the server (if it runs) is found by the next start: nothing is written here.
 */
import { type ZesterError, zesterError } from '../core/errors/zester-error.ts';
import type { DirectoryLock } from '../process/directory-lock.ts';
import { isSameProcess } from '../process/process-table.ts';
import { whenAborted } from '../runtime/abortable-wait.ts';
import { sleep } from '../runtime/clock.ts';
import { type Period, type Periodic, periodic } from '../runtime/periodic.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { nextRestart, type RestartPolicy } from './restart-policy.ts';
import { boundLog, lastLines } from './server-log.ts';
import { type LaunchPlan, launch, type ServerProcess, stopProcess } from './server-process.ts';

export interface EmbeddedServer {
  /** `tls://127.0.0.1:<port>`, or `nats://` for a server without TLS. Stays the same over restarts. */
  readonly url: string;
  readonly port: number;
  /** Of the running server, or of the last one while it is being restarted. */
  readonly pid: number;
  readonly version: string;
  /** The server was already running when this supervisor came. */
  readonly adopted: boolean;
  readonly logFile: string;
  /** Called after each restart, once clients can connect again. */
  onRestart(listener: (event: ServerRestart) => void): void;
  /** Resolves when restarting was given up; never otherwise. */
  readonly gaveUp: Promise<ZesterError>;
  /** Ends the server, which is then started again as after a crash. */
  restart(): Promise<void>;
  /** It reads its configuration and certificates again; connections stay. */
  reload(): void;
  /** Stops the server, then frees the directory. May be called more than once. */
  stop(): Promise<void>;
  /** Frees the directory and leaves the server running, for another supervisor to adopt. */
  release(): Promise<void>;
}

export interface ServerRestart {
  readonly pid: number;
  /** How the server before it ended. */
  readonly reason: string;
}

export interface Supervision {
  readonly runtime: Runtime;
  readonly plan: LaunchPlan;
  /** Held; freed by stop and release. */
  readonly lock: DirectoryLock;
  readonly restarts: RestartPolicy;
  readonly server: ServerProcess;
  readonly adopted: boolean;
}

const LOG_CHECKS: Period = { what: 'bounding the log of nats-server', everyMs: 60_000, spread: 0 };

export function supervise(supervision: Supervision): EmbeddedServer {
  return new Supervisor(supervision);
}

class Supervisor implements EmbeddedServer {
  readonly adopted: boolean;
  readonly gaveUp: Promise<ZesterError>;
  private readonly parts: Supervision;
  private readonly listeners: ((event: ServerRestart) => void)[] = [];
  private readonly closing = new AbortController();
  private readonly closed: Promise<void>;
  private readonly loop: Promise<void>;
  private readonly logChecks: Periodic;
  private tellGaveUp: (error: ZesterError) => void = () => undefined;
  private server: ServerProcess;
  private startedMs: number;
  private ending: Promise<void> | undefined;

  constructor(parts: Supervision) {
    this.parts = parts;
    this.adopted = parts.adopted;
    this.server = parts.server;
    this.gaveUp = new Promise((resolve) => {
      this.tellGaveUp = resolve;
    });
    this.closed = whenAborted(this.closing.signal);
    this.startedMs = parts.runtime.clock.monotonicMs();
    this.logChecks = periodic(parts.runtime, LOG_CHECKS, () => boundLog(this.logFile));
    this.loop = this.keepRunning();
  }

  get url(): string {
    return `${this.server.info.tls ? 'tls' : 'nats'}://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return this.parts.server.port;
  }

  get pid(): number {
    return this.server.pid;
  }

  get version(): string {
    return this.server.info.version;
  }

  get logFile(): string {
    return this.parts.plan.dir.logFile;
  }

  onRestart(listener: (event: ServerRestart) => void): void {
    this.listeners.push(listener);
  }

  async restart(): Promise<void> {
    const { runtime, plan } = this.parts;
    if (this.ending === undefined) await stopProcess(runtime.clock, this.server, plan.dir.root);
  }

  /** One that ends at this moment reads them when it is started again. */
  reload(): void {
    if (this.ending === undefined && isSameProcess(this.server)) process.kill(this.server.pid, 'SIGHUP');
  }

  stop(): Promise<void> {
    this.ending ??= this.end(() =>
      stopProcess(this.parts.runtime.clock, this.server, this.parts.plan.dir.root),
    );
    return this.ending;
  }

  release(): Promise<void> {
    this.ending ??= this.end(() => Promise.resolve(this.server.letGo()));
    return this.ending;
  }

  private async end(settle: () => Promise<void>): Promise<void> {
    this.closing.abort();
    this.logChecks.stop();
    await this.loop;
    try {
      await settle();
    } finally {
      this.parts.lock.release();
    }
  }

  private async keepRunning(): Promise<void> {
    const { clock, log } = this.parts.runtime;
    let failures = 0;
    for (;;) {
      const reason = await Promise.race([this.server.exited, this.closed]);
      if (reason === undefined) return;
      log.warn('nats-server ended; starting it again', { pid: this.server.pid, reason });
      const ranMs = clock.monotonicMs() - this.startedMs;
      const restarted = await this.startAgain(reason, failures, ranMs);
      if (restarted === undefined) return;
      failures = restarted;
    }
  }

  /** Tries until the server runs again; the failures in a row so far, or undefined when closing or given up. */
  private async startAgain(endReason: string, before: number, ranMs: number): Promise<number | undefined> {
    const { runtime, plan, restarts } = this.parts;
    const { signal } = this.closing;
    let reason = endReason;
    let step = nextRestart(restarts, before, ranMs);
    for (; step.delayMs !== undefined; step = nextRestart(restarts, step.failures, 0)) {
      try {
        await sleep(runtime.clock, step.delayMs, signal);
        this.server = await launch(runtime.clock, plan, this.port, signal);
        this.startedMs = runtime.clock.monotonicMs();
        runtime.log.info('nats-server runs again', { pid: this.server.pid, port: this.port });
        this.tell({ pid: this.server.pid, reason: endReason });
        return step.failures;
      } catch (error) {
        if (signal.aborted) return undefined;
        reason = (error as Error).message;
        runtime.log.warn('nats-server could not be started again', { error, failures: step.failures });
      }
    }
    this.giveUp(step.failures, reason);
    return undefined;
  }

  private giveUp(times: number, reason: string): void {
    const [summary = reason] = reason.split('\n');
    const lines = lastLines(this.logFile);
    const error = zesterError('SERVER_GAVE_UP', { times, reason: summary, log: this.logFile, lines });
    this.parts.runtime.log.error('nats-server is not restarted any more', { error });
    this.tellGaveUp(error);
  }

  private tell(event: ServerRestart): void {
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        this.parts.runtime.log.error('a listener for restarts failed', { error });
      }
    }
  }
}
