/**
 * Two masters, one leads: who leads next when it dies, is frozen or stops; and a fence for the moment when both think
 * so.
 */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { FleetWorld, type MasterProcess } from '../../../test/harness/master/master-fleet.ts';
import { openBus } from '../../bus/bus.ts';
import { fencedWrite, tokenOfTerm } from '../../bus/kv/fenced-write.ts';
import type { Bucket } from '../../bus/port.ts';
import { sleep } from '../../runtime/clock.ts';
import { Life } from '../../sim/world/life.ts';
import { SimLink } from '../../sim/world/sim-link.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { PUBLISHER_LEASE_KEY } from '../../wire/names/keys.ts';
import { newMasterId } from '../master-ports.ts';
import { holdLeaderLeases, LEADER_LEASES } from './leader-leases.ts';

const makeWorld = closedAfterEach(() => new FleetWorld());

const leads = ({ master }: MasterProcess) => master.state().leases.includes(PUBLISHER_LEASE_KEY);

/** Two masters; the first has both leases. */
async function setUp() {
  const world = makeWorld();
  const first = await world.process();
  await world.until(() => first.master.state().leases.length === LEADER_LEASES.length, 'the leases');
  const second = await world.process();
  await world.clock.advance(60_000);
  expect([leads(first), leads(second)]).toEqual([true, false]);
  return { world, first, second };
}

describe('the leases of a leader', () => {
  it.each([
    ['dies', (master: MasterProcess) => master.kill()],
    ['is frozen', (master: MasterProcess) => master.freeze()],
    ['is cut off', (master: MasterProcess) => master.partition()],
  ])('that %s go to another one within the life of a lease', async (_what, end) => {
    const { world, first, second } = await setUp();
    end(first);
    await world.until(() => second.master.state().leases.length === LEADER_LEASES.length, 'them', 22_000);
  });

  it('that is cut off are given up before anybody else has them', async () => {
    const { world, first, second } = await setUp();
    first.partition();
    let both = 0;
    await world.until(() => {
      both += leads(first) && leads(second) ? 1 : 0;
      return leads(second);
    }, 'the other one');
    expect([both, leads(first)]).toEqual([0, false]);
  });

  it('that stops are another’s at once, and stay with it', async () => {
    const { world, first, second } = await setUp();
    await first.stop();
    await world.until(() => second.master.state().leases.length === LEADER_LEASES.length, 'them', 2_000);
    const third = await world.process();
    await world.clock.advance(60_000);
    expect([leads(second), leads(third)]).toEqual([true, false]);
  });
});

