/**
 * This benchmark measures what a job costs over the raw request/reply fan-out, in one run per sync setting: a real
 * nats-server with TLS, the built master, and N peels spread over processes (peel-host.ts), so that the machine's cores
 * are used as a fleet would use them. The baseline has the same number of connections in the same processes, with the
 * bare client library.
 *
 *   npm run bench -- jobs [--peels 10,100,1000] [--sync default,always] [--profile DIR]
 *
 * Then: returns per second under many jobs, memory of a master with 1,000 peels and of an idle peel, bytes that an idle
 * peel causes, start of the command line. The method is told in docs/performance.md.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LocalDeployment, startLocalDeployment } from '../src/local-fleet/local-deployment.ts';
import { sleep } from '../src/runtime/clock.ts';
import { newKsuid } from '../src/runtime/ids.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { BUCKETS } from '../src/wire/names/buckets.ts';
import type { Jid, PeelId } from '../src/wire/names/ids.ts';
import { ANY, DISPATCH_SUBJECT, jobReturnSubject } from '../src/wire/names/subjects.ts';
import { dispatchReplyCodec } from '../src/wire/records/dispatch-reply.ts';
import { jobCodec } from '../src/wire/records/job.ts';
import { bareUser } from './bare-user.ts';
import { HOSTS, startPeelHosts } from './peel-hosts.ts';
import { cpuMs, rssMb } from './process-cost.ts';

const { values: options } = parseArgs({
  options: {
    peels: { type: 'string', default: '10,100,1000,5000' },
    sync: { type: 'string', default: 'default,always' },
    profile: { type: 'string' },
  },
});
const SIZES = options.peels.split(',').map(Number);
const ROUNDS = 7;
/** Rounds that do not count, for raw and job alike: compilers and caches get warm. */
const WARM_UP_ROUNDS = 25;
const SUSTAINED = { jobs: 200, atOnce: 16, peels: 200 };
const AIMS = { default: 5, always: 15 } as const;
type Sync = keyof typeof AIMS;
const PROFILED = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];

const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: 'error' }),
};

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Processes with peels, or with baseline connections, that together hold `first` … `first + count - 1`. */
function startHosts(mode: 'raw' | 'peel', { url, authDir }: LocalDeployment, first: number, count: number) {
  return startPeelHosts({ mode, url, authDir, first, count, execArgv: PROFILED });
}

function startProgram(program: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...PROFILED, join('dist', program), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.removeAllListeners('exit').once('exit', () => undefined);
  // A host that is profiled writes its profile when it exits by itself.
  if (child.connected) child.disconnect();
  else child.kill(signal);
  await Promise.race([end, sleep(systemClock, options.profile === undefined ? 500 : 5_000)]);
}

/** Dispatch to the last return, as the command line sees it. */
async function oneJob(deployment: LocalDeployment, targets: readonly PeelId[]): Promise<number> {
  const { bus } = deployment;
  const jid = newKsuid(systemClock, systemRandom) as Jid;
  let left = targets.length;
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const subscription = await bus.subscribe(jobReturnSubject(jid, ANY), () => {
    left -= 1;
    if (left === 0) finish();
  });
  const timeout = 120_000_000_000n;
  const job = jobCodec.create({ jid, function: 'test.ping', targets, timeout, status: 'pending' });
  const startedMs = systemClock.monotonicMs();
  const reply = await bus.request(DISPATCH_SUBJECT, jobCodec.encode(job), { timeoutMs: 30_000 });
  const answer = dispatchReplyCodec.decode(reply.data);
  if ('error' in answer) throw new Error(`refused: ${answer.error}`);
  await done;
  subscription.unsubscribe();
  return systemClock.monotonicMs() - startedMs;
}

async function rawFanOut(deployment: LocalDeployment): Promise<Map<number, number>> {
  const client = await bareUser(deployment.url, deployment.authDir)();
  const payload = new Uint8Array(130);
  const once = async (count: number) => {
    const startedMs = systemClock.monotonicMs();
    const asked = Array.from({ length: count }, (_, i) =>
      client.request(`bench.raw.${i}`, payload, { timeout: 30_000 }),
    );
    await Promise.all(asked);
    return systemClock.monotonicMs() - startedMs;
  };
  const most = Math.max(...SIZES);
  const hosts = await startHosts('raw', deployment, 0, most);
  const medians = new Map<number, number>();
  for (const size of SIZES) {
    const times: number[] = [];
    for (let i = 0; i < WARM_UP_ROUNDS; i++) await once(size);
    for (let i = 0; i < ROUNDS; i++) times.push(await once(size));
    medians.set(size, median(times));
  }
  await client.close();
  for (const host of hosts) await ended(host, 'SIGTERM');
  return medians;
}

