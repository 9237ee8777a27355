/** Masters on a memory server, with peels that speak the wire: a job from its first request to its last row. */
import { afterEach, describe, expect, it } from 'vitest';
import { dyingBus, failingBus } from '../../test/harness/master/master-bus.ts';
import { MasterWorld } from '../../test/harness/master/master-world.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import { STREAMS } from '../wire/names/streams.ts';
import { jobCancelSubject, jobStatusSubject } from '../wire/names/subjects.ts';
import { masterHeartbeatCodec } from '../wire/records/heartbeat.ts';
import type { Job } from '../wire/records/job.ts';
import { jobEventCodec } from '../wire/records/job-event.ts';

const worlds: MasterWorld[] = [];
function makeWorld(options: ConstructorParameters<typeof MasterWorld>[0] = {}): MasterWorld {
  const world = new MasterWorld(options);
  worlds.push(world);
  return world;
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const ends = (world: MasterWorld, job: Job, status: string) =>
  world.until(async () => (await world.record(job.jid))?.status === status, `the end as ${status}`, 90_000);
const outcomes = async (world: MasterWorld, job: Job) =>
  Object.fromEntries((await world.rows(job.jid)).map((row) => [row.peelId, row.outcome]));

describe('a job', () => {
  it('goes out to every target, comes back and is recorded complete', async () => {
    const world = makeWorld();
    const { masterId } = await world.master();
    const peels = await world.peels(3);
    const job = world.job(['web-0', 'web-1', 'web-2']);
    expect(await world.dispatch(job)).toEqual({ jid: job.jid });
    await ends(world, job, 'complete');
    expect(await world.record(job.jid)).toMatchObject({ owner: masterId, returnCount: 3, successCount: 3 });
    expect(await outcomes(world, job)).toEqual({
      'web-0': 'returned',
      'web-1': 'returned',
      'web-2': 'returned',
    });
    expect(peels.map((peel) => peel.heard.map(({ verified }) => verified))).toEqual([[true], [true], [true]]);
    await world.until(async () => !(await world.isIndexed(job.jid)), 'the index key to go');
    const [line] = world.logged('dispatch request received');
    expect(line).toMatchObject({
      level: 'info',
      jid: job.jid,
      user: 'alice',
      function: 'test.ping',
      targets: 3,
    });
    const events: unknown[] = [];
    const read = world.admin
      .stream(STREAMS.jobEvents.name)
      .replay({ filter: jobStatusSubject(job.jid) }, ({ data }) =>
        events.push(jobEventCodec.decode(data).type),
      );
    await world.settled(read, 'the status event');
    expect(events).toEqual(['completed']);
  });

  it('of 1,000 targets ends complete', async () => {
    const world = makeWorld();
    const { master } = await world.master();
    const herd = await world.herd(1_000);
    const job = world.job(herd.ids);
    await world.dispatch(job);
    await ends(world, job, 'complete');
    expect(await world.rows(job.jid)).toHaveLength(1_000);
    expect(herd.heard).toBe(1_000);
    await world.until(() => master.state().jobs === 0, 'the watcher to go');
  });

  it('with a failure ends failed; nothing is ended early', async () => {
    const world = makeWorld();
    await world.master();
    await world.peel('web-0');
    await world.peel('web-1', { success: false, runMs: 50_000 });
    const job = world.job(['web-0', 'web-1']);
    await world.dispatch(job);
    await world.clock.advance(45_000);
    expect((await world.record(job.jid))?.status).toBe('running');
    expect(await outcomes(world, job)).toEqual({ 'web-0': 'returned' });
    await ends(world, job, 'failed');
    expect(await outcomes(world, job)).toEqual({ 'web-0': 'returned', 'web-1': 'failed' });
  });

  it('at its deadline has one honest row for each target: returned, running, unreachable', async () => {
    const world = makeWorld();
    await world.master();
    await world.peel('web-0');
    await world.peel('web-1', { returns: false });
    const job = world.job(['web-0', 'web-1', 'web-2'], { timeout: 10_000_000_000n });
    const startMs = world.clock.monotonicMs();
    await world.dispatch(job);
    await ends(world, job, 'partial');
    expect(world.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(10_000);
    expect(await outcomes(world, job)).toEqual({
      'web-0': 'returned',
      'web-1': 'running',
      'web-2': 'unreachable',
    });
    const rows = await world.rows(job.jid);
    const proofs = Object.fromEntries(rows.map((row) => [row.peelId, row.proof]));
    expect(proofs['web-0']).toBeUndefined();
    expect(proofs['web-1']?.acked).toBeDefined();
    expect(proofs['web-1']?.heartbeatAge).toBeGreaterThan(9_000_000_000n);
    expect(proofs['web-2']).toMatchObject({ acked: undefined, heartbeatAge: undefined });
  });

  it('that nobody answers times out', async () => {
    const world = makeWorld();
    await world.master();
    const job = world.job(['web-7'], { timeout: 0n });
    const startMs = world.clock.monotonicMs();
    await world.dispatch(job);
    await ends(world, job, 'timeout');
    expect(world.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(60_000);
  });
});

describe('silent targets', () => {
  it('get the same request again after the ack window, and one warning says so', async () => {
    const world = makeWorld();
    await world.master();
    const deaf = await world.peel('web-0', { deaf: 1 });
    const well = await world.peel('web-1');
    const job = world.job(['web-0', 'web-1']);
    await world.dispatch(job);
    await world.clock.advance(4_900);
    expect(deaf.heard).toEqual([]);
    await ends(world, job, 'complete');
    expect([deaf.heard.length, well.heard.length]).toEqual([1, 1]);
    expect(
      world.logged('re-dispatched job to silent targets (no ack or return within ack window)'),
    ).toMatchObject([{ level: 'warn', jid: job.jid, peels: ['web-0'] }]);
  });

  it('get it again at growing intervals until the deadline, always the same bytes, and run it once', async () => {
    const world = makeWorld();
    await world.master();
    const sent: { readonly atMs: number; readonly data: string }[] = [];
    const startMs = world.clock.monotonicMs();
    await world.settled(
      world.connectMaster().subscribe('zester.cmd.web-0', ({ data }) => {
        const atMs = world.clock.monotonicMs() - startMs;
        sent.push({ atMs: Math.round(atMs / 1_000), data: Buffer.from(data).toString('hex') });
      }),
      'a subscription',
    );
    const peel = await world.peel('web-0', { deaf: 6 });
    const job = world.job(['web-0'], { timeout: 300_000_000_000n });
    await world.dispatch(job);
    await world.clock.advance(290_000);
    await ends(world, job, 'complete');
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 5, 15, 35, 75, 135, 195]);
    expect(new Set(sent.map(({ data }) => data)).size).toBe(1);
    expect(peel.ran).toEqual([job.jid]);
    expect(
      world.lines.filter(({ level, msg }) => level === 'warn' && msg.startsWith('re-disp')),
    ).toHaveLength(1);
  });

  it('are left alone when the ack window is switched off', async () => {
    const world = makeWorld();
    await world.master({ ackWindowMs: -1 });
    const deaf = await world.peel('web-0', { deaf: 1 });
    const job = world.job(['web-0'], { timeout: 15_000_000_000n });
    await world.dispatch(job);
    await ends(world, job, 'timeout');
    expect(deaf.heard).toEqual([]);
  });

  it('whose ack was lost are asked again and do not run it twice', async () => {
    const world = makeWorld();
    await world.master();
    const peel = await world.peel('web-0', { ackless: true, runMs: 8_000 });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await ends(world, job, 'complete');
    expect(peel.heard).toHaveLength(2);
    expect(peel.ran).toEqual([job.jid]);
  });

  it('get the job when their heartbeat appears before the deadline', async () => {
    const world = makeWorld();
    await world.master();
    const peel = await world.peel('web-0', { deaf: 3 });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await world.clock.advance(20_000);
    expect(peel.heard).toEqual([]);
    await world.settled(peel.beat(2n), 'a heartbeat of another life');
    await ends(world, job, 'complete');
    expect(peel.heard).toHaveLength(1);
  });

  it('that no proof can be made for get the job when their facts appear', async () => {
    const world = makeWorld();
    await world.master();
    const peel = await world.peel('web-0', { withoutKey: true });
    const job = world.job(['web-0']);
    expect(await world.dispatch(job)).toEqual({ jid: job.jid });
    await world.clock.advance(10_000);
    expect(peel.heard).toEqual([]);
    expect(world.logged('no curve key').length).toBeGreaterThan(0);
    await world.settled(peel.publishKey(), 'the facts');
    await ends(world, job, 'complete');
    expect(peel.heard.map(({ verified }) => verified)).toEqual([true]);
  });

  it('cost a bounded number of sends, however often they come and go', async () => {
    const world = makeWorld();
    await world.master();
    const peel = await world.peel('web-0', { deaf: 1_000 });
    const sent: string[] = [];
    const job = world.job(['web-0']);
    await world.settled(
      world.connectMaster().subscribe('zester.cmd.web-0', ({ subject }) => sent.push(subject)),
      'a subscription',
    );
    await world.dispatch(job);
    for (let life = 2n; life < 40n; life++) {
      await world.settled(peel.beat(life), 'a heartbeat');
      await world.clock.advance(100);
    }
    expect(sent.length).toBe(16);
  });
});

describe('late returns', () => {
  it('replace the row and correct the record of a job that is over', async () => {
    const world = makeWorld();
    await world.master();
    await world.master();
    await world.peel('web-0');
    const late = await world.peel('web-1', { returns: false });
    const later = await world.peel('web-2', { returns: false });
    const job = world.job(['web-0', 'web-1', 'web-2'], { timeout: 5_000_000_000n });
    await world.dispatch(job);
    await ends(world, job, 'partial');
    await world.settled(late.returnNow(job.jid), 'the return');
    await world.until(async () => (await world.record(job.jid))?.returnCount === 2, 'the recount');
    await world.settled(later.returnNow(job.jid, { success: false, error: 'boom' }), 'the return');
    await ends(world, job, 'failed');
    expect(await world.record(job.jid)).toMatchObject({ returnCount: 3, successCount: 2 });
    expect(await outcomes(world, job)).toEqual({
      'web-0': 'returned',
      'web-1': 'returned',
      'web-2': 'failed',
    });
  });

  it('by the hundred, with a store that fails now and then, are all counted', async () => {
    const world = makeWorld();
    const error = zesterError('BUS_TIMEOUT', { what: 'test', ms: 1 });
    let isOver = false;
    const faults = { op: 'update', on: /./, error, times: 20, effect: true, armed: () => isOver };
    await world.master({}, failingBus(world.connectMaster(), faults).bus);
    await world.master();
    const peels = await world.peels(100, { returns: false });
    const job = world.job(
      peels.map((peel) => peel.id),
      { timeout: 3_000_000_000n },
    );
    await world.dispatch(job);
    await ends(world, job, 'timeout');
    isOver = true;
    await world.settled(Promise.all(peels.map((peel) => peel.returnNow(job.jid))), 'the returns');
    await ends(world, job, 'complete');
    expect(await world.record(job.jid)).toMatchObject({ returnCount: 100, successCount: 100 });
  });

  it('of a job nobody watches any more are stored all the same', async () => {
    const world = makeWorld();
    let isDying = false;
    const first = dyingBus(world.connectMaster(), 1, 'before', () => isDying);
    await world.master({}, first.bus);
    const peel = await world.peel('web-0', { returns: false });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    isDying = true;
    await world.until(() => first.isDead(), 'the death of the owner');
    await world.master();
    await world.settled(peel.returnNow(job.jid), 'the return');
    await world.until(async () => (await world.rows(job.jid)).length === 1, 'the row');
    expect((await world.record(job.jid))?.status).toBe('running');
  });
});

describe('cancel', () => {
  it('ends the job; targets that did not return are canceled', async () => {
    const world = makeWorld();
    await world.master();
    await world.master();
    await world.peel('web-0');
    const busy = await world.peel('web-1', { returns: false });
    const job = world.job(['web-0', 'web-1']);
    await world.dispatch(job);
    await world.clock.advance(1_000);
    world.cancel(job.jid);
    await ends(world, job, 'canceled');
    expect(await outcomes(world, job)).toEqual({ 'web-0': 'returned', 'web-1': 'canceled' });
    expect(busy.canceled).toEqual([job.jid]);
    await world.settled(busy.returnNow(job.jid, { success: false, outcome: 'canceled' }), 'its own word');
    await world.until(async () => (await world.record(job.jid))?.returnCount === 2, 'the recount');
    expect((await world.record(job.jid))?.status).toBe('canceled');
  });

  it('without a signature, or with one that does not fit, is refused', async () => {
    const world = makeWorld();
    await world.master();
    await world.peel('web-0', { returns: false });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    const proof = `v1.ed25519.${Buffer.alloc(64, 1).toString('base64url')}`;
    world.admin.publish(jobCancelSubject(job.jid), new Uint8Array(0), {
      headers: new Map([['Zester-Proof', proof]]),
    });
    world.admin.publish(jobCancelSubject(job.jid), new Uint8Array(0));
    await world.clock.advance(2_000);
    expect((await world.record(job.jid))?.status).toBe('running');
    expect(world.logged('cancel refused').map((line) => line.reason)).toEqual([
      'proof does not fit',
      'no proof',
    ]);
  });

  it('that overtakes its job is not lost: nothing is sent', async () => {
    const world = makeWorld();
    await world.master();
    const peel = await world.peel('web-0');
    const job = world.job(['web-0']);
    world.cancel(job.jid);
    await world.clock.advance(10);
    await world.dispatch(job);
    await ends(world, job, 'canceled');
    expect(peel.heard).toEqual([]);
  });
});

describe('a NATS that goes away in mid-job', () => {
  it('loses no return: what was published meanwhile is read from the stream', async () => {
    const world = makeWorld();
    await world.master();
    const peel = await world.peel('web-0', { returns: false });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await world.clock.advance(500);
    world.server.stop();
    await world.clock.advance(2_000);
    world.server.start();
    await world.settled(peel.bus.connected(), 'the peel to be back');
    await world.settled(peel.returnNow(job.jid), 'the return');
    await ends(world, job, 'complete');
  });
});

describe('a master', () => {
  it('publishes its keys once, beats, and says when it leaves', async () => {
    const world = makeWorld();
    const { master, masterId } = await world.master();
    const secrets = world.admin.bucket(BUCKETS.secrets.name);
    const keys = await world.settled(secrets.entries(), 'the keys');
    expect(keys.map((entry) => entry.key)).toEqual(['_command_pub', '_master_curve_pub']);
    expect(keys.map((entry) => entry.value.length)).toEqual([43, 56]);
    await world.master();
    const again = await world.settled(secrets.entries(), 'the keys');
    expect(again.map((entry) => entry.revision)).toEqual(keys.map((entry) => entry.revision));
    await world.peel('web-0', { returns: false });
    await world.clock.advance(20_000);
    await world.settled(master.stop(), 'the stop');
    const beats = world.admin.bucket(BUCKETS.masterHeartbeat.name);
    const last = await world.settled(beats.getLatest(masterId), 'the last beat');
    expect(last.found && masterHeartbeatCodec.decode(last.value)).toMatchObject({
      masterId,
      leaving: true,
      host: 'here',
      pid: 1,
      bootId: 'boot',
    });
    expect(master.state().phase).toBe('stopped');
  });

  it('that stops ends what is complete and leaves what runs to others', async () => {
    const world = makeWorld();
    const { master } = await world.master();
    await world.peel('web-0', { returns: false });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await world.settled(master.stop(), 'the stop');
    expect((await world.record(job.jid))?.status).toBe('running');
    expect(await world.isIndexed(job.jid)).toBe(true);
    expect(await world.rows(job.jid)).toEqual([]);
  });

  it('can be stopped before it is ready, and when the store is silent', async () => {
    const world = makeWorld();
    world.server.stop();
    const { master } = world.startMaster();
    await world.clock.advance(1_000);
    await world.settled(master.stop(), 'the stop');
    expect(master.state().phase).toBe('stopped');
    await expect(master.ready).rejects.toThrow();
  });
});
