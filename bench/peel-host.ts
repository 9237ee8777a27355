/**
 * A peel host is a process full of peels for benchmarks: each has its own TLS connection and the real peel code, on
 * a flat disk in memory (flat-disk.ts). As `mirror` its peels are on the real disk, each with a data directory, and mirror
 * what masters publish. As `join` its peels are machines that join first, all at once, as after a power cut. As `raw` it holds the same number of bare client connections that answer a plain request each: the
 * baseline.
 */
import { join } from 'node:path';
import { openAgentBus } from '../src/bus/bus.ts';
import { connectNats } from '../src/bus/nats/nats-connection.ts';
import { parseDoorUrls } from '../src/core/enroll/door-url.ts';
import { FUNCTIONS } from '../src/modules/registry.ts';
import { STATE_MODULES } from '../src/modules/state-registry.ts';
import { joinMachine } from '../src/peel/join/join-machine.ts';
import { startPeel } from '../src/peel/start-peel.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { linuxSystem } from '../src/system/linux/linux-system.ts';
import { memorySystem } from '../src/system/memory/memory-machine.ts';
import { mintPeelUser } from '../src/trust/accounts/users.ts';
import { loadCreds, loadMasterTrust } from '../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../src/trust/nats-authenticator.ts';
import { curveKeyOf, newSigningKey, type SigningKey } from '../src/trust/nkeys.ts';
import { rootPath } from '../src/trust/x509/ca-dir.ts';
import type { PeelId } from '../src/wire/names/ids.ts';
import { bareUser } from './bare-user.ts';
import { withFlatDisk } from './flat-disk.ts';

const AT_ONCE = 20;
/** Machines of a rack do not wait for one another. */
const JOINING_AT_ONCE = 10_000;
const MS_MAX = 600_000;
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

/** What a joining machine is told, as JSON in place of a directory. */
export interface BenchDoor {
  readonly url: string;
  readonly pin: string;
  readonly tokenFile: string;
  readonly dir: string;
}

async function joinAndRun(index: number): Promise<void> {
  const door = JSON.parse(dir) as BenchDoor;
  const peelId = `peel-${index}` as PeelId;
  const authDir = join(door.dir, peelId);
  const { files } = linuxSystem({ clock: systemClock, random: systemRandom });
  const { credsFile } = await joinMachine(
    {
      doors: parseDoorUrls(door.url) ?? [],
      pins: [door.pin],
      caFile: undefined,
      strict: true,
      id: peelId,
      token: { file: door.tokenFile },
      authDir,
      place: [],
      releaseKey: undefined,
      timeoutMs: MS_MAX,
      again: false,
    },
    files,
    {
      clock: systemClock,
      random: systemRandom,
      signal: new AbortController().signal,
      say: () => undefined,
    },
  );
  const { jwt, key } = loadCreds(credsFile);
  await start(peelId, jwt, key);
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
  await start(peelId, jwt, key);
}

async function start(peelId: PeelId, jwt: string, key: SigningKey): Promise<void> {
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

const bring = { raw: answerRaw, join: joinAndRun }[mode] ?? runPeel;
let next = Number(first);
const end = next + Number(count);
await Promise.all(
  Array.from({ length: mode === 'join' ? JOINING_AT_ONCE : AT_ONCE }, async () => {
    while (next < end) await bring(next++);
  }),
);
process.send?.('ready');
// The parent ends us; a parent that died must not leave us behind.
process.on('disconnect', () => process.exit(0));
