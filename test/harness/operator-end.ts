/**
 * `OperatorEnd` is the operator's end of the wire in the hands of a test: jobs are made, handed to the masters, and
 * looked at.
 */

import type { Bus } from '../../src/bus/port.ts';
import { joinedStreams } from '../../src/bus/stream/joined-streams.ts';
import { newKsuid } from '../../src/runtime/ids.ts';
import { BUCKETS } from '../../src/wire/names/buckets.ts';
import type { Jid, PeelId } from '../../src/wire/names/ids.ts';
import { jobKey, jobReturnPattern } from '../../src/wire/names/keys.ts';
import { PEEL_WORD_STREAMS } from '../../src/wire/names/streams.ts';
import { DISPATCH_SUBJECT } from '../../src/wire/names/subjects.ts';
import { type DispatchReply, dispatchReplyCodec } from '../../src/wire/records/dispatch-reply.ts';
import { type Job, jobCodec } from '../../src/wire/records/job.ts';
import { type Row, rowCodec } from '../../src/wire/records/job-return.ts';
import { testRuntime } from './servers/trusted-nats.ts';
import { until } from './until.ts';

const ANSWER_MS_MAX = 30_000;
const END_MS_MAX = 60_000;

export abstract class OperatorEnd {
  abstract readonly admin: Bus;

  job(targets: readonly string[], given: Partial<Job> = {}): Job {
    return jobCodec.create({
      jid: newKsuid(testRuntime.clock, testRuntime.random) as Jid,
      function: 'test.ping',
      targets: targets as readonly PeelId[],
      status: 'pending',
      timeout: 60_000_000_000n,
      protocol: 1,
      ...given,
    });
  }

  /** As the CLI does it: again until a master answers. */
  dispatch(job: Job, client: Bus = this.admin, msMax = ANSWER_MS_MAX): Promise<DispatchReply> {
    const ask = async () => {
      const { data } = await client.request(DISPATCH_SUBJECT, jobCodec.encode(job), { timeoutMs: 5_000 });
      return dispatchReplyCodec.decode(data);
    };
    return until(ask, 'an answer to the dispatch', msMax);
  }

  async record({ jid }: Pick<Job, 'jid'>): Promise<Job | undefined> {
    const read = await this.admin.bucket(BUCKETS.jobs.name).getLatest(jobKey(jid));
    return read.found ? jobCodec.decode(read.value) : undefined;
  }

  /** The record when it is final. */
  ended(job: Pick<Job, 'jid'>, msMax = END_MS_MAX): Promise<Job> {
    const look = async () => {
      const record = await this.record(job);
      return record !== undefined && !['claimed', 'running'].includes(record.status) ? record : undefined;
    };
    return until(look, `the end of ${job.jid}`, msMax);
  }

  async rows({ jid }: Pick<Job, 'jid'>): Promise<Row[]> {
    const entries = await this.admin.bucket(BUCKETS.jobReturns.name).entries(jobReturnPattern(jid));
    return entries.map(({ value }) => rowCodec.decode(value));
  }

  /** Outcome by peel. */
  async outcomes(job: Pick<Job, 'jid'>): Promise<Record<string, string | undefined>> {
    return Object.fromEntries((await this.rows(job)).map((row) => [row.peelId, row.outcome]));
  }

  /** How many messages stream job-events holds on these subjects. */
  async storedOn(filter: string): Promise<number> {
    let count = 0;
    await joinedStreams(this.admin, PEEL_WORD_STREAMS).replay({ filter }, () => {
      count += 1;
    });
    return count;
  }
}
