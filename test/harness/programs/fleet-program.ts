/**
 * A fleet program is one master or peel of a fleet of real processes: the built program, killed, frozen, stopped and
 * started as often as a test likes. Its log is a file, so that an hour of it costs no memory; an end that nobody asked
 * for is remembered.
 */

import { appendFileSync, closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import type { LogLine } from '../log-line.ts';
import { until } from '../until.ts';
import { type RunningProgram, start } from './program.ts';

export interface FleetProgramPlan {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly logFile: string;
  /** What it logs when it is ready. */
  readonly readyMsg: string;
}

const READY_MS_MAX = 30_000;
const GONE_MS_MAX = 15_000;
const NO_ENV: Readonly<Record<string, string>> = { NODE_EXTRA_CA_CERTS: '' };

export class FleetProgram {
  readonly name: string;
  readonly logFile: string;
  /** Ends that nobody asked for. */
  readonly surprises: string[] = [];
  private readonly plan: FleetProgramPlan;
  private process: RunningProgram | undefined;
  private expected = false;
  /** Length of the log when the present life began. */
  private logStart = 0;

  constructor(plan: FleetProgramPlan) {
    this.name = plan.name;
    this.logFile = plan.logFile;
    this.plan = plan;
  }

  get pid(): number {
    return this.process?.child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.process !== undefined;
  }

  /** Begins the next life. Resolves at once; `ready` waits for it. */
  launch(): void {
    const { argv, cwd, name } = this.plan;
    appendFileSync(this.logFile, '');
    this.logStart = statSync(this.logFile).size;
    this.expected = false;
    // `exec`: the process that we signal is the program itself.
    const shell = ['-c', 'exec "$@" >>"$0.out" 2>>"$0"', this.logFile, ...argv];
    const process = start('/bin/sh', shell, { cwd, env: NO_ENV });
    this.process = process;
    void process.ended.then(({ code }) => {
      if (this.process === process) this.process = undefined;
      if (!this.expected) this.surprises.push(`${name} ended by itself, with ${code}`);
    });
  }

  /** Its log says so, in this life. */
  async ready(msMax = READY_MS_MAX): Promise<void> {
    await until(
      () => this.isRunning && this.lines().some(({ msg }) => msg === this.plan.readyMsg),
      `${this.name} to be ready`,
      msMax,
    ).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}; its log:\n${this.logTail()}`, { cause: error });
    });
  }

  async start(): Promise<void> {
    this.launch();
    await this.ready();
  }

  async kill9(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** In order; resolves with how long it took. */
  async stop(): Promise<number> {
    const begunMs = systemClock.monotonicMs();
    await this.end('SIGTERM');
    return systemClock.monotonicMs() - begunMs;
  }

  freeze(): void {
    this.process?.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.child.kill('SIGCONT');
  }

  /** What it logged in this life. */
  lines(): LogLine[] {
    return parseLog(readFrom(this.logFile, this.logStart));
  }

  /** What it logged in all its lives. */
  allLines(): LogLine[] {
    return existsSync(this.logFile) ? parseLog(readFileSync(this.logFile, 'utf8')) : [];
  }

  logTail(lines = 20): string {
    if (!existsSync(this.logFile)) return '';
    return readFileSync(this.logFile, 'utf8').split('\n').slice(-lines).join('\n');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { process } = this;
    if (process === undefined) return;
    this.expected = true;
    process.child.kill(signal);
    await until(() => this.process !== process, `${this.name} to be gone`, GONE_MS_MAX);
  }
}

/** Only the end of a file: the log of an hour is long, and it is looked at often. */
function readFrom(file: string, start: number): string {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, statSync(file).size - start));
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, start));
  } finally {
    closeSync(handle);
  }
}

/** A line that was cut off by a kill is no line. */
function parseLog(text: string): LogLine[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as LogLine];
    } catch {
      return [];
    }
  });
}
