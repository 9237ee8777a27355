/** `describeMessages` is the part of the suite about plain messages: publish, subscribe, request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentBus, Bus, Message } from '../../../src/bus/port.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { until } from '../../harness/until.ts';
import { type BusFixture, bytes, type MakeFixture, text, unique } from './fixture.ts';

export function describeMessages(make: MakeFixture): void {
  describe('messages', () => {
    let fixture: BusFixture;
    let a: Bus;
    let b: Bus;
    let peel: AgentBus;
    beforeAll(async () => {
      fixture = await make();
      a = await fixture.master();
      b = await fixture.master();
      peel = await fixture.peel('web-01');
    });
    afterAll(() => fixture.close());

    const collect = async (bus: AgentBus, subject: string, queue?: string) => {
      const got: Message[] = [];
      const options = queue === undefined ? {} : { queue };
      const subscription = await bus.subscribe(subject, (message) => got.push(message), options);
      return { got, subscription };
    };

    it('a published message reaches every subscriber, with its headers', async () => {
      const subject = `zester.test.${unique('pub')}`;
      const one = await collect(a, subject);
      const two = await collect(b, subject);
      a.publish(subject, bytes('hello'), { headers: new Map([['Zester-Test', 'x y']]) });
      await until(() => one.got.length === 1 && two.got.length === 1, 'both to hear it');
      expect(two.got.map((m) => [m.subject, text(m.data), m.headers.get('Zester-Test')])).toEqual([
        [subject, 'hello', 'x y'],
      ]);
    });

    it('messages of one publisher keep their order', async () => {
      const subject = `zester.test.${unique('order')}`;
      const { got } = await collect(b, subject);
      for (let i = 0; i < 500; i++) a.publish(subject, bytes(String(i)));
      await until(() => got.length === 500, 'all 500');
      expect(got.map((m) => Number(text(m.data)))).toEqual(Array.from({ length: 500 }, (_, i) => i));
    });

    it('wildcards match one token and a tail', async () => {
      const root = `zester.test.${unique('wild')}`;
      const star = await collect(b, `${root}.*`);
      const tail = await collect(b, `${root}.>`);
      a.publish(`${root}.x`, bytes('1'));
      a.publish(`${root}.x.y`, bytes('2'));
      await until(() => tail.got.length === 2, 'the tail to hear both');
      expect(star.got.map((m) => text(m.data))).toEqual(['1']);
    });

    it('a queue group gives each message to one member only', async () => {
      const subject = `zester.test.${unique('queue')}`;
      const one = await collect(a, subject, 'workers');
      const two = await collect(b, subject, 'workers');
      for (let i = 0; i < 200; i++) a.publish(subject, bytes(String(i)));
      await until(() => one.got.length + two.got.length === 200, 'all 200');
      expect(one.got.length).toBeGreaterThan(20);
      expect(two.got.length).toBeGreaterThan(20);
    });

    it('an unsubscribed subject is heard no more', async () => {
      const root = `zester.test.${unique('unsub')}`;
      const gone = await collect(b, `${root}.gone`);
      const stays = await collect(b, `${root}.stays`);
      gone.subscription.unsubscribe();
      a.publish(`${root}.gone`, bytes('x'));
      a.publish(`${root}.stays`, bytes('x'));
      await until(() => stays.got.length === 1, 'the other one');
      expect(gone.got).toEqual([]);
    });

    it('a member of a queue group that drains leaves no message behind', async () => {
      const subject = `zester.test.${unique('drain')}`;
      const leaving = await collect(b, subject, 'workers');
      const staying = await collect(a, subject, 'workers');
      const publishing = (async () => {
        for (let i = 1; i <= 2_000; i++) {
          a.publish(subject, bytes(String(i)));
          if (i % 50 === 0) await sleep(systemClock, 0);
        }
      })();
      await until(() => leaving.got.length > 0, 'the first message');
      await leaving.subscription.drain();
      const got = leaving.got.length;
      await publishing;
      await until(() => leaving.got.length + staying.got.length === 2_000, 'all of them');
      expect(leaving.got.length).toBe(got);
    });

    it('a request gets its answer, many at once get each their own', async () => {
      const subject = `zester.test.${unique('echo')}`;
      await b.subscribe(subject, (m) => b.publish(m.reply ?? '', bytes(`re ${text(m.data)}`)));
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) => a.request(subject, bytes(String(i)), { timeoutMs: 5_000 })),
      );
      expect(answers.map((m) => text(m.data))).toEqual(Array.from({ length: 200 }, (_, i) => `re ${i}`));
    });

    it('a request that nobody serves fails at once as no-responders', async () => {
      const asked = a.request(`zester.test.${unique('nobody')}`, bytes(''), { timeoutMs: 60_000 });
      await expect(asked).rejects.toMatchObject({ code: 'BUS_NO_RESPONDERS' });
    });

    it('a request that is heard but not answered times out', async () => {
      const subject = `zester.test.${unique('mute')}`;
      await collect(b, subject);
      await expect(a.request(subject, bytes(''), { timeoutMs: 50 })).rejects.toMatchObject({
        code: 'BUS_TIMEOUT',
      });
    });

    it('a message over the payload limit is refused before it is sent', () => {
      const max = a.server()?.payloadBytesMax ?? 0;
      expect(() => a.publish('zester.test.large', new Uint8Array(max + 1))).toThrow(
        expect.objectContaining({ code: 'BUS_TOO_LARGE' }),
      );
    });

    it.each(['', 'a..b', 'a b', '.a', 'a.', 'a\r\nPUB x 0', 'zester.*', 'zester.>'])(
      'the subject %j is refused before anything is sent',
      (subject) => {
        expect(() => a.publish(subject, bytes(''))).toThrow(
          expect.objectContaining({ code: 'BUS_BAD_SUBJECT' }),
        );
      },
    );

    it('a callback that throws does not stop the bus', async () => {
      const subject = `zester.test.${unique('throws')}`;
      let heard = 0;
      await b.subscribe(subject, () => {
        heard += 1;
        throw new RangeError('a bug in a callback, on purpose');
      });
      a.publish(subject, bytes('1'));
      a.publish(subject, bytes('2'));
      await until(() => heard === 2, 'both to arrive');
    });

    it('crosses the accounts: a command reaches the peel, its question reaches a master and is answered', async () => {
      const commands = await collect(peel, 'zester.cmd.web-01');
      a.publish('zester.cmd.web-01', bytes('run'));
      await until(() => commands.got.length === 1, 'the command');
      const subscription = await a.subscribe('zester.target.resolve.*', (m) =>
        a.publish(m.reply ?? '', bytes('peels')),
      );
      const answer = await peel.request('zester.target.resolve.web-01', bytes('*'), { timeoutMs: 5_000 });
      expect(text(answer.data)).toBe('peels');
      subscription.unsubscribe();
    });

    it('what the grants do not name is refused, by name', async () => {
      fixture.expectDenials();
      await expect(peel.subscribe('zester.cmd.web-02', () => undefined)).rejects.toMatchObject({
        code: 'BUS_DENIED',
      });
      await expect(
        peel.request('zester.target.resolve.web-02', bytes(''), { timeoutMs: 5_000 }),
      ).rejects.toMatchObject({ code: 'BUS_DENIED' });
    });
  });
}
