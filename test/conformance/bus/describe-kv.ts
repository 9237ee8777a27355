/** `describeKv` is the part of the suite about buckets: reads, compare-and-set, deletion, listing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, KvRead } from '../../../src/bus/port.ts';
import { until } from '../../harness/until.ts';
import { type BusFixture, bytes, type MakeFixture, text } from './fixture.ts';
import { makeBucket } from './test-assets.ts';

const shown = (read: KvRead) => (read.found ? text(read.value) : undefined);

export function describeKv(make: MakeFixture): void {
  describe('key-value', () => {
    let fixture: BusFixture;
    let bus: Bus;
    let other: Bus;
    beforeAll(async () => {
      fixture = await make();
      bus = await fixture.master();
      other = await fixture.master();
    });
    afterAll(() => fixture.close());

    it('a key that was never written is absent, by both kinds of read', async () => {
      const bucket = await makeBucket(bus);
      expect(await bucket.get('nothing')).toEqual({ found: false, key: 'nothing', revision: 0 });
      expect(await bucket.getLatest('nothing')).toEqual({ found: false, key: 'nothing', revision: 0 });
    });

    it('a bucket that does not exist is an error, not an absence', async () => {
      await expect(bus.bucket('no-such-bucket').get('k')).rejects.toMatchObject({
        code: 'BUS_NO_RESPONDERS',
      });
      await expect(bus.bucket('no-such-bucket').getLatest('k')).rejects.toMatchObject({
        code: 'BUS_STORE_MISSING',
      });
      await expect(bus.bucket('no-such-bucket').put('k', bytes('v'))).rejects.toMatchObject({
        code: 'BUS_NO_RESPONDERS',
      });
      await expect(bus.bucket('no-such-bucket').byLastWrite('>', () => true)).rejects.toMatchObject({
        code: 'BUS_STORE_MISSING',
      });
      await expect(bus.bucket('no-such-bucket').keys()).rejects.toMatchObject({ code: 'BUS_STORE_MISSING' });
    });

    it('put gives growing revisions and get the newest value, bytes as they were', async () => {
      const bucket = await makeBucket(bus);
      const value = Uint8Array.from({ length: 256 }, (_, i) => i);
      const first = await bucket.put('a.b', bytes('1'));
      const second = await bucket.put('a.b', value);
      expect(second).toBeGreaterThan(first);
      const read = await bucket.get('a.b');
      expect(read).toMatchObject({ found: true, key: 'a.b', revision: second });
      expect(read.found && Buffer.from(read.value).equals(value)).toBe(true);
      const latest = await bucket.getLatest('a.b');
      expect(latest.found && Buffer.from(latest.value).equals(value)).toBe(true);
    });

    it('an empty value is a value', async () => {
      const bucket = await makeBucket(bus);
      await bucket.put('k', bytes(''));
      expect(await bucket.get('k')).toMatchObject({ found: true });
      expect(await bucket.getLatest('k')).toMatchObject({ found: true });
    });

    it('gives keys by their last write, the newest first and each once, as far back as asked', async () => {
      const bucket = await makeBucket(bus);
      const visited = async (filter: string, enough = Number.POSITIVE_INFINITY) => {
        const keys: string[] = [];
        await bucket.byLastWrite(filter, ({ key, value }) => keys.push(`${key}=${text(value)}`) < enough);
        return keys;
      };
      expect(await visited('*')).toEqual([]);
      for (const key of ['a', 'b', 'c', 'x.a', 'a', 'd', 'b']) await bucket.put(key, bytes(key));
      await bucket.put('a', bytes('last'));
      await bucket.delete('d');
      expect(await visited('*')).toEqual(['a=last', 'b=b', 'c=c']);
      expect(await visited('>')).toEqual(['a=last', 'b=b', 'x.a=x.a', 'c=c']);
      expect(await visited('*', 2)).toEqual(['a=last', 'b=b']);
      // Over several windows, with gaps where older values were dropped.
      for (let i = 0; i < 600; i++) await bucket.put(`k${i % 150}`, bytes(String(i)));
      expect(await visited('*')).toEqual([
        ...Array.from({ length: 150 }, (_, i) => `k${149 - i}=${599 - i}`),
        'a=last',
        'b=b',
        'c=c',
      ]);
    });

    it('create wins once, also when twenty try at the same moment', async () => {
      const bucket = await makeBucket(bus);
      const rival = other.bucket(bucket.name);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 ? bucket : rival).create('k', bytes(String(i)))),
      );
      const winners = outcomes.flatMap((outcome, i) => (outcome.won ? [i] : []));
      expect(winners).toHaveLength(1);
      expect(shown(await bucket.getLatest('k'))).toBe(String(winners[0]));
    });

    it('create wins over a deletion, once', async () => {
      const bucket = await makeBucket(bus);
      await bucket.put('k', bytes('old'));
      await bucket.delete('k');
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, i) => bucket.create('k', bytes(String(i)))),
      );
      expect(outcomes.filter((outcome) => outcome.won)).toHaveLength(1);
    });

    it('update wins at the newest revision only', async () => {
      const bucket = await makeBucket(bus);
      const revision = await bucket.put('k', bytes('1'));
      const won = await bucket.update('k', bytes('2'), revision);
      expect(won).toMatchObject({ won: true });
      expect(await bucket.update('k', bytes('3'), revision)).toEqual({ won: false });
      expect(await bucket.update('k', bytes('3'), revision + 100)).toEqual({ won: false });
      expect(shown(await bucket.getLatest('k'))).toBe('2');
    });

    it('a race of compare-and-set loops loses no increment', async () => {
      const bucket = await makeBucket(bus);
      await bucket.put('n', bytes('0'));
      const increment = async (mine: typeof bucket | ReturnType<Bus['bucket']>) => {
        for (;;) {
          const read = await mine.getLatest('n');
          const next = bytes(String(Number(shown(read)) + 1));
          if ((await mine.update('n', next, read.revision)).won) return;
        }
      };
      const rival = other.bucket(bucket.name);
      await Promise.all(Array.from({ length: 30 }, (_, i) => increment(i % 2 ? bucket : rival)));
      expect(shown(await bucket.getLatest('n'))).toBe('30');
    });

    it('a deleted key is absent and knows the revision of its deletion', async () => {
      const bucket = await makeBucket(bus);
      const revision = await bucket.put('k', bytes('v'));
      expect(await bucket.delete('k', { revision: revision + 1 })).toEqual({ won: false });
      const deleted = await bucket.delete('k', { revision });
      expect(deleted).toMatchObject({ won: true });
      expect(await bucket.get('k')).toEqual({
        found: false,
        key: 'k',
        revision: deleted.won ? deleted.revision : -1,
      });
    });

    it('history keeps as many values as the bucket says, oldest first, deletions included', async () => {
      const bucket = await makeBucket(bus, { history: 3 });
      for (const value of ['1', '2', '3']) await bucket.put('k', bytes(value));
      await bucket.delete('k');
      expect((await bucket.history('k')).map(shown)).toEqual(['2', '3', undefined]);
      expect(await bucket.history('other')).toEqual([]);
    });

    it('erase leaves no older value behind', async () => {
      const bucket = await makeBucket(bus);
      await bucket.put('k', bytes('secret'));
      await bucket.put('neighbour', bytes('stays'));
      await bucket.erase('k');
      expect((await bucket.history('k')).map(shown)).toEqual([undefined]);
      expect(shown(await bucket.get('neighbour'))).toBe('stays');
    });

    it('remove leaves no trace, and is fenced by a revision', async () => {
      const bucket = await makeBucket(bus);
      const first = await bucket.put('k', bytes('1'));
      await bucket.put('k', bytes('2'));
      await bucket.put('neighbour', bytes('stays'));
      expect(await bucket.remove('k', { revision: first })).toEqual({ won: false });
      expect(shown(await bucket.get('k'))).toBe('2');
      expect(await bucket.remove('k')).toMatchObject({ won: true });
      expect(await bucket.getLatest('k')).toEqual({ found: false, key: 'k', revision: 0 });
      expect(await bucket.keysWithDeleted('>')).toEqual(['neighbour']);
      expect(await bucket.create('k', bytes('3'))).toMatchObject({ won: true });
      // The mark of a deletion goes the same way; a key that was never there leaves none.
      const deleted = await bucket.delete('k');
      await bucket.remove('k', { revision: deleted.won ? deleted.revision : -1 });
      await bucket.remove('never');
      expect(await bucket.keysWithDeleted('>')).toEqual(['neighbour']);
    });

    it('keys and entries are filtered, sorted, and without the deleted', async () => {
      const bucket = await makeBucket(bus);
      for (const key of ['b', 'a.2', 'a.1', 'a.1.deep', 'gone']) await bucket.put(key, bytes(key));
      await bucket.delete('gone');
      expect(await bucket.keys()).toEqual(['a.1', 'a.1.deep', 'a.2', 'b']);
      expect(await bucket.keys('a.*')).toEqual(['a.1', 'a.2']);
      expect((await bucket.entries('a.>')).map((entry) => [entry.key, text(entry.value)])).toEqual([
        ['a.1', 'a.1'],
        ['a.1.deep', 'a.1.deep'],
        ['a.2', 'a.2'],
      ]);
      expect(await bucket.keys('z.>')).toEqual([]);
      expect(await bucket.keysWithDeleted('*')).toEqual(['b', 'gone']);
      expect(await bucket.keysWithDeleted('z.>')).toEqual([]);
      expect(await (await makeBucket(bus)).keys()).toEqual([]);
    });

    it('lists more keys than one batch holds', async () => {
      const bucket = await makeBucket(bus, { history: 1 });
      const keys = Array.from({ length: 700 }, (_, i) => `k${String(i).padStart(4, '0')}`);
      await Promise.all(keys.map((key) => bucket.put(key, bytes(key))));
      expect(await bucket.keys()).toEqual(keys);
      expect((await bucket.entries()).length).toBe(700);
    });

    it('a bucket with a TTL forgets a key that is not written again, and keeps one that is', async () => {
      const bucket = await makeBucket(bus, { ttlMs: 1_000, history: 1 });
      await bucket.put('dies', bytes('x'));
      await until(async () => {
        await bucket.put('lives', bytes('x'));
        return !(await bucket.getLatest('dies')).found;
      }, 'the key to expire');
      expect(await bucket.keys()).toEqual(['lives']);
      expect(await bucket.create('dies', bytes('y'))).toMatchObject({ won: true });
    });

    it.each(['', 'a..b', 'a b', 'a.*', '>', '.x', 'x.'])('the key %j is refused', async (key) => {
      const bucket = await makeBucket(bus);
      await expect(bucket.put(key, bytes(''))).rejects.toMatchObject({ code: 'BUS_BAD_SUBJECT' });
      await expect(bucket.get(key)).rejects.toMatchObject({ code: 'BUS_BAD_SUBJECT' });
    });

    it('a value over the bucket’s limit is refused, and the old one stays', async () => {
      const bucket = await makeBucket(bus, { valueBytesMax: 1_000 });
      await bucket.put('k', bytes('small'));
      await expect(bucket.put('k', new Uint8Array(2_000))).rejects.toMatchObject({ code: 'BUS_STORE' });
      expect(shown(await bucket.getLatest('k'))).toBe('small');
    });

    it('a bucket that peels may write refuses roll-up headers, and keeps every key', async () => {
      const bucket = await makeBucket(bus, { peelWritable: true, history: 1 });
      await bucket.put('web-01', bytes('1'));
      await bucket.put('web-02', bytes('2'));
      const subject = `$KV.${bucket.name}.web-01`;
      const wipe = bus.append(subject, bytes('x'), { headers: new Map([['Nats-Rollup', 'all']]) });
      await expect(wipe).rejects.toMatchObject({ code: 'BUS_STORE' });
      expect(await bucket.keys()).toEqual(['web-01', 'web-02']);
    });
  });
}
