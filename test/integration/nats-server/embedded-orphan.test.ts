/** kill -9 of the supervisor itself, which therefore runs in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isProcessAlive, processesIn } from '../../../src/process/process-table.ts';
import { natsServerBinary } from '../../harness/servers/nats-server.ts';

let work: string;
let program: string;
const supervisors = new Set<ChildProcess>();

/** Starts a server in argv[2] with the binary argv[3]; prints one JSON line; SIGINT stops it in order. */
const SUPERVISOR = `
import { startEmbeddedServer } from './src/nats-server/start-embedded-server.ts';
import { jsonLog } from './src/runtime/log.ts';
import { systemClock } from './src/runtime/system-clock.ts';
import { systemRandom } from './src/runtime/system-random.ts';
const [dir, binary] = process.argv.slice(2);
const log = jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line) });
const renderConfig = (place) => 'host: 127.0.0.1\\njetstream { store_dir: "' + place.storeDir + '" }\\n';
startEmbeddedServer({ dir, binary, renderConfig, runtime: { clock: systemClock, random: systemRandom, log } }).then(
  (server) => {
    const { pid, port, url, adopted } = server;
    process.on('SIGINT', () => server.stop().then(() => process.exit(0)));
    process.on('SIGUSR1', () => server.release());
    console.log(JSON.stringify({ pid, port, url, adopted }));
  },
  (error) => console.log(JSON.stringify({ code: error.code, message: error.message })),
);
`;

interface Answer {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  readonly adopted: boolean;
  readonly code?: string;
  readonly message?: string;
}

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'zester-orphan-'));
  program = join(work, 'supervisor.cjs');
  await build({
    stdin: { contents: SUPERVISOR, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile: program,
  });
});

afterAll(async () => {
  for (const supervisor of supervisors) supervisor.kill('SIGKILL');
  for (const name of ['a', 'b', 'c', 'd'])
    for (const left of safeProcessesIn(join(work, name))) process.kill(left.pid, 'SIGKILL');
  await rm(work, { recursive: true, force: true });
});

async function supervisor(name: string): Promise<{ child: ChildProcess; answer: Answer }> {
  const child = spawn(process.execPath, [program, join(work, name), await natsServerBinary()], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  supervisors.add(child);
  child.on('exit', () => supervisors.delete(child));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, answer: JSON.parse(line.toString('utf8')) as Answer };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  return ((await exited) as [number | null])[0];
}

function safeProcessesIn(dir: string): ReturnType<typeof processesIn> {
  try {
    return processesIn(dir);
  } catch {
    return [];
  }
}

it('after kill -9 of the supervisor the server serves on, and the next start adopts it', async () => {
  const first = await supervisor('a');
  const nc = await connect({ servers: first.answer.url });
  await end(first.child, 'SIGKILL');
  await nc.flush();
  const second = await supervisor('a');
  expect(second.answer).toEqual({ ...first.answer, adopted: true });
  await nc.flush();
  await nc.close();
  expect(await end(second.child, 'SIGINT')).toBe(0);
  expect(isProcessAlive(first.answer.pid)).toBe(false);
});

it('of several starts at the same time one wins, and the others are refused with its pid', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => supervisor('b')));
  const winners = all.filter(({ answer }) => answer.code === undefined);
  expect(winners).toHaveLength(1);
  const [winner] = winners;
  for (const { answer } of all.filter((one) => one !== winner)) {
    expect(answer.code).toBe('SERVER_DIR_IN_USE');
    expect(answer.message).toContain(`process ${winner?.child.pid} `);
  }
  expect(processesIn(join(work, 'b'))).toHaveLength(1);
  if (winner) expect(await end(winner.child, 'SIGINT')).toBe(0);
});

it('a supervisor killed at any moment of its start never leads to a second server on the store', async () => {
  for (const delayMs of [0, 40, 60, 80, 100, 120, 150, 200]) {
    const child = spawn(process.execPath, [program, join(work, 'c'), await natsServerBinary()], {
      stdio: 'ignore',
    });
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await end(child, 'SIGKILL');
  }
  const last = await supervisor('c');
  const servers = processesIn(join(work, 'c'));
  expect(servers.map((server) => server.pid)).toEqual([last.answer.pid]);
  expect(await end(last.child, 'SIGINT')).toBe(0);
});

it('a released server does not keep its supervisor alive', async () => {
  const first = await supervisor('d');
  expect(await end(first.child, 'SIGUSR1')).toBe(0);
  expect(isProcessAlive(first.answer.pid)).toBe(true);
  const second = await supervisor('d');
  expect(second.answer).toEqual({ ...first.answer, adopted: true });
  expect(await end(second.child, 'SIGINT')).toBe(0);
});
