/**
 * A master that dies at every single call to its bus while a machine joins through it, before the effect and after it but before the
 * answer. The machine goes on at another master, as `zester-peel join` does. Whatever the moment: it gets in, alone, and its
 * token is counted once; what was revoked stays revoked; and what became of it is told, each step once.
 */
import { describe, expect, it } from 'vitest';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import type { NewMachine } from '../../../test/harness/enroll/new-machine.ts';
import { TEST_CA_PIN } from '../../../test/harness/master/bare-machine.ts';
import { type BusCall, type DyingBus, dyingBus } from '../../../test/harness/master/master-bus.ts';
import { HALF_MADE_MS } from '../../core/enroll/desk/judge-request.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { EnrollmentId } from '../../wire/names/ids.ts';
import { basketKey } from '../../wire/names/keys.ts';
import type { EnrollmentDesk } from './enrollment-desk.ts';

const isWrite = ({ op }: BusCall) => /^(?:put|create|update|remove|append)$/.test(op);
const NEVER = Number.MAX_SAFE_INTEGER;
const ROUNDS_MAX = 40;
const LOOKS_MS = 30_000;
type When = 'before' | 'after';

/** What a machine does, again and again, until it has credentials. */
async function joinOnce(desk: EnrollmentDesk, machine: NewMachine, token: string): Promise<string> {
  const challenge = await desk.challenge(machine.peelId, machine.publicKey);
  const { record } = await desk.submit(machine.request(challenge, { pin: TEST_CA_PIN, token }), '192.0.2.7');
  return (await desk.issue(record.id, machine.proof(record.id))).jwt;
}

class CrashWorld extends EnrollWorld {
  private dying: DyingBus | undefined;
  private isArmed = false;

  /** The desk of a master that dies at the n-th call from `arm` on that counts. */
  async mortal(diesAt: number, when: When, counts: (call: BusCall) => boolean): Promise<EnrollmentDesk> {
    this.dying = dyingBus(this.connectMaster(), diesAt, when, (call) => this.isArmed && counts(call));
    return this.desk(this.dying.bus);
  }

  /** A peel with a key in every store, which says nothing more; enrolled by a master that dies. */
  async enrolled(diesAt: number, when: When, counts: (call: BusCall) => boolean) {
    const first = await this.mortal(diesAt, when, counts);
    const machine = this.machine('web-1');
    const id = await this.join(first, machine);
    const peel = await this.peel('web-1', { key: machine.key });
    const basket = basketKey(peel.id, 'test.ping');
    await this.settled(peel.bus.bucket(BUCKETS.basket.name).put(basket, Buffer.from('x')), 'a basket');
    await this.until(async () => (await this.keysOf(peel.id)).length > 2, 'its keys');
    await this.until(async () => (await this.enrollments())[0]?.state === 'active', 'it to be active');
    await this.settled(peel.bus.close(), 'its end');
    return { first, id, peel };
  }

  /** The calls from now on. */
  arm(): readonly BusCall[] {
    this.isArmed = true;
    return this.dying?.calls ?? [];
  }

  get isDead(): boolean {
    return this.dying?.isDead() ?? false;
  }

  /** States of the enrollment that were told of. Waits until there are as many. */
  async toldOf(id: EnrollmentId | undefined, count: number, where: string): Promise<string[]> {
    let told: string[] = [];
    const enough = async () => {
      const tags = (await this.events()).map(({ tag }) => tag.split('/'));
      told = tags.flatMap(([, state = '', about]) => (about === id ? [state] : []));
      return told.length >= count;
    };
    await this.until(enough, `${count} events of ${id}, ${where}`);
    // Whoever would tell them twice had its turn.
    await this.clock.advance(LOOKS_MS);
    await enough();
    return told;
  }

  /** The end of the work, unless the master died at it. */
  async unlessDead<T>(work: Promise<T>): Promise<T | undefined> {
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
    if (end === undefined) return undefined;
    if ('error' in end) throw end.error;
    return end.value;
  }
}

async function joinThroughDeath(diesAt: number, when: When) {
  const world = new CrashWorld();
  const second = await world.desk();
  // After a read is before the next call.
  const isWorthIt = (call: BusCall) => when === 'before' || isWrite(call);
  const isOfJoining = ({ on }: BusCall) => /enroll|join-tokens|peel\./.test(on);
  const first = await world.mortal(diesAt, when, (call) => isWorthIt(call) && isOfJoining(call));
  const { text } = await world.token({ uses: 3 });
  const machine = world.machine('web-1');
  const calls = world.arm();
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
        expect((await world.toldOf(live[0]?.id, 2, where)).toSorted(), where).toEqual(['approved', 'issued']);
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
      const isOfRevoking = (call: BusCall) => isWrite(call) && /enroll|web-1/.test(call.on);
      const revokeThroughDeath = async (diesAt: number) => {
        const world = new CrashWorld();
        const second = await world.desk();
        const { id, peel, first } = await world.enrolled(diesAt, when, isOfRevoking);
        // What masters look at after their start is over.
        await world.clock.advance(10_000);
        const request = { id, peelId: '', operator: 'alice', reason: '', force: false, tags: {}, facts: {} };
        const calls = world.arm();
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
        const states = ['pending', 'approved', 'issued', 'active', 'revoked'];
        expect((await world.toldOf(id, 5, `died at ${diesAt}`)).toSorted()).toEqual(states.toSorted());
        await world.close();
      }
    },
    120_000,
  );

  it('alone, with keys left: the next one that starts erases them', async () => {
    const world = new CrashWorld();
    const isListing = ({ op, on }: BusCall) => op === 'keys' && /basket/.test(on);
    const { id, peel, first } = await world.enrolled(1, 'before', isListing);
    const request = { id, peelId: '', operator: 'alice', reason: '', force: false, tags: {}, facts: {} };
    world.arm();
    await world.unlessDead(first.decisions.revoke(request));
    await world.clock.advance(10_000);
    expect(await world.keysOf(peel.id)).toEqual([
      `${BUCKETS.basket.name}/${basketKey(peel.id, 'test.ping')}`,
    ]);
    await world.desk();
    await world.until(async () => (await world.keysOf(peel.id)).length === 0, 'its keys to be erased');
    await world.close();
  });
});
