/**
 * A store made by a version whose stream job-events kept acks and returns, too, on a real nats-server: a master of this version
 * splits it, and a job that ran meanwhile loses nothing (decision 123).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { ALL_BUCKETS, BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { consumerCreateSubject, consumerInfoSubject } from '../../../src/wire/names/jetstream.ts';
import { activeJobKey, jobKey } from '../../../src/wire/names/keys.ts';
import { CONSUMERS, STREAMS, type StreamSpec } from '../../../src/wire/names/streams.ts';
import { JOB_SUBJECTS, jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import { activeJobEntryCodec, jobCodec } from '../../../src/wire/records/job.ts';
import { returnCodec } from '../../../src/wire/records/job-return.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

/** As it was: everything in one stream, the consumer of returns on it. */
const WIDE: StreamSpec = { ...STREAMS.jobEvents, subjects: [JOB_SUBJECTS] };
const OLD_EVENTS: StreamSpec = { ...STREAMS.events, messageBytesMax: 0 };
const FORMER = { stream_name: WIDE.name, name: CONSUMERS.lateReturns.name };
const PEEL = 'web-01' as PeelId;
const newJid = () => newKsuid(testRuntime.clock, testRuntime.random) as Jid;
const world = new JobsWorld();
const hasReturn = async (jid: Jid) => (await world.rows({ jid })).some(({ success }) => success);
/** Ran when the masters of the former version stopped, and has returned since. */
const running = newJid();
/** Had ended; its return came late, and nobody had looked at it yet. */
const late = newJid();

beforeAll(async () => {
  await world.open(0);
  const { admin } = world;
  await ensureAssets(admin, { buckets: ALL_BUCKETS, streams: [WIDE, OLD_EVENTS], objectStores: [] }, 1);
  const { name, filter } = CONSUMERS.lateReturns;
  const config = { durable_name: name, name, ack_policy: 'explicit', filter_subject: filter };
  await admin.api(consumerCreateSubject(WIDE.name, name), { stream_name: WIDE.name, config });
  const jobs = admin.bucket(BUCKETS.jobs.name);
  const owner = 'master-gone';
  for (const [jid, status] of [
    [running, 'running'],
    [late, 'complete'],
  ] as const) {
    const job = {
      ...world.job([PEEL], { jid, status }),
      owner: owner as never,
      created: BigInt(Date.now()) * 1_000_000n,
    };
    await jobs.put(jobKey(jid), jobCodec.encode(job));
    const value = returnCodec.create({ jid, peelId: PEEL, success: true });
    await admin.append(jobReturnSubject(jid, PEEL), returnCodec.encode(value), {});
  }
  await jobs.put(
    activeJobKey(running),
    activeJobEntryCodec.encode(activeJobEntryCodec.create({ owner: owner as never })),
  );
  await world.master('new').ready;
}, 60_000);
afterAll(() => world.close());

describe('a store of the version before', () => {
  it('is split: what peels say has streams of its own', async () => {
    const subjects = async (stream: string) =>
      ((await world.admin.api(`$JS.API.STREAM.INFO.${stream}`, {})).config as { subjects: string[] })
        .subjects;
    for (const { name, subjects: wanted } of Object.values(STREAMS))
      expect(await subjects(name)).toEqual([...wanted]);
  });

  it('keeps the return of a job that ran during the change', async () => {
    await until(() => hasReturn(running), 'the adopted job', 60_000);
  }, 90_000);

  it('has its late returns looked at to the last one', async () => {
    await until(() => hasReturn(late), 'the late return', 30_000);
    await until(async () => {
      const info = await world.admin.api(consumerInfoSubject(FORMER.stream_name, FORMER.name), {});
      return info.num_pending === 0 && info.num_ack_pending === 0;
    }, 'the former consumer to have nothing left');
  }, 60_000);
});
