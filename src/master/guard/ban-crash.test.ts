/**
 * A master that dies at every write with which it keeps a flooder out, after its effect and before the answer. Whatever the
 * moment: the flooder is out within the time of a lease, what it wrote is gone, and it is told once.
 */
import { describe, expect, it } from 'vitest';
import { dyingBus } from '../../../test/harness/master/master-bus.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import type { Connection } from '../../bus/connection.ts';
import { openTable } from '../../bus/kv/table.ts';
import type { ConnectionsQuery, ServerConnections } from '../../bus/server-connections.ts';
import { CONNECTION_STATES } from '../../bus/server-connections.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { ACCOUNTS_LEASE_KEY } from '../../wire/names/keys.ts';
import { STREAMS } from '../../wire/names/streams.ts';
import { jobReturnSubject, peelWordsSubject } from '../../wire/names/subjects.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { AccountPorts } from '../master-ports.ts';

const NEVER = Number.MAX_SAFE_INTEGER;
const EVIL = 'evil' as PeelId;
const SERVER = 'N1';
const WRITES = /^(?:put|create|update|append|api)$/;
const OF_A_BAN = /flood-guard|account-docs|PURGE|guard\.banned/;
const OUT_MS_MAX = 45_000;

/** A peel that sends 10,000 messages a second for as long as it is connected, and servers that say so. */
class FloodedWorld extends MasterWorld {
  private readonly key = newSigningKey('user', this.random);
  flooder: Connection | undefined;

  flood(): void {
    const issuedAtS = Math.floor(this.clock.nowMs() / 1_000);
    this.flooder = this.server.connect({ role: 'peel', name: EVIL, key: this.key.publicKey, issuedAtS });
  }

  get isIn(): boolean {
    return this.flooder?.status() === 'connected';
  }

  guardedPorts(): AccountPorts {
    const ports = this.accountPorts();
    const kick = () => Promise.resolve();
    const connections = async (query: ConnectionsQuery) => [this.counted(query)];
    return { ...ports, servers: { ...ports.servers, connections, kick } };
  }

  private counted({ auth, state }: ConnectionsQuery): ServerConnections {
    const nowMs = this.clock.nowMs();
    const user = auth === true ? { publicKey: this.key.publicKey, peel: EVIL } : undefined;
    const nothing = { endedMs: undefined, outMsgs: 0, inBytes: 0, pendingBytes: 0 };
    const counts = {
      server: SERVER,
      cid: 1,
      atMs: nowMs,
      ageMs: nowMs,
      inMsgs: nowMs * 10,
      ...nothing,
      user,
    };
    const isTold = this.isIn && state !== CONNECTION_STATES.ended;
    return { server: SERVER, total: 1, connections: isTold ? [counts] : [] };
  }

  async ban() {
    const read = await this.settled(openTable(this.admin, TABLES.floodBans).getLatest(EVIL), 'the ban');
    return read.is === 'found' ? read.value : undefined;
  }

  async has(stream: string, filter: string): Promise<number> {
    let count = 0;
    const replay = this.admin.stream(stream).replay({ filter }, () => {
      count += 1;
    });
    await this.settled(replay, stream);
    return count;
  }
}

async function banThroughDeath(diesAt: number) {
  const world = new FloodedWorld();
  const dying = dyingBus(
    world.connectMaster(),
    diesAt,
    'after',
    ({ op, on }) => world.flooder !== undefined && WRITES.test(op) && OF_A_BAN.test(on),
  );
  const first = world.startMaster({}, dying.bus, { accounts: world.guardedPorts() });
  await world.settled(first.master.ready, 'a master');
  await world.until(() => first.master.state().leases.includes(ACCOUNTS_LEASE_KEY), 'the lease');
  const second = world.startMaster({}, world.connectMaster(), { accounts: world.guardedPorts() });
  await world.settled(second.master.ready, 'another one');
  const jid = newKsuid(world.clock, world.random) as Jid;
  await world.settled(world.admin.append(jobReturnSubject(jid, EVIL), Buffer.from('x'), {}), 'a word');
  world.flood();
  await world.until(async () => (await world.ban()) !== undefined && !world.isIn, 'its end', OUT_MS_MAX);
  const words = () => world.has(STREAMS.jobWords.name, peelWordsSubject(EVIL));
  await world.until(async () => (await words()) === 0, 'its words to be gone', OUT_MS_MAX);
  const events = () => world.has(STREAMS.events.name, `zester.event._master.guard.banned.${EVIL}`);
  await world.until(async () => (await events()) > 0, 'the event', OUT_MS_MAX);
  await world.clock.advance(5_000);
  return { world, calls: dying.calls, events: await events(), ban: await world.ban() };
}

describe('a master that dies while it keeps a flooder out', () => {
  it('after any write: it is out all the same, and it is told once', async () => {
    const whole = await banThroughDeath(NEVER);
    expect(whole.events).toBe(1);
    await whole.world.close();
    expect(whole.calls.length).toBeGreaterThanOrEqual(4);
    for (let diesAt = 1; diesAt <= whole.calls.length; diesAt++) {
      const { world, calls, events, ban } = await banThroughDeath(diesAt);
      const last = calls[diesAt - 1];
      const where = `died at write ${diesAt}, ${last?.op} ${last?.on}`;
      expect(last, where).toBeDefined();
      expect(world.isIn, where).toBe(false);
      expect([events, ban?.count], where).toEqual([1, 1]);
      await world.close();
    }
  }, 120_000);
});
