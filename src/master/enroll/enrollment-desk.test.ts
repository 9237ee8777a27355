/** Machines that join, and those that only try: the desk of masters on a memory server. */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import { TEST_CA_PIN } from '../../../test/harness/master/bare-machine.ts';
import { interceptedBus } from '../../../test/harness/master/master-bus.ts';
import { openTable } from '../../bus/kv/table.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { decodeJwt } from '../../trust/accounts/jwt.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { EnrollmentId } from '../../wire/names/ids.ts';
import { enrolledPeelKey } from '../../wire/names/keys.ts';
import { enrollAdminRequestCodec } from '../../wire/records/enroll/enroll-admin.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { EnrollmentDesk } from './enrollment-desk.ts';

const makeWorld = closedAfterEach(() => new EnrollWorld());
const DAY_MS = 86_400_000;
const OTHER_PIN = `sha256:${'00'.repeat(32)}`;

const refused = async (world: EnrollWorld, work: Promise<unknown>, code: string) =>
  expect(
    await world.settled(
      work.catch((error: unknown) => error),
      'a refusal',
    ),
  ).toMatchObject({ code });

async function opened(): Promise<{ world: EnrollWorld; desk: EnrollmentDesk }> {
  const world = makeWorld();
  return { world, desk: await world.desk() };
}

describe('a machine that joins', () => {
  it('waits for an operator, fetches its credentials once, and is active with its first facts', async () => {
    const { world, desk } = await opened();
    const web = world.machine('web-1');
    const { id, state } = await world.submit(desk, web, { pin: TEST_CA_PIN });
    expect(state).toBe('pending');
    await refused(world, desk.issue(id, web.proof(id)), 'ENROLL_NOT_APPROVED');
    const reply = await world.decide('approve', id, { tags: { role: 'web' }, facts: { pci: true } });
    expect(reply.record).toMatchObject({
      state: 'approved',
      decidedBy: 'alice',
      tags: { role: 'web' },
      trustChecked: true,
    });
    const { jwt } = await world.settled(desk.issue(id, web.proof(id)), 'credentials');
    expect(decodeJwt(jwt, 'user')).toMatchObject({ name: 'web-1', sub: web.publicKey });
    await refused(world, desk.issue(id, web.proof(id)), 'ENROLL_ALREADY_ISSUED');

    await world.peel('web-1', { key: web.key });
    await world.until(
      async () => (await world.enrollments())[0]?.state === 'active',
      'its first facts to count',
    );
    const told = (await world.events()).map(({ tag }) => tag);
    expect(told).toEqual(['pending', 'approved', 'issued', 'active'].map((step) => `enroll/${step}/${id}`));
    expect((await world.events())[1]?.data).toEqual({ id, peel_id: 'web-1', ip: '192.0.2.7', by: 'alice' });
  });

  it('and asks again while it waits has the same enrollment, and any number of masters say so', async () => {
    const { world, desk } = await opened();
    const other = await world.desk();
    const web = world.machine('web-1');
    const ids = [
      await world.submit(desk, web),
      await world.submit(other, web),
      await world.submit(desk, web),
    ];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
  });

  it('is told what was decided when that was before its master knew that the record is written', async () => {
    const world = makeWorld();
    const other = await world.desk();
    let answersLost = 0;
    const bus = interceptedBus(world.connectMaster(), (call, run) => {
      if (call.op !== 'create' || !call.on.startsWith('enrollments/enr-') || answersLost > 0) return run();
      answersLost += 1;
      const lost = async () => {
        await run();
        const [record] = await openTable(world.admin, TABLES.enrollments).entries();
        const request = { id: String(record?.id), operator: 'alice' };
        await other.decisions.approve(enrollAdminRequestCodec.create(request));
        throw zesterError('BUS_TIMEOUT', { what: call.on, ms: 1 });
      };
      return lost() as ReturnType<typeof run>;
    });
    const { state, decidedBy } = await world.submit(await world.desk(bus), world.machine('web-1'));
    expect([answersLost, state, decidedBy]).toEqual([1, 'approved', 'alice']);
  });

  it('again with the key of its live enrollment takes its place, approved, and the old one ends', async () => {
    const { world, desk } = await opened();
    const web = world.machine('web-1');
    const old = await world.join(desk, web);
    const { id, state, decidedBy } = await world.submit(desk, web, { pin: TEST_CA_PIN });
    expect([state, decidedBy]).toEqual(['approved', `carried over from ${old}`]);
    expect(await world.holders()).toEqual({ 'web-1': id });
    const records = await world.enrollments();
    expect(records.find((record) => record.id === old)).toMatchObject({ state: 'revoked', supersededBy: id });
    await world.settled(desk.issue(id, web.proof(id)), 'new credentials');
    expect(world.logged('a revoked peel')).toEqual([]);
  });

  it('leaves none of its enrollments behind that a master did not end because it died', async () => {
    const { world, desk } = await opened();
    const web = world.machine('web-1');
    const first = await world.join(desk, web);
    const second = await world.submit(desk, web, { pin: TEST_CA_PIN });
    // As if the master had died between the index key and the old record.
    const unended = async (id: EnrollmentId) => {
      const record = (await world.enrollments()).find((each) => each.id === id) as Enrollment;
      const bus = world.connectMaster();
      await world.settled(bus.connected(), 'a line');
      const table = openTable(bus, TABLES.enrollments);
      await world.settled(table.put(id, { ...record, state: 'issued', supersededBy: '' }), 'a record');
    };
    await world.settled(desk.issue(second.id, web.proof(second.id)), 'credentials of the second');
    await unended(first);
    const third = await world.submit(desk, web, { pin: TEST_CA_PIN });
    const ended = { state: 'revoked', supersededBy: second.id };
    expect((await world.enrollments()).find(({ id }) => id === first)).toMatchObject(ended);

    await unended(second.id);
    await world.decide('revoke', third.id);
    const states = (await world.enrollments()).map(({ id, supersededBy }) => [id, supersededBy]);
    expect(Object.fromEntries(states)).toEqual({ [first]: second.id, [second.id]: third.id, [third.id]: '' });
    expect((await world.enrollments()).map(({ state }) => state)).toEqual(['revoked', 'revoked', 'revoked']);
  });

  it('that sees another CA does not take over its own approval', async () => {
    const { world, desk } = await opened();
    const web = world.machine('web-1');
    const old = await world.join(desk, web);
    await expect(world.submit(desk, web, { pin: OTHER_PIN })).rejects.toMatchObject({
      code: 'ENROLL_TRUST_MISMATCH',
    });
    expect(await world.holders()).toEqual({ 'web-1': old });
  });
});

