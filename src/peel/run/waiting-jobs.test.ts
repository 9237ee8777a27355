/** What a peel says about jobs that have to wait in its queue. In virtual time. */

import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { PeelWorld } from '../../../test/harness/peel/peel-world.ts';
import { testRuntime } from '../../../test/harness/servers/trusted-nats.ts';
import { readAcks } from '../../client/jobs/job-acks.ts';
import type { ExecRequest } from '../../wire/records/exec.ts';
import { execResponseCodec } from '../../wire/records/exec.ts';
import { BEHIND_DIRECT } from '../../wire/records/job-return.ts';

const MINUTE_MS = 60_000;

async function busyPeel() {
  const world = await PeelWorld.withPeel();
  const act = () => world.request('test.act', { args: { ms: MINUTE_MS } });
  /** As an operator reads it off the stream: what it waits behind; undefined when it has started. */
  const behind = async ({ jid }: ExecRequest) => {
    const reading = readAcks(clientOf(world.master, testRuntime), jid);
    await world.advance(50);
    return [...(await reading).values()].map((ack) => ack.behind);
  };
  return { world, act, behind };
}

describe('a job that waits', () => {
  it('says behind which, and that it has started when it has', async () => {
    const { world, act, behind } = await busyPeel();
    const [first, second, third] = [act(), act(), act()];
    for (const job of [first, second, third]) world.send(job);
    await world.advance(300);
    expect([await behind(first), await behind(second), await behind(third)]).toEqual([
      [undefined],
      [first.jid],
      [second.jid],
    ]);
    await world.advance(MINUTE_MS);
    expect([await behind(second), await behind(third)]).toEqual([[undefined], [second.jid]]);
  });

  it('waits behind what is before it when what was between them is canceled', async () => {
    const { world, act, behind } = await busyPeel();
    const [first, second, third] = [act(), act(), act()];
    for (const job of [first, second, third]) world.send(job);
    await world.advance(100);
    world.sendCancel(second.jid);
    await world.advance(100);
    expect(await behind(third)).toEqual([first.jid]);
  });

  it('says so again when its request comes again, and a reader lets it wait all the same', async () => {
    const { world, act, behind } = await busyPeel();
    const [first, second] = [act(), act()];
    world.send(first);
    world.send(second);
    await world.advance(100);
    world.send(second);
    await world.advance(100);
    expect(await behind(second)).toEqual([first.jid]);
  });

  it('one that only looks waits for nobody', async () => {
    const { world, act, behind } = await busyPeel();
    world.send(act());
    const question = world.request('test.ping');
    world.send(question);
    await world.advance(100);
    expect(await behind(question)).toEqual([]);
    expect(await world.returnsOf(question.jid)).toHaveLength(1);
  });
});

describe('a direct request that waits', () => {
  it('is answered at its deadline, with what it waited behind, and never runs', async () => {
    const { world, act } = await busyPeel();
    const first = act();
    world.send(first);
    await world.advance(100);
    const direct = act();
    const answers = await world.sendDirect(direct, world.clock.nowMs() + 5_000);
    await world.advance(5_100);
    expect(answers.map(({ data }) => execResponseCodec.decode(data))).toMatchObject([
      { success: false, error: expect.stringContaining(`it waited behind job ${first.jid}`) },
    ]);
    await world.advance(3 * MINUTE_MS);
    expect([answers.length, world.runsOf(direct.jid)]).toEqual([1, 0]);
  });

  it('that expires lets those behind it say what they wait behind now', async () => {
    const { world, act, behind } = await busyPeel();
    const [first, job] = [act(), act()];
    world.send(first);
    await world.advance(100);
    await world.sendDirect(act(), world.clock.nowMs() + 5_000);
    world.send(job);
    const late = await world.sendDirect(act(), world.clock.nowMs() + 8_000);
    await world.advance(100);
    expect(await behind(job)).toEqual([BEHIND_DIRECT]);
    await world.advance(5_000);
    expect(await behind(job)).toEqual([first.jid]);
    world.sendCancel(job.jid);
    await world.advance(5_000);
    expect(late.map(({ data }) => execResponseCodec.decode(data).error)).toEqual([
      expect.stringContaining(`it waited behind job ${first.jid}`),
    ]);
  });

  it('is told to jobs behind it as what it is, for it has no record', async () => {
    const { world, act, behind } = await busyPeel();
    await world.sendDirect(act(), world.clock.nowMs() + 2 * MINUTE_MS);
    await world.advance(100);
    const job = act();
    world.send(job);
    await world.advance(100);
    expect(await behind(job)).toEqual([BEHIND_DIRECT]);
  });
});
