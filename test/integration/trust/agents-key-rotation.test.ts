/**
 * The agents key is rotated on a real nats-server, with masters, doors and peels that joined through them: peels renew and connect
 * anew by themselves, the old key is refused afterwards, and whoever was away, or was cut off because the key was stolen, comes
 * back with its own key and without a person.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf } from '../../../src/accounts/next-docs.ts';
import { openAgentBus } from '../../../src/bus/bus.ts';
import { openTable } from '../../../src/bus/kv/table.ts';
import { connectNats } from '../../../src/bus/nats/nats-connection.ts';
import { readKey, rotateKey } from '../../../src/client/fleet-key/ask-fleet-key.ts';
import { FUNCTIONS } from '../../../src/modules/registry.ts';
import { joinMachine } from '../../../src/peel/join/join-machine.ts';
import { parseJoinOptions } from '../../../src/peel/join/join-options.ts';
import { writeCredsFile } from '../../../src/peel/join/peel-auth-dir.ts';
import { type KeptCredentials, keepCredentials } from '../../../src/peel/join/renew-credentials.ts';
import { tendConnection } from '../../../src/peel/join/tend-connection.ts';
import { startPeel } from '../../../src/peel/start-peel.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import { memorySystem } from '../../../src/system/memory/memory-machine.ts';
import { agentsKeysOf } from '../../../src/trust/accounts/claims.ts';
import { loadCreds } from '../../../src/trust/auth-dir.ts';
import type { Creds } from '../../../src/trust/creds.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { curveKeyOf } from '../../../src/trust/nkeys.ts';
import type { PeelId } from '../../../src/wire/names/ids.ts';
import { ACCOUNT_DOCS_KEY } from '../../../src/wire/names/keys.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import { clientOf } from '../../harness/client-of.ts';
import { DoorWorld } from '../../harness/enroll/door-world.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const QUICK = { fleetKeyOverlapMinMs: 3_000, fleetKeyOverlapMaxMs: 30_000, heartbeatMs: 1_000 };
const TEND = { patienceMs: 60_000, lookEveryMs: 200, reachMs: 5_000 };
const world = new DoorWorld();
const root = mkdtempSync(join(tmpdir(), 'zester-agents-key-'));
let url = '';

beforeAll(async () => {
  await world.open();
  const { door } = await world.master({}, true, QUICK);
  await world.master({}, true, QUICK);
  url = `https://127.0.0.1:${door.address.port}`;
}, 60_000);
afterAll(async () => {
  await world.close();
  rmSync(root, { recursive: true, force: true });
});

const client = () => clientOf(world.admin, testRuntime);
const status = () => readKey(client(), 'agents');

/** What the record says that NATS servers accept. */
async function listed() {
  const read = await openTable(world.admin, TABLES.accountDocs).getLatest(ACCOUNT_DOCS_KEY);
  return read.is === 'found' ? agentsKeysOf(bodyOf(read.value.agents).nats) : expect.unreachable('no record');
}

/** A machine that has joined through the door, and was approved once. */
async function machine(name: string) {
  const dir = join(root, name);
  const command = parseJoinOptions([url, '--pin', world.pin, '--id', name, '--auth-dir', dir]);
  if (!('join' in command)) throw new Error('not a join');
  const line = { ...testRuntime, signal: new AbortController().signal, say: () => {} };
  const joining = joinMachine(command.join, { read: async () => Buffer.from('vm\n') }, line);
  const waiting = async () =>
    (await openTable(world.admin, TABLES.enrollments).entries()).find(
      (read) => read.is === 'found' && read.value.peelId === name && read.value.state === 'pending',
    );
  await until(async () => (await waiting()) !== undefined, 'its request');
  await world.decide('approve', (await waiting())?.key ?? '');
  const { credsFile } = await joining;
  return { name, dir, credsFile, creds: () => loadCreds(credsFile) };
}
type Joined = Awaited<ReturnType<typeof machine>>;

/** The parts of zester-peel that have to do with credentials, in this process. */
function starts({ name, dir, credsFile, creds }: Joined) {
  let inUse: Creds | undefined;
  let renewal: KeptCredentials | undefined;
  let logged = '';
  const log = jsonLog({ clock: testRuntime.clock, write: (line) => (logged += line) });
  const runtime = { ...testRuntime, log };
  const authenticator = natsAuthenticator(() => (inUse = creds()));
  const connection = connectNats({
    servers: [world.server.url],
    name,
    inboxName: name,
    authenticator,
    caFile: world.trust.caFile,
    runtime,
    retryMsMax: 300,
  });
  const bus = openAgentBus(connection, runtime);
  const peelId = name as PeelId;
  const peel = startPeel({
    bus,
    system: memorySystem(runtime),
    runtime,
    identity: { peelId, curveKey: curveKeyOf(creds().key) },
    dataDir: '/var/lib/zester',
    version: '0',
    functions: FUNCTIONS,
    issuerInUse: () => inUse?.claims.iss,
    agentsKeysChanged: () => renewal?.look(),
    settings: { heartbeatMs: 500 },
  });
  renewal = keepCredentials({
    bus,
    runtime,
    peelId,
    readCreds: creds,
    writeJwt: (jwt, { key }) => writeCredsFile(credsFile, jwt, key),
    jwtInUse: () => inUse?.jwt,
    agentsKeys: peel.agentsKeys,
    reconnect: () => connection.reconnect(),
  });
  const ports = { connection, runtime, authDir: dir, readCreds: creds, areServersGiven: true, times: TEND };
  const tending = tendConnection(ports);
  return {
    connection,
    issuer: () => inUse?.claims.iss,
    log: () => logged,
    async stop() {
      tending.stop();
      renewal?.stop();
      await peel.stop();
      await bus.close();
    },
  };
}

