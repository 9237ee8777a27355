/**
 * A master that dies at every single call to its bus while a machine joins through it, before the effect and after it but before the
 * answer. The machine goes on at another master, as `zester-peel join` does. Whatever the moment: it gets in, alone, and its
 * token is counted once; what was revoked stays revoked.
 */
import { describe, expect, it } from 'vitest';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import type { NewMachine } from '../../../test/harness/enroll/new-machine.ts';
import { TEST_CA_PIN } from '../../../test/harness/master/bare-machine.ts';
import { callOf, type Fits, Trap } from '../../../test/harness/master/master-traps.ts';
import { HALF_MADE_MS } from '../../core/enroll/desk/judge-request.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { EnrollmentId } from '../../wire/names/ids.ts';
import { basketKey } from '../../wire/names/keys.ts';
import type { EnrollmentDesk } from './enrollment-desk.ts';

const isWrite: Fits = ({ op }) => /^(?:put|create|update|remove|append)$/.test(op);
const NEVER = Number.MAX_SAFE_INTEGER;
const ROUNDS_MAX = 40;
type When = 'before' | 'after';

/** What a machine does, again and again, until it has credentials. */
async function joinOnce(desk: EnrollmentDesk, machine: NewMachine, token: string): Promise<string> {
  const challenge = await desk.challenge(machine.peelId, machine.publicKey);
  const { record } = await desk.submit(machine.request(challenge, { pin: TEST_CA_PIN, token }), '192.0.2.7');
  return (await desk.issue(record.id, machine.proof(record.id))).jwt;
}

class CrashWorld extends EnrollWorld {
  private readonly trap = new Trap();
  private cut: () => Promise<void> = () => Promise.resolve();
  isDead = false;

  /** The desk of a master that dies at the n-th call from now on; the calls so far. */
  async mortal(): Promise<EnrollmentDesk> {
    const bus = this.connectMaster();
    this.cut = () => bus.close();
    return this.desk(this.trap.bus(bus));
  }

  killAt(nth: number, when: When, fits: Fits) {
    return this.trap.killAt(
      () => {
        this.isDead = true;
        void this.cut();
      },
      nth,
      when,
      fits,
    );
  }

  /** The end of the work, unless the master died at it. */
  async unlessDead<T>(work: Promise<T>): Promise<T | undefined> {
    const wasDead = this.isDead;
    let end: { value: T } | { error: unknown } | undefined;
    work.then(
      (value) => {
        end = { value };
      },
      (error: unknown) => {
        end = { error };
      },
    );
    await this.until(() => end !== undefined || this.isDead, 'an end or a death');
    if (end !== undefined && 'value' in end) return end.value;
    if ((this.isDead && !wasDead) || end === undefined) return undefined;
    throw end.error;
  }
}

async function joinThroughDeath(diesAt: number, when: When) {
  const world = new CrashWorld();
  const second = await world.desk();
  const first = await world.mortal();
  const { text } = await world.token({ uses: 3 });
  const machine = world.machine('web-1');
  // After a read is before the next call.
  const isWorthIt: Fits = (call) => when === 'before' || isWrite(call);
  const isOfJoining: Fits = ({ on }) => /enroll|join-tokens|peel\./.test(on);
  const calls = world.killAt(diesAt, when, (call) => isWorthIt(call) && isOfJoining(call));
  let jwt: string | undefined;
  for (let round = 0; jwt === undefined && round < ROUNDS_MAX; round++) {
    const desk = world.isDead ? second : first;
    try {
      jwt = await world.unlessDead(joinOnce(desk, machine, text));
    } catch (error) {
      if (!isZesterError(error) || error.httpStatus < 500) throw error;
      await world.clock.advance(HALF_MADE_MS / 4);
    }
  }
  return { world, machine, text, jwt, calls };
}

