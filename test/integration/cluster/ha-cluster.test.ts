/**
 * Masters and peels on a real cluster of three whose nodes are killed one after the other under load, the meta leader
 * first: nothing that was acknowledged is lost, no ack or return that is said during an election either, and no master
 * goes blind.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../../src/bus/port.ts';
import { joinedStreams } from '../../../src/bus/stream/joined-streams.ts';
import { submitJob } from '../../../src/client/jobs/submit-job.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { ALL_BUCKETS, BUCKETS } from '../../../src/wire/names/buckets.ts';
import { streamInfoSubject } from '../../../src/wire/names/jetstream.ts';
import { kvStreamName } from '../../../src/wire/names/store-subjects.ts';
import { ALL_STREAMS, PEEL_WORD_STREAMS, STREAMS } from '../../../src/wire/names/streams.ts';
import { ANY, jobAckSubject, jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import type { Job } from '../../../src/wire/records/job.ts';
import { clientOf } from '../../harness/client-of.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { countingFunctions } from '../../harness/peel/peel-functions.ts';
import { bringBack } from '../../harness/servers/bring-back.ts';
import { metaLeader } from '../../harness/servers/nats-cluster.ts';
import type { TestServer } from '../../harness/servers/nats-server.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const PEELS = ['web-01', 'web-02', 'web-03', 'web-04'];
const TARGETS = 2;
/** The 2 s themselves are measured by watch-cluster.test.ts; here servers, masters, peels and load share two cores. */
const SEEN_WITHIN_MS = 15_000;
const JOB_EVERY_MS = 100;
const PROBE_EVERY_MS = 100;
/** After a kill: longer than any election that was seen. */
const WATCHED_MS = 8_000;

const world = new JobsWorld();
/** How often each job ran, on all peels together. */
const runs = new Map<string, number>();
const startedMs = systemClock.monotonicMs();
let openMs = 0;
let writer: Bus;

beforeAll(async () => {
  await world.openCluster(3, { replicas: 3 });
  openMs = systemClock.monotonicMs() - startedMs;
  const functions = countingFunctions((jid) => runs.set(jid, (runs.get(jid) ?? 0) + 1));
  await Promise.all(PEELS.map((id) => world.peel(id, { functions })));
  writer = world.bus('master', 'writer');
  await writer.connected();
}, 120_000);
afterAll(() => world.close(), 60_000);

describe('a cluster of three whose nodes are killed under load', () => {
  it('loses nothing, and no master goes blind', async () => {
    const load = new Load();
    const probe = new Probe();
    for (const role of ['meta leader', 'leader of job-events', 'leader of jobs'] as const) {
      const victim = await until(() => nodeOf(role), `the ${role}`);
      await victim.kill9();
      const begunMs = systemClock.monotonicMs();
      await sleep(systemClock, WATCHED_MS);
      await until(() => load.newestMs > begunMs, 'jobs to be taken again', 30_000);
      await until(() => probe.newestMs > begunMs, 'facts to be written again', 30_000);
      await bringBack(victim, allCurrent);
    }
    await Promise.all([load.end(), probe.end()]);

    const worst = probe.worstMs();
    console.log(
      `cluster, assets and masters up after ${Math.round(openMs)} ms; ${load.jobs.length} jobs, slowest promise ` +
        `${Math.round(load.slowestMs)} ms; slowest sight ${worst.map((ms) => `${Math.round(ms)} ms`).join(', ')}`,
    );
    expect(await probe.lost()).toEqual([]);
    expect(load.complaints).toEqual([]);
    for (const job of load.jobs) expect(await world.ended(job)).toMatchObject(COMPLETE);
    // A return that came while its stream had no leader is heard, and stored when the peel sends it again.
    let wrong: string[] = [];
    const areStored = async () => {
      const stored = await storedWords();
      wrong = load.jobs.flatMap((job) => wrongWords(job, stored));
      return wrong.length === 0;
    };
    await until(areStored, 'all words to be stored', 30_000).catch(() => undefined);
    expect(wrong).toEqual([]);
    expect(worst.filter((ms) => ms > SEEN_WITHIN_MS)).toEqual([]);
  }, 240_000);
});

const COMPLETE = { status: 'complete', returnCount: TARGETS, successCount: TARGETS };

/** Jobs, as fast as one a tenth of a second, each promised by a master. */
class Load {
  readonly jobs: Job[] = [];
  readonly complaints: string[] = [];
  newestMs = 0;
  slowestMs = 0;
  private readonly over = new AbortController();
  private readonly handing = new Set<Promise<void>>();
  private readonly loop = this.run();

  async end(): Promise<void> {
    this.over.abort();
    await this.loop;
    await Promise.all(this.handing);
  }

  private async run(): Promise<void> {
    for (let i = 0; !this.over.signal.aborted; i++) {
      const targets = Array.from({ length: TARGETS }, (_, k) => PEELS[(i + k) % PEELS.length] ?? '');
      const made = world.job(targets, { function: 'test.act' });
      const job = { ...made, args: { run: made.jid } };
      const handing = this.handOver(job).finally(() => this.handing.delete(handing));
      this.handing.add(handing);
      await sleep(systemClock, JOB_EVERY_MS, this.over.signal).catch(() => undefined);
    }
  }

