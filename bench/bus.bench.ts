/**
 * This benchmark measures what the bus port costs on top of the bare client, on one real server with TLS and JWTs, in
 * one run: CPU of this process per operation, 64 in flight, bare and port in turns so that warm-up and noise hit both.
 * Aim: at most 1.5×.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startLocalDeployment } from '../src/local-fleet/local-deployment.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { credsPath, loadCreds } from '../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../src/trust/nats-authenticator.ts';
import { rootPath } from '../src/trust/x509/ca-dir.ts';
import { CONSUMERS } from '../src/wire/names/streams.ts';
import { jobReturnSubject } from '../src/wire/names/subjects.ts';

const IN_FLIGHT = 64;
const OPERATIONS = 10_000;
const ROUNDS = 7;
const RATIO_MAX = 1.5;
const PAYLOAD = new Uint8Array(300).fill(7);

interface Contest {
  readonly name: string;
  readonly bare: () => Promise<void>;
  readonly port: () => Promise<void>;
}

/** Runs `operation` so often, so many at once. */
async function pipeline(count: number, operation: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < count; i = next++) await operation(i);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

interface Cost {
  readonly cpuUs: number;
  readonly wallUs: number;
}

async function measure(run: () => Promise<void>): Promise<Cost> {
  global.gc?.();
  const cpu = process.cpuUsage();
  const startedMs = systemClock.monotonicMs();
  await run();
  const wallUs = ((systemClock.monotonicMs() - startedMs) * 1_000) / OPERATIONS;
  const used = process.cpuUsage(cpu);
  return { cpuUs: (used.user + used.system) / OPERATIONS, wallUs };
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function compare(contest: Contest): Promise<number> {
  const bare: Cost[] = [];
  const port: Cost[] = [];
  await contest.bare();
  await contest.port();
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % 2 === 0;
    if (first) bare.push(await measure(contest.bare));
    port.push(await measure(contest.port));
    if (!first) bare.push(await measure(contest.bare));
  }
  const cpu = (costs: readonly Cost[]) => median(costs.map((cost) => cost.cpuUs));
  const rate = (costs: readonly Cost[]) => Math.round(1e6 / median(costs.map((cost) => cost.wallUs)));
  const ratio = cpu(port) / cpu(bare);
  console.log(
    `${contest.name.padEnd(18)} ${cpu(bare).toFixed(1).padStart(8)} ${cpu(port).toFixed(1).padStart(8)} ${ratio.toFixed(2).padStart(7)}   ${String(rate(bare)).padStart(8)} ${String(rate(port)).padStart(8)}`,
  );
  return ratio;
}

const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: 'warn' }),
};
const deployment = await startLocalDeployment(dir, {
  runtime,
  env: process.env,
  operator: 'bench',
  onEvent: console.error,
  syncInterval: 'default',
});
const client: NatsConnection = await connect({
  servers: deployment.url,
  authenticator: natsAuthenticator(() => loadCreds(credsPath(deployment.authDir, 'master'))),
  tls: { caFile: rootPath(deployment.authDir) },
  inboxPrefix: '_INBOX.bare',
  noAsyncTraces: true,
});

try {
  const { bus } = deployment;
  const js = jetstream(client);
  const manager = await jetstreamManager(client);
  const bareKv = await new Kvm(js).open('facts');
  const facts = bus.bucket('facts');
  await bus.subscribe('zester.bench.echo', (message) => bus.publish(message.reply ?? '', PAYLOAD));
  const subject = (i: number) =>
    jobReturnSubject('2hPx1FNsSgJMqVn5bLSTXeBQMpO' as never, `peel-${i % 100}` as never);
  await pipeline(OPERATIONS, (i) => bus.append(subject(i), PAYLOAD, {}));
  let consumers = 0;

  const contests: Contest[] = [
    {
      name: 'request',
      bare: () => pipeline(OPERATIONS, () => client.request('zester.bench.echo', PAYLOAD)),
      port: () => pipeline(OPERATIONS, () => bus.request('zester.bench.echo', PAYLOAD, { timeoutMs: 5_000 })),
    },
    {
      name: 'publish with ack',
      bare: () => pipeline(OPERATIONS, (i) => js.publish(subject(i), PAYLOAD)),
      port: () => pipeline(OPERATIONS, (i) => bus.append(subject(i), PAYLOAD, {})),
    },
    {
      name: 'kv put',
      bare: () => pipeline(OPERATIONS, (i) => bareKv.put(`peel-${i % 100}`, PAYLOAD)),
      port: () => pipeline(OPERATIONS, (i) => facts.put(`peel-${i % 100}`, PAYLOAD)),
    },
    {
      name: 'kv get',
      bare: () => pipeline(OPERATIONS, (i) => bareKv.get(`peel-${i % 100}`)),
      port: () => pipeline(OPERATIONS, (i) => facts.get(`peel-${i % 100}`)),
    },
    {
      name: 'consume and ack',
      async bare() {
        const name = `bare-${consumers++}`;
        await manager.consumers.add('job-events', { durable_name: name, ack_policy: AckPolicy.Explicit });
        const messages = await (await js.consumers.get('job-events', name)).consume({
          max_messages: IN_FLIGHT,
        });
        let done = 0;
        for await (const message of messages) {
          message.ack();
          if (++done === OPERATIONS) break;
        }
        await manager.consumers.delete('job-events', name);
      },
      async port() {
        const spec = { ...CONSUMERS.lateReturns, name: `port-${consumers++}`, ackPendingMax: 1_000 };
        let done = 0;
        await new Promise<void>((resolve) => {
          const consumption = bus
            .stream(spec.stream)
            .consume(spec, { slots: IN_FLIGHT }, async (delivery) => {
              delivery.ack();
              if (++done === OPERATIONS) void consumption.stop().then(resolve);
            });
        });
        await manager.consumers.delete('job-events', spec.name);
      },
    },
  ];

  console.log(
    `${OPERATIONS} operations of 300 bytes, ${IN_FLIGHT} in flight, median of ${ROUNDS}; nats-server ${deployment.serverVersion}, Node ${process.version}`,
  );
  console.log('                    CPU µs per operation            operations per s');
  console.log('                       bare     port   ratio       bare     port');
  const ratios: number[] = [];
  for (const contest of contests) ratios.push(await compare(contest));
  const worst = Math.max(...ratios);
  console.log(`worst ratio ${worst.toFixed(2)}, aim at most ${RATIO_MAX}`);
  process.exitCode = worst <= RATIO_MAX ? 0 : 1;
} finally {
  await client.close();
  await deployment.stop();
  rmSync(dir, { recursive: true, force: true });
}
