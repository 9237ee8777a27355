/** Dispatch on a memory server: its order, its refusals, and what happens when the store fails at any step. */

import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { failingBus, interceptedBus } from '../../../test/harness/master/master-bus.ts';
import { MasterWorld, type MasterWorldOptions } from '../../../test/harness/master/master-world.ts';
import { openBus } from '../../bus/bus.ts';
import { ELECTION_MS_MAX } from '../../bus/retry-budget.ts';
import { joinedStreams } from '../../bus/stream/joined-streams.ts';
import { type ErrorCode, zesterError } from '../../core/errors/zester-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { activeJobKey, jobKey } from '../../wire/names/keys.ts';
import { PEEL_WORD_STREAMS } from '../../wire/names/streams.ts';
import { jobDispatchSubject } from '../../wire/names/subjects.ts';
import { activeJobEntryCodec, type Job, jobCodec } from '../../wire/records/job.ts';
import { jobEventCodec } from '../../wire/records/job-event.ts';

const makeWorld = closedAfterEach((options?: MasterWorldOptions) => new MasterWorld(options));

const errorIn = (reply: object): string => ('error' in reply ? String(reply.error) : 'no error');
const timeout = zesterError('BUS_TIMEOUT', { what: 'test', ms: 1 });
const unavailable = zesterError('BUS_STORE_UNAVAILABLE', { what: 'test', reason: 'no leader' });

describe('order', () => {
  it('claim, index, event, running, listen, send: and only then the answer', async () => {
    const world = makeWorld();
    const calls: string[] = [];
    const bus = interceptedBus(world.connectMaster(), (call, run) => {
      calls.push(`${call.op} ${call.on}`);
      return run();
    });
    await world.master({}, bus);
    await world.peels(2);
    const job = world.job(['web-0', 'web-1']);
    calls.length = 0;
    await world.dispatch(job);
    const { jid } = job;
    const answer = calls.findIndex((call) => call.startsWith('publish _INBOX'));
    // Rows of peels that have returned by then are another story.
    const steps = calls.slice(0, answer).filter((call) => !call.includes(BUCKETS.jobReturns.name));
    expect(steps.filter((call) => call.includes(jid) || call.includes('.cmd.'))).toEqual([
      `create jobs/${jid}`,
      `create jobs/active.${jid}`,
      `append zester.job.${jid}.dispatch`,
      `update jobs/${jid}`,
      `subscribe zester.job.${jid}.ack.*`,
      `subscribe zester.job.${jid}.return.*`,
      'publish zester.cmd.web-0',
      'publish zester.cmd.web-1',
    ]);
  });

  it('one request for all, byte by byte, under the revision that set `running`', async () => {
    const world = makeWorld();
    await world.master();
    const peels = await world.peels(3, { deaf: 1 });
    const job = world.job(['web-0', 'web-1', 'web-2'], { stateId: 'nginx', args: { b: 1, a: [true] } });
    await world.dispatch(job);
    await world.until(() => peels.every((peel) => peel.heard.length > 0), 'the second round');
    const history = await world.settled(
      world.admin.bucket(BUCKETS.jobs.name).history(jobKey(job.jid)),
      'the history',
    );
    const running = history.find((read) => read.found && jobCodec.decode(read.value).status === 'running');
    const [first] = peels[0]?.heard ?? [];
    expect(first?.request).toMatchObject({
      jid: job.jid,
      module: 'test.ping',
      id: 'nginx',
      epoch: running?.revision,
    });
    for (const peel of peels) for (const { data } of peel.heard) expect(data).toEqual(first?.data);
  });

  it('the dispatch event carries the claim with its epoch', async () => {
    const world = makeWorld();
    await world.master();
    await world.peels(1);
    const job = world.job(['web-0']);
    await world.dispatch(job);
    const events: Job[] = [];
    const read = joinedStreams(world.admin, PEEL_WORD_STREAMS).replay(
      { filter: jobDispatchSubject(job.jid) },
      ({ data }) => {
        const event = jobEventCodec.decode(data);
        expect(event.type).toBe('dispatched');
        events.push(jobCodec.decode(event.data));
      },
    );
    await world.settled(read, 'the event');
    expect(events).toMatchObject([{ jid: job.jid, status: 'claimed' }]);
    expect(events[0]?.epoch).toBeGreaterThan(0);
  });
});

