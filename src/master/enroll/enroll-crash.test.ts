/**
 * A master that dies at every single call to its bus while a machine joins through it, before the effect and after it but before the
 * answer. The machine goes on at another master, as `zester-peel join` does. Whatever the moment: it gets in, alone, and its
 * token is counted once; what was revoked stays revoked.
 */
import { describe, expect, it } from 'vitest';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import type { NewMachine } from '../../../test/harness/enroll/new-machine.ts';
import { TEST_CA_PIN } from '../../../test/harness/master/bare-machine.ts';
import { Trap } from '../../../test/harness/master/master-traps.ts';
import { HALF_MADE_MS } from '../../core/enroll/desk/judge-request.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { EnrollmentId } from '../../wire/names/ids.ts';
import type { EnrollmentDesk } from './enrollment-desk.ts';

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
  isDead = false;

  /** The desk of a master that dies at the n-th call from now on; the calls so far. */
  async mortal(): Promise<EnrollmentDesk> {
    return this.desk(this.trap.bus(this.connectMaster()));
  }

  killAt(nth: number, when: When) {
    // After a read is before the next call.
    const isWorthIt = (op: string) => when === 'before' || /^(?:put|create|update|remove|append)$/.test(op);
    return this.trap.killAt(
      () => {
        this.isDead = true;
      },
      nth,
      when,
      ({ op, on }) => isWorthIt(op) && /enroll|join-tokens|peel\./.test(on),
    );
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
  const first = await world.mortal();
  const { text } = await world.token({ uses: 3 });
  const machine = world.machine('web-1');
  const calls = world.killAt(diesAt, when);
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
    '%s the effect of any call: asked again, another one ends it',
    async (when) => {
      const revokeThroughDeath = async (diesAt: number) => {
        const world = new CrashWorld();
        const first = await world.mortal();
        const machine = world.machine('web-1');
        const id = await world.join(first, machine);
        const peel = await world.peel('web-1', { key: machine.key });
        await world.until(async () => (await world.keysOf(peel.id)).length > 1, 'its keys');
        const request = { id, operator: 'alice', reason: '', force: false, tags: {}, facts: {} };
        const calls = world.killAt(diesAt, when);
        await world.unlessDead(first.decisions.revoke(request));
        const second = await world.desk();
        await world.settled(second.decisions.revoke(request), 'the other one');
        return { world, peel, id, calls };
      };
      const { calls: all } = await revokeThroughDeath(NEVER);
      expect(all.length).toBeGreaterThan(1);
      for (let diesAt = 1; diesAt <= all.length; diesAt++) {
        const { world, peel, id } = await revokeThroughDeath(diesAt);
        const [record] = await world.enrollments();
        expect([record?.id as EnrollmentId, record?.state]).toEqual([id, 'revoked']);
        expect(await world.keysOf(peel.id)).toEqual([]);
        await world.close();
      }
    },
    120_000,
  );
});
