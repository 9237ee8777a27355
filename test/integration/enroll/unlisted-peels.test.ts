/**
 * Peels that an older version made have no enrollment, and their keys stand in no record. They are revoked all the same, on a real
 * nats-server: by the key of their connection, or as soon as they show themselves.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccountServers } from '../../../src/bus/account-servers.ts';
import { openTable } from '../../../src/bus/kv/table.ts';
import { connectedUsers } from '../../../src/master/accounts/connected-users.ts';
import type { EnrollDoor } from '../../../src/master/enroll/http/enroll-door.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { PeelId } from '../../../src/wire/names/ids.ts';
import type { Enrollment } from '../../../src/wire/records/enroll/enrollment.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import { DoorWorld } from '../../harness/enroll/door-world.ts';
import type { NewMachine } from '../../harness/enroll/new-machine.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const world = new DoorWorld();
let door: EnrollDoor;

beforeAll(async () => {
  await world.open();
  ({ door } = await world.master());
});
afterAll(() => world.close());

/** As the version before enrollment left it: credentials, and nothing that says so. */
async function oldPeel(machine: NewMachine) {
  const connected = world.connect(machine, world.trust.peelJwt(machine.peelId, machine.key));
  await connected.bus.connected();
  const facts = factsCodec.encode({ [FACT_KEYS.curvePublicKey]: machine.curvePublicKey });
  const tell = () => connected.bus.bucket(BUCKETS.facts.name).put(machine.peelId, facts);
  await tell();
  return { ...connected, tell };
}

async function isConnected(peel: PeelId): Promise<boolean> {
  const line = world.trust.connect([world.server.url], 'sys', 'sys');
  await until(() => line.status() === 'connected', 'a line');
  const agents = world.trust.topology.public.agents.publicKey;
  const users = await connectedUsers(openAccountServers(line, testRuntime), agents);
  await line.close();
  return users.some((user) => user.peel === peel);
}

const hasFacts = async (peel: PeelId) => (await world.admin.bucket(BUCKETS.facts.name).getLatest(peel)).found;
const recordsOf = async (peel: PeelId): Promise<Enrollment[]> =>
  (await openTable(world.admin, TABLES.enrollments).entries()).flatMap((entry) =>
    entry.is === 'found' && entry.value.peelId === peel ? [entry.value] : [],
  );

describe('a peel without an enrollment', () => {
  it('that is connected is revoked by its key: cut off, kept out, erased; others are not', async () => {
    const [old, other] = [world.machine('old-1'), world.machine('old-2')];
    const { line } = await oldPeel(old);
    const { line: otherLine } = await oldPeel(other);
    await until(() => hasFacts(old.peelId), 'its facts');
    const reply = await world.revokePeel('old-1');
    expect(reply).toMatchObject({ error: '', warning: '', servers: 1, serversKnown: 1 });
    expect(reply.record).toMatchObject({ state: 'revoked', publicKey: old.publicKey, decidedBy: 'alice' });
    await until(() => line.status() !== 'connected', 'its line to be cut');
    await until(() => line.failure() !== undefined, 'it to be refused');
    expect([line.status() === 'connected', await hasFacts(old.peelId)]).toEqual([false, false]);
    expect([otherLine.status(), await hasFacts(other.peelId)]).toEqual(['connected', true]);

    const again = await world.revokePeel('old-1');
    expect([again.record?.id, (await recordsOf(old.peelId)).length]).toEqual([reply.record?.id, 1]);
    // The id is free, also for the machine itself.
    const { jwt } = await world.join(door, old);
    await world.connect(old, jwt).bus.connected();
  }, 30_000);

  it('that is away is ignored at once, and its key revoked when it shows itself', async () => {
    const old = world.machine('old-3');
    const { line } = await oldPeel(old);
    await until(() => hasFacts(old.peelId), 'its facts');
    await line.close();
    await until(async () => !(await isConnected(old.peelId)), 'the server to notice');
    const reply = await world.revokePeel('old-3');
    expect(reply.record?.publicKey).toBe('');
    expect(reply.warning).toContain('its key is not known');
    expect(await hasFacts(old.peelId)).toBe(false);
    // Whoever lets another machine in under this id could not be sure to have one.
    const next = world.machine('old-3');
    const { id } = (await world.submit(door, next)).body;
    expect(await world.decide('approve', id)).toMatchObject({ code: 'ENROLL_OTHER_MACHINE' });

    const back = await oldPeel(old);
    await until(() => back.line.status() !== 'connected', 'it to be cut off', 20_000);
    await until(() => back.line.failure() !== undefined, 'it to be refused');
    const keys = (await recordsOf(old.peelId)).map(({ publicKey, state }) => `${state} ${publicKey}`);
    expect(keys.toSorted()).toEqual(
      ['revoked ', `revoked ${old.publicKey}`, `pending ${next.publicKey}`].toSorted(),
    );
    await until(async () => !(await hasFacts(old.peelId)), 'its facts to be erased');
    expect(await world.decide('approve', id)).toMatchObject({ error: '', code: '' });
  }, 60_000);

  it('that nobody knows is not claimed to be revoked', async () => {
    expect(await world.revokePeel('nobody-1')).toMatchObject({
      code: 'ENROLL_PEEL_UNKNOWN',
      record: undefined,
    });
  });
});
