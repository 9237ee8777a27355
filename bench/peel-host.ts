/**
 * A peel host is a process full of peels for benchmarks: each has its own TLS connection and the real peel code, on
 * a flat disk in memory (flat-disk.ts). As `mirror` its peels are on the real disk, each with a data directory, and mirror
 * what masters publish. As `raw` it holds the same number of bare client connections that answer a plain request each: the
 * baseline.
 */
import { join } from 'node:path';
import { openAgentBus } from '../src/bus/bus.ts';
import { connectNats } from '../src/bus/nats/nats-connection.ts';
import { FUNCTIONS } from '../src/modules/registry.ts';
import { STATE_MODULES } from '../src/modules/state-registry.ts';
import { startPeel } from '../src/peel/start-peel.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { linuxSystem } from '../src/system/linux/linux-system.ts';
import { memorySystem } from '../src/system/memory/memory-machine.ts';
import { mintPeelUser } from '../src/trust/accounts/users.ts';
import { loadMasterTrust } from '../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../src/trust/nats-authenticator.ts';
import { curveKeyOf, newSigningKey } from '../src/trust/nkeys.ts';
import { rootPath } from '../src/trust/x509/ca-dir.ts';
import type { PeelId } from '../src/wire/names/ids.ts';
import { bareUser } from './bare-user.ts';
import { withFlatDisk } from './flat-disk.ts';

const AT_ONCE = 20;
const HOUR_MS = 3_600_000;

const [, , mode = '', url = '', authDir = '', first = '0', count = '0', dir = ''] = process.argv;
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
    runtime,
    identity: { peelId, curveKey: curveKeyOf(key) },
    version: '0',
    functions: FUNCTIONS,
    ...(mode === 'mirror' ? onDisk(join(dir, peelId)) : inMemory()),
  });
  await bus.connected();
  await peel.ready;
}

function inMemory() {
  const system = withFlatDisk(memorySystem({ clock: systemClock, random: systemRandom }));
  return { system, dataDir: '/var/lib/zester' };
}

function onDisk(dataDir: string) {
  const caches = { states: join(dataDir, 'cache/states'), settings: join(dataDir, 'cache/settings') };
  return {
    system: linuxSystem({ clock: systemClock, random: systemRandom }),
    dataDir,
    states: { modules: STATE_MODULES, bakedDir: undefined, settingsDir: undefined, caches },
  };
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
