/**
 * Sixteen jobs at once on two hundred peels, on a nats-server that puts every write on disk before it answers: each dispatch
 * stands behind thousands of returns. None of them is lost, refused or doubled, and the queues are empty afterwards.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from '../../../src/bus/port.ts';
import { submitJob } from '../../../src/client/jobs/submit-job.ts';
import { curveKeyOf, newSigningKey } from '../../../src/trust/nkeys.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { PeelId } from '../../../src/wire/names/ids.ts';
import { ANY, commandSubject, jobAckSubject, jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import { execRequestCodec } from '../../../src/wire/records/exec.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import { ackCodec, returnCodec } from '../../../src/wire/records/job-return.ts';
import { clientOf } from '../../harness/client-of.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const PEELS = 200;
const JOBS = 16;
const world = new JobsWorld();
const names = Array.from({ length: PEELS }, (_, i) => `web-${i}`);
/** Requests that came, by job and peel. A real peel runs the first and acknowledges the others. */
const heard = new Set<string>();

beforeAll(async () => {
  await world.open(2, {}, 'always');
  const herd = world.bus('master', 'herd');
  await herd.connected();
  const answer = async ({ subject, data }: Message) => {
    const peelId = subject.split('.')[2] as PeelId;
    const { jid } = execRequestCodec.decode(data);
    if (heard.has(`${jid} ${peelId}`)) return;
    heard.add(`${jid} ${peelId}`);
    const timestamp = nanosFromMs(testRuntime.clock.nowMs());
    const ack = ackCodec.encode(ackCodec.create({ jid, peelId, timestamp }));
    const value = returnCodec.encode(returnCodec.create({ jid, peelId, success: true }));
    for (const [to, bytes] of [
      [jobAckSubject(jid, peelId), ack],
      [jobReturnSubject(jid, peelId), value],
    ] as const) {
      const append = () => herd.append(to, bytes, { messageId: `${to} herd` }).then(() => true);
      await until(append, `the store to take ${to}`, 120_000);
    }
  };
  await herd.subscribe(commandSubject(ANY), (message) => void answer(message));
  const { publicKey } = curveKeyOf(newSigningKey('user', testRuntime.random));
  const facts = factsCodec.encode({ [FACT_KEYS.curvePublicKey]: publicKey });
  await Promise.all(names.map((name) => world.admin.bucket(BUCKETS.facts.name).put(name, facts)));
  await until(() => world.masters.every((master) => master.state().peels === PEELS), 'their facts');
}, 120_000);
afterAll(() => world.close());

it(`${JOBS} jobs on ${PEELS} peels at once, every write on disk: all are sent, and all are complete`, async () => {
  const jobs = Array.from({ length: JOBS }, () => world.job(names, { timeout: 300_000_000_000n }));
  await Promise.all(jobs.map((job) => submitJob(clientOf(world.admin, testRuntime), job)));
  for (const job of jobs)
    expect(await world.ended(job, 240_000)).toMatchObject({ status: 'complete', returnCount: PEELS });
  expect(heard.size).toBe(JOBS * PEELS);
  expect(world.masterLines.filter((line) => line.msg === 'job not dispatched')).toEqual([]);
  await until(
    () =>
      world.masters.every((master) => {
        const { dispatchesRetrying, dispatchesWaiting, rowsWaiting } = master.state();
        return dispatchesRetrying + dispatchesWaiting + rowsWaiting === 0;
      }),
    'the queues to be empty',
  );
}, 300_000);
