import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONNECTIONS_MAX,
  type ConnectionCounts,
  crowdsIn,
  type FloodMemory,
  floodsIn,
  NO_FLOOD_MEMORY,
  notable,
  PENDING_BYTES_MAX,
  remember,
  SENT_BYTES_MAX,
  SENT_MAX,
  UNANSWERED_BYTES_MAX,
  UNANSWERED_MAX,
  USER_PENDING_BYTES_MAX,
} from './flood-rules.ts';
import { HONEST_BYTES, HONEST_MESSAGES, Pace } from './honest-pace.ts';

const OLD = 1_000_000;
const MIB = 1_048_576;
const quiet: ConnectionCounts = {
  id: 's 1',
  atMs: 0,
  ageMs: OLD,
  endedMs: undefined,
  inMsgs: 0,
  outMsgs: 0,
  inBytes: 0,
  pendingBytes: 0,
};
type Told = Partial<ConnectionCounts>;

/** One look a second at connections of one user; the reasons of the last. */
function looks(...seen: readonly (Told | readonly Told[])[]): string[] {
  let memory: FloodMemory = NO_FLOOD_MEMORY;
  for (const [second, told] of seen.entries()) {
    const found = [told].flat().map((counts) => ({ ...quiet, atMs: second * 1_000, ...counts }));
    memory = remember(memory, found, second * 1_000);
  }
  const known = new Set(notable(memory));
  return floodsIn(memory, (id) => (known.has(id) ? 'U' : undefined)).map(({ reason }) => reason);
}

describe('a connection', () => {
  it('that sends and waits for no answer floods', () => {
    expect(looks({ inMsgs: 5 }, { inMsgs: 5 + UNANSWERED_MAX })).toEqual([
      `sent ${UNANSWERED_MAX} messages (0 MiB) in 1 s and took 0`,
    ]);
    expect(looks({ inMsgs: 5 }, { inMsgs: 4 + UNANSWERED_MAX })).toEqual([]);
    expect(looks({}, { inMsgs: 100, inBytes: UNANSWERED_BYTES_MAX })).toHaveLength(1);
  });

  it('that takes more than it sends does not hide how much that is', () => {
    expect(looks({}, { inMsgs: SENT_MAX, outMsgs: 1_000_000 })).toEqual([
      `sent ${SENT_MAX} messages (0 MiB) in 1 s, more than a peel does`,
    ]);
    expect(looks({}, { inMsgs: 300, outMsgs: 1_000_000, inBytes: SENT_BYTES_MAX })).toEqual([
      'sent 300 messages (256 MiB) in 1 s, more than a peel does',
    ]);
    expect(looks({}, { inMsgs: SENT_MAX - 1, outMsgs: SENT_MAX, inBytes: SENT_BYTES_MAX - 1 })).toEqual([]);
  });

  it('is judged by what it did within the window, and by all of it when it is new', () => {
    const slowly = Array.from({ length: 20 }, (_, second) => ({ inMsgs: second * 1_000 }));
    expect(looks(...slowly)).toEqual([]);
    expect(looks({ inMsgs: 10 * UNANSWERED_MAX })).toEqual([]);
    expect(looks({ inMsgs: UNANSWERED_MAX, ageMs: 900 })).toHaveLength(1);
  });

  it('is judged by the time of its server, however long whoever looks was asleep', () => {
    const hour = { atMs: 3_600_000, inMsgs: 5_000_000, outMsgs: 5_000_000, inBytes: 1_000 * MIB };
    expect(looks({}, hour)).toEqual([]);
    expect(looks({}, { ...hour, atMs: 1_000 })).toHaveLength(1);
    // A clock that was put back says nothing; what comes then counts.
    expect(looks({}, { ...hour, atMs: -1_000 })).toEqual([]);
    expect(looks({}, { atMs: -9_000 }, { atMs: -8_000, inMsgs: UNANSWERED_MAX })).toHaveLength(1);
  });

  it('that does not take what it asked for floods when that stays so', () => {
    const unread = { pendingBytes: PENDING_BYTES_MAX };
    expect(looks(unread)).toEqual([]);
    expect(looks(unread, {}, unread)).toEqual([]);
    expect(looks(unread, unread)).toEqual(['let 33 MiB wait for it and did not take them']);
  });

  it('that is not told of any more is forgotten', () => {
    const first = remember(NO_FLOOD_MEMORY, [quiet], 0);
    expect(remember(first, [], 4_000).size).toBe(1);
    expect(remember(first, [], 6_000).size).toBe(0);
  });
});

describe('connections of one user', () => {
  const many = (count: number, of: (i: number) => Told): Told[] =>
    Array.from({ length: count }, (_, i) => ({ id: `s ${i}`, ...of(i) }));

  it('count together', () => {
    const few = many(20, () => ({ inMsgs: UNANSWERED_MAX / 20 }));
    expect(
      looks(
        many(20, () => ({})),
        few,
      ),
    ).toEqual([`sent ${UNANSWERED_MAX} messages (0 MiB) in 1 s on 20 connections and took 0`]);
    const unread = many(16, () => ({ pendingBytes: USER_PENDING_BYTES_MAX / 16 }));
    expect(looks(unread, unread)).toEqual([
      'let 128 MiB wait for it on 16 connections and did not take them',
    ]);
  });

  it('do not answer for each other: what one takes is no answer to what another sent', () => {
    const [sends, takes] = [
      { id: 'a', inMsgs: UNANSWERED_MAX },
      { id: 'b', inMsgs: 900, outMsgs: 1_000_000 },
    ];
    expect(looks([{ id: 'a' }, { id: 'b' }], [sends, takes])).toHaveLength(1);
  });

  it('count also when they have ended within the window, and not when they did before', () => {
    const short = (endedMs: number) =>
      many(5, (i) => ({ inMsgs: 2_000, ageMs: 200, atMs: i * 300, endedMs }));
    expect(looks(short(400))).toHaveLength(1);
    expect(looks(short(4_801))).toEqual([]);
    // Told of in several looks, each counts once.
    expect(looks(...Array.from({ length: 4 }, () => short(400).slice(0, 3)))).toEqual([]);
  });

  it('are a crowd beyond what a machine that loses its power again and again leaves behind', () => {
    const few = Array.from({ length: CONNECTIONS_MAX }, () => 'U1');
    expect(crowdsIn([...few, 'U2']).size).toBe(0);
    expect([...crowdsIn([...few, 'U1', 'U2'])]).toEqual([
      ['U1', `had ${CONNECTIONS_MAX + 1} connections at the same time`],
    ]);
  });
});

