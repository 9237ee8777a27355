/**
 * This benchmark measures a rack after a power cut: many machines join at once, each with a key of its own and a join token, and the
 * clock stops when the last one has answered a ping. A real nats-server with TLS, the built master with its enrollment door, and
 * machines in two processes (peel-host.ts), which run the code of `zester-peel join`.
 *
 *   npm run bench -- enroll [--peels 100,1000] [--sync default,always]
 *
 * The baseline is the same number of peels whose credentials were made before: what is left is what joining costs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createJoinToken } from '../src/client/enroll/join-tokens.ts';
import { type LocalDeployment, startLocalDeployment } from '../src/local-fleet/local-deployment.ts';
import { sleep } from '../src/runtime/clock.ts';
import { newKsuid } from '../src/runtime/ids.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { nanosFromMs } from '../src/wire/msgpack/time.ts';
import { BUCKETS } from '../src/wire/names/buckets.ts';
import type { Jid, PeelId } from '../src/wire/names/ids.ts';
import { ANY, DISPATCH_SUBJECT, jobReturnSubject } from '../src/wire/names/subjects.ts';
import { dispatchReplyCodec } from '../src/wire/records/dispatch-reply.ts';
import { jobCodec } from '../src/wire/records/job.ts';
import type { BenchDoor } from './peel-host.ts';
import { HOSTS, startPeelHosts } from './peel-hosts.ts';
import { cpuMs } from './process-cost.ts';

const { values: options } = parseArgs({
  options: {
    peels: { type: 'string', default: '100,1000' },
    sync: { type: 'string', default: 'default,always' },
  },
});
const SIZES = options.peels.split(',').map(Number);
const DAY_MS = 86_400_000;
const LOOK_MS = 50;

const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: 'error' }),
};

interface Measured {
  readonly ms: number;
  /** Of the master and the server, in ms of CPU for each machine. */
  readonly masterCpu: number;
  readonly serverCpu: number;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(systemClock, LOOK_MS);
}

function namesOf(size: number): PeelId[] {
  return Array.from({ length: size }, (_, i) => `peel-${i}` as PeelId);
}

/** To the last answer. Returns of earlier jobs do not count: each has an id of its own. */
async function ping({ bus }: LocalDeployment, targets: readonly PeelId[]): Promise<void> {
  const jid = newKsuid(systemClock, systemRandom) as Jid;
  const heard = new Set<string>();
  const subscription = await bus.subscribe(jobReturnSubject(jid, ANY), ({ subject }) => heard.add(subject));
  const timeout = 120_000_000_000n;
  const job = jobCodec.create({ jid, function: 'test.ping', targets, timeout, status: 'pending' });
  const reply = await bus.request(DISPATCH_SUBJECT, jobCodec.encode(job), { timeoutMs: 30_000 });
  const answer = dispatchReplyCodec.decode(reply.data);
  if ('error' in answer) throw new Error(`refused: ${answer.error}`);
  await until(() => heard.size === targets.length);
  subscription.unsubscribe();
}

/** Everything from the first machine that starts to the last one that answers. */
async function bring(
  deployment: LocalDeployment,
  master: number,
  size: number,
  mode: 'peel' | 'join',
  door?: BenchDoor,
): Promise<Measured> {
  const { url, authDir } = deployment;
  const server = deployment.servers[0]?.pid ?? 0;
  const before = [cpuMs(master), cpuMs(server)] as const;
  const startedMs = systemClock.monotonicMs();
  const dir = door === undefined ? '' : JSON.stringify(door);
  const hosts = await startPeelHosts({ mode, url, authDir, first: 0, count: size, dir });
  await until(async () => (await deployment.bus.bucket(BUCKETS.facts.name).keys()).length >= size);
  await ping(deployment, namesOf(size));
  const ms = systemClock.monotonicMs() - startedMs;
  const perMachine = (pid: number, then: number) => (cpuMs(pid) - then) / size;
  const measured = {
    ms,
    masterCpu: perMachine(master, before[0]),
    serverCpu: perMachine(server, before[1]),
  };
  await Promise.all(hosts.map(ended));
  return measured;
}

async function ended(child: ChildProcess): Promise<void> {
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.removeAllListeners('exit').once('exit', () => undefined);
  child.disconnect();
  await Promise.race([end, sleep(systemClock, 2_000)]);
}

/** A fleet of its own for each measurement: nothing is left of the one before. */
async function withFleet(
  sync: 'default' | 'always',
  run: (deployment: LocalDeployment, master: number, door: BenchDoor) => Promise<Measured>,
  uses: number,
): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
  const deployment = await startLocalDeployment(dir, {
    runtime,
    env: process.env,
    operator: 'bench',
    onEvent: () => undefined,
    syncInterval: sync,
  });
  const enrollFile = join(dir, 'door');
  const master = spawn(
    process.execPath,
    [
      join('dist', 'zester-master.cjs'),
      ...['--auth-dir', deployment.authDir, '--nats-url', deployment.url, '--log-level', 'error'],
      ...['--health-addr', 'off', '--enroll-addr', '127.0.0.1:0', '--enroll-file', enrollFile],
      // All of them come from one address here.
      ...['--enroll-rate', '100000'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  try {
    await until(() => existsSync(enrollFile));
    const client = {
      bus: deployment.bus,
      runtime,
      signal: new AbortController().signal,
      user: 'bench',
      operatorKey() {
        throw new Error('nothing is signed here');
      },
    };
    const { text } = await createJoinToken(client, {
      uses,
      expiresAt: nanosFromMs(systemClock.nowMs() + DAY_MS),
      peelPattern: 'peel-*',
      tags: {},
    });
    const tokenFile = join(dir, 'token');
    writeFileSync(tokenFile, text, { mode: 0o600 });
    const url = `https://${readFileSync(enrollFile, 'utf8')
      .trim()
      .replace(/^https:\/\//, '')}`;
    const door = { url, pin: deployment.caFingerprint, tokenFile, dir: join(dir, 'machines') };
    return await run(deployment, master.pid ?? 0, door);
  } finally {
    master.kill('SIGKILL');
    await deployment.stop();
    rmSync(dir, { recursive: true });
  }
}

for (const sync of options.sync.split(',') as ('default' | 'always')[]) {
  console.log(`\nsync ${sync}, ${HOSTS} processes of machines, Node ${process.version}`);
  console.log('   peels   known s    join s   joins/s   CPU ms of a join: master, server');
  for (const size of SIZES) {
    const known = await withFleet(sync, (fleet, master) => bring(fleet, master, size, 'peel'), 1);
    const joined = await withFleet(
      sync,
      (fleet, master, door) => bring(fleet, master, size, 'join', door),
      size,
    );
    const row = [
      String(size).padStart(8),
      (known.ms / 1_000).toFixed(1).padStart(9),
      (joined.ms / 1_000).toFixed(1).padStart(9),
      (size / (joined.ms / 1_000)).toFixed(0).padStart(9),
      `   ${(joined.masterCpu - known.masterCpu).toFixed(1)}, ${(joined.serverCpu - known.serverCpu).toFixed(1)}`,
    ];
    console.log(row.join(' '));
  }
}