describe('a master that dies while a machine joins', () => {
  it.each(['before', 'after'] as const)(
    '%s the effect of any call: it gets in at another one, alone, counted once',
    async (when) => {
      const whole = await joinThroughDeath(NEVER, when);
      const count = whole.calls.length;
      expect(count).toBeGreaterThan(5);
      await whole.world.close();
      for (let diesAt = 1; diesAt <= count; diesAt++) {
        const { world, machine, text, jwt, calls } = await joinThroughDeath(diesAt, when);
        const last = calls[diesAt - 1];
        const where = `died at call ${diesAt}, ${when} ${last?.op} ${last?.on}`;
        expect(jwt, where).toBeDefined();
        const live = (await world.enrollments()).filter(
          ({ state }) => state === 'issued' || state === 'active',
        );
        expect(
          live.map(({ publicKey }) => publicKey),
          where,
        ).toEqual([machine.publicKey]);
        expect(await world.holders(), where).toEqual({ 'web-1': live[0]?.id });
        expect((await world.storedToken(text)).enrollments.length, where).toBe(1);
        await expect(world.submit(await world.desk(), world.machine('web-1')), where).rejects.toMatchObject({
          code: 'ENROLL_ID_TAKEN',
        });
        await world.close();
      }
    },
    120_000,
  );
});

describe('a master that dies while a peel is revoked', () => {
  it.each(['before', 'after'] as const)(
    '%s the effect of any write: once the record says so, another one ends it without being asked',
    async (when) => {
      const revokeThroughDeath = async (diesAt: number) => {
        const world = new CrashWorld();
        const second = await world.desk();
        const first = await world.mortal();
        const machine = world.machine('web-1');
        const id = await world.join(first, machine);
        const peel = await world.peel('web-1', { key: machine.key });
        const basket = basketKey(peel.id, 'test.ping');
        await world.settled(peel.bus.bucket(BUCKETS.basket.name).put(basket, Buffer.from('x')), 'a basket');
        await world.until(async () => (await world.keysOf(peel.id)).length > 2, 'its keys');
        // It says nothing more that would tell another master of it, and what masters look at after their start is over.
        await world.settled(peel.bus.close(), 'its end');
        await world.clock.advance(10_000);
        const request = { id, operator: 'alice', reason: '', force: false, tags: {}, facts: {} };
        const calls = world.killAt(diesAt, when, (call) => isWrite(call) && /enroll|web-1/.test(call.on));
        await world.unlessDead(first.decisions.revoke(request));
        const [record] = await world.enrollments();
        // Nothing is decided yet: the operator, who got no answer, asks again.
        if (record?.state !== 'revoked')
          await world.settled(second.decisions.revoke(request), 'the other one');
        return { world, peel, id, calls };
      };
      const { calls: all } = await revokeThroughDeath(NEVER);
      expect(all.filter(({ op }) => op === 'remove').length).toBeGreaterThan(2);
      for (let diesAt = 1; diesAt <= all.length; diesAt++) {
        const { world, peel, id } = await revokeThroughDeath(diesAt);
        const [record] = await world.enrollments();
        expect([record?.id as EnrollmentId, record?.state]).toEqual([id, 'revoked']);
        await world.until(async () => (await world.keysOf(peel.id)).length === 0, 'its keys to be erased');
        await world.close();
      }
    },
    120_000,
  );

  it('alone, with keys left: the next one that starts erases them', async () => {
    const world = new CrashWorld();
    const first = await world.mortal();
    const machine = world.machine('web-1');
    const id = await world.join(first, machine);
    const peel = await world.peel('web-1', { key: machine.key });
    const basket = basketKey(peel.id, 'test.ping');
    await world.settled(peel.bus.bucket(BUCKETS.basket.name).put(basket, Buffer.from('x')), 'a basket');
    await world.until(async () => (await world.keysOf(peel.id)).length > 2, 'its keys');
    await world.settled(peel.bus.close(), 'its end');
    world.killAt(1, 'before', callOf('keys', /basket/));
    const request = { id, operator: 'alice', reason: '', force: false, tags: {}, facts: {} };
    await world.unlessDead(first.decisions.revoke(request));
    await world.clock.advance(10_000);
    expect(await world.keysOf(peel.id)).toEqual([`${BUCKETS.basket.name}/${basket}`]);
    await world.desk();
    await world.until(async () => (await world.keysOf(peel.id)).length === 0, 'its keys to be erased');
    await world.close();
  });
});
