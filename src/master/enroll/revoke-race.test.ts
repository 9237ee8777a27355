/**
 * A machine enrolls again with its key while its enrollment is being revoked, at every point of its request: whoever comes first, the
 * approval is gone in the end, and nobody has credentials from it.
 */
import { describe, expect, it } from 'vitest';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import { TEST_CA_PIN } from '../../../test/harness/master/bare-machine.ts';
import { Trap } from '../../../test/harness/master/master-traps.ts';
import { isLive } from '../../core/enroll/desk/enrollment-state.ts';

/** `heldAt`: the call of the request at which everything stops until the revocation is done. */
async function race(heldAt: number) {
  const world = new EnrollWorld();
  const trap = new Trap();
  const desk = await world.desk(trap.bus(world.connectMaster()));
  const web = world.machine('web-1');
  const id = await world.join(desk, web);
  // The operator's master; the other one hears no operators, so that the trap is of the request alone.
  const other = await world.desk();
  const calls: string[] = [];
  const held = trap.hold(({ op, on }) => /enroll/.test(on) && calls.push(`${op} ${on}`) >= heldAt);
  const again = world.submit(desk, web, { pin: TEST_CA_PIN }).then(
    async (heir) =>
      world.settled(desk.issue(heir.id, web.proof(heir.id)), 'credentials').then(
        () => 'in',
        () => 'out',
      ),
    () => 'out',
  );
  await world.until(() => held.waiting() > 0, 'the request to be held').catch(() => undefined);
  const request = { id, peelId: '', operator: 'alice', reason: '', force: false, tags: {}, facts: {} };
  const revoked = world.settled(other.decisions.revoke(request), 'the revocation').then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
  const answer = await revoked;
  held.release();
  const end = await again;
  const records = await world.enrollments();
  await world.close();
  return { answer, end, records, count: calls.length };
}

describe('enrolling again while being revoked', () => {
  it('never saves an approval, wherever the two meet', async () => {
    const { count } = await race(Number.MAX_SAFE_INTEGER);
    for (let heldAt = 1; heldAt <= count; heldAt++) {
      const { answer, end, records } = await race(heldAt);
      const where = `held at ${heldAt}: revoke ${answer}, machine ${end}`;
      expect(answer, where).toBe('done');
      expect(
        records.filter(({ state }) => isLive(state)),
        where,
      ).toEqual([]);
      // Credentials that it has were issued before, and are revoked with their key.
      const last = records.find(({ supersededBy }) => supersededBy === '');
      const { issuedAt = 0n, decidedAt = 0n } = last ?? {};
      if (end === 'in') expect(issuedAt > 0n && issuedAt <= decidedAt, where).toBe(true);
    }
  }, 60_000);
});
