import { expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import { openTable } from '../../bus/kv/table.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { readStoredWords } from './read-words.ts';

const makeWorld = closedAfterEach(() => new EnrollWorld());

it('of two live enrollments of a peel the one that the index names counts, and the newest where it names neither', async () => {
  const world = makeWorld();
  const desk = await world.desk();
  const web = world.machine('web-1');
  const { id } = await world.submit(desk, web);
  await world.decide('approve', id, { tags: { role: 'web' } });
  const words = async () =>
    (await world.settled(readStoredWords({ bus: world.admin }), 'words')).get(web.peelId);
  expect((await words())?.tags).toEqual({ role: 'web' });

  const bus = world.connectMaster();
  await world.settled(bus.connected(), 'a line');
  const [record] = await world.enrollments();
  const beside = async (letter: string, given: Partial<Enrollment>) => {
    const other = { ...record, id: `enr-${letter.repeat(27)}` as EnrollmentId, ...given } as Enrollment;
    await world.settled(openTable(bus, TABLES.enrollments).put(other.id, other), 'a record');
  };
  const createdAt = record?.createdAt ?? 0n;
  // A master died before it named the one, and before it ended the other.
  await beside('z', { tags: { role: 'heir' }, createdAt: createdAt + 1n });
  await beside('0', { tags: { role: 'before' }, createdAt: createdAt - 1n });
  expect((await words())?.tags).toEqual({ role: 'web' });

  const db = 'db-1' as PeelId;
  await beside('1', { peelId: db, tags: { role: 'new' }, createdAt: createdAt + 1n });
  await beside('2', { peelId: db, tags: { role: 'old' } });
  const all = await world.settled(readStoredWords({ bus: world.admin }), 'words');
  expect(all.get(db)?.tags).toEqual({ role: 'new' });
});
