/** The supervisor of the embedded nats-server, on a real one. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type EmbeddedOptions,
  type EmbeddedPlace,
  startEmbeddedServer,
} from '../../../src/nats-server/start-embedded-server.ts';
import type { EmbeddedServer } from '../../../src/nats-server/supervisor.ts';
import { isProcessAlive, processesIn } from '../../../src/process/process-table.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { natsServerBinary, startNatsServer } from '../../harness/servers/nats-server.ts';

let dir: string;
let logged: string[];
const started: EmbeddedServer[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-embedded-'));
  logged = [];
});

afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  for (const left of processesIn(dir)) process.kill(left.pid, 'SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

const config = (place: EmbeddedPlace) =>
  `listen: "127.0.0.1:${place.port}"\nserver_name: "embedded"\njetstream { store_dir: "${place.storeDir}", sync_interval: always }\n`;

function runtime(clock: Clock): Runtime {
  return { clock, random: systemRandom, log: jsonLog({ clock, write: (line) => logged.push(line) }) };
}

/** Every wait is over `times` sooner: for what takes long by design. */
function hurriedClock(times: number): Clock {
  return {
    nowMs: () => systemClock.nowMs(),
    monotonicMs: () => systemClock.monotonicMs() * times,
    after: (delayMs, run) => systemClock.after(delayMs / times, run),
  };
}

async function start(change: Partial<EmbeddedOptions> = {}): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer({
    dir,
    binary: await natsServerBinary(),
    renderConfig: config,
    runtime: runtime(systemClock),
    ...change,
  });
  started.push(server);
  return server;
}

const restarted = (server: EmbeddedServer) =>
  new Promise<{ pid: number; reason: string }>((resolve) => server.onRestart(resolve));

/** A program that is nats-server while the file `<dir>/broken` does not exist, and fails at once when it does. */
async function breakableBinary(): Promise<string> {
  const path = join(dir, 'breakable');
  const broken = `if [ -e '${join(dir, 'broken')}' ]; then echo 'disk on fire' >&2; exit 3; fi`;
  writeFileSync(path, `#!/bin/sh\n${broken}\nexec '${await natsServerBinary()}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

function hold(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const holder = createServer().on('error', reject);
    holder.listen(port, '127.0.0.1', () => resolve(holder));
  });
}

it('starts on a free port, records it, stops in order and comes back on the same port', async () => {
  const first = await start();
  expect(first).toMatchObject({ adopted: false, url: `nats://127.0.0.1:${first.port}` });
  expect(first.version).toMatch(/^2\.\d+/);
  expect(readFileSync(join(dir, 'port'), 'utf8')).toBe(`${first.port}\n`);
  await first.stop();
  expect(isProcessAlive(first.pid)).toBe(false);
  expect(readFileSync(first.logFile, 'utf8')).toMatch(/Server Exiting/);
  const second = await start();
  expect(second.port).toBe(first.port);
});

it('stop may be called twice and frees the directory', async () => {
  const server = await start();
  await Promise.all([server.stop(), server.stop()]);
  expect((await start()).adopted).toBe(false);
});

