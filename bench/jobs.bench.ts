/**
 * What a job costs over the raw fan-out, in one run: N peels, each with its own TLS connection and the real peel code on
 * memory files, one master and the client, all in this process; the baseline is N connections of the same process that
 * answer a plain request each. Then: returns per second under many jobs, start-up of the CLI, memory of an idle peel.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAgentBus, openBus } from '../src/bus/bus.ts';
import { connectNats } from '../src/bus/nats/nats-connection.ts';
import type { AgentBus } from '../src/bus/port.ts';
import { startLocalDeployment } from '../src/cli/fleet/local-deployment.ts';
import { masterKeysOf, newMasterId } from '../src/master/master-ports.ts';
import { startMaster } from '../src/master/start-master.ts';
import { FUNCTIONS } from '../src/modules/registry.ts';
import type { Peel } from '../src/peel/peel-ports.ts';
import { startPeel } from '../src/peel/start-peel.ts';
import { sleep } from '../src/runtime/clock.ts';
import { newKsuid } from '../src/runtime/ids.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { memorySystem } from '../src/system/memory/memory-machine.ts';
import { credsPath, loadCreds, loadMasterTrust } from '../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../src/trust/nats-authenticator.ts';
import { curveKeyOf, newSigningKey } from '../src/trust/nkeys.ts';
import { mintPeelUser } from '../src/trust/users.ts';
import { rootPath } from '../src/trust/x509/ca-dir.ts';
import { BUCKETS } from '../src/wire/buckets.ts';
import type { Jid, PeelId } from '../src/wire/ids.ts';
import { jobCodec } from '../src/wire/job.ts';
import { ANY, DISPATCH_SUBJECT, jobReturnSubject } from '../src/wire/subjects.ts';

const SIZES = [10, 100, 1_000];
const ROUNDS = 5;
const SUSTAINED_JOBS = 50;
const RATIO_MAX = 4;

const sync = process.argv.includes('always') ? 'always' : 'default';
const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: 'error' }),
};
const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
const deployment = await startLocalDeployment(dir, {
  runtime,
  env: process.env,
  operator: 'bench',
  say: console.error,
  syncInterval: sync,
});
const { agentsSigning, control, public: known } = loadMasterTrust(deployment.authDir);
const peels: Peel[] = [];
const buses: AgentBus[] = [];
const names: PeelId[] = [];
const { bus: client } = deployment;

function connectPeel(id: string) {
  const key = newSigningKey('user', systemRandom);
  const nowMs = systemClock.nowMs();
  const user = {
    agentsAccount: known.agents.publicKey,
    peelId: id,
    userPublicKey: key.publicKey,
    nowMs,
    expiresAtMs: nowMs + 3_600_000,
  };
  const jwt = mintPeelUser(agentsSigning, user);
  const connection = connectNats({
    servers: [deployment.url],
    name: id,
    inboxName: id,
    authenticator: natsAuthenticator(() => ({ jwt, key })),
    caFile: rootPath(deployment.authDir),
    runtime,
  });
  return { bus: openAgentBus(connection, runtime), curveKey: curveKeyOf(key) };
}

async function addPeel(): Promise<void> {
  const id = `peel-${names.length}` as PeelId;
  names.push(id);
  const { bus, curveKey } = connectPeel(id);
  buses.push(bus);
  const system = memorySystem({ clock: systemClock, random: systemRandom });
  const peel = startPeel({
    bus,
    system,
    runtime,
    identity: { peelId: id, curveKey },
    dataDir: '/var/lib/zester',
    version: '0',
    functions: FUNCTIONS,
  });
  peels.push(peel);
  await bus.connected();
  // The baseline: the same connection answers a plain message on a subject of its own.
  await bus.subscribe(`zester.kv.state-files.${id}`, () =>
    bus.publish(`zester.direct.bench.${id}`, new Uint8Array(130)),
  );
}

/** N messages out, N answers back: what NATS and the client library cost by themselves. */
async function rawFanOut(targets: readonly PeelId[]): Promise<number> {
  let left = targets.length;
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const subscription = await client.subscribe('zester.direct.bench.*', () => {
    left -= 1;
    if (left === 0) finish();
  });
  const startedMs = systemClock.monotonicMs();
  for (const target of targets) client.publish(`zester.kv.state-files.${target}`, new Uint8Array(130));
  await done;
  subscription.unsubscribe();
  return systemClock.monotonicMs() - startedMs;
}

