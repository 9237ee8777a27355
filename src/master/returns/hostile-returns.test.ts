/** What a hostile peel can write, and what a cut line can swallow: the job comes out true all the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import type { ScriptedPeel } from '../../../test/harness/master/master-scripted-peel.ts';
import { MasterWorld, type MasterWorldOptions } from '../../../test/harness/master/master-world.ts';
import type { Bus } from '../../bus/port.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import {
  directAnswerSubject,
  jobAckSubject,
  jobReturnSubject,
  jobScheduleSubject,
  peelTargetResolveSubject,
} from '../../wire/names/subjects.ts';
import { ackCodec, type Row, rowCodec } from '../../wire/records/job-return.ts';
import { STRANGER_RATE } from './strangers.ts';

const makeWorld = closedAfterEach((options?: MasterWorldOptions) => new MasterWorld(options));

/** Valid frames that lie, and invalid ones of every sort. */
function hostileFrames(jid: Jid, peel: PeelId): fc.Arbitrary<Uint8Array> {
  const lie = (given: Partial<Row>) => rowCodec.encode(rowCodec.create({ jid, peelId: peel, ...given }));
  const lies = [
    lie({ peelId: 'web-0' as PeelId, success: true }),
    lie({ unreachable: true, outcome: 'unreachable' }),
    lie({ jid: '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid }),
    ackCodec.encode({ jid, peelId: 'web-0' as PeelId, timestamp: 0n, behind: '' }),
  ];
  const broken = fc
    .tuple(fc.constantFrom(...lies), fc.nat(), fc.integer({ min: 0, max: 255 }))
    .map(([frame, at, byte]) => {
      const copy = frame.slice();
      copy[at % copy.length] = byte;
      return copy;
    });
  const cut = fc
    .tuple(fc.constantFrom(...lies), fc.nat())
    .map(([frame, at]) => frame.slice(0, at % frame.length));
  const deep = fc.integer({ min: 1, max: 50_000 }).map((depth) => new Uint8Array(depth).fill(0x91));
  return fc.oneof(fc.constantFrom(...lies), broken, cut, deep, fc.uint8Array({ maxLength: 400 }));
}

describe('a peel that is no target', () => {
  it('can neither finish, nor fail, nor disturb a job, whatever it writes wherever it may write', async () => {
    const world = makeWorld();
    const { master } = await world.master();
    await world.peel('web-0', { runMs: 20_000 });
    const evil = await world.peel('evil');
    const job = world.job(['web-0']);
    await world.dispatch(job);
    const subjects = [
      jobAckSubject(job.jid, evil.id),
      jobReturnSubject(job.jid, evil.id),
      jobScheduleSubject(job.jid, evil.id),
      directAnswerSubject(job.jid, evil.id),
      peelTargetResolveSubject(evil.id),
    ];
    const buckets = [BUCKETS.facts.name, BUCKETS.peelHeartbeat.name];
    const frames = fc.sample(hostileFrames(job.jid, evil.id), { numRuns: 300, seed: 42 });
    frames.push(rowCodec.encode(rowCodec.create({ jid: job.jid, peelId: evil.id, success: true })));
    for (const frame of frames) {
      for (const subject of subjects) evil.bus.publish(subject, frame, { reply: `_INBOX.${evil.id}.x` });
      for (const name of buckets) {
        // What is too large for a bucket the server itself refuses.
        const put = evil.bus.bucket(name).put(evil.id, frame);
        await world.settled(
          put.catch(() => 0),
          'a put',
        );
      }
    }
    await world.endsAs(job, 'complete');
    expect(await world.outcomes(job)).toEqual({ 'web-0': 'returned' });
    expect(world.lines.filter((line) => line.level === 'error')).toEqual([]);
    expect(world.logged('ack or return dropped').filter((line) => line.peel === 'evil').length).toBe(1);
    expect(master.state().phase).toBe('ready');
    const next = world.job(['web-0']);
    expect(await world.dispatch(next)).toEqual({ jid: next.jid });
  });
});

/** Counts what the master asks the store about rows and records. */
const countingReads = (bus: Bus): { readonly bus: Bus; readonly reads: () => number } => {
  let reads = 0;
  const counted = new Set<string>([BUCKETS.jobs.name, BUCKETS.jobReturns.name]);
  const bucket: Bus['bucket'] = (name) => {
    const there = bus.bucket(name);
    if (!counted.has(name)) return there;
    const count =
      <A extends unknown[], R>(read: (...given: A) => R) =>
      (...given: A): R => {
        reads += 1;
        return read(...given);
      };
    return { ...there, get: count(there.get), getLatest: count(there.getLatest) };
  };
  return { bus: { ...bus, bucket }, reads: () => reads };
};
const FLOOD = 5_000;

describe('a peel that floods returns of jobs that do not exist', () => {
  it('costs a bounded number of reads and two lines; others, and what it owes itself, are served', async () => {
    const world = makeWorld();
    const { bus, reads } = countingReads(world.connectMaster());
    await world.master({ orphanScanMs: 3_600_000, sweepMs: 3_600_000 }, bus);
    const evil = await world.peel('evil');
    const good = await world.peel('web-0', { returns: false });
    const over = world.job(['web-0'], { timeout: 1_000_000_000n });
    await world.dispatch(over);
    await world.endsAs(over, 'timeout');
    const before = reads();
    for (let i = 0; i < FLOOD; i++) {
      const jid = newKsuid(world.clock, world.random) as Jid;
      const value = rowCodec.create({ jid, peelId: evil.id, success: true });
      evil.bus.publish(jobReturnSubject(jid, evil.id), rowCodec.encode(value));
    }
    await world.clock.advance(10_000);
    // Two for each that was looked at: the burst, what came back in ten seconds, and those in hand when it was over.
    expect(reads() - before).toBeLessThan(2 * (STRANGER_RATE.burst + 10 * STRANGER_RATE.perSecond + 64));
    const told = world.lines.filter((line) => line.peel === 'evil' && line.level === 'warn');
    expect(told.map((line) => line.msg)).toEqual([
      'ack or return dropped',
      'too many acks and returns of strangers; the rest is dropped unread',
    ]);
    // Nobody else pays for it: a late return gets its row; nor does a job of the flooder's own.
    await world.settled(good.returnNow(over.jid), 'a late return');
    await world.endsAs(over, 'complete');
    const next = world.job(['evil', 'web-0']);
    await world.dispatch(next);
    await world.settled(good.returnNow(next.jid), 'a return');
    await world.endsAs(next, 'complete');
  });
});

describe('a peel that floods returns of a job that has ended', () => {
  const flood = (peel: ScriptedPeel, jid: Jid) => {
    const value = rowCodec.encode(rowCodec.create({ jid, peelId: peel.id, success: true }));
    for (let i = 0; i < FLOOD; i++) peel.bus.publish(jobReturnSubject(jid, peel.id), value);
  };
  const QUIET = { orphanScanMs: 3_600_000, sweepMs: 3_600_000 };
  /** Deliveries that may be in hand before the first of them is read. */
  const IN_HAND = 64;

  it('and is its own costs a master that did not end it the reads of what it had in hand at first', async () => {
    const world = makeWorld();
    const ender = await world.master();
    const evil = await world.peel('evil');
    const job = world.job(['evil']);
    await world.dispatch(job);
    await world.endsAs(job, 'complete');
    await world.settled(ender.master.stop(), 'the first master to go');
    const { bus, reads } = countingReads(world.connectMaster());
    await world.master(QUIET, bus);
    await world.clock.advance(1_000);
    const before = reads();
    flood(evil, job.jid);
    await world.clock.advance(10_000);
    expect(reads() - before).toBeLessThanOrEqual(IN_HAND);
    // After a cut of the line nothing is taken for granted.
    world.server.stop();
    await world.clock.advance(1_000);
    world.server.start();
    await world.clock.advance(5_000);
    const then = reads();
    await world.settled(evil.returnNow(job.jid), 'its return once more');
    await world.until(() => reads() > then, 'its row to be read', 10_000);
  });

  it('and is another’s costs no more than returns of jobs that do not exist', async () => {
    const world = makeWorld();
    const { bus, reads } = countingReads(world.connectMaster());
    await world.master(QUIET, bus);
    const evil = await world.peel('evil');
    const good = await world.peel('web-0', { returns: false });
    const job = world.job(['web-0'], { timeout: 1_000_000_000n });
    await world.dispatch(job);
    await world.endsAs(job, 'timeout');
    await world.settled(good.returnNow(job.jid), 'a late return');
    await world.endsAs(job, 'complete');
    const before = reads();
    flood(evil, job.jid);
    await world.clock.advance(10_000);
    expect(reads() - before).toBeLessThan(2 * (STRANGER_RATE.burst + 10 * STRANGER_RATE.perSecond + IN_HAND));
  });
});

describe('a target that lies', () => {
  it('can only fail its own row', async () => {
    const world = makeWorld();
    await world.master();
    await world.peel('web-0', { runMs: 3_000 });
    const evil = await world.peel('evil', { returns: false });
    const job = world.job(['web-0', 'evil'], { timeout: 20_000_000_000n });
    await world.dispatch(job);
    const frames = fc.sample(hostileFrames(job.jid, evil.id), { numRuns: 300, seed: 43 });
    // Fuzz may hit upon a true return; that would be the peel's own word.
    for (const frame of frames.filter((each) => !isOwnWord(each, job.jid, evil))) {
      evil.bus.publish(jobReturnSubject(job.jid, evil.id), frame);
      evil.bus.publish(jobAckSubject(job.jid, evil.id), frame);
    }
    await world.endsAs(job, 'partial');
    expect(await world.outcomes(job)).toEqual({ 'web-0': 'returned', evil: 'running' });
    expect(world.lines.filter((line) => line.level === 'error')).toEqual([]);
  });

  it('cannot say more of itself than a peel may, nor change its word', async () => {
    const world = makeWorld();
    await world.master();
    const evil = await world.peel('evil', { returns: false });
    const job = world.job(['evil']);
    await world.dispatch(job);
    const proof = { acked: 1n, heartbeatAge: 1n, epoch: 9 };
    const first = { success: false, error: 'no', outcome: 'returned' as const, proof };
    await world.settled(evil.returnNow(job.jid, first), 'a return');
    await world.settled(evil.returnNow(job.jid, { success: true }), 'another return');
    await world.endsAs(job, 'failed');
    await world.clock.advance(5_000);
    expect(await world.rows(job.jid)).toMatchObject([
      { outcome: 'failed', success: false, proof: undefined },
    ]);
    expect(await world.record(job.jid)).toMatchObject({ status: 'failed', successCount: 0 });
  });

  it('cannot end the connection of its master with a return of just the largest size', async () => {
    const max = 16_384;
    const world = makeWorld({ payloadBytesMax: max });
    const { bus } = await world.master();
    const evil = await world.peel('evil', { returns: false });
    const job = world.job(['evil']);
    await world.dispatch(job);
    const empty = rowCodec.encode(rowCodec.create({ jid: job.jid, peelId: evil.id, success: true }));
    const error = 'x'.repeat(max - empty.length - 20);
    const largest = rowCodec.create({ jid: job.jid, peelId: evil.id, success: true, error });
    evil.bus.publish(jobReturnSubject(job.jid, evil.id), rowCodec.encode(largest));
    await world.endsAs(job, 'failed');
    expect(bus.status()).toBe('connected');
    expect((await world.rows(job.jid))[0]?.error.length).toBeLessThan(5_000);
  });
});

function isOwnWord(frame: Uint8Array, jid: Jid, peel: ScriptedPeel): boolean {
  try {
    const value = rowCodec.decode(frame);
    return value.jid === jid && value.peelId === peel.id && !value.unreachable;
  } catch {
    return false;
  }
}
