/** What a flood left in line is dropped by closing a stream for a moment: nothing that is stored goes away with it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBus } from '../../../src/bus/bus.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { emptyQueue, PEEL_ASSETS } from '../../../src/master/guard/peel-queues.ts';
import { streamInfoSubject } from '../../../src/wire/names/jetstream.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';

const STORED = 20;
const world = new JobsWorld();

let bus: Bus;

beforeAll(async () => {
  await world.open(1);
  bus = openBus(world.trust.connect([world.server.url], 'master', 'guard'), testRuntime);
  await bus.connected();
}, 60_000);
afterAll(async () => {
  await bus.close();
  await world.close();
}, 60_000);

it.each(PEEL_ASSETS.map(({ settings }) => [settings.name, settings] as const))(
  '%s keeps what it has, is as it was, and takes what comes',
  async (name, settings) => {
    const stream = bus.stream(name);
    const [pattern = ''] = settings.subjects as readonly string[];
    const write = (i: number) =>
      bus.append(pattern.replaceAll('*', `x${i}`).replace('>', `x${i}.y`), Buffer.from('value'), {});
    for (let i = 0; i < STORED; i++) await write(i);
    const before = await stream.state();
    expect(before.messages).toBeGreaterThanOrEqual(STORED);
    const { config } = await bus.api(streamInfoSubject(name), {});

    await emptyQueue({ bus, runtime: testRuntime }, settings);

    expect((await stream.state()).messages).toBeGreaterThanOrEqual(before.messages);
    expect((await stream.state()).firstSequence).toBe(before.firstSequence);
    expect((await bus.api(streamInfoSubject(name), {})).config).toEqual(config);
    expect((await write(STORED)).sequence).toBeGreaterThan(before.lastSequence);
  },
);
