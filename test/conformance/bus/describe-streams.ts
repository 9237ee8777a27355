/** `describeStreams` is the part of the suite about streams: appending, deduplication, replay. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, StoredMessage } from '../../../src/bus/port.ts';
import { openRecordStream } from '../../../src/bus/stream/record-stream.ts';
import type { Decoded } from '../../../src/wire/msgpack/decoded.ts';
import { until } from '../../harness/until.ts';
import { type BusFixture, bytes, type MakeFixture, text } from './fixture.ts';
import { makeStream } from './test-assets.ts';

export function describeStreams(make: MakeFixture): void {
  describe('streams', () => {
    let fixture: BusFixture;
    let bus: Bus;
    beforeAll(async () => {
      fixture = await make();
      bus = await fixture.master();
    });
    afterAll(() => fixture.close());

    const replayAll = async (name: string, filter: string, extra = {}) => {
      const got: StoredMessage[] = [];
      await bus.stream(name).replay({ filter, ...extra }, (message) => got.push(message));
      return got;
    };

    it('appends in order and replays what was appended', async () => {
      const { name, root } = await makeStream(bus);
      for (let i = 1; i <= 5; i++) {
        expect(await bus.append(`${root}.${i}`, bytes(String(i)), {})).toEqual({
          stream: name,
          sequence: i,
          duplicate: false,
        });
      }
      const got = await replayAll(name, `${root}.>`);
      expect(got.map((m) => [m.sequence, m.subject, text(m.data)])).toEqual(
        [1, 2, 3, 4, 5].map((i) => [i, `${root}.${i}`, String(i)]),
      );
      expect(await bus.stream(name).state()).toMatchObject({
        firstSequence: 1,
        lastSequence: 5,
        messages: 5,
      });
    });

    it('are read as records: each message with what it says, or with what is wrong with it', async () => {
      const made = await makeStream(bus);
      const read = (subject: string, data: Uint8Array): Decoded<string> =>
        subject.endsWith('.good')
          ? { isReadable: true, value: text(data) }
          : { isReadable: false, problem: 'no word' };
      const records = openRecordStream(bus, { streams: [made], read });
      await bus.append(`${made.root}.good`, bytes('hello'), {});
      await bus.append(`${made.root}.bad`, bytes('\xc1'), {});
      const got: unknown[] = [];
      await records.replay({ filter: `${made.root}.>` }, ({ record, message }) =>
        got.push([message.sequence, record]),
      );
      expect(got).toEqual([
        [1, { isReadable: true, value: 'hello' }],
        [2, { isReadable: false, problem: 'no word' }],
      ]);
      expect((await records.last(`${made.root}.good`))?.record).toMatchObject({ value: 'hello' });
      expect(await records.last(`${made.root}.none`)).toBeUndefined();
    });

    it('replay filters, takes the last of each subject, and ends on nothing', async () => {
      const { name, root } = await makeStream(bus);
      for (const [token, value] of [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
        ['c', '4'],
      ]) {
        await bus.append(`${root}.${token}`, bytes(value ?? ''), {});
      }
      const values = async (filter: string, extra = {}) =>
        (await replayAll(name, filter, extra)).map((m) => text(m.data));
      expect(await values(`${root}.a`)).toEqual(['1', '3']);
      expect(await values(`${root}.>`)).toEqual(['1', '2', '3', '4']);
      expect((await values(`${root}.>`, { lastPerSubject: true })).sort()).toEqual(['2', '3', '4']);
      expect(await replayAll(name, `${root}.none`)).toEqual([]);
      expect(await replayAll(name, `${root}.none.*`)).toEqual([]);
    });

    it('tells the newest message of a subject, and that there is none', async () => {
      const { name, root } = await makeStream(bus);
      for (const [token, value] of [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ]) {
        await bus.append(`${root}.${token}`, bytes(value ?? ''), {});
      }
      const newest = await bus.stream(name).last(`${root}.a`);
      expect([newest?.subject, newest?.sequence, text(newest?.data ?? bytes(''))]).toEqual([
        `${root}.a`,
        3,
        '3',
      ]);
      expect((await bus.stream(name).last(`${root}.*`))?.sequence).toBe(3);
      expect(await bus.stream(name).last(`${root}.none`)).toBeUndefined();
    });

    it('replays many messages in order, of one subject among others and of all', async () => {
      const { name, root } = await makeStream(bus);
      // Close together at first and far apart later, so that no stretch of the stream is like another.
      const isX = (i: number) => i < 100 || (i > 3_000 ? i % 2 === 0 : i % 50 === 0);
      const subjects = Array.from(
        { length: 6_000 },
        (_, i) => `${root}.${isX(i) ? 'x' : `other.${i % 500}`}`,
      );
      await Promise.all(subjects.map((subject, i) => bus.append(subject, bytes(String(i)), {})));
      const all = await replayAll(name, `${root}.>`);
      expect(all.map((m) => m.sequence)).toEqual(Array.from({ length: 6_000 }, (_, i) => i + 1));
      const wanted = all.filter(({ subject }) => subject === `${root}.x`);
      const got = await replayAll(name, `${root}.x`);
      expect(got.map((m) => m.sequence)).toEqual(wanted.map((m) => m.sequence));
    });

    it('stores one message per id within the duplicate window, and the first sequence is told again', async () => {
      const { name, root } = await makeStream(bus, { duplicateWindowMs: 1_000 });
      const first = await bus.append(`${root}.x`, bytes('1'), { messageId: 'id-1' });
      expect(await bus.append(`${root}.x`, bytes('again'), { messageId: 'id-1' })).toEqual({
        ...first,
        duplicate: true,
      });
      expect((await bus.stream(name).state()).messages).toBe(1);
      await until(
        async () => !(await bus.append(`${root}.x`, bytes('later'), { messageId: 'id-1' })).duplicate,
        'the window to pass',
      );
    });

    it('a fenced append wins once per sequence, whoever races', async () => {
      const { name, root } = await makeStream(bus);
      const other = await fixture.master();
      for (let expected = 0; expected < 10; expected++) {
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, (_, i) =>
            (i % 2 ? bus : other).stream(name).appendAt(`${root}.x`, bytes(String(i)), expected, {}),
          ),
        );
        expect(outcomes.filter((outcome) => outcome.won)).toEqual([{ won: true, revision: expected + 1 }]);
      }
    });

    it('a fenced append that is repeated knows that it had won', async () => {
      const { name, root } = await makeStream(bus);
      const append = () =>
        bus.stream(name).appendAt(`${root}.x`, bytes('mine'), 0, { messageId: 'attempt-1' });
      expect(await append()).toEqual({ won: true, revision: 1 });
      expect(await append()).toEqual({ won: true, revision: 1 });
      const beaten = bus.stream(name).appendAt(`${root}.x`, bytes('late'), 0, { messageId: 'attempt-2' });
      expect(await beaten).toEqual({ won: false });
    });

    it('drops the oldest at its limits', async () => {
      const { name, root } = await makeStream(bus, { maxMessages: 3 });
      for (let i = 0; i < 5; i++) await bus.append(`${root}.x`, bytes(String(i)), {});
      expect((await replayAll(name, `${root}.>`)).map((m) => text(m.data))).toEqual(['2', '3', '4']);
    });

    it('an append to a subject that no stream captures is no-responders, not success', async () => {
      await expect(bus.append('zester.nowhere.x', bytes(''), {})).rejects.toMatchObject({
        code: 'BUS_NO_RESPONDERS',
      });
    });

    it('a stream that does not exist is an error, not an empty one', async () => {
      await expect(bus.stream('no-such-stream').state()).rejects.toMatchObject({ code: 'BUS_STORE_MISSING' });
      await expect(replayAll('no-such-stream', '>')).rejects.toMatchObject({ code: 'BUS_STORE_MISSING' });
    });

    it('nothing that was acknowledged is lost when the server is killed', async () => {
      const { name, root } = await makeStream(bus);
      const acknowledged: number[] = [];
      for (let i = 0; i < 50; i++)
        acknowledged.push((await bus.append(`${root}.x`, bytes(String(i)), {})).sequence);
      await fixture.killServer();
      await until(() => bus.status() === 'disconnected', 'the loss to be seen');
      await expect(bus.append(`${root}.x`, bytes('no'), {})).rejects.toMatchObject({
        code: 'BUS_DISCONNECTED',
      });
      await fixture.startServer();
      const got = await until(() => replayAll(name, `${root}.>`), 'the stream to be back');
      expect(got.map((m) => m.sequence)).toEqual(acknowledged);
      await bus.append(`${root}.x`, bytes('goes on'), {});
    });
  });
}
