import { describe, expect, it } from 'vitest';
import type { Clock } from '../../runtime/clock.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { Bucket, CasOutcome } from '../port.ts';
import { holdLease } from './lease.ts';

const TTL_MS = 15_000;
const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

/** A bucket of one key whose writes answer as the test says. */
function setUp(onChange?: (held: boolean) => void) {
  const clock = virtualClock();
  const calls: string[] = [];
  const state = { revision: 0, answers: true };
  const write = (what: string) => async (): Promise<CasOutcome> => {
    calls.push(what);
    if (!state.answers) return new Promise(() => undefined);
    state.revision += 1;
    return { won: true, revision: state.revision };
  };
  const bucket = {
    create: write('create'),
    update: write('update'),
    delete: async (_key: string, options: { revision?: number }) => {
      calls.push(`delete ${options.revision}`);
      return { won: true, revision: state.revision + 1 };
    },
    getLatest: async () => ({ found: false, key: 'work', revision: 0 }),
  } as unknown as Bucket;
  const freeze = freezable(clock);
  const runtime = { clock: freeze.clock, random: seededRandom(1), log: silent };
  const lease = holdLease({
    bucket,
    key: 'work',
    holder: 'me',
    ttlMs: TTL_MS,
    runtime,
    ...(onChange ? { onChange } : {}),
  });
  return { clock, lease, calls, state, freeze };
}

/** The clock as a process has it that can be stopped: time goes on, timers wait. */
function freezable(world: Clock) {
  let isFrozen = false;
  const due: (() => void)[] = [];
  const clock: Clock = {
    ...world,
    after: (delayMs, run) => world.after(delayMs, () => (isFrozen ? void due.push(run) : run())),
  };
  return {
    clock,
    begin() {
      isFrozen = true;
    },
    end() {
      isFrozen = false;
      for (const run of due.splice(0)) run();
    },
  };
}

describe('holdLease', () => {
  it('gives up well before the key can expire for others, counted from the start of the last good renewal', async () => {
    const { clock, lease, state } = setUp();
    await clock.advance(0);
    expect(lease.held()).toBe(true);
    state.answers = false;
    await clock.advance((TTL_MS * 2) / 3 - 1);
    expect(lease.held()).toBe(true);
    await clock.advance(2);
    expect(lease.held()).toBe(false);
  });

  it('renews three times in a TTL, and holds on as long as it can', async () => {
    const { clock, lease, calls } = setUp();
    await clock.advance(4 * TTL_MS);
    expect(lease.held()).toBe(true);
    expect(calls.filter((call) => call === 'update').length).toBeGreaterThanOrEqual(10);
  });

  it('gives the key back at its last revision, also when it is stopped in the middle of a renewal', async () => {
    const { clock, lease, calls, state } = setUp();
    await clock.advance(0);
    await clock.advance(TTL_MS / 3 + 1_000);
    const stopped = lease.stop();
    await clock.advance(0);
    await stopped;
    expect(calls.at(-1)).toBe(`delete ${state.revision}`);
    expect(lease.held()).toBe(false);
  });

  it('a listener that throws does not keep a lost lease alive', async () => {
    const { clock, lease, state } = setUp(() => {
      throw new RangeError('a bug in a listener, on purpose');
    });
    await clock.advance(0);
    expect(lease.held()).toBe(true);
    state.answers = false;
    await clock.advance(TTL_MS);
    expect(lease.held()).toBe(false);
  });

  it('does not believe after a freeze what it knew before, whatever fires first', async () => {
    const { clock, lease, freeze } = setUp();
    await clock.advance(0);
    let seen: number | boolean | undefined = true;
    freeze.clock.after(1_000, () => {
      seen = lease.held() || lease.revision();
    });
    freeze.begin();
    await clock.advance(TTL_MS);
    // Everything that came due fires now, in order: this first, the end of the lease later.
    freeze.end();
    expect(seen).toBeUndefined();
  });

  it('tries at once when it hears that the lease may be free, and never twice at a time', async () => {
    const { clock, lease, calls, state } = setUp();
    await clock.advance(0);
    lease.hurry();
    expect(calls).toEqual(['create']);
    state.answers = false;
    await clock.advance(TTL_MS);
    const before = calls.length;
    lease.hurry();
    lease.hurry();
    expect(calls.length).toBeLessThanOrEqual(before + 1);
  });
});