it('a killed server is restarted on its port, clients reconnect, and nothing acknowledged is lost', async () => {
  const server = await start();
  const nc = await connect({ servers: server.url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  await createStream(nc);
  const acked: number[] = [];
  const publishing = publishUntil(nc, acked, () => acked.length >= 600);
  for (const killAfter of [100, 250, 400]) {
    await expect.poll(() => acked.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(killAfter);
    const again = restarted(server);
    const { pid } = server;
    process.kill(pid, 'SIGKILL');
    expect(await again).toMatchObject({ pid: server.pid, reason: 'killed by SIGKILL' });
    expect(server.pid).not.toBe(pid);
    expect(readdirSync(join(dir, 'ports'))).toEqual([expect.stringContaining(`_${server.pid}.ports`)]);
  }
  await publishing;
  const stored = await storedNumbers(nc);
  expect(acked.filter((number) => !stored.has(number))).toEqual([]);
  await nc.close();
});

async function createStream(nc: NatsConnection): Promise<void> {
  const wanted = { name: 'S', subjects: ['s.*'], storage: 'file' };
  expect((await nc.request('$JS.API.STREAM.CREATE.S', JSON.stringify(wanted))).json()).toMatchObject({
    config: { name: 'S' },
  });
}

/** Publishes 0, 1, 2, … each until it is acknowledged. */
async function publishUntil(nc: NatsConnection, acked: number[], done: () => boolean): Promise<void> {
  for (let number = 0; !done(); ) {
    const ack = await nc.request(`s.${number}`, String(number), { timeout: 500 }).catch(() => undefined);
    if (ack?.json<{ seq?: number }>().seq === undefined) continue;
    acked.push(number);
    number++;
  }
}

async function storedNumbers(nc: NatsConnection): Promise<Set<number>> {
  const request = JSON.stringify({ subjects_filter: 's.*' });
  const info = (await nc.request('$JS.API.STREAM.INFO.S', request)).json<{
    state: { subjects: Record<string, number> };
  }>();
  return new Set(Object.keys(info.state.subjects).map((subject) => Number(subject.slice(2))));
}

it('a restart that is asked for gives another process on the same port', async () => {
  const server = await start();
  const { pid, port } = server;
  const again = restarted(server);
  await server.restart();
  expect((await again).pid).not.toBe(pid);
  expect(server.port).toBe(port);
  expect(isProcessAlive(pid)).toBe(false);
});

it('a second start on the same directory is refused with the pid of the holder', async () => {
  const first = await start();
  const failure = start();
  await expect(failure).rejects.toMatchObject({ code: 'SERVER_DIR_IN_USE' });
  await expect(failure).rejects.toThrow(`in use by process ${process.pid}`);
  expect(isProcessAlive(first.pid)).toBe(true);
});

it('a released server keeps running and its clients, and is adopted by the next start', async () => {
  const first = await start();
  const nc = await connect({ servers: first.url });
  await first.release();
  const second = await start();
  expect(second).toMatchObject({ adopted: true, pid: first.pid, port: first.port });
  await nc.flush();
  await nc.close();
});

it('an adopted server is restarted like an own one', async () => {
  const first = await start();
  await first.release();
  const second = await start();
  const again = restarted(second);
  process.kill(second.pid, 'SIGKILL');
  await again;
  expect(second.pid).not.toBe(first.pid);
  expect(second.port).toBe(first.port);
  const nc = await connect({ servers: second.url });
  await nc.close();
});

it('an orphan whose port was never recorded is adopted all the same', async () => {
  const first = await start();
  await first.release();
  rmSync(join(dir, 'port'));
  const second = await start();
  expect(second).toMatchObject({ adopted: true, pid: first.pid, port: first.port });
  expect(readFileSync(join(dir, 'port'), 'utf8')).toBe(`${first.port}\n`);
});

it('an orphan with other settings is stopped and replaced on the same port', async () => {
  const first = await start();
  await first.release();
  const second = await start({ renderConfig: (place) => `${config(place)}max_control_line: 8192\n` });
  expect(second).toMatchObject({ adopted: false, port: first.port });
  expect(isProcessAlive(first.pid)).toBe(false);
});

it('an orphan of another binary is replaced', async () => {
  const first = await start();
  await first.release();
  const second = await start({ binary: await breakableBinary() });
  expect(second.adopted).toBe(false);
  expect(isProcessAlive(first.pid)).toBe(false);
});

it('an orphan that does not answer is stopped, by force if need be', async () => {
  const first = await start();
  await first.release();
  process.kill(first.pid, 'SIGSTOP');
  const second = await start({ runtime: runtime(hurriedClock(20)) });
  expect(second.adopted).toBe(false);
  expect(isProcessAlive(first.pid)).toBe(false);
});

it('a nats-server on our port that we cannot see into stops the start: it may be on this very store', async () => {
  const first = await start();
  await first.stop();
  const foreign = await startNatsServer({ port: first.port });
  await expect(start()).rejects.toMatchObject({ code: 'SERVER_PORT_HELD' });
  await foreign.stop();
  expect((await start()).port).toBe(first.port);
});

it('at a start, a port that another program has taken is given up for a new one, and the log says so', async () => {
  const first = await start();
  await first.stop();
  const holder = await hold(first.port);
  const second = await start();
  expect(second.port).not.toBe(first.port);
  expect(logged.join('')).toMatch(/the recorded port is in use by another program/);
  expect(readFileSync(join(dir, 'port'), 'utf8')).toBe(`${second.port}\n`);
  holder.close();
});

it('while supervising, a port that is taken for a while is tried until it is free', async () => {
  const server = await start({
    binary: await breakableBinary(),
    restarts: { delaysMs: Array<number>(50).fill(50), stableMs: 1 },
  });
  const { port } = server;
  writeFileSync(join(dir, 'broken'), '');
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => logged.join('')).toMatch(/disk on fire/);
  const holder = await hold(port);
  const again = restarted(server);
  rmSync(join(dir, 'broken'));
  await expect.poll(() => logged.join('')).toMatch(/address already in use/);
  holder.close();
  await again;
  expect(server.port).toBe(port);
});

it('a server that cannot start is an error with its own last words, and the directory is free again', async () => {
  const binary = await breakableBinary();
  writeFileSync(join(dir, 'broken'), '');
  const failure = start({ binary });
  await expect(failure).rejects.toMatchObject({ code: 'SERVER_START_FAILED' });
  await expect(failure).rejects.toThrow(/exit code 3[\s\S]*disk on fire/);
  rmSync(join(dir, 'broken'));
  expect((await start({ binary })).adopted).toBe(false);
});

it('a binary that cannot be run is an error that says so', async () => {
  const binary = join(dir, 'not-executable');
  writeFileSync(binary, '');
  await expect(start({ binary })).rejects.toThrow(/EACCES/);
});

it('supervision gives up after too many failures in a row, and tells the last log lines', async () => {
  const server = await start({
    binary: await breakableBinary(),
    restarts: { delaysMs: [10, 10, 10], stableMs: 60_000 },
  });
  writeFileSync(join(dir, 'broken'), '');
  process.kill(server.pid, 'SIGKILL');
  const error = await server.gaveUp;
  expect(error.code).toBe('SERVER_GAVE_UP');
  expect(error.message).toMatch(/failed 4 times in a row[\s\S]*disk on fire/);
  await server.stop();
  rmSync(join(dir, 'broken'));
  expect((await start({ binary: join(dir, 'breakable') })).adopted).toBe(false);
});

it('stop in the middle of a restart leaves no process behind', async () => {
  const server = await start({ restarts: { delaysMs: Array<number>(20).fill(5), stableMs: 60_000 } });
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => logged.join(''), { interval: 1 }).toMatch(/starting it again/);
  await server.stop();
  expect(processesIn(dir)).toEqual([]);
  expect(logged.join('')).not.toMatch(/could not be started again|not restarted any more/);
});

it('a server below the floor is stopped and refused', async () => {
  const binary = join(dir, 'old-server');
  const greeting = 'INFO {"version":"2.9.10"}\\r\\n';
  writeFileSync(
    binary,
    `#!${process.execPath}
const portsDir = process.argv[process.argv.indexOf('--ports_file_dir') + 1];
const server = require('node:net').createServer((socket) => socket.end('${greeting}'));
server.listen(0, '127.0.0.1', () => require('node:fs').writeFileSync(
  portsDir + '/old_' + process.pid + '.ports', JSON.stringify({ nats: ['nats://127.0.0.1:' + server.address().port] })));
`,
  );
  chmodSync(binary, 0o755);
  await expect(start({ binary })).rejects.toMatchObject({ code: 'SERVER_TOO_OLD' });
  expect(processesIn(dir)).toEqual([]);
  expect(existsSync(join(dir, 'port'))).toBe(false);
});

it('a directory that cannot be made is an error that names it', async () => {
  writeFileSync(join(dir, 'file'), '');
  await expect(start({ dir: join(dir, 'file', 'below') })).rejects.toMatchObject({
    code: 'SERVER_DIR_UNUSABLE',
  });
});
