/**
 * Requests to join by those who should not get in, or should not keep others out: machines that were revoked and have a token, strangers who
 * were faster with an id. What an honest machine gets in the same place stands beside each.
 */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import { TEST_CA_PIN } from '../../../test/harness/master/bare-machine.ts';
import { interceptedBus } from '../../../test/harness/master/master-bus.ts';
import { openTable } from '../../bus/kv/table.ts';
import type { Bus } from '../../bus/port.ts';
import { HALF_MADE_MS } from '../../core/enroll/desk/judge-request.ts';
import { Metrics } from '../../daemon/metrics.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { enrollAdminRequestCodec } from '../../wire/records/enroll/enroll-admin.ts';
import { enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { masterMetrics } from '../master-metrics.ts';
import type { EnrollmentDesk } from './enrollment-desk.ts';

const makeWorld = closedAfterEach(() => new EnrollWorld());
const OTHER_PIN = `sha256:${'00'.repeat(32)}`;

async function opened() {
  const world = makeWorld();
  const desk = await world.desk();
  const { text } = await world.token({ uses: 10 });
  const byToken = (peel: ReturnType<EnrollWorld['machine']>, at: EnrollmentDesk = desk) =>
    world.submit(at, peel, { pin: TEST_CA_PIN, token: text });
  return { world, desk, token: text, byToken };
}

const stateOf = async (world: EnrollWorld, id: EnrollmentId) =>
  (await world.enrollments()).find((record) => record.id === id);

/** What is stored in bucket enrollments is heard half a second late. */
function hardOfHearing(world: EnrollWorld, bus: Bus): Bus {
  return {
    ...bus,
    bucket: (name) => {
      const bucket = bus.bucket(name);
      if (name !== BUCKETS.enrollments.name) return bucket;
      return {
        ...bucket,
        watch: (filter, observer) =>
          bucket.watch(filter, {
            ...observer,
            changed: (read) => void world.clock.after(500, () => observer.changed(read)),
          }),
      };
    },
  };
}

describe('a join token of a machine that was revoked', () => {
  it('does not let it back in: not its key, not its id under a new key, not its key under another id', async () => {
    const { world, desk, token, byToken } = await opened();
    const web = world.machine('web-1');
    const { id } = await byToken(web);
    await world.settled(desk.issue(id, web.proof(id)), 'credentials');
    await world.decide('revoke', id, { reason: 'stolen' });
    const uses = (await world.storedToken(token)).enrollments.length;

    const again = await byToken(web);
    expect(again.state).toBe('pending');
    await world.decide('reject', again.id);
    expect((await byToken(world.machine('web-1'))).state).toBe('pending');
    const renamed = Object.assign(world.machine('web-2'), { key: web.key });
    const moved = await byToken(renamed);
    expect(moved.state).toBe('pending');
    expect((await world.storedToken(token)).enrollments.length).toBe(uses);
    expect(world.logged('a machine that was shut out came back').length).toBe(3);

    // The token is as good as it was, and an operator may still say yes.
    expect((await byToken(world.machine('web-3'))).state).toBe('approved');
    expect((await world.decide('approve', moved.id)).record?.state).toBe('approved');
  });

  it('does not count either where a request without a token came in between', async () => {
    const { world, desk, byToken } = await opened();
    const web = world.machine('web-1');
    const id = await world.join(desk, web);
    await world.decide('revoke', id);
    const stranger = await world.submit(desk, world.machine('web-1'));
    await expect(byToken(world.machine('web-1'))).rejects.toMatchObject({ code: 'ENROLL_ID_TAKEN' });
    expect((await stateOf(world, stranger.id))?.state).toBe('pending');
  });

  it('says why, to the machine that waits', async () => {
    const { world, desk, token } = await opened();
    const web = world.machine('web-1');
    await world.decide('revoke', await world.join(desk, web));
    const asked = await world.settled(desk.challenge(web.peelId, web.publicKey), 'a challenge');
    const request = web.request(asked, { pin: TEST_CA_PIN, token });
    const { note, record } = await world.settled(desk.submit(request, '192.0.2.7'), 'an answer');
    expect([record.state, note]).toEqual(['pending', expect.stringContaining('an operator decides')]);
  });

  it('is not good in the moment of the revocation', async () => {
    const { world, desk, byToken } = await opened();
    const web = world.machine('web-1');
    const id = await world.join(desk, web);
    let reads = 0;
    const bus = interceptedBus(world.connectMaster(), (call, run) => {
      const isIndex = call.op === 'getLatest' && call.on === 'enrollments/peel.web-1';
      if (!isIndex || ++reads !== 2) return run();
      // Between the look at the token and the look at who holds the id.
      const request = enrollAdminRequestCodec.create({ id, operator: 'alice' });
      return desk.decisions.revoke(request).then(run) as ReturnType<typeof run>;
    });
    expect((await byToken(web, await world.desk(bus))).state).toBe('pending');
    expect(reads).toBeGreaterThan(1);
  });

  it('does not count at a master that has not heard of the revocation yet', async () => {
    const { world, desk, byToken } = await opened();
    const late = await world.desk(hardOfHearing(world, world.connectMaster()));
    const web = world.machine('web-1');
    const id = await world.join(desk, web);
    await world.clock.advance(1_000);
    await world.decide('revoke', id);
    const renamed = Object.assign(world.machine('web-2'), { key: web.key });
    expect((await byToken(renamed, late)).state).toBe('pending');
    expect((await byToken(world.machine('web-3'), late)).state).toBe('approved');
  });
});

describe('a stranger who asks first', () => {
  it('does not keep a machine with a token from its id', async () => {
    const { world, desk, byToken } = await opened();
    const squatter = await world.submit(desk, world.machine('web-1'));
    const web = world.machine('web-1');
    const { id, state } = await byToken(web);
    expect([state, await world.holders()]).toEqual(['approved', { 'web-1': id }]);
    const ended = await stateOf(world, squatter.id);
    expect([ended?.state, ended?.decidedBy.startsWith('token:tok-')]).toEqual(['rejected', true]);
    expect(ended?.rejectReason).toContain('join token');
    await world.settled(desk.issue(id, web.proof(id)), 'credentials');
  });

  it('keeps it where an operator approved him, and where the token is no good for the id', async () => {
    const { world, desk, byToken } = await opened();
    const first = await world.submit(desk, world.machine('web-1'), { pin: TEST_CA_PIN });
    await world.decide('approve', first.id);
    await expect(byToken(world.machine('web-1'))).rejects.toMatchObject({ code: 'ENROLL_ID_TAKEN' });
    const other = await world.submit(desk, world.machine('db-1'));
    await expect(byToken(world.machine('db-1'))).rejects.toMatchObject({ code: 'ENROLL_TOKEN_REFUSED' });
    await expect(world.submit(desk, world.machine('db-1'))).rejects.toMatchObject({
      code: 'ENROLL_ID_TAKEN',
    });
    expect((await stateOf(world, other.id))?.state).toBe('pending');
  });

  it('and an operator who approves him at that moment: one of the two decides, and both are told', async () => {
    for (const isOperatorFirst of [true, false]) {
      const { world, desk, byToken } = await opened();
      const squatter = await world.submit(desk, world.machine('web-1'), { pin: TEST_CA_PIN });
      let told: Promise<{ code: string }> | undefined;
      const bus = interceptedBus(world.connectMaster(), (call, run) => {
        if (call.op !== 'update' || call.on !== `enrollments/${squatter.id}` || told !== undefined)
          return run();
        const approve = () => {
          const request = enrollAdminRequestCodec.create({ id: squatter.id, operator: 'alice' });
          told = desk.decisions.approve(request).then(
            () => ({ code: '' }),
            (error: { code: string }) => error,
          );
          return told;
        };
        const both = isOperatorFirst
          ? approve().then(run)
          : Promise.resolve(run()).then((done) => approve().then(() => done));
        return both as ReturnType<typeof run>;
      });
      const joining = byToken(world.machine('web-1'), await world.desk(bus));
      if (isOperatorFirst) await expect(joining).rejects.toMatchObject({ code: 'ENROLL_ID_TAKEN' });
      else expect((await joining).state).toBe('approved');
      expect((await told)?.code).toBe(isOperatorFirst ? '' : 'ENROLL_STATE');
    }
  });

  it('who has a token as well is not displaced while a master is at it, nor for ever when it died', async () => {
    const { world, desk, byToken } = await opened();
    const first = await world.submit(desk, world.machine('web-1'));
    const bus = world.connectMaster();
    await world.settled(bus.connected(), 'a line');
    const half = { ...first, joinToken: `tok-${'a'.repeat(27)}` };
    await world.settled(openTable(bus, TABLES.enrollments).put(first.id, half), 'a record');
    const web = world.machine('web-1');
    await expect(byToken(web)).rejects.toMatchObject({ code: 'ENROLL_BUSY' });
    await world.clock.advance(HALF_MADE_MS);
    expect((await byToken(web)).state).toBe('approved');
  });

  it('and fills the list of requests of his network keeps nobody out who has a token', async () => {
    const { world, desk, byToken } = await opened();
    const bus = world.connectMaster();
    await world.settled(bus.connected(), 'a line');
    const table = openTable(bus, TABLES.enrollments);
    const fill = Array.from({ length: 2_500 }, (_, i) => {
      const id = `enr-${newKsuid(world.clock, world.random)}` as EnrollmentId;
      const peelId = `stranger-${i}` as PeelId;
      return table.put(
        id,
        enrollmentCodec.create({ id, peelId, state: 'pending', remoteAddress: '192.0.2.7' }),
      );
    });
    await world.settled(Promise.all(fill), 'many requests');
    await world.clock.advance(1_000);
    await expect(world.submit(desk, world.machine('web-1'))).rejects.toMatchObject({
      code: 'ENROLL_PENDING_FULL',
    });
    expect((await byToken(world.machine('web-1'))).state).toBe('approved');
  });
});

describe('a machine that waits', () => {
  it('and sees another CA now is shown with it, and not approved; what it said once stays', async () => {
    const { world, desk, byToken } = await opened();
    const [web, db] = [world.machine('web-1'), world.machine('web-2')];
    const { id } = await world.submit(desk, web, { pin: TEST_CA_PIN });
    expect((await world.submit(desk, web, { pin: OTHER_PIN })).id).toBe(id);
    expect(await stateOf(world, id)).toMatchObject({ trustMismatch: true, trustedCaSpki: OTHER_PIN });
    await world.submit(desk, web, { pin: TEST_CA_PIN });
    expect((await world.decide('approve', id)).code).toBe('ENROLL_TRUST_MISMATCH');

    // The same where a token is refused because of it; and nobody else can say it of this machine.
    const other = await world.submit(desk, db, { pin: TEST_CA_PIN });
    await expect(world.submit(desk, world.machine('web-2'), { pin: OTHER_PIN })).rejects.toMatchObject({
      code: 'ENROLL_ID_TAKEN',
    });
    expect((await stateOf(world, other.id))?.trustMismatch).toBe(false);
    const { text } = await world.token();
    await expect(world.submit(desk, db, { pin: OTHER_PIN, token: text })).rejects.toMatchObject({
      code: 'ENROLL_TRUST_MISMATCH',
    });
    expect((await stateOf(world, other.id))?.trustMismatch).toBe(true);
    expect((await byToken(world.machine('web-3'))).state).toBe('approved');
  });

  it('and asks again and again is counted once', async () => {
    const world = makeWorld();
    const metrics = new Metrics();
    const { master } = world.startMaster({}, world.connectMaster(), { metrics: masterMetrics(metrics) });
    await world.settled(master.ready, 'a master');
    const web = world.machine('web-1');
    for (let i = 0; i < 3; i++) await world.submit(master.desk, web);
    const counted = metrics.families().find(({ name }) => name === 'zester_enrollments_total');
    const pending = counted?.samples.find(({ labels }) => labels.some(([, value]) => value === 'pending'));
    expect(pending?.value).toBe(1);
  });
});
