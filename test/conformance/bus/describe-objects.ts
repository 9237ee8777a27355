/** `describeObjects` is the part of the suite about objects: values larger than a message. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import type { AgentBus, Bus } from '../../../src/bus/port.ts';
import { OBJECT_STORES } from '../../../src/wire/names/streams.ts';
import { type BusFixture, bytes, type MakeFixture, text } from './fixture.ts';

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
