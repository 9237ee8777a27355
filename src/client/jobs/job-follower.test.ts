import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobKey, jobReturnKey } from '../../wire/names/keys.ts';
import { ALL_STREAMS } from '../../wire/names/streams.ts';
import { jobAckSubject, jobReturnSubject } from '../../wire/names/subjects.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { ackCodec, returnCodec } from '../../wire/records/job-return.ts';
import { attachJob, type FollowEvent, JobFollower } from './job-follower.ts';

const [WEB, DB] = ['web-01', 'db-01'] as [PeelId, PeelId];

/** A job of two targets, and the hands of its master and its peels. */
async function makeWorld() {
  const clock = virtualClock();
  const random = seededRandom(3);
  const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
  const bus = openBus(new MemoryServer({ clock, random }).connect({ role: 'master', name: 'm' }), runtime);
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const watched = work.finally(() => {
      isDone = true;
    });
    watched.catch(() => undefined);
    while (!isDone) await clock.advance(5);
    return watched;
  };
  await settled(bus.connected());
  const buckets = [BUCKETS.jobs, BUCKETS.jobReturns];
  await settled(ensureAssets(bus, { buckets, streams: ALL_STREAMS, objectStores: [] }, 1));
  const jid = newKsuid(clock, random) as Jid;
  const job = jobCodec.create({ jid, function: 'test.ping', targets: [WEB, DB], status: 'running' });
  const put = (bucket: 'jobs' | 'jobReturns', key: string, value: Uint8Array) =>
    settled(bus.bucket(BUCKETS[bucket].name).put(key, value));
  const record = (status: Job['status']) => put('jobs', jobKey(jid), jobCodec.encode({ ...job, status }));
  const row = (
    peelId: PeelId,
    bytes = returnCodec.encode(returnCodec.create({ jid, peelId, success: true })),
  ) => put('jobReturns', jobReturnKey(jid, peelId), bytes);
  const says = (
    peelId: PeelId,
    bytes = returnCodec.encode(returnCodec.create({ jid, peelId, success: true })),
  ) => settled(bus.append(jobReturnSubject(jid, peelId), bytes, {}));
  const acks = (peelId: PeelId) =>
    settled(
      bus.append(jobAckSubject(jid, peelId), ackCodec.encode({ jid, peelId, timestamp: 1n, behind: '' }), {}),
    );
  const events: FollowEvent[] = [];
  const leaving = new AbortController();
  const client = clientOf(bus, runtime, { signal: leaving.signal });
  const onEvent = (event: FollowEvent) => events.push(event);
  return { clock, client, job, settled, record, row, says, acks, events, onEvent, leaving };
}

const peelsIn = (events: readonly FollowEvent[]) =>
  events.map((event) => (event.kind === 'return' ? event.value.peelId : `unreadable ${event.record.key}`));

describe('following a job', () => {
  it('tells of returns as they come, each target once, and ends with the record', async () => {
    const { client, job, settled, record, says, events, onEvent } = await makeWorld();
    const follower = new JobFollower(client, { jid: job.jid, targets: job.targets }, onEvent);
    await settled(follower.start());
    const ended = follower.untilEnd(60_000);
    await says(DB);
    await says(DB);
    expect(peelsIn(events)).toEqual([DB]);
    await says(WEB);
    await record('complete');
    await settled(ended);
    follower.stop();
    expect(peelsIn(events)).toEqual([DB, WEB]);
    expect(follower.job?.status).toBe('complete');
    expect(Object.fromEntries(follower.outcomes())).toEqual({ [WEB]: 'returned', [DB]: 'returned' });
  });

  it('that goes on comes back to what was said before, and names what cannot be read', async () => {
    const { client, job, settled, record, row, acks, events, onEvent } = await makeWorld();
    await record('running');
    await acks(DB);
    await row(WEB);
    await row(DB, Uint8Array.of(0xc1));
    const follower = await settled(attachJob(client, job, onEvent));
    follower.stop();
    expect(peelsIn(events).sort()).toEqual([`unreadable ${DB}`, WEB]);
    expect(Object.fromEntries(follower.outcomes())).toEqual({ [WEB]: 'returned', [DB]: 'running' });
  });

  it('takes no word of one peel for another’s, and tells the same nonsense once', async () => {
    const { client, job, settled, says, events, onEvent } = await makeWorld();
    const follower = new JobFollower(client, { jid: job.jid, targets: job.targets }, onEvent);
    await settled(follower.start());
    const lie = returnCodec.encode(returnCodec.create({ jid: job.jid, peelId: WEB, success: true }));
    for (let i = 0; i < 5; i++) await says(DB, lie);
    follower.stop();
    expect(peelsIn(events)).toEqual([`unreadable ${DB}`]);
    expect(follower.returns.size).toBe(0);
  });

  it('ends without an answer when the time of its targets is over, and a grace', async () => {
    const { clock, client, job, settled, record } = await makeWorld();
    await record('running');
    const follower = new JobFollower(client, { jid: job.jid, targets: job.targets });
    await settled(follower.start());
    const startedMs = clock.monotonicMs();
    await settled(follower.untilEnd(10_000));
    follower.stop();
    expect(clock.monotonicMs() - startedMs).toBeGreaterThan(10_000);
    expect([...follower.outcomes().values()]).toEqual(['unreachable', 'unreachable']);
  });

  it('can be left at any moment', async () => {
    const { client, job, settled, leaving } = await makeWorld();
    const follower = new JobFollower(client, { jid: job.jid, targets: job.targets });
    await settled(follower.start());
    const ended = follower.untilEnd(60_000);
    leaving.abort(new Error('gone'));
    await expect(ended).rejects.toThrow('gone');
    follower.stop();
  });
});