describe('an honest peel', () => {
  /** What it does between two looks: sends this much if it may, has this much under way, and perhaps begins anew. */
  const step = fc.record({
    afterMs: fc.integer({ min: 1_000, max: 3_000 }),
    messages: fc.nat(40_000),
    bytesEach: fc.oneof(fc.nat(2_000), fc.nat(MIB)),
    /** 16 letters, 8 files of two sets, and a few. */
    reads: fc.nat(24),
    letters: fc.nat(16),
    isRestarted: fc.boolean(),
  });

  it('is never taken for a flooder, whatever it has to catch up with and however often it comes back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const newPaces = () => [new Pace(HONEST_MESSAGES), new Pace(HONEST_BYTES)] as const;
        let paces = newPaces();
        let memory: FloodMemory = NO_FLOOD_MEMORY;
        let [atMs, life] = [0, 0];
        let line = { ...quiet, ageMs: 0, id: 'life 0' };
        for (const { afterMs, messages, bytesEach, reads, letters, isRestarted } of steps) {
          const underWay = bytesEach > 2_000 ? letters : letters + reads;
          const ended = { ...line, endedMs: afterMs, pendingBytes: 0 };
          if (isRestarted) {
            line = { ...quiet, ageMs: 0, id: `life ${++life}` };
            paces = newPaces();
          }
          let sent = 0;
          for (; sent < messages; sent++) {
            // It would have to wait for longer than this step lasts.
            const waits = [paces[0].waitMs(1, atMs), paces[1].waitMs(bytesEach, atMs)];
            if (Math.max(...waits) > afterMs) break;
          }
          atMs += afterMs;
          const [inMsgs, inBytes] = [line.inMsgs + sent, line.inBytes + sent * bytesEach];
          const outMsgs = Math.max(line.outMsgs, inMsgs - underWay);
          const pendingBytes = (reads * MIB) / 2;
          line = { ...line, atMs, ageMs: line.ageMs + afterMs, inMsgs, inBytes, outMsgs, pendingBytes };
          memory = remember(memory, isRestarted ? [ended, line] : [line], atMs);
          if (floodsIn(memory, () => 'U').length > 0) return false;
        }
        return true;
      }),
    );
  });
});

describe('a flooder', () => {
  it('is found however it spreads what it sends over connections, lives and looks, and whatever it takes', () => {
    const spread = fc.record({
      connections: fc.integer({ min: 1, max: CONNECTIONS_MAX }),
      lookMs: fc.integer({ min: 800, max: 1_200 }),
      answers: fc.nat(1_000_000),
      isByBytes: fc.boolean(),
    });
    fc.assert(
      fc.property(spread, ({ connections, lookMs, answers, isByBytes }) => {
        const perMs = (isByBytes ? SENT_BYTES_MAX : SENT_MAX) / 3_500 / connections;
        let memory: FloodMemory = NO_FLOOD_MEMORY;
        for (let atMs = 0; atMs <= 6_000; atMs += lookMs) {
          const found = Array.from({ length: connections }, (_, i) => {
            const amount = Math.ceil(atMs * perMs);
            const counts = isByBytes
              ? { inMsgs: Math.ceil(amount / MIB), inBytes: amount }
              : { inMsgs: amount, inBytes: amount };
            return { ...quiet, ...counts, id: `s ${i}`, atMs, outMsgs: answers * atMs };
          });
          memory = remember(memory, found, atMs);
        }
        const known = new Set(notable(memory));
        return floodsIn(memory, (id) => (known.has(id) ? 'U' : undefined)).length === 1;
      }),
    );
  });
});

describe('a pace', () => {
  it('lets out no more than is allowed within any time, and keeps nobody waiting longer than needed', () => {
    const rate = { burst: 10, perSecond: 100 };
    fc.assert(
      fc.property(
        fc.array(fc.record({ afterMs: fc.nat(300), amount: fc.integer({ min: 1, max: 20 }) })),
        (asks) => {
          const pace = new Pace(rate);
          const let_: { readonly atMs: number; readonly amount: number }[] = [];
          let nowMs = 0;
          for (const { afterMs, amount } of asks) {
            nowMs += afterMs;
            let_.push({ atMs: nowMs + pace.waitMs(amount, nowMs), amount });
          }
          for (const [i, from] of let_.entries()) {
            let sum = 0;
            for (const { atMs, amount } of let_.slice(i)) {
              sum += amount;
              const allowed = rate.burst + from.amount + ((atMs - from.atMs) * rate.perSecond) / 1_000;
              if (sum > allowed + 1e-6) return false;
            }
          }
          return true;
        },
      ),
    );
    const pace = new Pace(rate);
    expect([pace.waitMs(10, 0), pace.waitMs(5, 0), pace.waitMs(1, 1_000)]).toEqual([0, 50, 0]);
  });
});
