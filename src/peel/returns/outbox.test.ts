import { describe, expect, it } from 'vitest';
import type { AgentBus, ConnectionStatus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { type Letter, Outbox } from './outbox.ts';

function fixture() {
  const clock = virtualClock();
  const runtime = { clock, random: seededRandom(1), log: jsonLog({ clock, write: () => undefined }) };
  const tried: { readonly subject: string; readonly messageId: string | undefined; readonly atMs: number }[] =
    [];
  let status: ConnectionStatus = 'connected';
  let fails = false;
  let hang = false;
  let listener: (status: ConnectionStatus) => void = () => undefined;
  const bus = {
    status: () => status,
    onStatus: (tell: typeof listener) => {
      listener = tell;
      return { unsubscribe: () => undefined };
    },
    server: () => ({ name: 'x', version: 'x', payloadBytesMax: 4_096 }),
    append: async (subject: string, _data: Uint8Array, options: { messageId?: string }) => {
      tried.push({ subject, messageId: options.messageId, atMs: clock.monotonicMs() });
      if (hang) await new Promise(() => undefined);
      if (fails) throw zesterError('BUS_TIMEOUT', { what: subject, ms: 1 });
      return { stream: 's', sequence: tried.length, duplicate: false };
    },
  } as unknown as AgentBus;
  const outbox = new Outbox({ bus, runtime });
  const stored: string[] = [];
  const letter = (key: string, courtesy = false): Letter => ({
    key,
    subject: key,
    messageId: `id-${key}`,
    courtesy,
    bytes: () => new Uint8Array(),
    stored: () => stored.push(key),
  });
  const become = (next: ConnectionStatus) => {
    status = next;
    listener(next);
  };
  return {
    clock,
    outbox,
    tried,
    stored,
    letter,
    become,
    failing: (value: boolean) => {
      fails = value;
    },
    hanging: (value: boolean) => {
      hang = value;
    },
  };
}

describe('Outbox', () => {
  it('a letter that takes the place of one under way is not lost when that one arrives', async () => {
    const { clock, outbox, tried, letter, failing } = fixture();
    outbox.send(letter('a'));
    // The first is with the server; its answer comes later in this turn of the clock.
    failing(true);
    outbox.drop('a');
    outbox.send({ ...letter('a'), messageId: 'id-second' });
    await clock.advance(10);
    failing(false);
    await clock.advance(60_000);
    expect(tried.map(({ messageId }) => messageId).filter((id) => id === 'id-second').length).toBeGreaterThan(
      1,
    );
    expect(tried.at(-1)?.messageId).toBe('id-second');
  });

  it('has 16 letters under way, and of large ones as many as a slow line brings over in time', async () => {
    const { outbox, tried, letter, hanging } = fixture();
    hanging(true);
    for (let i = 0; i < 20; i++) outbox.send(letter(`small-${i}`));
    expect(tried).toHaveLength(16);
    const large = fixture();
    large.hanging(true);
    const bytes = () => new Uint8Array(600_000);
    for (let i = 0; i < 20; i++) large.outbox.send({ ...large.letter(`large-${i}`), bytes });
    expect(large.tried).toHaveLength(2);
  });

  it('sends at once, and again under the same id with growing pauses until it is stored', async () => {
    const { clock, outbox, tried, stored, letter, failing } = fixture();
    failing(true);
    outbox.send(letter('a'));
    await clock.advance(60_000);
    expect(tried.length).toBeGreaterThan(5);
    expect(tried.length).toBeLessThan(15);
    expect(new Set(tried.map((each) => each.messageId))).toEqual(new Set(['id-a']));
    failing(false);
    await clock.advance(60_000);
    expect(stored).toEqual(['a']);
    await outbox.flushed(1_000);
  });

  it('holds a letter back as long as it says, and takes it back if it was not sent', async () => {
    const { clock, outbox, tried, letter } = fixture();
    outbox.send({ ...letter('kept'), holdMs: 250 });
    outbox.send({ ...letter('dropped'), holdMs: 250 });
    await clock.advance(249);
    expect(tried).toEqual([]);
    outbox.dropUnsent('dropped');
    await clock.advance(1);
    expect(tried.map(({ subject }) => subject)).toEqual(['kept']);
  });

  it('does not take back what may be stored', async () => {
    const { clock, outbox, stored, letter, failing } = fixture();
    failing(true);
    outbox.send(letter('a'));
    await clock.advance(10);
    outbox.dropUnsent('a');
    failing(false);
    await clock.advance(5_000);
    expect(stored).toEqual(['a']);
  });

  it('waits for a connection, and does not try without', async () => {
    const { clock, outbox, tried, stored, letter, become } = fixture();
    become('disconnected');
    outbox.send(letter('a'));
    await clock.advance(60_000);
    expect(tried).toEqual([]);
    become('connected');
    await clock.advance(1_000);
    expect(stored).toEqual(['a']);
  });

  it('gives up a courtesy after some tries, never the others', async () => {
    const { clock, outbox, tried, letter, failing } = fixture();
    failing(true);
    outbox.send(letter('ack', true));
    outbox.send(letter('return'));
    await clock.advance(3_600_000);
    expect(tried.filter((each) => each.subject === 'ack')).toHaveLength(8);
    expect(tried.at(-1)?.subject).toBe('return');
    expect(tried.at(-1)?.atMs).toBeGreaterThan(3_500_000);
  });

  it('has few in flight, and one of a key', async () => {
    const { clock, outbox, tried, letter, hanging } = fixture();
    hanging(true);
    for (let i = 0; i < 100; i++) outbox.send(letter(`a${i % 50}`));
    await clock.advance(1_000);
    expect(tried).toHaveLength(16);
  });

  it('waits no longer than told for what is left', async () => {
    const { clock, outbox, letter, failing } = fixture();
    failing(true);
    outbox.send(letter('a'));
    let flushed = false;
    void outbox.flushed(5_000).then(() => {
      flushed = true;
    });
    await clock.advance(4_999);
    expect(flushed).toBe(false);
    await clock.advance(1);
    expect(flushed).toBe(true);
    outbox.stop();
    expect(clock.nextInMs()).toBeUndefined();
  });
});
