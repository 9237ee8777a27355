/** `describeWatch` is the part of the suite about watches: every key ends at its newest value. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentBus, Bucket, Bus, KvRead, Watch } from '../../../src/bus/port.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { directGetSubject, kvStreamName } from '../../../src/wire/names/store-subjects.ts';
import { until } from '../../harness/until.ts';
import { type BusFixture, bytes, type MakeFixture, text, unique } from './fixture.ts';
import { makeBucket } from './test-assets.ts';

/** Collects what a watch reports: the newest state of each key and every report in order. */
export function observe(start: (observer: Parameters<Bucket['watch']>[1]) => Watch) {
  const seen = new Map<string, string | undefined>();
  const reports: KvRead[] = [];
  const state = { replayed: false, troubles: [] as Error[] };
  const watch = start({
    changed(read) {
      reports.push(read);
      seen.set(read.key, read.found ? text(read.value) : undefined);
    },
    replayed() {
      state.replayed = true;
    },
    trouble(error) {
      state.troubles.push(error);
    },
  });
  return { seen, reports, state, watch };
}

export function describeWatch(make: MakeFixture): void {
  describe('watches', () => {
    let fixture: BusFixture;
    let bus: Bus;
    let peel: AgentBus;
    beforeAll(async () => {
      fixture = await make();
      bus = await fixture.master();
      peel = await fixture.peel('web-01');
    });
    afterAll(() => fixture.close());

    it('gives what is there, says when it has, then gives what changes', async () => {
      const bucket = await makeBucket(bus);
      await bucket.put('a.1', bytes('old'));
      await bucket.put('a.1', bytes('one'));
      await bucket.put('b.1', bytes('other'));
      await bucket.put('a.2', bytes('gone'));
      await bucket.delete('a.2');
      const { seen, state, watch } = observe((observer) => bucket.watch('a.>', observer));
      await until(() => state.replayed, 'the end of the replay');
      expect([...seen]).toEqual([
        ['a.1', 'one'],
        ['a.2', undefined],
      ]);
      await bucket.put('a.3', bytes('three'));
      await bucket.delete('a.1');
      await until(() => seen.get('a.3') === 'three' && seen.get('a.1') === undefined, 'the changes');
      expect(seen.has('b.1')).toBe(false);
      watch.stop();
    });

    it('an empty bucket ends its replay too', async () => {
      const bucket = await makeBucket(bus);
      const { reports, state, watch } = observe((observer) => bucket.watch('>', observer));
      await until(() => state.replayed, 'the end of the replay');
      expect(reports).toEqual([]);
      watch.stop();
    });

    it('reports each key in the order of its writes, never the same revision twice in a row', async () => {
      const bucket = await makeBucket(bus, { history: 64 });
      const { reports, state, watch } = observe((observer) => bucket.watch('>', observer));
      await until(() => state.replayed, 'the replay');
      for (let i = 0; i < 40; i++) await bucket.put(`k${i % 4}`, bytes(String(i)));
      await until(() => reports.length >= 40, 'all writes');
      const revisions = reports.map((read) => read.revision);
      expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
      watch.stop();
    });

    it('catches up with a burst that is wider than what it reads one by one', async () => {
      const bucket = await makeBucket(bus, { history: 1 });
      const { seen, state, watch } = observe((observer) => bucket.watch('>', observer));
      await until(() => state.replayed, 'the replay');
      await Promise.all(Array.from({ length: 300 }, (_, i) => bucket.put(`k${i}`, bytes(String(i)))));
      await until(() => seen.size === 300, 'all keys');
      watch.stop();
    });

    it('gives the heartbeats of peels as they are stored, deletions and bursts included', async () => {
      // First as an older master made it.
      await makeBucket(bus, { ...BUCKETS.peelHeartbeat, hints: 'bare' });
      const bucket = await makeBucket(bus, BUCKETS.peelHeartbeat);
      await bucket.put('web-01', bytes('before'));
      const { seen, reports, state, watch } = observe((observer) => bucket.watch('>', observer));
      await until(() => state.replayed, 'the replay');
      let reads = 0;
      const counted = await bus.subscribe(directGetSubject(kvStreamName(bucket.name)), () => {
        reads += 1;
      });
      const beat = peel.bucket(BUCKETS.peelHeartbeat.name);
      for (let i = 0; i < 100; i++) await beat.put('web-01', bytes(String(i)));
      await until(() => seen.get('web-01') === '99', 'the last beat of one by one');
      // Each was told and none asked for; what is left are the looks of the resync timer.
      expect(reads).toBeLessThan(50);
      counted.unsubscribe();
      await Promise.all(Array.from({ length: 300 }, (_, i) => beat.put('web-01', bytes(`b${i}`))));
      await bucket.delete('web-01');
      await until(() => reports.at(-1)?.found === false, 'the deletion');
      await beat.put('web-01', bytes('after'));
      await until(() => seen.get('web-01') === 'after', 'the beat after it');
      const stored = await bucket.get('web-01');
      expect(reports.at(-1)).toEqual(stored);
      const revisions = reports.map((read) => read.revision);
      expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
      watch.stop();
    });

    it('reports nothing after it was stopped', async () => {
      const bucket = await makeBucket(bus);
      const stopped = observe((observer) => bucket.watch('>', observer));
      await until(() => stopped.state.replayed, 'the replay');
      stopped.watch.stop();
      const running = observe((observer) => bucket.watch('>', observer));
      await bucket.put('k', bytes('v'));
      await until(() => running.seen.has('k'), 'the other watch');
      expect(stopped.reports).toEqual([]);
      running.watch.stop();
    });

    it('a watch of named keys reads them all before it says replayed, absent ones included', async () => {
      const bucket = await makeBucket(bus);
      await bucket.put('one', bytes('1'));
      const { seen, state, watch } = observe((observer) => bucket.watchKeys(['one', 'two'], observer));
      await until(() => state.replayed, 'both keys');
      expect([...seen].sort()).toEqual([
        ['one', '1'],
        ['two', undefined],
      ]);
      await bucket.put('two', bytes('2'));
      await until(() => seen.get('two') === '2', 'the change');
      watch.stop();
    });

    it('a peel sees a change of a key it may read within the hint, far below its resync interval', async () => {
      await makeBucket(bus, BUCKETS.stateFiles);
      const key = unique('file');
      const { seen, state, watch } = observe((observer) =>
        peel.bucket(BUCKETS.stateFiles.name).watchKeys([key], observer),
      );
      await until(() => state.replayed, 'the first read');
      await bus.bucket(BUCKETS.stateFiles.name).put(key, bytes('v1'));
      await until(() => seen.get(key) === 'v1', 'the value', 2_000);
      watch.stop();
    });

    it('a forged hint makes it read once more and report nothing', async () => {
      const bucket = await makeBucket(bus);
      await bucket.put('k', bytes('v'));
      const { reports, state, watch } = observe((observer) => bucket.watchKeys(['k'], observer));
      await until(() => state.replayed, 'the first read');
      const headers = new Map([['Nats-Sequence', '999999']]);
      bus.publish(`zester.kv.${bucket.name}.k`, bytes('forged'), { headers });
      await bucket.put('k', bytes('v2'));
      await until(() => reports.length === 2, 'the true change');
      expect(reports.map((read) => read.found && text(read.value))).toEqual(['v', 'v2']);
      watch.stop();
    });

    it('a store that came back older is reported, and what it holds now is what counts', async () => {
      const bucket = await makeBucket(bus);
      await bucket.put('a', bytes('old'));
      await bucket.put('b', bytes('lost'));
      const { seen, state, watch } = observe((observer) => bucket.watch('>', observer));
      await until(() => state.replayed, 'the replay');
      // As a store that lost everything: the same name, sequences from the start.
      await bus.api(`$JS.API.STREAM.DELETE.${kvStreamName(bucket.name)}`, {});
      await makeBucket(bus, { name: bucket.name });
      await bucket.put('a', bytes('new'));
      await until(() => seen.get('a') === 'new' && seen.get('b') === undefined, 'the truth of the new store');
      expect(state.troubles.map((error) => (error as { code?: string }).code)).toContain(
        'BUS_STORE_WENT_BACK',
      );
      watch.stop();
    });

    it('sees what was written while the server was down and up again', async () => {
      const bucket = await makeBucket(bus);
      const filtered = observe((observer) => bucket.watch('>', observer));
      const named = observe((observer) => bucket.watchKeys(['k'], observer));
      await until(() => filtered.state.replayed && named.state.replayed, 'the replays');
      await fixture.killServer();
      await until(() => bus.status() === 'disconnected', 'the loss to be seen');
      await fixture.startServer();
      await until(() => bucket.put('k', bytes('after')), 'the first write');
      await until(
        () => filtered.seen.get('k') === 'after' && named.seen.get('k') === 'after',
        'both watches',
      );
      filtered.watch.stop();
      named.watch.stop();
    });
  });
}