describe('the client’s word', () => {
  it('on clocks, owners and counts is not taken', async () => {
    const world = makeWorld();
    const { masterId } = await world.master();
    await world.peel('web-0', { returns: false });
    const wrong = world.now() - 3_600_000_000_000n;
    const job = world.job(['web-0', 'web-0'], {
      created: wrong,
      deadline: wrong,
      owner: 'master-of-mine' as never,
      status: 'complete',
      execEpoch: 99,
      returnCount: 5,
      metadata: { failed_reason: 'mine', note: 'kept' },
    });
    const before = world.now();
    expect(await world.dispatch(job)).toEqual({ jid: job.jid });
    const record = await world.record(job.jid);
    expect(record).toMatchObject({ owner: masterId, status: 'running', returnCount: 0, targets: ['web-0'] });
    expect(record?.metadata).toEqual({ note: 'kept' });
    expect(record?.deadline).toBeGreaterThanOrEqual(before + job.timeout);
    expect(record?.deadline).toBeLessThan(before + job.timeout + 1_000_000_000n);
  });

  it('no targets, no function, too long, too new, too large, not a job: refused, and nothing is written', async () => {
    const world = makeWorld({ payloadBytesMax: 65_536 });
    await world.master();
    const many = Array.from({ length: 4_000 }, (_, i) => `a-peel-of-some-length-${i}`);
    const cases: [Partial<Job>, string][] = [
      [{ targets: [] }, 'MASTER_NO_TARGETS'],
      [{ function: '' }, 'MASTER_NO_FUNCTION'],
      [{ timeout: 8n * 86_400_000_000_000n }, 'MASTER_TIMEOUT_TOO_LONG'],
      [{ protocol: 2 }, 'MASTER_PROTOCOL'],
      [{ args: { text: 'x'.repeat(65_000) } }, 'MASTER_JOB_TOO_LARGE'],
    ];
    for (const [given, code] of cases) {
      const job = world.job(['web-0'], given);
      const reply = await world.dispatch(job);
      expect(errorIn(reply)).toContain(code);
      expect(reply).toMatchObject({ code });
      expect(await world.record(job.jid)).toBeUndefined();
      expect(await world.isIndexed(job.jid)).toBe(false);
    }
    expect(errorIn(await world.dispatchBytes(Uint8Array.of(0xc1, 1, 2)))).toMatch(/^decode: /);
    expect(errorIn(await world.dispatchBytes(new Uint8Array(0)))).toMatch(/^decode: /);
    expect(await world.dispatchBytes(new Uint8Array(0))).toMatchObject({
      code: 'MASTER_QUESTION_UNREADABLE',
    });
    // The client itself cannot send that many; the master must not try with its own, larger record either.
    expect(() => world.admin.publish('zester.dispatch', jobCodec.encode(world.job(many)))).toThrow('limit');
  });

  it('a hint that would make the record too large is left out', async () => {
    const world = makeWorld({ payloadBytesMax: 65_536 });
    await world.master();
    const away = Array.from({ length: 1_300 }, (_, i) => `a-peel-that-is-away-now-${i}`);
    const job = world.job(away);
    expect(await world.dispatch(job)).toEqual({ jid: job.jid });
    expect((await world.record(job.jid))?.offlineAtDispatch).toEqual([]);
  });

  it('who is away is noted from heartbeats, without a read for each target', async () => {
    const world = makeWorld();
    let reads = 0;
    const bus = interceptedBus(world.connectMaster(), (call, run) => {
      if (call.on.startsWith(`${BUCKETS.peelHeartbeat.name}/`)) reads += 1;
      return run();
    });
    await world.master({}, bus);
    await world.peel('web-0');
    await world.peel('web-1', { withoutHeartbeat: true });
    const job = world.job(['web-0', 'web-1', 'web-2'], { timeout: 2_000_000_000n });
    await world.dispatch(job);
    expect((await world.record(job.jid))?.offlineAtDispatch).toEqual(['web-1', 'web-2']);
    expect(reads).toBe(0);
  });
});

