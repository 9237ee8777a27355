/** `describeConsumers` is the part of the suite about consumers: deliveries, acks, redelivery. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, Consumption, Delivery } from '../../../src/bus/port.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { consumerDeleteSubject } from '../../../src/wire/names/jetstream.ts';
import { until } from '../../harness/until.ts';
import { type BusFixture, bytes, type MakeFixture, text } from './fixture.ts';
import { consumerOf, makeStream } from './test-assets.ts';

export function describeConsumers(make: MakeFixture): void {
  describe('durable consumers', () => {
    let fixture: BusFixture;
    let bus: Bus;
    let other: Bus;
    beforeAll(async () => {
      fixture = await make();
      bus = await fixture.master();
      other = await fixture.master();
    });
    afterAll(() => fixture.close());

    const fill = async (root: string, count: number) => {
      for (let i = 0; i < count; i++) await bus.append(`${root}.${i}`, bytes(String(i)), {});
    };
    const values = (deliveries: readonly Delivery[]) => deliveries.map((d) => Number(text(d.data)));

    it('two that share one get each message once between them', async () => {
      const stream = await makeStream(bus);
      const spec = consumerOf(stream);
      await fill(stream.root, 60);
      const got: Delivery[][] = [[], []];
      const consumptions: Consumption[] = [bus, other].map((each, index) =>
        each.stream(stream.name).consume(spec, { slots: 4 }, async (delivery) => {
          got[index]?.push(delivery);
          delivery.ack();
        }),
      );
      await until(() => (got[0]?.length ?? 0) + (got[1]?.length ?? 0) >= 60, 'all messages');
      expect(values(got.flat()).sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i));
      await Promise.all(consumptions.map((each) => each.stop()));
    });

    it('runs at most as many handlers as it has slots', async () => {
      const stream = await makeStream(bus);
      await fill(stream.root, 30);
      let running = 0;
      let most = 0;
      let done = 0;
      const consumption = bus
        .stream(stream.name)
        .consume(consumerOf(stream), { slots: 3 }, async (delivery) => {
          most = Math.max(most, ++running);
          await new Promise<void>((resolve) => systemClock.after(2, resolve));
          delivery.ack();
          running -= 1;
          done += 1;
        });
      await until(() => done === 30, 'all');
      expect(most).toBe(3);
      await consumption.stop();
    });

    it('a message that is not answered comes again after the ack wait, and says so', async () => {
      const stream = await makeStream(bus);
      const counts: number[] = [];
      const spec = consumerOf(stream, { ackWaitMs: 300 });
      const consumption = bus.stream(stream.name).consume(spec, { slots: 1 }, async (delivery) => {
        counts.push(delivery.deliveryCount);
        if (delivery.deliveryCount === 3) delivery.ack();
      });
      await fill(stream.root, 1);
      await until(() => counts.length === 3, 'the third delivery');
      expect(counts).toEqual([1, 2, 3]);
      await consumption.stop();
    });

    it('a handler that fails leaves the message to come again', async () => {
      const stream = await makeStream(bus);
      let tries = 0;
      let done = false;
      const spec = consumerOf(stream, { ackWaitMs: 300 });
      const consumption = bus.stream(stream.name).consume(spec, { slots: 1 }, async (delivery) => {
        tries += 1;
        if (tries === 1) throw new RangeError('a handler that fails, on purpose');
        delivery.ack();
        done = true;
      });
      await fill(stream.root, 1);
      await until(() => done, 'the second try');
      await consumption.stop();
    });

    it('nak gives it back after the delay, not before', async () => {
      const stream = await makeStream(bus);
      const atMs: number[] = [];
      const consumption = bus
        .stream(stream.name)
        .consume(consumerOf(stream), { slots: 1 }, async (delivery) => {
          atMs.push(systemClock.monotonicMs());
          if (delivery.deliveryCount === 1) delivery.nak(400);
          else delivery.ack();
        });
      await fill(stream.root, 1);
      await until(() => atMs.length === 2, 'the second delivery');
      expect((atMs[1] ?? 0) - (atMs[0] ?? 0)).toBeGreaterThanOrEqual(390);
      await consumption.stop();
    });

    it('working keeps a slow handler from losing its message', async () => {
      const stream = await makeStream(bus);
      let deliveries = 0;
      let done = false;
      const spec = consumerOf(stream, { ackWaitMs: 400 });
      const consumption = bus.stream(stream.name).consume(spec, { slots: 2 }, async (delivery) => {
        deliveries += 1;
        for (let i = 0; i < 10; i++) {
          await new Promise<void>((resolve) => systemClock.after(100, resolve));
          delivery.working();
        }
        delivery.ack();
        done = true;
      });
      await fill(stream.root, 1);
      await until(() => done, 'the slow handler');
      expect(deliveries).toBe(1);
      await consumption.stop();
    });

    it('term ends it at once, max deliveries end it in the end', async () => {
      const stream = await makeStream(bus);
      const seen = new Map<number, number>();
      const spec = consumerOf(stream, { ackWaitMs: 200, deliveriesMax: 2 });
      const consumption = bus.stream(stream.name).consume(spec, { slots: 4 }, async (delivery) => {
        const value = Number(text(delivery.data));
        seen.set(value, delivery.deliveryCount);
        if (value === 0) delivery.term('never again');
        if (value === 2) delivery.ack();
      });
      await fill(stream.root, 2);
      await until(() => seen.get(1) === 2, 'the last delivery of 1');
      await fill(stream.root, 3);
      await until(() => seen.get(2) === 1, 'a later message');
      expect(seen.get(0)).toBe(1);
      await consumption.stop();
    });

    it('at most ackPendingMax deliveries are out unanswered, over all who share it', async () => {
      const stream = await makeStream(bus);
      const held: Delivery[] = [];
      const spec = consumerOf(stream, { ackPendingMax: 4 });
      const hold = async (delivery: Delivery) => {
        held.push(delivery);
      };
      const consumptions = [bus, other].map((each) =>
        each.stream(stream.name).consume(spec, { slots: 10 }, hold),
      );
      await fill(stream.root, 20);
      await until(() => held.length === 4, 'the limit to be reached');
      for (let released = 4; released <= 20; released++) {
        expect(held.length).toBeLessThanOrEqual(released);
        held[released - 4]?.ack();
        await until(() => held.length >= Math.min(released + 1, 20), 'the next one');
      }
      for (const delivery of held) delivery.ack();
      await Promise.all(consumptions.map((each) => each.stop()));
    });

    it('a new consumer starts with everything or with what comes next, as it was told', async () => {
      const stream = await makeStream(bus);
      await fill(stream.root, 3);
      const got: Record<string, number[]> = { all: [], new: [] };
      const consumptions = (['all', 'new'] as const).map((deliver) =>
        bus.stream(stream.name).consume(consumerOf(stream, { deliver }), { slots: 10 }, async (delivery) => {
          got[deliver]?.push(Number(text(delivery.data)));
          delivery.ack();
        }),
      );
      await until(() => got.all?.length === 3, 'the old ones');
      await until(async () => {
        await bus.append(`${stream.root}.x`, bytes('7'), {});
        return got.new?.includes(7);
      }, 'a new one');
      expect(got.new?.every((value) => value === 7)).toBe(true);
      await Promise.all(consumptions.map((each) => each.stop()));
    });

    // Not "each once": a killed server may have forgotten the last acknowledgements, though it had confirmed them.
    it('goes on after the server was killed, skipping nothing', async () => {
      const stream = await makeStream(bus);
      const spec = consumerOf(stream);
      const got: number[] = [];
      const consumption = bus.stream(stream.name).consume(spec, { slots: 4 }, async (delivery) => {
        delivery.ack();
        got.push(Number(text(delivery.data)));
      });
      await fill(stream.root, 10);
      await until(() => got.length === 10, 'the first ten');
      await fixture.killServer();
      await until(() => bus.status() === 'disconnected', 'the loss to be seen');
      await fixture.startServer();
      await until(() => bus.append(`${stream.root}.x`, bytes('10'), {}), 'the first append');
      await until(() => got.includes(10), 'the message after the restart');
      expect(new Set(got)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
      await consumption.stop();
    });

    it('a consumer that somebody deleted is made again, and misses nothing', async () => {
      const stream = await makeStream(bus);
      const seen = new Set<string>();
      const spec = consumerOf(stream);
      const consumption = bus.stream(stream.name).consume(spec, { slots: 4 }, async (delivery) => {
        seen.add(text(delivery.data));
        delivery.ack();
      });
      await fill(stream.root, 2);
      await until(() => seen.size === 2, 'the first two');
      await bus.api(consumerDeleteSubject(stream.name, spec.name), {});
      await fill(stream.root, 4);
      await until(() => seen.size === 4, 'the others');
      await consumption.stop();
    });

    it('stop waits for the handlers that run', async () => {
      const stream = await makeStream(bus);
      await fill(stream.root, 1);
      let finished = false;
      let started = false;
      const consumption = bus
        .stream(stream.name)
        .consume(consumerOf(stream), { slots: 1 }, async (delivery) => {
          started = true;
          await new Promise<void>((resolve) => systemClock.after(100, resolve));
          delivery.ack();
          finished = true;
        });
      await until(() => started, 'the handler to start');
      await consumption.stop();
      expect(finished).toBe(true);
    });
  });
}
