/** What records say and nobody told: found by whoever leads, told once, and asked for as rarely as can be. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import { Trap } from '../../../test/harness/master/master-traps.ts';
import { openTable } from '../../bus/kv/table.ts';
import { entered } from '../../core/enroll/desk/enrollment-changes.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { type EnrollmentState, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';

const LOOKS_MS = 40_000;
let world: EnrollWorld;
beforeEach(() => {
  world = new EnrollWorld();
});
afterEach(() => world.close());

/** Enrollments that ended, as a master left them that told nothing. */
async function untold(count: number): Promise<EnrollmentId[]> {
  const table = openTable(world.admin, TABLES.enrollments);
  const ids: EnrollmentId[] = [];
  for (let i = 0; i < count; i++) {
    const id = `enr-${newKsuid(world.clock, world.random)}` as EnrollmentId;
    const at = world.now();
    const bare = enrollmentCodec.create({
      id,
      peelId: `web-${i}` as PeelId,
      state: 'pending',
      createdAt: at,
    });
    const steps: readonly EnrollmentState[] = ['pending', 'rejected'];
    const record = steps.reduce((before, state) => entered(before, state, { at, by: 'alice' }), bare);
    await world.settled(table.put(id, record), 'a record');
    ids.push(id);
  }
  return ids;
}

const told = async () => (await world.events()).map(({ tag }) => tag).toSorted();
const tagsOf = (ids: readonly EnrollmentId[]) =>
  ids.flatMap((id) => [`enroll/pending/${id}`, `enroll/rejected/${id}`]).toSorted();

describe('events of enrollments that nobody told', () => {
  it('are told by one of two masters, each once, and the same whoever tells them', async () => {
    await world.master();
    await world.master();
    const ids = await untold(3);
    await world.until(async () => (await told()).length >= 6, 'the events');
    await world.clock.advance(LOOKS_MS);
    expect(await told()).toEqual(tagsOf(ids));
    const [event] = await world.events();
    expect(event?.data).toEqual({ id: ids[0], peel_id: 'web-0', by: 'alice' });
  });

  it('are looked up by one reading where they are many, and not again once they are known', async () => {
    const trap = new Trap();
    const first = await world.master({}, trap.bus(world.connectMaster()));
    const ids = await untold(200);
    await world.until(async () => (await told()).length >= 400, 'the events');
    const asked = () => trap.calls.filter(({ op, on }) => /^(?:replay|last)$/.test(op) && /event/.test(on));
    const before = asked().length;
    expect([before > 0, before < 4]).toEqual([true, true]);
    await world.clock.advance(5 * LOOKS_MS);
    expect(asked().length).toBe(before);
    await world.settled(first.master.stop(), 'the first master to stop');
    await world.master();
    await world.clock.advance(5 * LOOKS_MS);
    expect(await told()).toEqual(tagsOf(ids));
  });
});
