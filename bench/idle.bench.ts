/**
 * This benchmark measures what a fleet costs that does nothing: a real nats-server with TLS, one built master and then
 * two, and N connected peels that send their heartbeats. CPU time of each process over a minute, so that others on the
 * machine matter little.
 *
 *   npm run bench -- idle [--peels 100,1000,5000] [--seconds 60]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LocalDeployment, startLocalDeployment } from '../src/local-fleet/local-deployment.ts';
import { sleep } from '../src/runtime/clock.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { BUCKETS } from '../src/wire/names/buckets.ts';
import { startPeelHosts } from './peel-hosts.ts';
import { bytesMoved, cpuMs, rssMb } from './process-cost.ts';

const { values: options } = parseArgs({
  options: {
    peels: { type: 'string', default: '100,1000,5000' },
    seconds: { type: 'string', default: '60' },
  },
});
const SIZES = options.peels.split(',').map(Number);
const SECONDS = Number(options.seconds);
/** Two heartbeats: facts are told, watches are settled. */
const SETTLE_MS = 20_000;
const MASTERS_MAX = 2;

const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: 'error' }),
};

interface Cost {
  /** Milliseconds of CPU in a second. */
  readonly cpu: number;
  readonly kbPerSecond: number;
  readonly rssMb: number;
}

async function costOf(pids: readonly number[]): Promise<Cost[]> {
  const before = pids.map((pid) => ({ cpu: cpuMs(pid), bytes: bytesMoved(pid) }));
  const startedMs = systemClock.monotonicMs();
  await sleep(systemClock, SECONDS * 1_000);
  const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
  return pids.map((pid, i) => ({
    cpu: (cpuMs(pid) - (before[i]?.cpu ?? 0)) / seconds,
    kbPerSecond: (bytesMoved(pid) - (before[i]?.bytes ?? 0)) / 1_024 / seconds,
    rssMb: rssMb(pid),
  }));
}

function startMaster({ authDir, url }: LocalDeployment): ChildProcess {
  const words = ['--auth-dir', authDir, '--nats-url', url, '--log-level', 'error'];
  return spawn(process.execPath, ['dist/zester-master.cjs', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function tell(peels: number, masters: number, costs: readonly Cost[]): void {
  const [server, ...rest] = costs;
  const of = (name: string, cost: Cost | undefined) => {
    const { cpu = 0, kbPerSecond = 0, rssMb: mb = 0 } = cost ?? {};
    return `${name} ${cpu.toFixed(1)} ms/s, ${((cpu * 1_000) / peels).toFixed(1)} per 1,000 peels, ${kbPerSecond.toFixed(0)} KB/s, ${mb.toFixed(0)} MB`;
  };
  const parts = [of('server', server), ...rest.map((cost, i) => of(`master ${i + 1}`, cost))];
  console.log(
    `${String(peels).padStart(6)} peels, ${masters} master${masters > 1 ? 's' : ''}: ${parts.join('; ')}`,
  );
}

async function idleFleet(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
  const hosts: ChildProcess[] = [];
  const deployment = await startLocalDeployment(dir, {
    runtime,
    env: process.env,
    operator: 'bench',
    onEvent: console.error,
  });
  const facts = deployment.bus.bucket(BUCKETS.facts.name);
  const serverPid = deployment.servers[0]?.pid ?? 0;
  try {
    console.log(`nats-server ${deployment.serverVersion}, Node ${process.version}, ${SECONDS} s each`);
    let started = 0;
    for (const size of SIZES) {
      const { url, authDir } = deployment;
      hosts.push(
        ...(await startPeelHosts({ mode: 'peel', url, authDir, first: started, count: size - started })),
      );
      started = size;
      const masters: ChildProcess[] = [];
      try {
        while (masters.length < MASTERS_MAX) {
          masters.push(startMaster(deployment));
          while ((await facts.keys()).length < size) await sleep(systemClock, 1_000);
          await sleep(systemClock, SETTLE_MS);
          tell(size, masters.length, await costOf([serverPid, ...masters.map(({ pid }) => pid ?? 0)]));
        }
      } finally {
        for (const master of masters) master.kill('SIGTERM');
      }
    }
  } finally {
    for (const host of hosts) if (host.connected) host.removeAllListeners('exit').disconnect();
    await deployment.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

await idleFleet();
