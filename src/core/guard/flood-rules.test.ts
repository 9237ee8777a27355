import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ASKED_MAX,
  CONNECTIONS_MAX,
  type ConnectionCounts,
  crowdsIn,
  type FloodMemory,
  judgeConnections,
  NO_FLOOD_MEMORY,
  PENDING_BYTES_MAX,
  UNANSWERED_BYTES_MAX,
  UNANSWERED_MAX,
} from './flood-rules.ts';

const OLD = 1_000_000;
const quiet: ConnectionCounts = { id: 's 1', ageMs: OLD, inMsgs: 0, outMsgs: 0, inBytes: 0, pendingBytes: 0 };

/** One look a second; the reasons of the last. */
function looks(...seen: readonly Partial<ConnectionCounts>[]): string[] {
  let memory: FloodMemory = NO_FLOOD_MEMORY;
  let reasons: string[] = [];
  for (const [second, counts] of seen.entries()) {
    const judged = judgeConnections(memory, [{ ...quiet, ...counts }], second * 1_000);
    ({ memory } = judged);
    reasons = judged.suspects.map(({ reason }) => reason);
  }
  return reasons;
}

describe('a connection', () => {
  it('that sends and waits for no answer floods', () => {
    expect(looks({ inMsgs: 5 }, { inMsgs: 5 + UNANSWERED_MAX })).toEqual([
      `sent ${UNANSWERED_MAX} messages (0 MiB) in 1 s and waited for no answer`,
    ]);
    expect(looks({ inMsgs: 5 }, { inMsgs: 4 + UNANSWERED_MAX })).toEqual([]);
    expect(looks({}, { inMsgs: 100, inBytes: UNANSWERED_BYTES_MAX })).toHaveLength(1);
  });

  it('that is answered does not, whatever it has to catch up with', () => {
    // 4,096 returns of a megabyte after an outage, 16 at a time.
    expect(looks({}, { inMsgs: 4_096, outMsgs: 4_080, inBytes: 4_096 * 1_000_000 })).toEqual([]);
    // A mirror of 100,000 files.
    expect(looks({}, { inMsgs: 50_000, outMsgs: 49_968 }, { inMsgs: 100_000, outMsgs: 99_968 })).toEqual([]);
    expect(looks({}, { inMsgs: ASKED_MAX, outMsgs: ASKED_MAX })).toHaveLength(1);
  });

  it('is judged by what it did within the window, and by all of it when it is new', () => {
    const slowly = Array.from({ length: 20 }, (_, second) => ({ inMsgs: second * 1_000 }));
    expect(looks(...slowly)).toEqual([]);
    expect(looks({ inMsgs: 10 * UNANSWERED_MAX })).toEqual([]);
    expect(looks({ inMsgs: UNANSWERED_MAX, ageMs: 900 })).toHaveLength(1);
  });

  it('that does not take what it asked for floods when that stays so', () => {
    const unread = { pendingBytes: PENDING_BYTES_MAX };
    expect(looks(unread, unread)).toEqual([]);
    expect(looks(unread, {}, unread)).toEqual([]);
    expect(looks(unread, unread, unread)).toHaveLength(1);
  });

  it('that is not told of any more is forgotten', () => {
    const first = judgeConnections(NO_FLOOD_MEMORY, [quiet], 0);
    expect(judgeConnections(first.memory, [], 4_000).memory.size).toBe(1);
    expect(judgeConnections(first.memory, [], 6_000).memory.size).toBe(0);
  });

  it('with few messages under way is honest, however fast it is', () => {
    const step = fc.record({ sent: fc.nat(30_000), underWay: fc.nat(100) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let sent = 0;
        const seen = steps.map((each) => {
          sent += each.sent;
          return { inMsgs: sent, outMsgs: Math.max(0, sent - each.underWay), inBytes: sent * 100 };
        });
        return looks(...seen).length === 0;
      }),
    );
  });
});

describe('connections of one key', () => {
  it('are a crowd beyond a few', () => {
    const few = Array.from({ length: CONNECTIONS_MAX }, () => 'U1');
    expect(crowdsIn([...few, 'U2']).size).toBe(0);
    expect([...crowdsIn([...few, 'U1', 'U2'])]).toEqual([
      ['U1', `had ${CONNECTIONS_MAX + 1} connections at the same time`],
    ]);
  });
});
