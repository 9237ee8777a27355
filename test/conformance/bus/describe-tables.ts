/**
 * `describeTables` is the part of the suite about tables: reads that end in found, absent or unreadable, and writes
 * that know themselves again.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import { openAgentTable, openTable, type Table, type TableRead } from '../../../src/bus/kv/table.ts';
import type { Bucket, Bus } from '../../../src/bus/port.ts';
import { type PeelId, parsePeelId } from '../../../src/wire/names/ids.ts';
import { type PeelHeartbeat, peelHeartbeatCodec } from '../../../src/wire/records/heartbeat.ts';
import { TABLES, type TableSpec } from '../../../src/wire/records/tables.ts';
import { until } from '../../harness/until.ts';
import { type BusFixture, bytes, type MakeFixture } from './fixture.ts';
import { makeBucket } from './test-assets.ts';

const WEB = 'web-01' as PeelId;
const DB = 'db-01' as PeelId;
const beat = (version: string): PeelHeartbeat => peelHeartbeatCodec.create({ version });
const NONSENSE = bytes('\xc1 no record');

export function describeTables(make: MakeFixture): void {
  describe('tables', () => {
    let fixture: BusFixture;
    let bus: Bus;
    beforeAll(async () => {
      fixture = await make();
      bus = await fixture.master();
    });
    afterAll(() => fixture.close());

    async function setUp(
      only: Pick<TableSpec<PeelId, PeelHeartbeat>, 'isOther'> = {},
    ): Promise<{ bucket: Bucket; table: Table<PeelId, PeelHeartbeat> }> {
      const made = await makeBucket(bus);
      const spec: TableSpec<PeelId, PeelHeartbeat> = {
        bucket: { ...TABLES.peelHeartbeats.bucket, name: made.name },
        filter: '>',
        codec: peelHeartbeatCodec,
        keyOf: (peel) => peel,
        idOf: parsePeelId,
        ...only,
      };
      return { bucket: bus.bucket(made.name), table: openTable(bus, spec) };
    }

    it('tell a record, nothing, and bytes that are no record apart', async () => {
      const { bucket, table } = await setUp();
      const revision = await table.put(WEB, beat('1'));
      await bucket.put(DB, NONSENSE);
      expect(await table.getLatest(WEB)).toMatchObject({ is: 'found', id: WEB, value: beat('1'), revision });
      expect(await table.getLatest('gone' as PeelId)).toMatchObject({ is: 'absent', revision: 0 });
      expect(await table.getLatest(DB)).toMatchObject({
        is: 'unreadable',
        id: DB,
        problem: expect.stringContaining('PeelHeartbeat'),
      });
    });

    it('list what is there, unreadable ones and keys that are no ids included', async () => {
      const { bucket, table } = await setUp();
      await table.put(WEB, beat('1'));
      await bucket.put(DB, NONSENSE);
      await bucket.put('two.tokens', NONSENSE);
      const entries = await table.entries();
      expect(entries.map(({ is, id, key }) => [is, id, key])).toEqual([
        ['unreadable', DB, DB],
        ['unreadable', undefined, 'two.tokens'],
        ['found', WEB, WEB],
      ]);
      expect(await table.ids()).toEqual([DB, WEB]);
      const newestFirst: string[] = [];
      await table.byLastWrite(({ key }) => newestFirst.push(key) < 2);
      expect(newestFirst).toEqual(['two.tokens', DB]);
    });

    it('do not see what else is in their bucket', async () => {
      const { bucket, table } = await setUp({ isOther: (key) => key.startsWith('_') });
      await bucket.put('_key', NONSENSE);
      await table.put(WEB, beat('1'));
      await bucket.put('_other_key', NONSENSE);
      expect((await table.entries()).map(({ key }) => key)).toEqual([WEB]);
      expect(await table.ids()).toEqual([WEB]);
      const newestFirst: string[] = [];
      await table.byLastWrite(({ key }) => newestFirst.push(key) > 0);
      expect(newestFirst).toEqual([WEB]);
      const seen: string[] = [];
      const watch = table.watch({ changed: ({ key }) => void seen.push(key) });
      await bucket.put('_key', NONSENSE);
      await table.put(DB, beat('1'));
      await until(() => seen.includes(DB), 'a later record');
      expect(seen).toEqual([WEB, DB]);
      watch.stop();
    });

    it('know a write of theirs again, and tell what beat it', async () => {
      const { bucket, table } = await setUp();
      const first = await table.createOrRead(WEB, beat('1'));
      expect(first).toMatchObject({ isOurs: true });
      // As after a lost answer: the same write once more.
      expect(await table.createOrRead(WEB, beat('1'))).toEqual(first);
      expect(await table.createOrRead(WEB, beat('2'))).toMatchObject({
        isOurs: false,
        there: { is: 'found', value: beat('1') },
      });
      const revision = first.isOurs ? first.revision : 0;
      const second = await table.updateOrRead(WEB, beat('2'), revision);
      expect(second).toMatchObject({ isOurs: true });
      expect(await table.updateOrRead(WEB, beat('2'), revision)).toEqual(second);
      await bucket.put(WEB, NONSENSE);
      expect(await table.updateOrRead(WEB, beat('3'), revision)).toMatchObject({
        isOurs: false,
        there: { is: 'unreadable' },
      });
      await table.remove(WEB);
      expect(await table.updateOrRead(WEB, beat('3'), revision)).toMatchObject({
        isOurs: false,
        there: { is: 'absent' },
      });
    });

    it('let one of two writers win whose records differ', async () => {
      const { table } = await setUp();
      const outcomes = await Promise.all(['a', 'b', 'c'].map((each) => table.createOrRead(WEB, beat(each))));
      expect(outcomes.filter(({ isOurs }) => isOurs)).toHaveLength(1);
    });

    it('are watched as they are read', async () => {
      const { bucket, table } = await setUp();
      await table.put(WEB, beat('1'));
      const seen: TableRead<PeelId, PeelHeartbeat>[] = [];
      const watch = table.watch({ changed: (read) => void seen.push(read) });
      await until(() => seen.length === 1, 'what was there');
      await bucket.put(WEB, NONSENSE);
      await until(() => seen.at(-1)?.is === 'unreadable', 'the nonsense');
      await bucket.delete(WEB);
      await until(() => seen.at(-1)?.is === 'absent', 'the deletion');
      watch.stop();
    });

    it('of a peel are written by it and read by masters', async () => {
      const agent = await fixture.peel(WEB);
      await ensureAssets(bus, { buckets: [TABLES.peelHeartbeats.bucket], streams: [], objectStores: [] }, 1);
      const table = openAgentTable(agent, TABLES.peelHeartbeats);
      await table.put(WEB, beat('1'));
      expect(await openTable(bus, TABLES.peelHeartbeats).getLatest(WEB)).toMatchObject({ is: 'found' });
    });
  });
}
