/** Real masters and real peels on a real nats-server, in one process: jobs through restarts of NATS and from strangers. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import type { AgentBus, Bus } from '../../../src/bus/port.ts';
import { joinedStreams } from '../../../src/bus/stream/joined-streams.ts';
import { masterKeysOf, newMasterId } from '../../../src/master/master-ports.ts';
import { type Master, startMaster } from '../../../src/master/start-master.ts';
import { FUNCTIONS } from '../../../src/modules/registry.ts';
import type { Peel } from '../../../src/peel/peel-ports.ts';
import { startPeel } from '../../../src/peel/start-peel.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { memorySystem } from '../../../src/system/memory/memory-machine.ts';
import { curveKeyOf } from '../../../src/trust/nkeys.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { jobKey, jobReturnPattern } from '../../../src/wire/names/keys.ts';
import { PEEL_WORD_STREAMS } from '../../../src/wire/names/streams.ts';
import {
  ANY,
  commandSubject,
  DISPATCH_SUBJECT,
  jobAckSubject,
  jobReturnSubject,
} from '../../../src/wire/names/subjects.ts';
import { dispatchReplyCodec } from '../../../src/wire/records/dispatch-reply.ts';
import { execRequestCodec } from '../../../src/wire/records/exec.ts';
import { type Job, jobCodec } from '../../../src/wire/records/job.ts';
import { rowCodec } from '../../../src/wire/records/job-return.ts';
import { bareMachine } from '../../harness/master/bare-machine.ts';
import type { TestServer } from '../../harness/servers/nats-server.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const PEELS = 20;
const trust = new TrustedNats();

describe('jobs on a real nats-server', () => {
  let server: TestServer;
  let admin: Bus;
  const masters: Master[] = [];
  const peels: Peel[] = [];
  const buses: AgentBus[] = [];

  beforeAll(async () => {
    server = await trust.startServer();
    admin = open('admin', 'admin');
    for (const name of ['m-1', 'm-2']) {
      const identity = {
        masterId: newMasterId(testRuntime),
        host: 'here',
        pid: masters.length + 1,
        bootId: 'boot',
        version: '0',
      };
      const keys = masterKeysOf(trust.topology.control);
      masters.push(
        startMaster({
          ...bareMachine(testRuntime.clock),
          bus: open('master', name),
          runtime: testRuntime,
          trust: keys,
          identity,
          isProcessGone: () => false,
        }),
      );
    }
    await Promise.all(masters.map(({ ready }) => ready));
    for (let i = 0; i < PEELS; i++) peels.push(peel(`web-${i}`));
    await Promise.all(peels.map(({ ready }) => ready));
    await until(
      async () => (await admin.bucket(BUCKETS.facts.name).keys()).length === PEELS,
      'the facts of all',
      30_000,
    );
  }, 90_000);
  afterAll(async () => {
    await Promise.all(peels.map((each) => each.stop()));
    await Promise.all(masters.map((each) => each.stop()));
    await Promise.all(buses.map((bus) => bus.close()));
  });

  function open(role: 'master' | 'admin', name: string): Bus {
    const bus = openBus(trust.connect([server.url], role, name), testRuntime);
    buses.push(bus);
    return bus;
  }

  function peel(id: string): Peel {
    const creds = trust.creds('peel', id);
    const bus = openAgentBus(trust.connect([server.url], 'peel', id, creds), testRuntime);
    buses.push(bus);
    return startPeel({
      bus,
      system: memorySystem({ clock: testRuntime.clock, random: testRuntime.random }),
      runtime: testRuntime,
      identity: { peelId: id as PeelId, curveKey: curveKeyOf(creds.key) },
      dataDir: '/var/lib/zester',
      version: '0',
      functions: FUNCTIONS,
    });
  }

  const names = (count: number) => Array.from({ length: count }, (_, i) => `web-${i}` as PeelId);
  const jobOf = (given: Partial<Job>): Job =>
    jobCodec.create({
      jid: newKsuid(testRuntime.clock, testRuntime.random) as Jid,
      function: 'test.ping',
      targets: names(PEELS),
      timeout: 60_000_000_000n,
      status: 'pending',
      ...given,
    });
  const dispatch = async (job: Job) => {
    const { data } = await admin.request(DISPATCH_SUBJECT, jobCodec.encode(job), { timeoutMs: 10_000 });
    return dispatchReplyCodec.decode(data);
  };
  const ended = (job: Job) =>
    until(
      async () => {
        const read = await admin.bucket(BUCKETS.jobs.name).getLatest(jobKey(job.jid));
        const now = read.found ? jobCodec.decode(read.value) : undefined;
        return now !== undefined && !['claimed', 'running'].includes(now.status) ? now : undefined;
      },
      'the job to end',
      60_000,
    );
  const rows = async (job: Job) =>
    (await admin.bucket(BUCKETS.jobReturns.name).entries(jobReturnPattern(job.jid))).map(({ value }) =>
      rowCodec.decode(value),
    );

  it('twenty peels return, each with one row', async () => {
    const job = jobOf({});
    expect(await dispatch(job)).toEqual({ jid: job.jid });
    expect(await ended(job)).toMatchObject({ status: 'complete', returnCount: PEELS, successCount: PEELS });
    expect((await rows(job)).map((row) => row.peelId).sort()).toEqual(names(PEELS).sort());
  });

  it('the same job sent again, to whichever master, is dispatched once', async () => {
    const job = jobOf({ targets: names(3) });
    const replies = await Promise.all([dispatch(job), dispatch(job), dispatch(job)]);
    for (const reply of replies) expect('jid' in reply || /claim pending/.test(reply.error)).toBe(true);
    await ended(job);
    expect(await dispatch(job)).toEqual({ jid: job.jid });
    let returns = 0;
    await joinedStreams(admin, PEEL_WORD_STREAMS).replay({ filter: jobReturnSubject(job.jid, ANY) }, () => {
      returns += 1;
    });
    expect(returns).toBe(3);
  });

  it('a client whose clock is an hour wrong gets its whole timeout', async () => {
    const past = BigInt(testRuntime.clock.nowMs() - 3_600_000) * 1_000_000n;
    const job = jobOf({ created: past, updated: past, deadline: past, targets: names(2) });
    await dispatch(job);
    expect(await ended(job)).toMatchObject({ status: 'complete' });
  });

  it('NATS killed and restarted in mid-job: every target ends with its true row', async () => {
    const job = jobOf({ function: 'test.sleep', stateId: '3', targets: names(10) });
    await dispatch(job);
    await until(async () => {
      const acked = new Set<string>();
      await joinedStreams(admin, PEEL_WORD_STREAMS).replay(
        { filter: jobAckSubject(job.jid, ANY) },
        ({ subject }) => acked.add(subject),
      );
      return acked.size === 10;
    }, 'all to have accepted it');
    await server.kill9();
    await server.restart();
    expect(await ended(job)).toMatchObject({ status: 'complete', returnCount: 10 });
    expect((await rows(job)).every((row) => row.outcome === 'returned')).toBe(true);
  }, 90_000);

  it('a command without a proof, or with one for another, is not run', async () => {
    const jid = newKsuid(testRuntime.clock, testRuntime.random) as Jid;
    const forged = execRequestCodec.encode(execRequestCodec.create({ jid, module: 'test.ping', epoch: 5 }));
    admin.publish(commandSubject('web-0' as PeelId), forged);
    admin.publish(commandSubject('web-0' as PeelId), forged, {
      headers: new Map([['Zester-Proof', 'v1.hmac.AAAA']]),
    });
    const after = jobOf({ targets: names(1) });
    await dispatch(after);
    await ended(after);
    let words = 0;
    await joinedStreams(admin, PEEL_WORD_STREAMS).replay({ filter: `zester.job.${jid}.>` }, () => {
      words += 1;
    });
    expect(words).toBe(0);
  });
});