interface Parts {
  readonly client: number;
  readonly master: number;
  readonly server: number;
  readonly hosts: readonly number[];
}

/** CPU of every part while `run` ran, per unit. */
async function cpuOf(parts: Parts, units: number, run: () => Promise<void>): Promise<string> {
  const pids = { client: parts.client, master: parts.master, server: parts.server };
  const before = Object.values(pids).map(cpuMs);
  const hostsBefore = parts.hosts.map(cpuMs);
  await run();
  const spent = Object.keys(pids).map(
    (name, i) =>
      `${name} ${(((cpuMs(Object.values(pids)[i] ?? 0) - (before[i] ?? 0)) * 1_000) / units).toFixed(0)}`,
  );
  const hosts = parts.hosts.reduce((sum, pid, i) => sum + cpuMs(pid) - (hostsBefore[i] ?? 0), 0);
  return `µs of CPU per target: ${spent.join(', ')}, peel ${((hosts * 1_000) / units).toFixed(0)}`;
}

async function benchJobs(sync: Sync): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
  const children: ChildProcess[] = [];
  const deployment = await startLocalDeployment(dir, {
    runtime,
    env: process.env,
    operator: 'bench',
    onEvent: console.error,
    syncInterval: sync,
  });
  try {
    console.log(
      `\nsync ${sync}: nats-server ${deployment.serverVersion}, Node ${process.version}, ${HOSTS} peel processes, median of ${ROUNDS}`,
    );
    const raw = await rawFanOut(deployment);
    const master = startProgram('zester-master.cjs', [
      '--auth-dir',
      deployment.authDir,
      '--nats-url',
      deployment.url,
      '--log-level',
      'error',
    ]);
    children.push(master);
    const pids = { client: process.pid, master: master.pid ?? 0, server: deployment.servers[0]?.pid ?? 0 };
    console.log('   peels    raw ms    job ms    ratio   master MB');
    const names: PeelId[] = [];
    for (const size of SIZES) {
      children.push(...(await startHosts('peel', deployment, names.length, size - names.length)));
      while (names.length < size) names.push(`peel-${names.length}` as PeelId);
      await until(async () => (await deployment.bus.bucket(BUCKETS.facts.name).keys()).length >= size);
      await sleep(systemClock, 2_000);
      for (let i = 0; i < WARM_UP_ROUNDS; i++) await oneJob(deployment, names);
      const times: number[] = [];
      const hosts = children.slice(1).map((child) => child.pid ?? 0);
      const cpu = await cpuOf({ ...pids, hosts }, ROUNDS * size, async () => {
        for (let i = 0; i < ROUNDS; i++) times.push(await oneJob(deployment, names));
      });
      const [rawMs, jobMs] = [raw.get(size) ?? 0, median(times)];
      const row = [
        String(size).padStart(8),
        rawMs.toFixed(0).padStart(9),
        jobMs.toFixed(0).padStart(9),
        (jobMs / rawMs).toFixed(1).padStart(8),
        rssMb(pids.master).toFixed(0).padStart(11),
      ];
      console.log(`${row.join(' ')}   ${cpu}`);
      if (size === 1_000)
        console.log(
          `         1,000 peels: ${(jobMs / rawMs).toFixed(1)}× the raw fan-out, aim at most ${AIMS[sync]}×`,
        );
    }
    await sustained(deployment, names.slice(0, SUSTAINED.peels), {
      ...pids,
      hosts: children.slice(1).map((child) => child.pid ?? 0),
    });
  } finally {
    for (const child of children) await ended(child, 'SIGTERM');
    await deployment.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(systemClock, 200);
}

async function sustained(
  deployment: LocalDeployment,
  targets: readonly PeelId[],
  parts: Parts,
): Promise<void> {
  const returns = SUSTAINED.jobs * targets.length;
  const startedMs = systemClock.monotonicMs();
  let left = SUSTAINED.jobs;
  const lane = async () => {
    while (left-- > 0) await oneJob(deployment, targets);
  };
  const cpu = await cpuOf(parts, returns, async () => {
    await Promise.all(Array.from({ length: SUSTAINED.atOnce }, lane));
  });
  const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
  console.log(
    `${SUSTAINED.jobs} jobs on ${targets.length} peels, ${SUSTAINED.atOnce} at once: ${Math.round(returns / seconds)} returns/s, ${Math.round(SUSTAINED.jobs / seconds)} jobs/s (aim 3,000 returns/s)   ${cpu}`,
  );
}

for (const sync of options.sync.split(',') as Sync[]) await benchJobs(sync);
