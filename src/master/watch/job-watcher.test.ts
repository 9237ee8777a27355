/** A job from its first request to its last row: masters on a memory server, with peels that speak the wire. */

import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import type { Bus } from '../../bus/port.ts';
import { joinedStreams } from '../../bus/stream/joined-streams.ts';
import { PEEL_WORD_STREAMS } from '../../wire/names/streams.ts';
import { jobStatusSubject } from '../../wire/names/subjects.ts';
import { jobEventCodec } from '../../wire/records/job-event.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());

describe('a job', () => {
  it('goes out to every target, comes back and is recorded complete', async () => {
    const world = makeWorld();
    const { masterId } = await world.master();
    const peels = await world.peels(3);
    const job = world.job(['web-0', 'web-1', 'web-2']);
    expect(await world.dispatch(job)).toEqual({ jid: job.jid });
    await world.endsAs(job, 'complete');
    expect(await world.record(job.jid)).toMatchObject({ owner: masterId, returnCount: 3, successCount: 3 });
    expect(await world.outcomes(job)).toEqual({
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
    const read = joinedStreams(world.admin, PEEL_WORD_STREAMS).replay(
      { filter: jobStatusSubject(job.jid) },
      ({ data }) => events.push(jobEventCodec.decode(data).type),
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
    await world.endsAs(job, 'complete');
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
    expect(await world.outcomes(job)).toEqual({ 'web-0': 'returned' });
    await world.endsAs(job, 'failed');
    expect(await world.outcomes(job)).toEqual({ 'web-0': 'returned', 'web-1': 'failed' });
  });

  it('at its deadline has one honest row for each target: returned, running, unreachable', async () => {
    const world = makeWorld();
    await world.master();
    await world.peel('web-0');
    await world.peel('web-1', { returns: false });
    const job = world.job(['web-0', 'web-1', 'web-2'], { timeout: 10_000_000_000n });
    const startMs = world.clock.monotonicMs();
    await world.dispatch(job);
    await world.endsAs(job, 'partial');
    expect(world.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(10_000);
    expect(await world.outcomes(job)).toEqual({
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
    await world.endsAs(job, 'timeout');
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
    await world.endsAs(job, 'complete');
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
    await world.endsAs(job, 'complete');
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
    await world.endsAs(job, 'timeout');
    expect(deaf.heard).toEqual([]);
  });

  it('whose ack was lost are asked again and do not run it twice', async () => {
    const world = makeWorld();
    await world.master();
    const peel = await world.peel('web-0', { ackless: true, runMs: 8_000 });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await world.endsAs(job, 'complete');
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
    await world.endsAs(job, 'complete');
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
    await world.endsAs(job, 'complete');
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
    await world.endsAs(job, 'complete');
  });
});

describe('lost messages', () => {
  /** A bus that hears nothing on the subjects of acks and returns, as after a cut line. */
  const deafTo = (bus: Bus, pattern: RegExp): Bus => ({
    ...bus,
    subscribe: (subject, deliver, options) =>
      bus.subscribe(subject, (message) => !pattern.test(message.subject) && deliver(message), options),
  });

  it('a return that the watcher did not hear comes to it from the stream', async () => {
    const world = makeWorld();
    await world.master({}, deafTo(world.connectMaster(), /\.return\./));
    await world.peels(2);
    const job = world.job(['web-0', 'web-1']);
    await world.dispatch(job);
    const startMs = world.clock.monotonicMs();
    await world.endsAs(job, 'complete');
    expect(world.clock.monotonicMs() - startMs).toBeLessThan(5_000);
  });

  it('what nobody heard at all is found at the deadline: acks, returns and cancels', async () => {
    const world = makeWorld();
    const heard = deafTo(world.connectMaster(), /\.(ack|return|cancel)\b/);
    const withoutConsumer: Bus = {
      ...heard,
      stream: (name) => ({ ...heard.stream(name), consume: () => ({ stop: async () => undefined }) }),
    };
    await world.master({}, withoutConsumer);
    await world.peel('web-0');
    await world.peel('web-1', { returns: false });
    const job = world.job(['web-0', 'web-1'], { timeout: 10_000_000_000n });
    await world.dispatch(job);
    await world.endsAs(job, 'partial');
    expect(await world.outcomes(job)).toEqual({ 'web-0': 'returned', 'web-1': 'running' });
    const canceled = world.job(['web-1'], { timeout: 10_000_000_000n });
    await world.dispatch(canceled);
    world.cancel(canceled.jid);
    await world.endsAs(canceled, 'canceled');
  });

  it('a return for which there was no room is taken when there is', async () => {
    const world = makeWorld();
    await world.master({ rowBytesMax: 1_000, rowWritesMax: 1, lateReturnSlots: 1 });
    const herd = await world.herd(50);
    const job = world.job(herd.ids);
    await world.dispatch(job);
    await world.endsAs(job, 'complete');
    expect(await world.rows(job.jid)).toHaveLength(50);
  });
});
