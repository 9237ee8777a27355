/** `describeObjects` is the part of the suite about objects: values larger than a message. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import type { AgentBus, Bus, Objects } from '../../../src/bus/port.ts';
import { OBJECT_STORES } from '../../../src/wire/names/streams.ts';
import { type BusFixture, bytes, type MakeFixture, text, unique } from './fixture.ts';

const MIB = 1_048_576;
const LIMIT = { bytesMax: 16 * MIB };

export function describeObjects(make: MakeFixture): void {
  describe('objects', () => {
    let fixture: BusFixture;
    let bus: Bus;
    let peel: AgentBus;
    const store = OBJECT_STORES.fileBlobs.name;
    beforeAll(async () => {
      fixture = await make();
      bus = await fixture.master();
      peel = await fixture.peel('web-01');
      await ensureAssets(bus, { buckets: [], streams: [], objectStores: [OBJECT_STORES.fileBlobs] }, 1);
    });
    afterAll(() => fixture.close());

    async function freshObjects(): Promise<Objects & { readonly store: string }> {
      const spec = { ...OBJECT_STORES.fileBlobs, name: unique('objects') };
      await ensureAssets(bus, { buckets: [], streams: [], objectStores: [spec] }, 1);
      return { store: spec.name, ...bus.objects(spec.name) };
    }

    /** Number of chunks by id. */
    async function chunkCounts(name: string): Promise<Record<string, number>> {
      const prefix = `$O.${name}.C.`;
      const info = await bus.api(`$JS.API.STREAM.INFO.OBJ_${name}`, { subjects_filter: `${prefix}>` });
      const { subjects = {} } = info.state as { subjects?: Record<string, number> };
      return Object.fromEntries(
        Object.entries(subjects).map(([subject, count]) => [subject.slice(prefix.length), count]),
      );
    }

    it('a peel reads what a master put, many chunks long, byte for byte', async () => {
      const data = Uint8Array.from({ length: 3 * MIB + 17 }, (_, i) => (i * 31) & 0xff);
      await bus.objects(store).put('sha/large', data);
      const read = await peel.objects(store).get('sha/large', LIMIT);
      expect(read !== undefined && Buffer.from(read).equals(data)).toBe(true);
    });

    it('an object that is not there is undefined, one that was deleted too', async () => {
      expect(await peel.objects(store).get('none', LIMIT)).toBeUndefined();
      await bus.objects(store).put('short-lived', bytes('x'));
      await bus.objects(store).delete('short-lived');
      expect(await peel.objects(store).get('short-lived', LIMIT)).toBeUndefined();
      await bus.objects(store).delete('short-lived');
    });

    it('a second put replaces the first and leaves none of its chunks', async () => {
      await bus.objects(store).put('name', new Uint8Array(MIB));
      const before = await bus.stream(`OBJ_${store}`).state();
      await bus.objects(store).put('name', bytes('small'));
      const after = await bus.stream(`OBJ_${store}`).state();
      expect(text((await peel.objects(store).get('name', LIMIT)) ?? bytes(''))).toBe('small');
      expect(before.bytes - after.bytes).toBeGreaterThan(MIB / 2);
    });

    it('what is stored can be listed, and a deletion leaves nothing of it', async () => {
      const objects = await freshObjects();
      const digest = createHash('sha256').update('one').digest('hex');
      await objects.put('one', bytes('one'));
      await objects.put('large', new Uint8Array(MIB));
      await objects.put('empty', bytes(''));
      const { objects: listed, looseChunks } = await objects.list();
      expect(listed.map(({ name, bytes: size, isWhole }) => [name, size, isWhole])).toEqual([
        ['empty', 0, true],
        ['large', MIB, true],
        ['one', 3, true],
      ]);
      expect(listed.at(-1)?.sha256).toBe(digest);
      expect(looseChunks).toEqual([]);
      for (const name of ['one', 'large', 'empty']) expect(await objects.delete(name)).toBe(true);
      expect(await objects.list()).toEqual({ objects: [], looseChunks: [] });
      expect((await bus.stream(`OBJ_${objects.store}`).state()).messages).toBe(0);
    });

    it('a deletion of what was put anew since it was seen does nothing', async () => {
      const objects = await freshObjects();
      await objects.put('a', bytes('1'));
      const [seen] = (await objects.list()).objects;
      await objects.put('a', bytes('1'));
      expect(await objects.delete('a', { revision: seen?.revision ?? 0 })).toBe(false);
      expect(text((await objects.get('a', LIMIT)) ?? bytes(''))).toBe('1');
      const [now] = (await objects.list()).objects;
      expect(await objects.delete('a', { revision: now?.revision ?? 0 })).toBe(true);
      expect(await objects.get('a', LIMIT)).toBeUndefined();
    });

    it('of two puts of one name at once one is stored, and nothing is left of the other', async () => {
      const objects = await freshObjects();
      for (let round = 0; round < 3; round++) {
        const contents = [1, 2, 3].map((fill) => new Uint8Array(MIB / 2).fill(fill));
        const outcomes = await Promise.all(contents.map((content) => objects.put('name', content)));
        const winner = contents[outcomes.indexOf(true)];
        expect(outcomes.filter((isStored) => isStored)).toHaveLength(1);
        const read = await objects.get('name', LIMIT);
        expect(read !== undefined && winner !== undefined && Buffer.from(read).equals(winner)).toBe(true);
        expect((await objects.list()).looseChunks).toEqual([]);
      }
    });

    it('chunks that no object has are told, and taken away where that is still so', async () => {
      const objects = await freshObjects();
      await objects.put('kept', bytes('kept'));
      // As a put leaves them that died before its last write.
      await bus.append(`$O.${objects.store}.C.dead`, bytes('half'), {});
      await bus.append(`$O.${objects.store}.C.dead`, bytes('half'), {});
      const { looseChunks, objects: listed } = await objects.list();
      expect(looseChunks).toEqual(['dead']);
      expect(listed.map(({ isWhole }) => isWhole)).toEqual([true]);
      const kept = Object.keys(await chunkCounts(objects.store)).find((id) => id !== 'dead') ?? '';
      await objects.dropLooseChunks(['dead', kept]);
      expect(await chunkCounts(objects.store)).toEqual({ [kept]: 1 });
      expect((await objects.list()).looseChunks).toEqual([]);
      expect(text((await objects.get('kept', LIMIT)) ?? bytes(''))).toBe('kept');
    });

    it('an object that lost a chunk is listed as not whole, and its reading fails', async () => {
      const objects = await freshObjects();
      await objects.put('a', new Uint8Array(MIB));
      const [id = ''] = Object.keys(await chunkCounts(objects.store));
      await bus.api(`$JS.API.STREAM.PURGE.OBJ_${objects.store}`, {
        filter: `$O.${objects.store}.C.${id}`,
        keep: 3,
      });
      expect((await objects.list()).objects).toMatchObject([{ name: 'a', isWhole: false }]);
      await expect(objects.get('a', LIMIT)).rejects.toMatchObject({ code: 'BUS_OBJECT_INCOMPLETE' });
    });

    it('a record that cannot be read is no object, and no chunk is called loose beside it', async () => {
      const objects = await freshObjects();
      await objects.put('good', bytes('x'));
      await bus.append(`$O.${objects.store}.M.eA==`, bytes('nonsense'), {});
      await bus.append(`$O.${objects.store}.C.whose`, bytes('?'), {});
      const { objects: listed, looseChunks } = await objects.list();
      expect(listed.map(({ name }) => name)).toEqual(['good']);
      expect(looseChunks).toEqual([]);
    });

    it('an empty object is an object', async () => {
      await bus.objects(store).put('empty', bytes(''));
      expect((await peel.objects(store).get('empty', LIMIT))?.length).toBe(0);
    });

    it('an object over the reader’s limit is refused before it is read', async () => {
      await bus.objects(store).put('big', new Uint8Array(2 * MIB));
      const read = peel.objects(store).get('big', { bytesMax: MIB });
      await expect(read).rejects.toMatchObject({ code: 'BUS_TOO_LARGE' });
    });
  });
}