describe('the same job again', () => {
  it('is the same job, before and after its end; another job under its id is refused', async () => {
    const world = makeWorld();
    await world.master();
    await world.master();
    const [peel] = await world.peels(1, { runMs: 3_000 });
    const job = world.job(['web-0']);
    for (let i = 0; i < 5; i++) expect(await world.dispatch(job)).toEqual({ jid: job.jid });
    expect(errorIn(await world.dispatch({ ...job, function: 'cmd.run' }))).toContain('MASTER_JID_TAKEN');
    await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the end');
    expect(await world.dispatch(job)).toEqual({ jid: job.jid });
    expect(peel?.heard).toHaveLength(1);
  });

  it('sent to two masters at once is run once', async () => {
    const world = makeWorld();
    await world.master();
    await world.master();
    const peels = await world.peels(5);
    const job = world.job(peels.map((peel) => peel.id));
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.dispatch(job)));
    const kinds = new Set(replies.map((reply) => ('jid' in reply ? 'jid' : errorIn(reply).slice(0, 13))));
    expect([...kinds].every((kind) => kind === 'jid' || kind === 'claim pending')).toBe(true);
    await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the end');
    for (const peel of peels) expect(new Set(peel.heard.map(({ request }) => request.epoch)).size).toBe(1);
    expect(peels.every((peel) => peel.ran.length === 1)).toBe(true);
  });

  it('sent many times at once to one master is worked on once', async () => {
    const world = makeWorld();
    const { master } = await world.master();
    const [peel] = await world.peels(1, { returns: false });
    const job = world.job(['web-0']);
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.dispatch(job)));
    expect(replies).toEqual(Array(8).fill({ jid: job.jid }));
    expect(peel?.heard).toHaveLength(1);
    expect(master.state().jobs).toBe(1);
  });

  it('claimed by another master is neither success nor conflict, and its index is made again', async () => {
    const world = makeWorld();
    await world.master();
    const [peel] = await world.peels(1);
    const job = world.job(['web-0']);
    const other = 'master-2hPx2Kd8VnR7YmWqTz4PLsCfNjA' as never;
    const value = jobCodec.encode({ ...job, status: 'claimed', owner: other });
    const jobs = world.admin.bucket(BUCKETS.jobs.name);
    await world.settled(jobs.create(jobKey(job.jid), value), 'the claim');
    const error = errorIn(await world.dispatch(job));
    expect(error).toMatch(/^claim pending/);
    const entry = await world.settled(jobs.getLatest(activeJobKey(job.jid)), 'the index key');
    expect(entry.found && activeJobEntryCodec.decode(entry.value).owner).toBe(other);
    expect(peel?.heard).toEqual([]);
  });
});