/** Whether these credentials get anybody in. */
async function isLetIn(name: string, creds: Creds): Promise<boolean> {
  const line = world.trust.connect([world.server.url], 'peel', name, creds);
  await until(() => line.status() === 'connected' || line.failure() !== undefined, 'an answer');
  const isIn = line.status() === 'connected';
  await line.close();
  return isIn;
}

describe('a rotation of the agents key', () => {
  it('moves peels to new credentials while they run, then ends the old key; one that was away comes back by itself', async () => {
    const [web, away] = [await machine('web-1'), await machine('away-1')];
    const first = web.creds();
    const running = starts(web);
    await until(async () => (await status()).peelsOnline === 1, 'its heartbeat');
    expect((await status()).generations.map(({ generation }) => generation)).toEqual([1]);

    const begun = await rotateKey(client(), 'agents');
    expect(begun).toMatchObject({ isOverlap: true, generations: [{ generation: 2 }, { generation: 1 }] });
    expect((await listed()).keys).toHaveLength(2);
    await expect(rotateKey(client(), 'agents')).rejects.toThrow('a rotation of the agents key is under way');
    await until(async () => (await status()).peelsConfirmed === 1, 'the peel to use new credentials');
    expect(await isLetIn('web-1', first)).toBe(true);
    expect(web.creds().key.publicKey).toBe(first.key.publicKey);

    await until(async () => !(await status()).isOverlap, 'the end of the overlap', 20_000);
    const { generation, keys } = await listed();
    expect([generation, keys]).toEqual([2, [running.issuer()]]);
    await until(async () => !(await isLetIn('web-1', first)), 'the server to refuse the old key');
    expect(running.log()).not.toContain('enrolling again');
    expect((await status()).peelsConfirmed).toBe(1);

    const back = starts(away);
    await until(() => back.connection.status() === 'connected', 'the peel that was away', 20_000);
    expect(back.log()).toContain('the agents key that signed the credentials has ended');
    expect(back.issuer()).toBe(keys[0]);
    await back.stop();
    await running.stop();
  }, 90_000);

  it('at once cuts off everybody, also a thief, and peels come back with their own keys', async () => {
    const web = await machine('web-2');
    const stolen = web.creds();
    const running = starts(web);
    await until(() => running.connection.status() === 'connected', 'the peel');
    const before = (await listed()).generation;
    const done = await rotateKey(client(), 'agents', true);
    expect(done).toMatchObject({ isOverlap: false });
    expect(await listed()).toMatchObject({ generation: before + 1, keys: [expect.any(String)] });
    await until(async () => !(await isLetIn('web-2', stolen)), 'the server to refuse the old key');
    const [key] = (await listed()).keys;
    await until(
      () => running.issuer() === key && running.connection.status() === 'connected',
      'it to be back',
      20_000,
    );
    const again = await machine('web-3');
    expect(again.creds().claims.iss).toBe(key);
    await running.stop();
  }, 90_000);

  it('is refused where a peel could not get new credentials, unless the key was stolen', async () => {
    const key = world.trust.creds('peel', 'by-hand');
    const line = world.trust.connect([world.server.url], 'peel', 'by-hand', key);
    // Its key is the first one, which has ended: so it says its heartbeat as a master would see one.
    await openTable(world.admin, TABLES.peelHeartbeats).put('by-hand' as PeelId, {
      ...{ timestamp: 1n as never, version: '0', protocol: 1, since: undefined, filesProblem: '' },
      ...{
        statesRevision: 0,
        settingsRevision: 0,
        secretsRevision: 0,
        fleetGeneration: 1,
        agentsGeneration: 0,
      },
    });
    await until(async () => (await status()).peelsMissing.includes('by-hand'), 'it to be seen');
    await until(async () => (await status()).mastersMissing.length === 0, 'all masters to have the newest');
    await expect(rotateKey(client(), 'agents')).rejects.toThrow('would be shut out: by-hand');
    await line.close();
  }, 60_000);
});