describe('squatting', () => {
  it('is refused while an id waits, is approved, or is in use; a rejected or revoked id is free', async () => {
    const { world, desk } = await opened();
    const [web, thief] = [world.machine('web-1'), world.machine('web-1')];
    const taken = { code: 'ENROLL_ID_TAKEN' };
    const { id } = await world.submit(desk, web, { pin: TEST_CA_PIN });
    await expect(world.submit(desk, thief)).rejects.toMatchObject(taken);
    await world.decide('approve', id);
    await expect(world.submit(desk, thief)).rejects.toMatchObject(taken);
    await world.settled(desk.issue(id, web.proof(id)), 'credentials');
    await expect(world.submit(desk, thief)).rejects.toMatchObject(taken);
    await world.decide('revoke', id, { reason: 'stolen' });
    const next = await world.submit(desk, thief);
    expect(next.state).toBe('pending');
    await world.decide('reject', next.id);
    expect((await world.submit(desk, web)).state).toBe('pending');
  });

  it('by two machines at two masters at once leaves the id with one of them', async () => {
    const { world, desk } = await opened();
    const other = await world.desk();
    const machines = [world.machine('web-1'), world.machine('web-1')] as const;
    const ends = await Promise.allSettled([
      world.submit(desk, machines[0]),
      world.submit(other, machines[1]),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await world.enrollments()).length).toBe(1);
  });
});