describe('when the store fails', () => {
  const dispatchUnder = async (
    fault: { op: string; on: RegExp; error: Error; effect?: boolean; times?: number; armed?: () => boolean },
    settings = {},
  ) => {
    const world = makeWorld();
    const { bus, calls } = failingBus(world.connectMaster(), fault);
    const { master } = await world.master(settings, bus);
    const peels = await world.peels(2);
    const job = world.job(['web-0', 'web-1']);
    const reply = await world.dispatch(job);
    return { world, master, peels, job, reply, calls };
  };
  const A_JOB = /^jobs\/[0-9A-Za-z]{27}$/;

  const STEPS = [
    ['claim', { op: 'create', on: A_JOB, error: unavailable }, undefined],
    ['announce', { op: 'append', on: /dispatch$/, error: unavailable }, 'claimed'],
    ['announce', { op: 'append', on: /dispatch$/, error: timeout, effect: true }, 'claimed'],
    ['running', { op: 'update', on: A_JOB, error: unavailable }, 'claimed'],
  ] as const;
  const announcements = async (world: MasterWorld, job: Job) => {
    let count = 0;
    const filter = jobDispatchSubject(job.jid);
    const read = joinedStreams(world.admin, PEEL_WORD_STREAMS).replay({ filter }, () => count++);
    await world.settled(read, 'the events');
    return count;
  };

  it.each(STEPS)(
    'at step %s, it is asked again, and the client hears of success alone',
    async (_step, fault) => {
      const { world, master, peels, job, reply } = await dispatchUnder({ ...fault, times: 3 });
      expect(reply).toEqual({ jid: job.jid });
      await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the end');
      expect(peels.map((peel) => peel.heard.length)).toEqual([1, 1]);
      expect(await announcements(world, job)).toBe(1);
      expect(world.logged('dispatch waits for the store')).toHaveLength(1);
      expect(master.state().dispatchesRetrying).toBe(0);
    },
  );

  it.each(STEPS)(
    'at step %s, for long, the client is told what is waited for, and the job goes out when the store takes it',
    async (step, fault, status) => {
      let isDown = true;
      const always = { ...fault, times: Number.MAX_SAFE_INTEGER, armed: () => isDown };
      const { world, master, peels, job, reply } = await dispatchUnder(always);
      const pending = new RegExp(`^claim pending: .* at step ${step} .*MASTER_DISPATCH_PENDING`);
      expect(errorIn(reply)).toMatch(pending);
      // However often it asks: one dispatch is under way.
      expect(errorIn(await world.dispatch(job))).toMatch(pending);
      expect(errorIn(await world.dispatch({ ...job, function: 'cmd.run' }))).toMatch(pending);
      expect((await world.record(job.jid))?.status).toBe(status);
      expect(peels.flatMap((peel) => peel.heard)).toEqual([]);
      expect(master.state()).toMatchObject({ dispatchesRetrying: 1, interruptedClaims: 0 });
      const claimed = (await world.record(job.jid))?.deadline;
      isDown = false;
      await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the end');
      if (claimed !== undefined) expect((await world.record(job.jid))?.deadline).toBe(claimed);
      expect(await world.dispatch(job)).toEqual({ jid: job.jid });
      expect(errorIn(await world.dispatch({ ...job, function: 'cmd.run' }))).toContain('MASTER_JID_TAKEN');
      expect(peels.map((peel) => peel.heard.length)).toEqual([1, 1]);
      expect(await announcements(world, job)).toBe(1);
      expect(master.state()).toMatchObject({ dispatchesRetrying: 0, dispatchesWaiting: 0 });
    },
  );

  it('in silence, the log, the metrics and a cancel do not wait for the retries of the bus', async () => {
    const world = makeWorld();
    const line = world.server.connect({ role: 'master', name: 'patient' });
    const publish = line.publish.bind(line);
    line.publish = (subject, data, options) => {
      if (!subject.endsWith('.dispatch')) publish(subject, data, options);
    };
    const retryBudget = { ms: ELECTION_MS_MAX };
    const { master } = await world.master({}, openBus(line, world.runtime, { retryBudget }));
    const peels = await world.peels(1);
    const job = world.job(['web-0']);
    expect(errorIn(await world.dispatch(job))).toContain('MASTER_DISPATCH_PENDING');
    await world.until(() => master.state().dispatchesRetrying === 1, 'the failure to be counted', 3_000);
    expect(world.logged('dispatch waits for the store')).toHaveLength(1);
    world.cancel(job.jid);
    await world.until(async () => (await world.record(job.jid))?.status === 'canceled', 'the end', 10_000);
    expect(peels.flatMap((peel) => peel.heard)).toEqual([]);
  });

  it('clients that ask again and again hold no place in the queue, and others find room', async () => {
    const world = makeWorld();
    const stuck = world.job(['web-0']);
    let isDown = true;
    const on = new RegExp(`${stuck.jid}.dispatch$`);
    const fault = { op: 'append', on, error: unavailable, times: 1_000, armed: () => isDown };
    const { bus } = failingBus(world.connectMaster(), fault);
    const { master } = await world.master({ dispatchQueueMax: 4 }, bus);
    const [peel] = await world.peels(1);
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all(Array.from({ length: 3 }, () => world.dispatch(stuck)));
      for (const reply of replies) expect(errorIn(reply)).toContain('MASTER_DISPATCH_PENDING');
      expect(master.state()).toMatchObject({ dispatchesWaiting: 0, dispatchesRetrying: 1 });
    }
    const other = world.job(['web-0']);
    expect(await world.dispatch(other)).toEqual({ jid: other.jid });
    isDown = false;
    await world.until(async () => (await world.record(stuck.jid))?.status === 'complete', 'the end');
    expect(peel?.ran).toEqual([other.jid, stuck.jid]);
    expect(await world.dispatch(stuck)).toEqual({ jid: stuck.jid });
  });

  it('what waits for its turn is told so, and is not sent behind the back of a client that went away', async () => {
    const world = makeWorld();
    let isDown = true;
    const fault = { op: 'append', on: /dispatch$/, error: unavailable, times: 1_000, armed: () => isDown };
    const { bus } = failingBus(world.connectMaster(), fault);
    const { master } = await world.master({ dispatchConcurrency: 1 }, bus);
    await world.peels(1);
    const [first, second] = [world.job(['web-0']), world.job(['web-0'])];
    const replies = await Promise.all([world.dispatch(first), world.dispatch(second)]);
    expect(replies.map(errorIn)).toEqual([
      expect.stringContaining('MASTER_DISPATCH_PENDING'),
      expect.stringContaining('MASTER_BUSY'),
    ]);
    isDown = false;
    await world.until(async () => (await world.record(first.jid))?.status === 'complete', 'the end');
    await world.clock.advance(10_000);
    expect(await world.record(second.jid)).toBeUndefined();
    expect(master.state().dispatchesWaiting).toBe(0);
    expect(await world.dispatch(second)).toEqual({ jid: second.jid });
  });

  it.each([
    ['claim, with effect', { op: 'create', on: A_JOB, error: timeout, effect: true }],
    ['claim, without', { op: 'create', on: A_JOB, error: timeout }],
    ['claim, for a while', { op: 'create', on: A_JOB, error: timeout, times: 5 }],
    ['running, with effect', { op: 'update', on: A_JOB, error: timeout, effect: true }],
    ['running, without', { op: 'update', on: A_JOB, error: timeout }],
    ['running, for a while', { op: 'update', on: A_JOB, error: timeout, times: 5 }],
  ])('a lost answer is asked for until it is known: %s', async (_what, fault) => {
    const { world, peels, job, reply } = await dispatchUnder(fault);
    expect(reply).toEqual({ jid: job.jid });
    await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the end');
    expect(peels.map((peel) => peel.heard.length)).toEqual([1, 1]);
  });

  it('until the deadline, the claim ends as failed, with a row per target', async () => {
    const world = makeWorld();
    const job = world.job(['web-0', 'web-1']);
    let isDown = true;
    const fault = { op: 'update', on: A_JOB, error: unavailable, times: 1_000, armed: () => isDown };
    const { bus } = failingBus(world.connectMaster(), fault);
    const { master } = await world.master({}, bus);
    const peels = await world.peels(2);
    expect(errorIn(await world.dispatch(job))).toContain('MASTER_DISPATCH_PENDING');
    await world.until(() => master.state().dispatchesRetrying === 0, 'the dispatch to be given up', 70_000);
    isDown = false;
    await world.until(async () => (await world.record(job.jid))?.status === 'failed', 'the end', 10_000);
    expect((await world.record(job.jid))?.metadata.failed_reason).toMatch(/interrupted/);
    expect((await world.rows(job.jid)).map((row) => row.outcome)).toEqual(['unreachable', 'unreachable']);
    await world.until(async () => !(await world.isIndexed(job.jid)), 'the index key to go');
    expect(peels.flatMap((peel) => peel.heard)).toEqual([]);
    expect(world.logged('job not dispatched').map(({ error }) => JSON.stringify(error))).toEqual([
      expect.stringContaining('failed at step running'),
    ]);
    expect(master.state()).toMatchObject({ interruptedClaims: 0, dispatchesRetrying: 0 });
  });

  it('the index is made later, while the job lives', async () => {
    const fault = { op: 'create', on: /^jobs\/active/, error: unavailable, times: 3 };
    const world = makeWorld();
    const { bus } = failingBus(world.connectMaster(), fault);
    await world.master({}, bus);
    await world.peels(1, { runMs: 20_000 });
    const job = world.job(['web-0']);
    expect(await world.dispatch(job)).toEqual({ jid: job.jid });
    expect(await world.isIndexed(job.jid)).toBe(false);
    await world.until(() => world.isIndexed(job.jid), 'the index');
    await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the end');
    await world.until(async () => !(await world.isIndexed(job.jid)), 'the index key to go');
  });

  it('a target that cannot be published to does not hold up the others', async () => {
    const code: ErrorCode = 'BUS_DISCONNECTED';
    const error = zesterError(code, { what: 'test' });
    const { world, peels, job, reply } = await dispatchUnder({ op: 'publish', on: /cmd\.web-0$/, error });
    expect(reply).toEqual({ jid: job.jid });
    await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the end');
    expect(world.logged('could not be published').length).toBeGreaterThan(0);
    expect(peels.map((peel) => peel.heard.length)).toEqual([1, 1]);
  });

  it('a job whose answers cannot be heard ends as failed', async () => {
    const error = zesterError('BUS_DENIED', { operation: 'subscription', subject: 'x' });
    const { world, peels, job, reply } = await dispatchUnder({ op: 'subscribe', on: /\.ack\./, error });
    expect(errorIn(reply)).toContain('failed at step listen');
    expect((await world.record(job.jid))?.status).toBe('failed');
    expect((await world.rows(job.jid)).map((row) => row.outcome)).toEqual(['unreachable', 'unreachable']);
    expect(peels.flatMap((peel) => peel.heard)).toEqual([]);
    expect(await world.dispatch(job)).toEqual({ jid: job.jid });
  });

  it('refuses at its bounds', async () => {
    const world = makeWorld();
    await world.master({ watchedJobsMax: 1 });
    await world.peels(1, { returns: false });
    const first = world.job(['web-0']);
    expect(await world.dispatch(first)).toEqual({ jid: first.jid });
    const second = world.job(['web-0']);
    expect(errorIn(await world.dispatch(second))).toContain('MASTER_BUSY');
    expect(await world.record(second.jid)).toBeUndefined();
    const jid: Jid = second.jid;
    expect(await world.isIndexed(jid)).toBe(false);
  });
});