describe('a guarded value', () => {
  const KEY = 'guarded';
  const encode = (token: number, words: string) => new TextEncoder().encode(`${token} ${words}`);
  const tokenOf = (stored: Uint8Array) => Number.parseInt(new TextDecoder().decode(stored), 10);

  /** A process that writes the value every half second for as long as it believes that it leads. */
  class Publisher {
    readonly life = new Life();
    readonly bucket: Bucket;
    refusals = 0;
    writes = 0;
    /** The token of its term; undefined when it does not lead. */
    term: number | undefined;
    private pause: { readonly op: string; readonly over: Promise<void>; isReached: boolean } | undefined;
    private readonly leases;
    private readonly clock;
    private readonly name: string;

    constructor(world: FleetWorld, name: string) {
      this.name = name;
      this.clock = this.life.clock(world.clock, () => 0);
      const runtime = { ...world.runtime, clock: this.clock };
      const masterId = newMasterId(runtime);
      const link = new SimLink({
        server: world.server,
        user: () => ({ role: 'master', name: masterId }),
        world: world.clock,
        random: world.random,
        life: this.life,
        weather: () => ({ delayMs: 0.2, isLost: false, isDoubled: false }),
        publishCall: (_name, effect) => effect(),
      });
      const bus = openBus(link, runtime);
      const bucket = bus.bucket(BUCKETS.settingsFiles.name);
      this.bucket = {
        ...bucket,
        getLatest: (key) => this.paused('getLatest').then(() => bucket.getLatest(key)),
        update: (key, value, at) => this.paused('update').then(() => bucket.update(key, value, at)),
      };
      const identity = { masterId, host: name, pid: 1, bootId: 'b', version: '0' };
      this.leases = holdLeaderLeases({ bus, identity, runtime });
      void this.work();
    }

    /** Its next call of this kind waits. */
    stopAt(op: 'getLatest' | 'update') {
      let letGo: () => void = () => undefined;
      const over = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const pause = { op, over, isReached: false };
      this.pause = pause;
      return { isReached: () => pause.isReached, letGo };
    }

    leads(): boolean {
      return this.leases.token(PUBLISHER_LEASE_KEY) !== undefined;
    }

    private async work(): Promise<void> {
      for (let turn = 0; ; turn++) {
        await sleep(this.clock, 500);
        try {
          await this.publish(`${this.name} ${turn}`);
        } catch {
          // Cut off: the next turn comes.
        }
      }
    }

    private async paused(op: string): Promise<void> {
      if (this.pause?.op !== op) return;
      this.pause.isReached = true;
      await this.pause.over;
    }

    private async publish(words: string): Promise<void> {
      const lease = this.leases.token(PUBLISHER_LEASE_KEY);
      if (lease === undefined) {
        this.term = undefined;
        return;
      }
      if (this.term === undefined) {
        const there = await this.bucket.getLatest(KEY);
        this.term = tokenOfTerm(lease, there.found ? tokenOf(there.value) : undefined);
      }
      const write = { key: KEY, token: this.term, value: encode(this.term, words), tokenOf };
      const outcome = await fencedWrite(this.bucket, write);
      if (outcome.written) this.writes += 1;
      else this.refusals += 1;
    }
  }

  const valueIn = (world: FleetWorld) => {
    const writes = world.writes.filter(({ key }) => key === KEY);
    return new TextDecoder().decode(writes.at(-1)?.data ?? new Uint8Array());
  };

  it.each([
    ['before it reads', 'getLatest'],
    ['between its read and its write', 'update'],
  ] as const)('is never put back by a leader that was frozen %s', async (_when, op) => {
    const world = makeWorld();
    const master = await world.process();
    const old = new Publisher(world, 'old');
    // The master of this world has the lease: it goes.
    await master.stop();
    await world.until(() => old.writes > 3, 'the old leader');
    // It has asked whether it leads, and is about to act on it.
    const trap = old.stopAt(op);
    await world.until(() => trap.isReached(), 'it to be about to write');
    old.life.freeze();
    const next = new Publisher(world, 'next');
    await world.until(() => next.writes > 3, 'the next leader', 30_000, 250);
    old.life.thaw();
    trap.letGo();
    for (let i = 0; i < 40; i++) {
      await world.clock.advance(0.25);
      expect(valueIn(world)).toMatch(/ next /);
    }
    await world.clock.advance(5_000);
    expect(valueIn(world)).toMatch(/ next /);
    expect(old.refusals).toBe(1);
    expect([old.leads(), next.leads()]).toEqual([false, true]);
    const tokens = world.writes.filter(({ key }) => key === KEY).map(({ data }) => tokenOf(data));
    expect(tokens).toEqual([...tokens].sort((x, y) => x - y));
  });

  it('is not lost to its leaders when the store has lost the leases and counts anew', async () => {
    const world = makeWorld();
    await world.process();
    const hand = await world.hand();
    const bucket = hand.bucket(BUCKETS.settingsFiles.name);
    await world.settled(bucket.put(KEY, encode(1_000_000, 'of a former life')), 'a high token');
    for (const process of world.processes) await process.stop();
    const leader = new Publisher(world, 'leader');
    await world.until(() => leader.writes > 1, 'a write', 30_000);
    expect(valueIn(world)).toMatch(/^1000001 leader/);
    expect(leader.refusals).toBe(0);
  });
});
