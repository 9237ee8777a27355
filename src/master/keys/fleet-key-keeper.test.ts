/**
 * Rotations of the fleet key on masters that share a memory server: with jobs, with two at once, with a peel that never confirms,
 * with a master that dies at every single write.
 */
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { FleetWorld } from '../../../test/harness/master/master-fleet.ts';
import { Trap } from '../../../test/harness/master/master-traps.ts';
import { SealedFleet } from '../../../test/harness/master/sealed-fleet.ts';
import { openTable } from '../../bus/kv/table.ts';
import { readKey, renewOperator, rotateKey } from '../../client/fleet-key/ask-fleet-key.ts';
import { newestGeneration } from '../../client/fleet-key/newest-generation.ts';
import { signingKey } from '../../client/fleet-key/signing-key.ts';
import { commandKeyOf } from '../../trust/command-key.ts';
import { generationOfContent } from '../../trust/fleet-seal.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import { newOperatorKey } from '../../trust/operator-key.ts';
import { decodeBase64url } from '../../wire/msgpack/base64url.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { COMMAND_KEY, FLEET_KEYS_KEY, MASTER_CURVE_KEY } from '../../wire/names/keys.ts';
import { fleetKeyListCodec } from '../../wire/records/fleet-key/fleet-keys.ts';
import { masterHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { TABLES } from '../../wire/records/tables.ts';

/** Short times, in which everything is as in long ones. */
const QUICK = { fleetKeyOverlapMinMs: 6_000, fleetKeyOverlapMaxMs: 60_000, heartbeatMs: 1_000 };
const HERE = { host: 'here', bootId: 'boot', settings: QUICK };
const NEVER = Number.MAX_SAFE_INTEGER;

async function newWorld(masters = 2) {
  const world = new FleetWorld();
  await world.fleet(masters, HERE);
  const client = clientOf(world.admin, world.runtime);
  const rotate = () => world.settled(rotateKey(client, 'fleet'), 'a rotation');
  const status = () => world.settled(readKey(client, 'fleet'), 'the standing');
  const ended = (msMax = 40_000) =>
    world.until(async () => !(await status()).isOverlap, 'the end of the overlap', msMax, 500);
  return { world, client, rotate, status, ended };
}

async function listed(world: FleetWorld): Promise<readonly number[]> {
  const read = await world.settled(
    world.admin.bucket(BUCKETS.secrets.name).getLatest(FLEET_KEYS_KEY),
    'list',
  );
  return read.found ? fleetKeyListCodec.decode(read.value).keys.map(({ generation }) => generation) : [];
}

/** A job on these peels, to its end. */
async function runs(world: FleetWorld, ...peels: readonly string[]) {
  const job = world.job(peels);
  await world.dispatch(job);
  await world.ends(job, 60_000);
  return (await world.record(job.jid))?.status;
}

describe('a rotation of the fleet key', () => {
  it('goes through while jobs run: peels confirm, the old one ends, and every job gets its answer', async () => {
    const { world, rotate, status, ended } = await newWorld();
    const peel = await world.peel('web-0', { rotates: true });
    expect(await runs(world, 'web-0')).toBe('complete');
    const begun = await rotate();
    expect(begun).toMatchObject({ isOverlap: true, peelsOnline: 1 });
    expect(begun.generations.map(({ generation, isGood }) => [generation, isGood])).toEqual([
      [2, true],
      [1, true],
    ]);
    expect(await runs(world, 'web-0')).toBe('complete');
    await ended();
    expect(await status()).toMatchObject({ peelsConfirmed: 1, peelsMissing: [], sealedOld: 0 });
    await world.until(() => peel.good.length === 1, 'the peel to hear of the end');
    expect(peel.seenGood).toEqual([[1], [2, 1], [2]]);
    expect(await runs(world, 'web-0')).toBe('complete');
    expect(peel.heard.every(({ verified }) => verified)).toBe(true);
    world.expectNoViolation();
    await world.close();
  });

  it('twice in a row leaves the third generation alone, and the keys for older programs are the newest', async () => {
    const { world, rotate, ended } = await newWorld();
    await world.peel('web-0', { rotates: true });
    for (const generation of [2, 3]) {
      expect((await rotate()).generations[0]?.generation).toBe(generation);
      await ended();
    }
    expect(await listed(world)).toEqual([3]);
    const secrets = world.admin.bucket(BUCKETS.secrets.name);
    const list = await world.settled(secrets.getLatest(FLEET_KEYS_KEY), 'the list');
    const [newest] = list.found ? fleetKeyListCodec.decode(list.value).keys : [];
    for (const [key, text] of [
      [MASTER_CURVE_KEY, newest?.curve],
      [COMMAND_KEY, newest?.command],
    ] as const) {
      const read = await world.settled(secrets.getLatest(key), key);
      expect(read.found && Buffer.from(read.value).toString()).toBe(text);
    }
    expect(await runs(world, 'web-0')).toBe('complete');
    await world.close();
  });

  it('of two operators at once is one, and the other is told whose it is', async () => {
    const { world, client } = await newWorld();
    const both = await world.settled(
      Promise.allSettled([
        rotateKey({ ...client, user: 'ann' }, 'fleet'),
        rotateKey({ ...client, user: 'bob' }, 'fleet'),
      ]),
      'both',
    );
    const refused = both.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(String((refused[0] as PromiseRejectedResult).reason)).toMatch(
      /under way: generation 2, begun by (ann|bob)/,
    );
    expect(await world.settled(openTable(world.admin, TABLES.fleetGenerations).ids(), 'ids')).toEqual([2]);
    await world.close();
  });

  it('waits for a peel that does not confirm, proves to it with the old one, and ends at the latest time', async () => {
    const { world, rotate, status, ended } = await newWorld();
    const silent = await world.peel('web-1', { rotates: true, confirms: false });
    // It reads the list late: up to then it has the old one only.
    await rotate();
    const beating = setBeats(world, silent);
    await world.clock.advance(20_000);
    expect(await status()).toMatchObject({ isOverlap: true, peelsMissing: ['web-1'] });
    expect(await runs(world, 'web-1')).toBe('complete');
    expect(silent.heard.every(({ verified }) => verified)).toBe(true);
    await ended(60_000);
    expect(await listed(world)).toEqual([2]);
    beating.stop();
    await world.close();
  });

  it('is not begun while a master of an older program is there', async () => {
    const { world, client } = await newWorld(1);
    const beats = openTable(world.admin, TABLES.masterHeartbeats);
    const old = masterHeartbeatCodec.create({
      masterId: 'master-2hPwQm3TxUvW8YnZrAb6NcDeFgH' as never,
      timestamp: 1n,
    });
    await world.settled(beats.put(old.masterId, old), 'a beat');
    await expect(world.settled(rotateKey(client, 'fleet'), 'a refusal')).rejects.toThrow(
      /not every master can rotate the fleet key: master-2hPw/,
    );
    await world.close();
  });

  it('seals secrets and settings of masters anew', async () => {
    const { world, rotate, ended } = await newWorld();
    const fleet = new SealedFleet(world);
    await fleet.publish({ 'top.zy': 'base:\n  "*": [a]\n', 'a.zy': 'p: !encrypted long-password\n' });
    await fleet.keyed('web-7');
    await world.until(
      async () => (await fleet.record('web-7')).is === 'found',
      'a sealed record',
      20_000,
      500,
    );
    await rotate();
    await ended();
    const record = await fleet.record('web-7');
    expect(record.is === 'found' && record.value.generation).toBe(2);
    const stored = await world.settled(world.admin.bucket(BUCKETS.masterSettings.name).entries(), 'settings');
    const generations = stored
      .map(({ value }) => generationOfContent(value))
      .filter((each) => each !== undefined);
    expect(generations).toEqual([2, 2]);
    const key = await world.settled(newestGeneration({ bus: world.admin }, world.account), 'the key');
    expect(await fleet.opened('web-7', key.curveKey.publicKey)).toEqual({ p: 'long-password' });
    await world.close();
  });

  it('survives the loss of any record while a master lives: what was sealed under it is opened for good', async () => {
    const { world, rotate, ended } = await newWorld();
    await world.peel('web-0', { rotates: true });
    for (const _ of [2, 3]) {
      await rotate();
      await ended();
    }
    const table = openTable(world.admin, TABLES.fleetGenerations);
    for (const generation of [3, 2]) {
      await world.settled(table.remove(generation), 'the loss');
      await world.until(
        async () => (await world.settled(table.getLatest(generation), 'it')).is === 'found',
        `generation ${generation} to be back`,
        90_000,
        1_000,
      );
    }
    await world.process(HERE);
    await world.close();
  });
});

describe('a master that dies in a rotation', () => {
  it.each(['before', 'after'] as const)(
    '%s the effect of any write leaves it to another, which brings it to its end',
    async (when) => {
      const whole = await dying(NEVER, when);
      expect(whole.writes.length).toBeGreaterThan(5);
      for (let diesAt = 1; diesAt <= whole.writes.length; diesAt++) {
        const { world, status, writes } = await dying(diesAt, when);
        try {
          expect(status.generations[0]).toMatchObject({ generation: 2, isGood: true });
          expect(await listed(world)).toEqual([2]);
          expect(await runs(world, 'web-0')).toBe('complete');
          world.expectNoViolation();
        } catch (error) {
          const last = writes[diesAt - 1];
          throw new Error(`died at write ${diesAt}, ${when} ${last?.op} ${last?.on}`, { cause: error });
        }
        await world.close();
      }
    },
    60_000,
  );
});

/** One master, which dies at the n-th write about keys; another starts in its place, and the operator asks again. */
async function dying(diesAt: number, when: 'before' | 'after') {
  const world = new FleetWorld();
  const trap = new Trap();
  const first = await world.process({ ...HERE, bus: trap.bus });
  await world.peel('web-0', { rotates: true });
  const writes = trap.killAt(
    () => {
      first.kill();
      world.startProcess(HERE);
    },
    diesAt,
    when,
    ({ op, on }) => ['create', 'update', 'put'].includes(op) && /fleet-keys|secrets/.test(on),
  );
  const client = clientOf(world.admin, world.runtime);
  const rotated = rotateKey(client, 'fleet').catch((error: unknown) => {
    // The one that died had made it, under a question that the next one did not see: it is under way.
    if (!String(error).includes('under way')) throw error;
  });
  await world.settled(rotated, 'a rotation');
  const status = () => world.settled(readKey(client, 'fleet'), 'the standing');
  await world.until(async () => !(await status()).isOverlap, 'the end', 90_000, 500);
  return { world, status: await status(), writes };
}

describe('the certificate of an operator', () => {
  it('is renewed while its generation is good, and not any more afterwards', async () => {
    const { world, client, rotate, ended } = await newWorld(1);
    const issued = client.runtime.clock.nowMs();
    const terms = { name: 'ann', issued: BigInt(issued) * 1_000_000n, expires: undefined };
    const key = newOperatorKey(world.random, commandKeyOf(world.account), terms);
    const old = newOperatorKey(world.random, commandKeyOf(world.account), terms);
    await rotate();
    const renewed = await world.settled(renewOperator(client, key), 'a certificate');
    expect(renewed.certificate).toMatchObject({ name: 'ann', generation: 2 });
    await ended();
    await expect(world.settled(renewOperator(client, old), 'a refusal')).rejects.toThrow(
      /is of generation 1 of the fleet key, and peels accept 2 only/,
    );
    expect((await world.settled(renewOperator(client, renewed), 'again')).certificate.generation).toBe(2);
    const signs = (operatorKey: typeof key) =>
      world.settled(signingKey({ ...client, operatorKey: () => operatorKey }), 'a key to sign with');
    await expect(signs(old)).rejects.toMatchObject({ code: 'AUTH_CERTIFICATE_RETIRED' });
    expect((await signs(renewed)).certificate.generation).toBe(2);
    await world.close();
  });

  it('is not renewed for who has it without its key, by a strange key, or by a wrong clock', async () => {
    const { world, client } = await newWorld(1);
    const terms = { name: 'ann', issued: 1n, expires: undefined };
    const key = newOperatorKey(world.random, commandKeyOf(world.account), terms);
    const thief = newOperatorKey(world.random, commandKeyOf(world.account), terms);
    const strange = newOperatorKey(world.random, commandKeyOf(newSigningKey('account', world.random)), terms);
    const ask = (operator: typeof key, given = client) =>
      world.settled(renewOperator(given, operator), 'a refusal');
    await expect(ask({ ...thief, certificate: key.certificate })).rejects.toThrow(/proof does not fit/);
    await expect(ask(strange)).rejects.toThrow(/unknown operator/);
    const { clock } = world.runtime;
    const wrong = { ...clock, nowMs: () => clock.nowMs() + 600_000 };
    await expect(ask(key, { ...client, runtime: { ...world.runtime, clock: wrong } })).rejects.toThrow(
      /clocks of this machine and of the master differ by 600 s/,
    );
    await world.close();
  });
});

/** A heartbeat every few seconds, as a peel has. */
function setBeats(world: FleetWorld, peel: { beat(): Promise<void> }): { stop(): void } {
  let isStopped = false;
  const again = () => {
    if (isStopped) return;
    void peel.beat();
    world.clock.after(5_000, again);
  };
  again();
  return {
    stop() {
      isStopped = true;
    },
  };
}

it('a generation that another account made is not used, and the master says so', async () => {
  const { world, status } = await newWorld(1);
  const record = {
    seed: 'AAAA',
    curve: 'X',
    command: 'c',
    phase: 'overlap',
    created: 1n,
    createdBy: 'eve',
    request: 'r',
    overlapMinMs: 1,
    overlapMaxMs: 1,
    ended: undefined,
  } as const;
  await world.settled(openTable(world.admin, TABLES.fleetGenerations).create(2, record), 'a forged one');
  await world.clock.advance(5_000);
  expect((await status()).generations.map(({ generation }) => generation)).toEqual([1]);
  expect(decodeBase64url(record.seed)).toBeDefined();
  await world.close();
});
