/** Facts that operators set, as they lie in the enrollments: sealed, whoever writes the record, and under the newest fleet key. */
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import type { NewMachine } from '../../../test/harness/enroll/new-machine.ts';
import { TEST_CA_PIN } from '../../../test/harness/master/bare-machine.ts';
import { openTable } from '../../bus/kv/table.ts';
import { tagPeel } from '../../client/enroll/decide-enrollment.ts';
import { readKey, rotateKey } from '../../client/fleet-key/ask-fleet-key.ts';
import { factNames } from '../../core/enroll/desk/change-tags.ts';
import { generationOfSeal } from '../../trust/fleet-seal.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { TARGET_RESOLVE_SUBJECT } from '../../wire/names/subjects.ts';
import { type Enrollment, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { FACT_KEYS, factsCodec } from '../../wire/records/facts.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { resolveRequestCodec, resolveResponseCodec } from '../../wire/records/target-resolve.ts';

const makeWorld = closedAfterEach(() => new EnrollWorld());
const SECRET = 'hunter22-licence';
const LATER = 'hunter33-licence';
/** Short times, in which everything is as in long ones. */
const QUICK = { fleetKeyOverlapMinMs: 6_000, fleetKeyOverlapMaxMs: 60_000, heartbeatMs: 1_000 };

async function setUp() {
  const world = makeWorld();
  const masters = [await world.master(QUICK), await world.master(QUICK)];
  const desk = masters[0]?.master.desk ?? expect.fail();
  const client = clientOf(world.admin, world.runtime);
  const table = openTable(world.admin, TABLES.enrollments);

  async function joined(machine: NewMachine, facts: WireMap): Promise<EnrollmentId> {
    const { id } = await world.submit(desk, machine, { pin: TEST_CA_PIN });
    const { record } = await world.decide('approve', id, { facts });
    expect(JSON.stringify([record?.facts, record?.sealedFacts])).not.toContain('hunter');
    await world.settled(desk.issue(id, machine.proof(id)), 'credentials');
    const told = factsCodec.encode({ [FACT_KEYS.curvePublicKey]: machine.curvePublicKey });
    await world.settled(world.admin.bucket(BUCKETS.facts.name).put(machine.peelId, told), 'facts');
    return id;
  }
  async function stored(id: string): Promise<Enrollment> {
    const read = await world.settled(table.getLatest(id as EnrollmentId), 'a record');
    return read.is === 'found' ? read.value : expect.fail(read.is);
  }
  const generations = async (id: string) =>
    Object.values((await stored(id)).sealedFacts).map((sealed) => generationOfSeal(sealed));
  /** Whether it is anywhere in the bucket, its history included. */
  async function isInClear(text: string): Promise<boolean> {
    const bucket = world.admin.bucket(BUCKETS.enrollments.name);
    const ids = await world.settled(table.ids(), 'ids');
    const histories = await world.settled(Promise.all(ids.map((id) => bucket.history(id))), 'histories');
    expect(histories.flat().length).toBeGreaterThan(3);
    return histories.flat().some((read) => read.found && Buffer.from(read.value).includes(text));
  }
  /** By the word of any master: they answer in turn. */
  async function means(expr: string): Promise<readonly string[]> {
    const question = resolveRequestCodec.encode({ expr, type: '', wantFacts: false });
    const asked = world.admin.request(TARGET_RESOLVE_SUBJECT, question, { timeoutMs: 5_000 });
    return resolveResponseCodec.decode((await world.settled(asked, 'an answer')).data).peels;
  }
  const matched = (expr: string, ...peels: readonly string[]) =>
    world.until(
      async () =>
        (await Promise.all([1, 2, 3, 4].map(() => means(expr)))).every((each) => `${each}` === `${peels}`),
      `${expr} to mean ${peels}`,
    );
  const tag = (peel: PeelId, setFacts: WireMap, removeFacts: readonly string[] = []) =>
    world.settled(tagPeel(client, peel, { setTags: {}, removeTags: [], setFacts, removeFacts }), 'a tag');
  async function rotated(): Promise<void> {
    await world.settled(rotateKey(client, 'fleet'), 'a rotation');
    const isOver = async () => !(await world.settled(readKey(client, 'fleet'), 'the standing')).isOverlap;
    await world.until(isOver, 'the end of the overlap', 40_000, 500);
  }
  return { world, desk, client, table, joined, stored, generations, isInClear, matched, tag, rotated };
}

describe('a fact that an operator sets', () => {
  it('lies sealed in the enrollment, in its history too, and is matched by every master', async () => {
    const { world, joined, stored, isInClear, matched, tag } = await setUp();
    const machine = world.machine('web-1');
    const id = await joined(machine, { licence: SECRET, rack: 7n });
    await matched(`T@licence:${SECRET}`, 'web-1');
    await matched('G@rack:7', 'web-1');
    const { record } = await tag(machine.peelId, { licence: LATER, site: 'fra' });
    expect(record === undefined ? [] : factNames(record)).toEqual(['licence', 'rack', 'site']);
    await matched(`T@licence:${LATER} and T@site:fra and T@rack:7`, 'web-1');
    expect([await isInClear(SECRET), await isInClear(LATER), await isInClear('licence')]).toEqual([
      false,
      false,
      true,
    ]);
    // The same again changes nothing, and a change of one leaves the seals of the others.
    const before = await stored(id);
    await tag(machine.peelId, { site: 'fra' });
    expect(await stored(id)).toEqual(before);
    await tag(machine.peelId, {}, ['licence']);
    const { sealedFacts } = await stored(id);
    expect({ ...sealedFacts }).toEqual({ rack: before.sealedFacts.rack, site: before.sealedFacts.site });
    await matched('T@licence');
  });

  it('goes to the enrollment that takes its place, and does not open in that of another peel', async () => {
    const { world, desk, table, joined, stored, matched } = await setUp();
    const [machine, thief] = [world.machine('web-1'), world.machine('web-2')];
    await joined(machine, { licence: SECRET });
    const other = await joined(thief, { licence: 'nothing' });
    const heir = await world.submit(desk, machine, { pin: TEST_CA_PIN });
    await world.settled(desk.issue(heir.id, machine.proof(heir.id)), 'credentials');
    await matched(`T@licence:${SECRET}`, 'web-1');
    const { sealedFacts } = await stored(heir.id);
    await world.settled(table.put(other, { ...(await stored(other)), sealedFacts }), 'a theft');
    await matched('T@licence:nothing');
    await matched(`T@licence:${SECRET}`, 'web-1');
  });

  it('is read from a record that has it in clear, which is sealed with the next change', async () => {
    const { world, table, joined, stored, matched, tag } = await setUp();
    const machine = world.machine('web-1');
    const id = await joined(machine, {});
    const old = { ...(await stored(id)), facts: { licence: SECRET } };
    await world.settled(table.put(id, old), 'a record of before');
    await matched(`T@licence:${SECRET}`, 'web-1');
    await tag(machine.peelId, { site: 'fra' });
    const now = await stored(id);
    expect([factNames(now), { ...now.facts }]).toEqual([['licence', 'site'], {}]);
    expect(Buffer.from(enrollmentCodec.encode(now)).includes(SECRET)).toBe(false);
    await matched(`T@licence:${SECRET} and T@site:fra`, 'web-1');
  });

  it('is sealed anew with a rotation, in the enrollment and for the peel, and counted until then', async () => {
    const { world, client, table, joined, stored, generations, matched, rotated, tag } = await setUp();
    const machine = world.machine('web-1');
    const id = await joined(machine, { licence: SECRET });
    const tags = openTable(world.admin, TABLES.peelTags);
    const published = async () => {
      const read = await world.settled(tags.getLatest(machine.peelId), 'tags');
      return read.is === 'found' ? read.value : undefined;
    };
    await world.until(async () => (await published())?.generation === 1, 'its tags');
    const [former, formerTags] = [await stored(id), await published()];
    await rotated();
    expect([await generations(id), (await published())?.generation]).toEqual([[2], 2]);
    await matched(`T@licence:${SECRET}`, 'web-1');
    // What somebody puts back from before counts, one for each record.
    const sealedOld = async () => (await world.settled(readKey(client, 'fleet'), 'the standing')).sealedOld;
    expect(await sealedOld()).toBe(0);
    await world.settled(table.put(id, former), 'the record of before');
    expect(await sealedOld()).toBe(1);
    await world.settled(tags.put(machine.peelId, formerTags ?? expect.fail()), 'its tags of before');
    expect(await sealedOld()).toBe(2);
    // It opens still, on a master that starts now as well; and what is changed is sealed with the newest.
    await world.master(QUICK);
    await matched(`T@licence:${SECRET}`, 'web-1');
    await tag(machine.peelId, { licence: LATER });
    expect(await generations(id)).toEqual([2]);
    await matched(`T@licence:${LATER}`, 'web-1');
  });

  it('under a generation that a master has not heard of counts there as soon as it has', async () => {
    const { world, joined, rotated } = await setUp();
    await rotated();
    const machine = world.machine('web-1');
    await joined(machine, { licence: SECRET });
    const late = await world.context();
    await world.settled(late.enrollments.start(), 'the enrollments');
    await world.settled(late.facts.start(), 'the facts');
    expect({ ...late.facts.index.words(machine.peelId).facts }).toEqual({});
    expect(world.logged('facts that operators set cannot be opened').length).toBeGreaterThan(0);
    const generations = openTable(world.admin, TABLES.fleetGenerations);
    const read = await world.settled(generations.getLatest(2), 'the generation');
    expect(read.is === 'found' && late.fleetKeys.note(2, read.value)).toBe(true);
    late.enrollments.keyLearned();
    expect({ ...late.facts.index.words(machine.peelId).facts }).toEqual({ licence: SECRET });
    late.facts.stop();
    late.enrollments.stop();
  });
});