  private async handOver(job: Job): Promise<void> {
    const begunMs = systemClock.monotonicMs();
    try {
      await submitJob(clientOf(world.admin, testRuntime), job);
      this.jobs.push(job);
      this.newestMs = begunMs;
      this.slowestMs = Math.max(this.slowestMs, systemClock.monotonicMs() - begunMs);
    } catch (error) {
      this.complaints.push(`${job.jid}: ${String(error)}`);
    }
  }
}

/** Writes facts of peels that are not there, one after another, and notes when each master knows of them. */
class Probe {
  newestMs = 0;
  private readonly before = world.masters[0]?.state().peels ?? 0;
  private readonly ackedMs: number[] = [];
  /** By master: when it knew of each. */
  private readonly seenMs = world.masters.map((): number[] => []);
  private readonly over = new AbortController();
  private readonly loops = Promise.all([this.write(), this.look()]);

  async end(): Promise<void> {
    this.over.abort();
    await this.loops;
  }

  /** By master: the longest time from an acknowledged write to its sight. */
  worstMs(): number[] {
    return this.seenMs.map((seen) =>
      Math.max(0, ...this.ackedMs.map((acked, i) => (seen[i] ?? Number.POSITIVE_INFINITY) - acked)),
    );
  }

  /** What was acknowledged and is not there. */
  async lost(): Promise<string[]> {
    const keys = new Set(await writer.bucket(BUCKETS.facts.name).keys());
    return this.ackedMs.map((_, i) => `probe-${i}`).filter((key) => !keys.has(key));
  }

  private async write(): Promise<void> {
    const facts = writer.bucket(BUCKETS.facts.name);
    while (!this.over.signal.aborted) {
      const key = `probe-${this.ackedMs.length}`;
      // An empty map: a peel that has nothing to say about itself.
      await until(() => facts.put(key, Uint8Array.of(0x80)), key, 60_000);
      this.newestMs = systemClock.monotonicMs();
      this.ackedMs.push(this.newestMs);
      await sleep(systemClock, PROBE_EVERY_MS, this.over.signal).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    const isBehind = () => this.seenMs.some((seen) => seen.length < this.ackedMs.length);
    const untilMs = () => this.newestMs + 2 * SEEN_WITHIN_MS;
    while (!this.over.signal.aborted || (isBehind() && systemClock.monotonicMs() < untilMs())) {
      for (const [index, seen] of this.seenMs.entries()) {
        const known = (world.masters[index]?.state().peels ?? 0) - this.before;
        while (seen.length < known) seen.push(systemClock.monotonicMs());
      }
      await sleep(systemClock, 10);
    }
  }
}

/** A return says more than an ack: one that is stored makes an ack that is still under way needless. */
function wrongWords({ jid, targets }: Job, stored: ReadonlyMap<string, number>): string[] {
  const ran = runs.get(jid) ?? 0;
  return [
    ...(ran === TARGETS ? [] : [`${jid} ran ${ran} times`]),
    ...targets.flatMap((peel) => {
      const acks = stored.get(`ack ${jid} ${peel}`) ?? 0;
      const returns = stored.get(`return ${jid} ${peel}`) ?? 0;
      return acks <= 1 && returns === 1 ? [] : [`${jid} on ${peel}: ${acks} acks, ${returns} returns`];
    }),
  ];
}

type Role = 'meta leader' | 'leader of job-events' | 'leader of jobs';

async function nodeOf(role: Role): Promise<TestServer | undefined> {
  if (role === 'meta leader') return metaLeader(world.nodes);
  const stream = role === 'leader of jobs' ? kvStreamName(BUCKETS.jobs.name) : STREAMS.jobEvents.name;
  const { leader } = await clusterOf(stream);
  return world.nodes.find(({ name }) => name === leader);
}

interface ClusterInfo {
  readonly leader?: string;
  readonly replicas?: readonly { readonly current: boolean; readonly offline?: boolean }[];
}

async function clusterOf(stream: string): Promise<ClusterInfo> {
  const info = await world.admin.api(streamInfoSubject(stream), {});
  return (info.cluster ?? {}) as ClusterInfo;
}

async function allCurrent(): Promise<boolean> {
  const names = [
    ...ALL_STREAMS.map(({ name }) => name),
    ...ALL_BUCKETS.map(({ name }) => kvStreamName(name)),
  ];
  const behind = await Promise.all(
    names.map(async (name) => {
      const { leader, replicas = [] } = await clusterOf(name);
      const current = replicas.filter((replica) => replica.current && !replica.offline).length;
      return current === 2 ? [] : [`${name} (leader ${leader}): ${JSON.stringify(replicas)}`];
    }),
  );
  if (behind.flat().length > 0) throw new Error(behind.flat().join('\n'));
  return true;
}

/** How many acks and returns the stream has of each job and target. */
async function storedWords(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const stream = joinedStreams(world.admin, PEEL_WORD_STREAMS);
  const count = (kind: 'ack' | 'return') => (message: { readonly subject: string }) => {
    const [, , jid = '', , peel = ''] = message.subject.split('.');
    const key = `${kind} ${jid} ${peel}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  await stream.replay({ filter: jobAckSubject(ANY as never, ANY) }, count('ack'));
  await stream.replay({ filter: jobReturnSubject(ANY as never, ANY) }, count('return'));
  return counts;
}