describe('a challenge', () => {
  it('is good once, for its key and its peel, and for a while', async () => {
    const { world, desk } = await opened();
    const [web, other, db] = [world.machine('web-1'), world.machine('web-1'), world.machine('db-1')];
    const asked = () => world.settled(desk.challenge(web.peelId, web.publicKey), 'a challenge');
    const submit = (request: ReturnType<typeof web.request>) => desk.submit(request, '192.0.2.7');
    const first = await asked();
    await refused(world, submit(other.request(first)), 'ENROLL_CHALLENGE');
    await refused(world, submit(db.request(first)), 'ENROLL_CHALLENGE');
    await refused(
      world,
      submit({ ...web.request(first), signature: new Uint8Array(64) }),
      'ENROLL_SIGNATURE',
    );
    await refused(
      world,
      submit({ ...web.request(first), curvePublicKey: db.curvePublicKey }),
      'ENROLL_SIGNATURE',
    );
    const bound = web.request(first, { pin: TEST_CA_PIN });
    const forged = {
      ...bound,
      trust: { pin: OTHER_PIN, signature: bound.trust?.signature ?? new Uint8Array(64) },
    };
    await refused(world, submit(forged), 'ENROLL_SIGNATURE');
    // The positive control: after all that it is still good, once.
    expect((await world.settled(submit(bound), 'its answer')).isNew).toBe(true);
    await refused(world, submit(bound), 'ENROLL_CHALLENGE');
    const late = await asked();
    await world.clock.advance(120_000);
    await refused(world, submit(web.request(late)), 'ENROLL_CHALLENGE');
  });

  it('answered at two masters at once counts at one', async () => {
    const { world, desk } = await opened();
    const other = await world.desk();
    const web = world.machine('web-1');
    const asked = await world.settled(desk.challenge(web.peelId, web.publicKey), 'a challenge');
    const both = [desk, other].map((each) => each.submit(web.request(asked), '192.0.2.7'));
    const ends = await world.settled(Promise.allSettled(both), 'both answers');
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });
});

describe('credentials', () => {
  it('are for who holds the key of the enrollment, and of the current one', async () => {
    const { world, desk } = await opened();
    const [web, thief] = [world.machine('web-1'), world.machine('web-1')];
    const { id } = await world.submit(desk, web, { pin: TEST_CA_PIN });
    await world.decide('approve', id);
    await refused(world, desk.issue(id, thief.proof(id)), 'ENROLL_SIGNATURE');
    await refused(world, desk.issue(id, { ...web.proof(id), publicKey: 'U' }), 'ENROLL_SIGNATURE');
    await refused(
      world,
      desk.issue(`enr-${'a'.repeat(27)}` as EnrollmentId, web.proof(id)),
      'ENROLL_SIGNATURE',
    );
    const both = [desk, await world.desk()].map((each) => each.issue(id, web.proof(id)));
    const ends = await world.settled(Promise.allSettled(both), 'two that fetch at once');
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });

  it('are renewed for the key of the live enrollment and no other', async () => {
    const { world, desk } = await opened();
    const [web, thief] = [world.machine('web-1'), world.machine('web-1')];
    await refused(world, desk.renew(web.peelId, web.publicKey), 'ENROLL_NOT_ENROLLED');
    const id = await world.join(desk, web);
    await world.clock.advance(60_000);
    const { jwt, expiresAt } = await world.settled(desk.renew(web.peelId, web.publicKey), 'new credentials');
    expect(decodeJwt(jwt, 'user').sub).toBe(web.publicKey);
    expect((await world.enrollments())[0]?.expiresAt).toBe(expiresAt);
    await refused(world, desk.renew(web.peelId, thief.publicKey), 'ENROLL_OTHER_KEY');
    await world.decide('revoke', id);
    await refused(world, desk.renew(web.peelId, web.publicKey), 'ENROLL_OTHER_KEY');
  });
});

