/**
 * This file starts real nats-servers for tests: single ones and clusters that can be killed and restarted.
 *
 * Each server takes a free port by itself (`-p -1`) and keeps it over restarts. Nothing outlives the test file: what
 * is still running is stopped after its last test, and the kernel kills the rest should the test process die.
 *
 * A permission violation in a server's log that no test announced through `expectViolation` fails the file when the
 * server is stopped: a grant that is too narrow must not hide behind a retry.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { findServer } from '../../../src/nats-server/find-server.ts';
import { readPortsFile, readServerInfo } from '../../../src/nats-server/server-info.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';

export interface TestServerPlace {
  /** Unique among the servers of this test process. */
  readonly name: string;
  /** -1: the server picks one, and keeps it over restarts. */
  readonly port: number;
  readonly dir: string;
  readonly storeDir: string;
  readonly logFile: string;
}

export interface NatsServerOptions {
  /** Configuration text, or how to make it. Without: plain, JetStream on file storage. */
  readonly config?: string | ((place: TestServerPlace) => string);
  /** Kept when given; otherwise a temporary directory that goes away with the server. */
  readonly dir?: string;
  readonly name?: string;
  /** Otherwise one that is free. */
  readonly port?: number;
}

export interface TestServer {
  readonly name: string;
  /** `nats://` or `tls://127.0.0.1:<port>`; the same after a restart. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dir: string;
  readonly logFile: string;
  /** `http://127.0.0.1:<port>` with nats-server's own pages (/jsz, /connz, /healthz); another port after a restart. */
  readonly monitorUrl: string;
  log(): string;
  /** From now on violations that match are part of the test. */
  expectViolation(pattern: RegExp): void;
  kill9(): Promise<void>;
  /** Starts again on the same port, directory and configuration; stops it first if it still runs. */
  restart(): Promise<void>;
  /** Stops in order and fails on permission violations that nobody announced. */
  stop(): Promise<void>;
}

const READY_MS_MAX = 15_000;
const READY_POLL_MS = 20;
const STOP_MS_MAX = 10_000;
/** How nats-server words it towards clients, and how it words it in its log. */
const VIOLATION = /(?:permissions|publish|subscription) violation/i;
/** Asks the kernel to kill the server when the test process dies, whatever the way. */
const DIE_WITH_PARENT = '/usr/bin/setpriv';

const running = new Set<TestServer>();
let serverCount = 0;

afterAll(async () => {
  const results = await Promise.allSettled([...running].map((server) => server.stop()));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
});

let binary: Promise<string> | undefined;

/** The nats-server that the set-up step has found or downloaded. */
export function natsServerBinary(): Promise<string> {
  binary ??= findServer({
    env: process.env,
    clock: systemClock,
    say: (line) => console.error(line),
  }).then((found) => found.path);
  return binary;
}

export function plainConfig(place: Pick<TestServerPlace, 'name' | 'storeDir'>): string {
  return [
    'host: 127.0.0.1',
    `server_name: "${place.name}"`,
    `jetstream { store_dir: "${place.storeDir}" }`,
    '',
  ].join('\n');
}

export async function startNatsServer(options: NatsServerOptions = {}): Promise<TestServer> {
  const name = options.name ?? `test-${process.pid}-${serverCount++}`;
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'zester-nats-'));
  const place: TestServerPlace = {
    name,
    port: -1,
    dir,
    storeDir: join(dir, 'store'),
    logFile: join(dir, 'server.log'),
  };
  mkdirSync(join(dir, 'ports'), { recursive: true });
  const config = options.config ?? plainConfig;
  writeFileSync(join(dir, 'nats.conf'), typeof config === 'string' ? config : config(place));
  const server = new RunningServer(place, await natsServerBinary(), options.dir === undefined);
  if (options.port !== undefined) server.port = options.port;
  await server.restart();
  running.add(server);
  return server;
}

class RunningServer implements TestServer {
  readonly name: string;
  readonly dir: string;
  readonly logFile: string;
  port = -1;
  url = '';
  monitorUrl = '';
  private readonly binary: string;
  private readonly removeDir: boolean;
  private readonly expected: RegExp[] = [];
  private child: ChildProcess | undefined;

  constructor(place: TestServerPlace, binary: string, removeDir: boolean) {
    this.name = place.name;
    this.dir = place.dir;
    this.logFile = place.logFile;
    this.binary = binary;
    this.removeDir = removeDir;
  }

  get pid(): number {
    return this.child?.pid ?? -1;
  }

  log(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
  }

  expectViolation(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  async kill9(): Promise<void> {
    await this.end('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.end('SIGINT');
    const log = openSync(this.logFile, 'a');
    const args = [
      ...['-c', join(this.dir, 'nats.conf'), '-p', String(this.port)],
      ...['--ports_file_dir', join(this.dir, 'ports'), '-m', '-1'],
    ];
    const command = existsSync(DIE_WITH_PARENT)
      ? [DIE_WITH_PARENT, '--pdeathsig', 'KILL', this.binary, ...args]
      : [this.binary, ...args];
    const [file = this.binary, ...rest] = command;
    this.child = spawn(file, rest, { stdio: ['ignore', log, log], cwd: this.dir });
    closeSync(log);
    await this.ready();
  }

  async stop(): Promise<void> {
    running.delete(this);
    await this.end('SIGINT');
    const unexpected = this.unexpectedViolations();
    if (this.removeDir) await rm(this.dir, { recursive: true, force: true });
    if (unexpected.length > 0)
      throw new Error(
        `unexpected permission violations in the log of ${this.name}:\n${unexpected.join('\n')}`,
      );
  }

  private unexpectedViolations(): string[] {
    return this.log()
      .split('\n')
      .filter((line) => VIOLATION.test(line) && !this.expected.some((pattern) => pattern.test(line)));
  }

  private async ready(): Promise<void> {
    const untilMs = systemClock.monotonicMs() + READY_MS_MAX;
    while (systemClock.monotonicMs() < untilMs && isRunning(this.child)) {
      const port = await readPortsFile(join(this.dir, 'ports'), this.pid);
      const info = port === undefined ? undefined : await readServerInfo(systemClock, port, 1_000);
      if (port !== undefined && info !== undefined) {
        this.port = port;
        this.url = `${info.tls ? 'tls' : 'nats'}://127.0.0.1:${port}`;
        this.monitorUrl = this.readMonitorUrl();
        return;
      }
      await sleep(systemClock, READY_POLL_MS);
    }
    await this.end('SIGKILL');
    throw new Error(`nats-server ${this.name} did not become ready; its log:\n${this.log().slice(-4_000)}`);
  }

  private readMonitorUrl(): string {
    const portsDir = join(this.dir, 'ports');
    const name = readdirSync(portsDir).find((file) => file.endsWith(`_${this.pid}.ports`)) ?? '';
    const ports = JSON.parse(readFileSync(join(portsDir, name), 'utf8')) as { monitoring?: string[] };
    return ports.monitoring?.[0] ?? '';
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || !isRunning(child)) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const hurry = systemClock.after(STOP_MS_MAX, () => child.kill('SIGKILL'));
    await exited;
    hurry.cancel();
  }
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}
