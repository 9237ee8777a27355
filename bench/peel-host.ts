/**
 * A peel host is a process full of peels for jobs.bench.ts: each has its own TLS connection and the real peel code, on
 * a flat disk in memory (flat-disk.ts). As `raw` it holds the same number of bare client connections that answer a
 * plain request each: the baseline.
 */
import { openAgentBus } from '../src/bus/bus.ts';
import { connectNats } from '../src/bus/nats/nats-connection.ts';
import { FUNCTIONS } from '../src/modules/registry.ts';
import { startPeel } from '../src/peel/start-peel.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { memorySystem } from '../src/system/memory/memory-machine.ts';
import { loadMasterTrust } from '../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../src/trust/nats-authenticator.ts';
import { curveKeyOf, newSigningKey } from '../src/trust/nkeys.ts';
import { mintPeelUser } from '../src/trust/users.ts';
import { rootPath } from '../src/trust/x509/ca-dir.ts';
import type { PeelId } from '../src/wire/names/ids.ts';
import { bareUser } from './bare-user.ts';
import { withFlatDisk } from './flat-disk.ts';

const AT_ONCE = 20;
const HOUR_MS = 3_600_000;

const [, , mode = '', url = '', authDir = '', first = '0', count = '0'] = process.argv;
const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: 'error' }),
};
const { agentsSigning, public: known } = loadMasterTrust(authDir);

const connectBare = bareUser(url, authDir);

async function answerRaw(index: number): Promise<void> {
  const connection = await connectBare();
  connection.subscribe(`bench.raw.${index}`, {
    callback: (_, message) => {
      message.respond(message.data);
    },
  });
  await connection.flush();
}

async function runPeel(index: number): Promise<void> {
  const peelId = `peel-${index}` as PeelId;
  const key = newSigningKey('user', systemRandom);
  const nowMs = systemClock.nowMs();
  const jwt = mintPeelUser(agentsSigning, {
    agentsAccount: known.agents.publicKey,
    peelId,
    userPublicKey: key.publicKey,
    nowMs,
    expiresAtMs: nowMs + HOUR_MS,
  });
  const connection = connectNats({
    servers: [url],
    name: peelId,
    inboxName: peelId,
    authenticator: natsAuthenticator(() => ({ jwt, key })),
    caFile: rootPath(authDir),
    runtime,
  });
  const bus = openAgentBus(connection, runtime);
  const peel = startPeel({
    bus,
    system: withFlatDisk(memorySystem({ clock: systemClock, random: systemRandom })),
    runtime,
    identity: { peelId, curveKey: curveKeyOf(key) },
    dataDir: '/var/lib/zester',
    version: '0',
    functions: FUNCTIONS,
  });
  await bus.connected();
  await peel.ready;
}

const start = mode === 'raw' ? answerRaw : runPeel;
let next = Number(first);
const end = next + Number(count);
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next < end) await start(next++);
  }),
);
process.send?.('ready');
// The parent ends us; a parent that died must not leave us behind.
process.on('disconnect', () => process.exit(0));