describe('an operator', () => {
  it('who decides twice changes nothing the second time, and what does not fit is refused', async () => {
    const { world, desk } = await opened();
    const web = world.machine('web-1');
    const { id } = await world.submit(desk, web, { pin: TEST_CA_PIN });
    expect((await world.decide('revoke', id)).code).toBe('ENROLL_STATE');
    const first = await world.decide('approve', id);
    expect(await world.decide('approve', id, { operator: 'bob' })).toEqual(first);
    expect((await world.decide('reject', id)).code).toBe('ENROLL_STATE');
    await world.decide('revoke', id, { reason: 'gone \u001b[2J' });
    expect((await world.decide('revoke', id)).record).toMatchObject({
      state: 'revoked',
      rejectReason: 'gone ?[2J',
    });
    expect((await world.decide('approve', id)).code).toBe('ENROLL_STATE');
    expect((await world.decide('approve', 'enr-x')).code).toBe('ENROLL_UNKNOWN');
  });

  it('does not approve a machine that sees another CA, nor a second one of an id, unless by force', async () => {
    const { world, desk } = await opened();
    const web = world.machine('web-1');
    const mismatch = await world.submit(desk, web, { pin: OTHER_PIN });
    expect(mismatch).toMatchObject({ trustMismatch: true, trustChecked: true });
    expect((await world.decide('approve', mismatch.id)).code).toBe('ENROLL_TRUST_MISMATCH');
    expect((await world.decide('approve', mismatch.id, { force: true })).record?.state).toBe('approved');
    // One of an older version is there and never enrolled.
    await world.peel('db-1');
    const other = await world.submit(desk, world.machine('db-1'), { pin: TEST_CA_PIN });
    expect((await world.decide('approve', other.id)).code).toBe('ENROLL_OTHER_MACHINE');
    expect((await world.decide('approve', other.id, { force: true })).record?.state).toBe('approved');
  });

  it('and another one at two masters at once: one decides, and both are told what', async () => {
    const { world, desk } = await opened();
    await world.desk();
    for (const peel of ['web-1', 'web-2', 'web-3', 'web-4']) {
      const { id } = await world.submit(desk, world.machine(peel), { pin: TEST_CA_PIN });
      const both = await Promise.all([world.decide('approve', id), world.decide('reject', id)]);
      const [record] = (await world.enrollments()).filter((each) => each.id === id);
      const won = both.filter((reply) => reply.code === '');
      expect(won.map((reply) => reply.record?.state)).toEqual([record?.state]);
      expect(both.find((reply) => reply.code !== '')?.code).toBe('ENROLL_STATE');
    }
  });
});

describe('a join token', () => {
  it('approves what it covers, as often as it says, with its tags', async () => {
    const { world, desk } = await opened();
    const { text, reply } = await world.token({ uses: 2, tags: { role: 'web' } });
    expect(JSON.stringify(reply, (_, value: unknown) => String(value))).not.toContain(text.split('.')[1]);
    const words = { pin: TEST_CA_PIN, token: text };
    const first = await world.submit(desk, world.machine('web-1'), words);
    expect(first).toMatchObject({
      state: 'approved',
      decidedBy: `token:${reply.token?.id}`,
      tags: { role: 'web' },
    });
    const web = world.machine('web-2');
    await world.submit(desk, web, words);
    await expect(world.submit(desk, world.machine('web-3'), words)).rejects.toMatchObject({
      code: 'ENROLL_TOKEN_REFUSED',
    });
    // One that is in needs it no more.
    expect((await world.submit(desk, web, words)).state).toBe('approved');
    expect((await world.storedToken(text)).enrollments.length).toBe(2);
  });

  it('that is unknown, forged, of others, expired or revoked lets nobody in and leaves nothing behind', async () => {
    const { world, desk } = await opened();
    const { text } = await world.token();
    const say = (token: string, peel = 'web-1', pin?: string) =>
      world.submit(desk, world.machine(peel), { token, ...(pin === undefined ? {} : { pin }) });
    const forged = `${text.split('.')[0]}.${'x'.repeat(43)}`;
    for (const unknown of [forged, `tok-${'a'.repeat(27)}.${'x'.repeat(43)}`, 'nonsense'])
      await expect(say(unknown, 'web-1', TEST_CA_PIN)).rejects.toMatchObject({
        code: 'ENROLL_TOKEN_UNKNOWN',
      });
    await expect(say(text, 'db-1', TEST_CA_PIN)).rejects.toMatchObject({ code: 'ENROLL_TOKEN_REFUSED' });
    await expect(say(text)).rejects.toMatchObject({ code: 'ENROLL_TRUST_REQUIRED' });
    await expect(say(text, 'web-1', OTHER_PIN)).rejects.toMatchObject({ code: 'ENROLL_TRUST_MISMATCH' });
    await world.clock.advance(3_600_000);
    await expect(say(text, 'web-1', TEST_CA_PIN)).rejects.toMatchObject({ code: 'ENROLL_TOKEN_REFUSED' });
    expect([await world.enrollments(), await world.holders()]).toEqual([[], {}]);
  });

  it('raced for by twelve machines at two masters lets in exactly as many as it says', async () => {
    const { world, desk } = await opened();
    const other = await world.desk();
    const { text } = await world.token({ uses: 5 });
    const ends = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        world.submit(i % 2 === 0 ? desk : other, world.machine(`web-${i}`), {
          pin: TEST_CA_PIN,
          token: text,
        }),
      ),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBe(5);
    const records = await world.enrollments();
    expect(records.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'approved'));
    expect([...(await world.storedToken(text)).enrollments].sort()).toEqual(
      records.map(({ id }) => id).sort(),
    );
    expect(Object.keys(await world.holders()).length).toBe(5);
  });
});

