import { describe, expect, it } from 'vitest';
import { changedAccount } from '../../../test/harness/accounts.ts';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import { bodyOf } from '../../accounts/next-docs.ts';
import { isSettled } from '../../accounts/settle-accounts.ts';
import { openAccountServers } from '../../bus/account-servers.ts';
import type { Connection } from '../../bus/connection.ts';
import { openTable } from '../../bus/kv/table.ts';
import { resignAccount } from '../../trust/accounts/accounts.ts';
import { newSigningKey, type SigningKey } from '../../trust/nkeys.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { GRANTS_VERSION } from '../../wire/names/grants.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { ACCOUNT_DOCS_KEY, ACCOUNTS_LEASE_KEY, basketKey } from '../../wire/names/keys.ts';
import { STREAMS } from '../../wire/names/streams.ts';
import { type Enrollment, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { eventCodec } from '../../wire/records/event.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { AgentsKeyBook } from '../keys/agents-key-book.ts';
import { masterKeysOf } from '../master-ports.ts';
import { AgreedTime } from '../store/agreed-time.ts';
import { accountKeeper } from './account-keeper.ts';

const RESTORED_MS_MAX = 10_000;
const DAY_MS = 86_400_000;
const makeWorld = closedAfterEach(() => new MasterWorld());

/** A master that keeps accounts, beside the record and a peel to be shut out. */
async function setUp() {
  const world = makeWorld();
  const ports = world.accountPorts();
  const { master } = world.startMaster({}, world.connectMaster(), { accounts: ports });
  await world.settled(master.ready, 'a master');
  await world.until(() => master.state().leases.includes(ACCOUNTS_LEASE_KEY), 'the lease');
  const context = { ...(await world.settled(makeContext(world), 'a context')) };
  const keeper = accountKeeper(context, ports);
  const docs = async () => {
    const read = await world.settled(context.docs.getLatest(ACCOUNT_DOCS_KEY), 'the record');
    return read.is === 'found' ? read.value : undefined;
  };
  return { world, ports, master, keeper, context, docs, settle: () => world.settled(keeper.settle(), 'it') };
}

async function makeContext(world: MasterWorld) {
  const bus = world.connectMaster();
  await bus.connected();
  return {
    bus,
    runtime: world.runtime,
    identity: { masterId: 'master-2' as never, host: 'here', pid: 2, bootId: 'b', version: '0' },
    metrics: { accountRestored: () => undefined } as never,
    life: new AbortController().signal,
    keys: masterKeysOf(world.account),
    agentsKeys: new AgentsKeyBook(world.topology.agentsSigning, masterKeysOf(world.account).vault),
    now: () => world.now(),
    agreedTime: new AgreedTime({ bus, runtime: world.runtime }),
    docs: openTable(bus, TABLES.accountDocs),
  };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;

function peelOf({ world }: SetUp, name: string): { key: SigningKey; connection: Connection } {
  const key = newSigningKey('user', world.random);
  const issuedAtS = Math.floor(world.clock.nowMs() / 1_000);
  return { key, connection: world.server.connect({ role: 'peel', name, key: key.publicKey, issuedAtS }) };
}

async function enroll(
  { world, context }: SetUp,
  key: SigningKey,
  given: Partial<Enrollment> = {},
): Promise<void> {
  const id =
    `enr-${'x'.repeat(22)}${String(world.random.fraction()).slice(2, 7).padEnd(5, '0')}` as EnrollmentId;
  const now = world.now();
  const record = enrollmentCodec.create({
    id,
    peelId: 'web-1' as PeelId,
    publicKey: key.publicKey,
    curvePublicKey: 'X',
    state: 'revoked',
    createdAt: now,
    updatedAt: now,
    decidedAt: now,
    ...given,
  });
  await world.settled(openTable(context.bus, TABLES.enrollments).put(id, record), 'an enrollment');
}

describe('the account keeper', () => {
  it('begins the record from what servers and its own files have', async () => {
    const all = await setUp();
    await all.world.until(async () => (await all.docs()) !== undefined, 'the record');
    const { agents, control, system } = all.world.topology.public;
    expect(await all.docs()).toMatchObject({
      grantsVersion: GRANTS_VERSION,
      control: control.jwt,
      agents: agents.jwt,
      system: system.jwt,
    });
    expect(isSettled(await all.settle())).toBe(true);
  });

  it('shuts a revoked peel out at once on any master, and not one whose key was taken over', async () => {
    const all = await setUp();
    const [bad, kept] = [peelOf(all, 'web-1'), peelOf(all, 'web-2')];
    await all.world.until(() => kept.connection.status() === 'connected', 'the peels');
    await enroll(all, bad.key);
    await enroll(all, kept.key, { supersededBy: 'enr-other' });
    const report = await all.settle();
    expect(report).toMatchObject({ isNew: true, trouble: '', words: [{ isTaken: true }] });
    await all.world.clock.advance(1);
    expect([bad.connection.status(), kept.connection.status()]).toEqual(['disconnected', 'connected']);
    expect(Object.keys(bodyOf(report.docs.agents).nats.revocations ?? {})).toEqual([bad.key.publicKey]);
    expect((await all.settle()).isNew).toBe(false);
  });

  it('has erased what a peel wrote while an older document let it in, into its basket too', async () => {
    const all = await setUp();
    const { world } = all;
    const bad = peelOf(all, 'web-1');
    await enroll(all, bad.key);
    await world.until(async () => (await all.docs())?.agents !== world.topology.public.agents.jwt, 'it');
    // What masters look at after their start and after a revocation is over.
    await world.clock.advance(20_000);
    const bucket = world.admin.bucket(BUCKETS.basket.name);
    const basket = basketKey('web-1' as PeelId, 'test.ping');
    const words = () => world.settled(bucket.keys(), 'the basket');
    await world.settled(bucket.put(basket, Buffer.from('x')), 'its word');
    await world.clock.advance(20_000);
    expect(await words()).toEqual([basket]);
    await world.settled(all.ports.servers.push(world.topology.public.agents.jwt), 'the push');
    await world.until(async () => (await words()).length === 0, 'it to be erased', RESTORED_MS_MAX + 5_000);
  });

  it('forgets no revocation by a clock that is far ahead, and says so; by the clock of the store it does', async () => {
    const all = await setUp();
    const { world } = all;
    await enroll(all, peelOf(all, 'web-1').key);
    await all.settle();
    const revoked = async () =>
      Object.keys(bodyOf((await all.docs())?.agents ?? '').nats.revocations ?? {}).length;
    const { clock } = world;
    const ahead = { ...clock, nowMs: () => clock.nowMs() + 900 * DAY_MS };
    const runtime = { ...world.runtime, clock: ahead };
    const context = {
      ...all.context,
      runtime,
      agreedTime: new AgreedTime({ bus: all.context.bus, runtime }),
    };
    await world.settled(accountKeeper(context, all.ports).settle(), 'a look from the future');
    expect([await revoked(), world.logged('differ by hours').length]).toEqual([1, 1]);
    clock.jumpWall(900 * DAY_MS);
    await all.settle();
    expect(await revoked()).toBe(0);
  });

  it('does not wait for anybody to ask', async () => {
    const all = await setUp();
    const bad = peelOf(all, 'web-1');
    await all.world.until(() => bad.connection.status() === 'connected', 'the peel');
    await enroll(all, bad.key);
    await all.world.until(() => bad.connection.status() !== 'connected', 'its end', RESTORED_MS_MAX);
  });

  it('keeps a banned peel out until the ban is over', async () => {
    const all = await setUp();
    const { world } = all;
    const bad = peelOf(all, 'web-1');
    const [since, until] = [world.now(), nanosFromMs(world.clock.nowMs() + 30_000)];
    const ban = { peelId: 'web-1' as PeelId, publicKey: bad.key.publicKey, since, until };
    const table = openTable(all.context.bus, TABLES.floodBans);
    await world.settled(
      table.put(ban.peelId, { ...ban, count: 1, reason: 'r', noticedBy: 'm', liftedBy: '' }),
      'it',
    );
    await all.settle();
    expect((await all.docs())?.bannedKeys).toEqual([bad.key.publicKey]);
    await world.clock.advance(1);
    expect(bad.connection.status()).not.toBe('connected');
    await world.until(() => bad.connection.status() === 'connected', 'its return', 40_000);
    expect(world.clock.nowMs()).toBeGreaterThanOrEqual(Number(until / 1_000_000n));
    expect((await all.docs())?.bannedKeys).toEqual([]);
  });

  it.each([
    ['an older document', ({ world }: SetUp) => world.topology.public.agents.jwt],
    [
      'one of a stranger',
      ({ world }: SetUp) =>
        changedAccount(world.topology.public.agents.jwt, newSigningKey('operator', world.random), (b) => b),
    ],
    [
      'one that was signed later, without the revocation',
      ({ world }: SetUp) =>
        changedAccount(world.topology.public.agents.jwt, world.topology.operatorSigning, (b) => b, 9_000_000),
    ],
  ])('puts a server right that was given %s, in time, and tells it', async (_what, jwtOf) => {
    const all = await setUp();
    const { world } = all;
    const bad = peelOf(all, 'web-1');
    await enroll(all, bad.key);
    await all.settle();
    await world.clock.advance(4_000);
    const before = world.logged('had another account document').length;
    await world.settled(all.ports.servers.push(jwtOf(all)), 'the push');
    await world.until(
      async () => {
        const [text = ''] = await world.settled(
          all.ports.servers.lookup(world.topology.public.agents.publicKey),
          'a look',
        );
        return text === (await all.docs())?.agents;
      },
      'the right one',
      RESTORED_MS_MAX,
    );
    expect(Object.keys(bodyOf((await all.docs())?.agents ?? '').nats.revocations ?? {})).toEqual([
      bad.key.publicKey,
    ]);
    expect(world.logged('had another account document').length).toBeGreaterThan(before);
    await world.until(async () => {
      const stream = all.context.bus.stream(STREAMS.events.name);
      const told = await world.settled(stream.last('zester.event._master.accounts.restored'), 'the event');
      return told !== undefined && eventCodec.decode(told.data).data.account === 'agents';
    }, 'the event');
    await world.clock.advance(1);
    expect(bad.connection.status()).not.toBe('connected');
  });

  it('puts a server right in time also where the master that led has died, and nobody leads yet', async () => {
    const all = await setUp();
    const { world, keeper, ports } = all;
    await enroll(all, peelOf(all, 'web-1').key);
    await all.settle();
    await world.settled(all.master.stop(), 'the end of the leader');
    keeper.start(() => false);
    await world.settled(ports.servers.push(world.topology.public.agents.jwt), 'the push');
    await world.until(
      async () => {
        const look = ports.servers.lookup(world.topology.public.agents.publicKey);
        return (await world.settled(look, 'a look'))[0] === (await all.docs())?.agents;
      },
      'the right one',
      RESTORED_MS_MAX,
    );
    await keeper.stop();
  });

  it('takes over revocations of a later document when the record has gone back in time', async () => {
    const all = await setUp();
    const { world } = all;
    const key = newSigningKey('user', world.random);
    const { agents } = world.topology.public;
    const atS = Math.floor(world.clock.nowMs() / 1_000);
    const later = resignAccount(
      agents.jwt,
      { [key.publicKey]: atS },
      world.clock.nowMs() + 60_000,
      world.topology.operatorSigning,
    );
    await world.settled(all.ports.servers.push(later), 'the push');
    await all.settle();
    expect(bodyOf((await all.docs())?.agents ?? '').nats.revocations).toEqual({ [key.publicKey]: atS });
  });

  it('keeps the grants of a newer program, and adds revocations to them', async () => {
    const all = await setUp();
    const { world, context } = all;
    await all.settle();
    const now = await all.docs();
    if (now === undefined) throw new Error('no record');
    const newer = (jwt: string) =>
      changedAccount(jwt, world.topology.operatorSigning, (body) => ({
        ...body,
        tags: ['zester-grants:99'],
        ...{ unheard: 'of' },
      }));
    const future = {
      ...now,
      grantsVersion: 99,
      control: newer(now.control),
      agents: newer(now.agents),
      system: newer(now.system),
    };
    await world.settled(context.docs.put(ACCOUNT_DOCS_KEY, future), 'a newer record');
    const bad = newSigningKey('user', world.random);
    await enroll(all, bad);
    const { docs } = await all.settle();
    expect(docs.grantsVersion).toBe(99);
    expect(bodyOf(docs.agents).nats).toMatchObject({
      tags: ['zester-grants:99'],
      unheard: 'of',
      revocations: { [bad.publicKey]: expect.any(Number) },
    });
    expect(docs.control).toBe(future.control);
  });

  it('begins anew where the record is none, and says when the store does not answer', async () => {
    const all = await setUp();
    await all.settle();
    const bucket = all.context.bus.bucket(TABLES.accountDocs.bucket.name);
    await all.world.settled(bucket.put(ACCOUNT_DOCS_KEY, new Uint8Array([1, 2, 3])), 'garbage');
    await all.settle();
    expect(await all.docs()).toMatchObject({ grantsVersion: GRANTS_VERSION });
    all.world.server.stop();
    await expect(all.settle()).rejects.toThrow();
    expect(all.keeper.problem()).not.toBe('');
    all.world.server.start();
    await all.world.until(async () => isSettled(await all.settle()), 'better times');
    expect(all.keeper.problem()).toBe('');
  });

  it('reports what it cannot reach, and reaches it when it is back', async () => {
    const all = await setUp();
    const lost = all.world.server.connect({ role: 'admin', name: 'no system user' });
    const servers = openAccountServers(lost, all.world.runtime);
    const keeper = accountKeeper(all.context, { servers, authority: all.world.topology });
    const report = await all.world.settled(keeper.settle(), 'it');
    expect(isSettled(report)).toBe(false);
    expect(keeper.problem()).toContain('sys.creds may not ask');
  });

  it('gives whoever asks while it works a look that begins afterwards', async () => {
    const all = await setUp();
    const first = all.keeper.settle();
    const bad = peelOf(all, 'web-1');
    await enroll(all, bad.key);
    const [, second, third] = await all.world.settled(
      Promise.all([first, all.keeper.settle(), all.keeper.settle()]),
      'them',
    );
    expect(second).toBe(third);
    expect(bodyOf(second.docs.agents).nats.revocations).toHaveProperty(bad.key.publicKey);
  });
});
