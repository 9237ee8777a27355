/** `describeFencedWrites` is the part of the suite about fenced writes: a leader of the past changes nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fencedWrite } from '../../../src/bus/kv/fenced-write.ts';
import type { Bucket, Bus } from '../../../src/bus/port.ts';
import { type BusFixture, bytes, type MakeFixture, text } from './fixture.ts';
import { makeBucket } from './test-assets.ts';

/** A value of the form `<token> <words>`. */
const tokenOf = (stored: Uint8Array): number | undefined => {
  const token = Number.parseInt(text(stored), 10);
  return Number.isNaN(token) ? undefined : token;
};
const write = (bucket: Bucket, token: number, words: string) =>
  fencedWrite(bucket, { key: 'guarded', token, value: bytes(`${token} ${words}`), tokenOf });

export function describeFencedWrites(make: MakeFixture): void {
  describe('fenced writes', () => {
    let fixture: BusFixture;
    let bus: Bus;
    beforeAll(async () => {
      fixture = await make();
      bus = await fixture.master();
    });
    afterAll(() => fixture.close());

    const valueIn = async (bucket: Bucket): Promise<string> => {
      const read = await bucket.getLatest('guarded');
      return read.found ? text(read.value) : 'nothing';
    };

    it('of the same and of later leaders take, those of earlier ones are refused and change nothing', async () => {
      const bucket = await makeBucket(bus);
      expect(await write(bucket, 5, 'first')).toMatchObject({ written: true });
      expect(await write(bucket, 5, 'again')).toMatchObject({ written: true });
      expect(await write(bucket, 9, 'later')).toMatchObject({ written: true });
      const before = await bucket.getLatest('guarded');
      expect(await write(bucket, 5, 'too late')).toEqual({ written: false, token: 9 });
      expect(await bucket.getLatest('guarded')).toEqual(before);
    });

    it('take where there is nothing, something deleted, or something without a token', async () => {
      const bucket = await makeBucket(bus);
      expect(await write(bucket, 1, 'new')).toMatchObject({ written: true });
      await bucket.delete('guarded');
      expect(await write(bucket, 1, 'after a deletion')).toMatchObject({ written: true });
      await bucket.put('guarded', bytes('by hand'));
      expect(await write(bucket, 1, 'over it')).toMatchObject({ written: true });
      expect(await valueIn(bucket)).toBe('1 over it');
    });

    it('of many leaders at once leave the value of the latest', async () => {
      const bucket = await makeBucket(bus);
      const buses = [bus, await fixture.master(), await fixture.master()];
      const leaders = buses.map(async (each, i) => {
        const own = each.bucket(bucket.name);
        for (let turn = 0; turn < 5; turn++) await write(own, i + 1, `turn ${turn}`).catch(() => undefined);
        return write(own, i + 1, 'last');
      });
      const outcomes = await Promise.all(leaders);
      expect(await valueIn(bucket)).toBe('3 last');
      expect(outcomes[2]).toMatchObject({ written: true });
    });

    it('of a leader that was beaten between its read and its write are refused', async () => {
      const bucket = await makeBucket(bus);
      await write(bucket, 1, 'mine');
      // Frozen after the read: the next leader comes in between.
      const frozen: Bucket = {
        ...bucket,
        update: async (key, value, revision) => {
          if (text(value).endsWith('stale')) await write(bucket, 2, 'the next one’s');
          return bucket.update(key, value, revision);
        },
      };
      expect(await write(frozen, 1, 'stale')).toEqual({ written: false, token: 2 });
      expect(await valueIn(bucket)).toBe('2 the next one’s');
    });
  });
}