describe('the table', () => {
  it('is swept: a request that nobody decides about is rejected, what is over is removed, what is in use stays', async () => {
    const { world, desk } = await opened();
    const [web, db] = [world.machine('web-1'), world.machine('db-1')];
    const waiting = await world.submit(desk, web);
    const live = await world.join(desk, db);
    const again = await world.submit(desk, db, { pin: TEST_CA_PIN });
    const sweep = () => world.settled(desk.sweep.sweep(), 'a sweep');
    world.clock.jumpWall(31 * DAY_MS);
    await sweep();
    await world.clock.advance(100);
    const states = async () => (await world.enrollments()).map(({ id, state }) => `${id} ${state}`).sort();
    expect(await states()).toEqual([`${waiting.id} rejected`, `${again.id} approved`].sort());
    expect(live).not.toBe(again.id);
    world.clock.jumpWall(91 * DAY_MS);
    await sweep();
    expect([await states(), await world.holders()]).toEqual([[`${again.id} approved`], { 'db-1': again.id }]);
  });

  it('is not swept by a master whose clock is far ahead; a little ahead does no harm', async () => {
    const { world, desk } = await opened();
    const revoked = await world.join(desk, world.machine('web-1'));
    await world.decide('revoke', revoked);
    const waiting = await world.submit(desk, world.machine('db-1'));
    const states = async () => (await world.enrollments()).map(({ id, state }) => `${id} ${state}`).sort();
    const before = await states();
    const { clock } = world;
    let aheadMs = 900 * DAY_MS;
    const runtime = { ...world.runtime, clock: { ...clock, nowMs: () => clock.nowMs() + aheadMs } };
    const { master } = world.startMaster({}, world.connectMaster(), { runtime });
    await world.settled(master.ready, 'a master of the future');
    const sweep = () => world.settled(master.desk.sweep.sweep(), 'a sweep');
    await sweep();
    expect(await states()).toEqual(before);
    expect(world.logged('enrollments are not swept').length).toBe(1);
    expect(world.logged('differ by hours').length).toBeGreaterThan(0);
    // Its word about the time does not count where it is near enough to sweep: 30 days less a minute are not 30 days.
    aheadMs = 120_000;
    clock.jumpWall(30 * DAY_MS - 60_000);
    await sweep();
    expect(await states()).toEqual(before);
    await clock.advance(61_000);
    await sweep();
    expect(await states()).toContain(`${waiting.id} rejected`);
  });

  it('is swept past a record that cannot be read, and what hangs on it', async () => {
    const { world, desk } = await opened();
    // The index of the first names a record that nobody can read.
    const first = await world.submit(desk, world.machine('web-1'));
    const second = await world.submit(desk, world.machine('web-2'));
    const bucket = world.admin.bucket(BUCKETS.enrollments.name);
    const unread = `enr-${'z'.repeat(27)}`;
    await world.settled(bucket.put(unread, Uint8Array.of(0xc1)), 'a record that is none');
    await world.settled(bucket.put(enrolledPeelKey(first.peelId), Buffer.from(unread)), 'its index');
    world.clock.jumpWall(31 * DAY_MS);
    await world.settled(desk.sweep.sweep(), 'a sweep');
    const read = await world.settled(openTable(world.admin, TABLES.enrollments).getLatest(second.id), 'it');
    expect(read.is === 'found' && read.value.state).toBe('rejected');
    expect(world.logged('cannot be settled').map(({ id }) => id)).toEqual([first.id]);
  });
});
