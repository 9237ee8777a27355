/**
 * One peel with good credentials that sends as much as it can, on a real nats-server: forged cancels to other peels,
 * through the one way there is (the answer to a read of its own goes to the subject it names), and returns of jobs that do
 * not exist to the masters. What is counted is the work that others do for it; and they go on serving.
 */
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANCEL_RATES } from '../../../src/peel/intake/check-budget.ts';
import type { Peel } from '../../../src/peel/peel-ports.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { commandKeyOf } from '../../../src/trust/command-key.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { newOperatorKey } from '../../../src/trust/operator-key.ts';
import { signCancelAsOperator } from '../../../src/trust/signed-proof.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { PROOF_HEADER } from '../../../src/wire/names/headers.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { consumerInfoSubject } from '../../../src/wire/names/jetstream.ts';
import {
  directGetLastSubject,
  inboxPrefix,
  kvStreamName,
  kvSubject,
} from '../../../src/wire/names/store-subjects.ts';
import { CONSUMERS } from '../../../src/wire/names/streams.ts';
import { jobCancelSubject, jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import type { Job } from '../../../src/wire/records/job.ts';
import { returnCodec } from '../../../src/wire/records/job-return.ts';
import { formatProof } from '../../../src/wire/records/proof-header.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { countingFunctions } from '../../harness/peel/peel-functions.ts';
import { until } from '../../harness/until.ts';

const EVIL = 'evil' as PeelId;
const VICTIM = 'victim' as PeelId;
/** Enough to be far over every budget. */
const FLOOD = 10_000;
const BATCH = 500;
const world = new JobsWorld();
const runs = new Map<string, number>();
let evil: NatsConnection;
let victim: Peel;

beforeAll(async () => {
  await world.open(1);
  const functions = countingFunctions((key) => runs.set(key, (runs.get(key) ?? 0) + 1));
  ({ peel: victim } = await world.peel(VICTIM, { functions }));
  const creds = world.trust.creds('peel', EVIL);
  evil = await connect({
    servers: world.server.url,
    tls: { caFile: world.trust.caFile },
    authenticator: natsAuthenticator(() => creds),
    inboxPrefix: inboxPrefix(EVIL),
  });
}, 60_000);
afterAll(async () => {
  await evil.close();
  await world.close();
});

const newJid = () => newKsuid(systemClock, systemRandom) as Jid;
const act = (key: string, ms: number): Job =>
  world.job([VICTIM], { function: 'test.act', args: { run: key, ms }, timeout: 300_000_000_000n });
const ping = async (key: string) => {
  const job = act(key, 0);
  await world.dispatch(job);
  expect(await world.ended(job)).toMatchObject({ status: 'complete', successCount: 1 });
};

/** Everything in batches, so that the server does not cut the flooder off for reading too slowly. */
async function flood(send: (i: number) => void): Promise<void> {
  for (let i = 0; i < FLOOD; i++) {
    send(i);
    if (i % BATCH === BATCH - 1) await evil.flush();
  }
  await evil.flush();
}

describe('a flood of forged cancels, with the certificate of a true operator', () => {
  const commandKey = commandKeyOf(world.trust.topology.control);
  const terms = { name: 'ana', issued: 1n, expires: undefined };
  const operator = newOperatorKey(systemRandom, commandKey, terms);
  const stored = kvSubject(BUCKETS.basket.name, `${EVIL}.forged`);
  const read = directGetLastSubject(kvStreamName(BUCKETS.basket.name), stored);

  beforeAll(async () => {
    const carried = headers();
    carried.set(PROOF_HEADER, formatProof(signCancelAsOperator(operator, newJid())));
    await evil.request(stored, new Uint8Array(), { headers: carried, timeout: 5_000 });
  });

  /** What the flood has cost the victim when all of it has arrived. */
  async function costOf(jidOf: () => Jid): Promise<{ checked: number; seconds: number }> {
    const before = victim.state().counts;
    const startMs = systemClock.monotonicMs();
    await flood(() => evil.publish(read, new Uint8Array(), { reply: jobCancelSubject(jidOf()) }));
    const arrived = () => {
      const { refused, overBudget } = victim.state().counts;
      return refused - before.refused + (overBudget - before.overBudget);
    };
    await until(() => arrived() === FLOOD, 'the flood to arrive', 60_000);
    const checked = victim.state().counts.refused - before.refused;
    return { checked, seconds: (systemClock.monotonicMs() - startMs) / 1_000 };
  }

  it('aimed at jobs that do not exist is checked as far as the budget goes, and the peel takes the next job', async () => {
    const { checked, seconds } = await costOf(newJid);
    const { burst, perSecond } = CANCEL_RATES['not-seen'];
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(burst + Math.ceil(seconds * perSecond));
    expect(victim.state().connection).toBe('connected');
    await ping('after random cancels');
  }, 120_000);

  it('aimed at a job that runs does not end it, and leaves room for the true cancel', async () => {
    const job = act('flooded', 240_000);
    await world.dispatch(job);
    await until(() => runs.get('flooded') === 1, 'the job to run');
    const before = victim.state().counts;
    await costOf(() => job.jid);
    expect(victim.state().counts).toMatchObject({ canceled: before.canceled, overBudget: before.overBudget });
    const proof = formatProof(signCancelAsOperator(operator, job.jid));
    world.admin.publish(jobCancelSubject(job.jid), new Uint8Array(), {
      headers: new Map([[PROOF_HEADER, proof]]),
    });
    expect(await world.ended(job)).toMatchObject({ status: 'canceled' });
    await until(() => victim.state().counts.canceled === before.canceled + 1, 'the peel to stop it');
  }, 120_000);
});

describe('a flood of returns of jobs that do not exist', () => {
  it('is told of twice, and others are served meanwhile and after', async () => {
    const jids = Array.from({ length: FLOOD }, newJid);
    const lines = world.masterLines.length;
    let served: Promise<void> | undefined;
    await flood((i) => {
      const jid = jids[i] as Jid;
      const value = returnCodec.create({ jid, peelId: EVIL, success: true });
      evil.publish(jobReturnSubject(jid, EVIL), returnCodec.encode(value));
      if (i === FLOOD / 2) served = ping('during');
    });
    await served;
    const { stream, name } = CONSUMERS.lateReturns;
    await until(
      async () => {
        const asked = consumerInfoSubject(stream, name);
        const { data } = await world.admin.request(asked, new Uint8Array(), { timeoutMs: 5_000 });
        const info = JSON.parse(new TextDecoder().decode(data)) as Record<string, number>;
        return info.num_pending === 0 && info.num_ack_pending === 0;
      },
      'the returns to be worked off',
      60_000,
    );
    const told = world.masterLines.slice(lines).filter((line) => line.peel === EVIL);
    expect(told.map((line) => line.msg)).toEqual([
      'ack or return dropped',
      'too many acks and returns of strangers; the rest is dropped unread',
    ]);
    await ping('after returns');
  }, 120_000);
});
