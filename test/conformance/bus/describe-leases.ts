/** `describeLeases` is the part of the suite about leases: one holder at a time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdLease, type Lease } from '../../../src/bus/kv/lease.ts';
import type { Bucket, Bus } from '../../../src/bus/port.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';
import { type BusFixture, type MakeFixture, text } from './fixture.ts';
import { makeBucket } from './test-assets.ts';

const TTL_MS = 1_500;

export function describeLeases(make: MakeFixture): void {
  describe('leases', () => {
    let fixture: BusFixture;
    let bus: Bus;
    beforeAll(async () => {
      fixture = await make();
      bus = await fixture.master();
    });
    afterAll(() => fixture.close());

    const contend = (bucket: Bucket, holder: string): Lease =>
      holdLease({ bucket, key: 'work', holder, ttlMs: TTL_MS, runtime: testRuntime });

    it('one of many holds it, and keeps holding it over several TTLs', async () => {
      const bucket = await makeBucket(bus, { ttlMs: TTL_MS, history: 1 });
      const leases = ['a', 'b', 'c'].map((holder) => contend(bucket, holder));
      const winner = await until(() => leases.find((lease) => lease.held()), 'a holder');
      const first = winner.revision() ?? 0;
      await until(() => (winner.revision() ?? 0) >= first + 6, 'six renewals');
      expect(leases.filter((lease) => lease.held())).toEqual([winner]);
      await Promise.all(leases.map((lease) => lease.stop()));
    });

    it('given back, it is free at once; the next holder has a higher revision', async () => {
      const bucket = await makeBucket(bus, { ttlMs: TTL_MS, history: 1 });
      const first = contend(bucket, 'first');
      await until(() => first.held(), 'the first holder');
      const revision = first.revision() ?? 0;
      await first.stop();
      expect(first.held()).toBe(false);
      expect(await bucket.getLatest('work')).toMatchObject({ found: false });
      const second = contend(bucket, 'second');
      await until(() => second.held(), 'the second holder');
      expect(second.revision()).toBeGreaterThan(revision);
      await second.stop();
    });

    it('a holder that was replaced notices, and does not take away its successor’s lease when it stops', async () => {
      const bucket = await makeBucket(bus, { ttlMs: TTL_MS, history: 1 });
      const old = contend(bucket, 'old');
      await until(() => old.held(), 'the holder');
      await bucket.put('work', new TextEncoder().encode('new'));
      await until(() => !old.held(), 'the loss to be noticed');
      await old.stop();
      const now = await bucket.getLatest('work');
      expect(now.found && text(now.value)).toBe('new');
    });

    it('a holder that is cut off gives up before the key can expire for others', async () => {
      const bucket = await makeBucket(bus, { ttlMs: TTL_MS, history: 1 });
      const cutOff = contend(bucket, 'cut-off');
      await until(() => cutOff.held(), 'the holder');
      await fixture.killServer();
      await until(() => !cutOff.held(), 'it to give up by its own clock', TTL_MS);
      await fixture.startServer();
      await until(() => cutOff.held(), 'it to hold it again');
      await cutOff.stop();
    });
  });
}