/** Dispatch to the last return, as the CLI sees it. */
async function oneJob(targets: readonly PeelId[]): Promise<number> {
  const jid = newKsuid(systemClock, systemRandom) as Jid;
  let left = targets.length;
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const subscription = await client.subscribe(jobReturnSubject(jid, ANY), () => {
    left -= 1;
    if (left === 0) finish();
  });
  const job = jobCodec.create({
    jid,
    function: 'test.ping',
    targets,
    timeout: 60_000_000_000n,
    status: 'pending',
  });
  const startedMs = systemClock.monotonicMs();
  await client.request(DISPATCH_SUBJECT, jobCodec.encode(job), { timeoutMs: 30_000 });
  await done;
  subscription.unsubscribe();
  return systemClock.monotonicMs() - startedMs;
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await measure());
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

const rssMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

try {
  const identity = {
    masterId: newMasterId(runtime),
    host: 'bench',
    pid: process.pid,
    bootId: 'bench',
    version: '0',
  };
  const masterBus = openBus(
    connectNats({
      servers: [deployment.url],
      name: 'bench-master',
      inboxName: 'master',
      authenticator: natsAuthenticator(() => masterCreds()),
      caFile: rootPath(deployment.authDir),
      runtime,
    }),
    runtime,
  );
  const master = startMaster({ bus: masterBus, runtime, trust: masterKeysOf(control), identity });
  await master.ready;
  console.log(
    `nats-server ${deployment.serverVersion}, Node ${process.version}, sync ${sync}; median of ${ROUNDS}`,
  );
  console.log('   peels    raw ms    job ms    ratio');
  let worst = 0;
  for (const size of SIZES) {
    while (names.length < size)
      await Promise.all(Array.from({ length: Math.min(50, size - names.length) }, addPeel));
    while ((await client.bucket(BUCKETS.facts.name).keys()).length < size) await sleep(systemClock, 200);
    await sleep(systemClock, 2_000);
    await rawFanOut(names);
    await oneJob(names);
    const raw = await medianOf(() => rawFanOut(names));
    const job = await medianOf(() => oneJob(names));
    worst = size === 1_000 ? job / raw : worst;
    console.log(
      `${String(size).padStart(8)} ${raw.toFixed(0).padStart(9)} ${job.toFixed(0).padStart(9)} ${(job / raw).toFixed(1).padStart(8)}`,
    );
  }
  const targets = names.slice(0, 200);
  const startedMs = systemClock.monotonicMs();
  await Promise.all(Array.from({ length: SUSTAINED_JOBS }, () => oneJob(targets)));
  const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
  console.log(
    `${SUSTAINED_JOBS} jobs on 200 peels at once: ${Math.round((SUSTAINED_JOBS * 200) / seconds)} returns/s, ${Math.round(SUSTAINED_JOBS / seconds)} jobs/s`,
  );
  const starts = Array.from({ length: 9 }, () => {
    const beganMs = systemClock.monotonicMs();
    spawnSync('bin/zester', ['--version']);
    return systemClock.monotonicMs() - beganMs;
  }).sort((a, b) => a - b);
  console.log(`zester --version: ${starts[4]?.toFixed(0)} ms`);
  const idle = spawn(
    process.execPath,
    [
      'dist/zester-peel.cjs',
      '--id',
      'idle',
      '--nats-url',
      'tls://127.0.0.1:1',
      '--creds',
      '/nonexistent',
      '--ca',
      rootPath(deployment.authDir),
      '--data-dir',
      join(dir, 'idle'),
    ],
    { stdio: 'ignore' },
  );
  await sleep(systemClock, 3_000);
  if (idle.exitCode === null)
    console.log(`an idle peel without NATS: ${rssMb(idle.pid ?? 0).toFixed(0)} MB RSS`);
  idle.kill('SIGKILL');
  console.log(`1,000 peels: ${worst.toFixed(1)}× the raw fan-out, aim at most ${RATIO_MAX}× at default sync`);
  await master.stop();
  await masterBus.close();
} finally {
  await Promise.all(peels.map((peel) => peel.stop()));
  await Promise.all(buses.map((bus) => bus.close()));
  await deployment.stop();
  rmSync(dir, { recursive: true, force: true });
}

function masterCreds() {
  return loadCreds(credsPath(deployment.authDir, 'master'));
}
