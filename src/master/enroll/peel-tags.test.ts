/** What operators say of peels, as it comes from the enrollments to targets, secrets and the peels. */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { FleetWorld } from '../../../test/harness/master/master-fleet.ts';
import { SealedFleet } from '../../../test/harness/master/sealed-fleet.ts';
import { openTable } from '../../bus/kv/table.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { boxKey } from '../../trust/sealed-box.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { enrolledPeelKey, FACTS_SECRETS_LEASE_KEY } from '../../wire/names/keys.ts';
import { TARGET_RESOLVE_SUBJECT } from '../../wire/names/subjects.ts';
import { type Enrollment, enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { resolveRequestCodec, resolveResponseCodec } from '../../wire/records/target-resolve.ts';
import { masterKeysOf } from '../master-ports.ts';

const makeWorld = closedAfterEach(() => new FleetWorld());

async function setUp() {
  const world = makeWorld();
  const first = await world.process();
  const fleet = new SealedFleet(world);
  const leads = ({ master }: typeof first) => master.state().leases.includes(FACTS_SECRETS_LEASE_KEY);
  await world.until(() => leads(first), 'the lease');
  await fleet.keyed('web-1', 'web-2');
  const bucket = world.admin.bucket(BUCKETS.enrollments.name);

  /** As a decision of a master leaves it; with the key that the peel tells. */
  async function enrolled(peel: string, said: Partial<Enrollment>, id = newId()): Promise<EnrollmentId> {
    const record = enrollmentCodec.create({
      ...{ id, peelId: peel as PeelId, publicKey: `U${peel}`, state: 'active' },
      curvePublicKey: fleet.keyOf(peel)?.publicKey ?? '',
      ...said,
    });
    await world.settled(bucket.put(id, enrollmentCodec.encode(record)), 'a record');
    await world.settled(bucket.put(enrolledPeelKey(peel as PeelId), Buffer.from(id)), 'an index');
    return id;
  }
  const newId = () => `enr-${newKsuid(world.clock, world.random)}` as EnrollmentId;

  /** What the peel reads under its own key. */
  async function published(peel: string) {
    const table = openTable(world.admin, TABLES.peelTags);
    const read = await world.settled(table.getLatest(peel as PeelId), 'tags');
    const key = fleet.keyOf(peel);
    if (read.is !== 'found' || key === undefined) return undefined;
    const { tags, sealedFacts } = read.value;
    const box = boxKey(key, masterKeysOf(world.account).curveKey.publicKey);
    const plain = sealedFacts === '' ? undefined : box?.open(sealedFacts);
    const facts: WireMap | undefined = plain === undefined ? undefined : factsCodec.decode(plain);
    return {
      tags: { ...tags },
      facts: facts === undefined ? undefined : { ...facts },
      revision: read.revision,
    };
  }
  const has = (peel: string, wanted: object | undefined) =>
    world.until(
      async () => {
        const { revision: _, ...now } = (await published(peel)) ?? { revision: 0 };
        return JSON.stringify(now) === JSON.stringify(wanted ?? {});
      },
      `${peel} to have ${JSON.stringify(wanted)}`,
      30_000,
    );
  async function means(expr: string): Promise<readonly string[]> {
    const question = resolveRequestCodec.encode({ expr, type: '', wantFacts: true });
    const asked = world.admin.request(TARGET_RESOLVE_SUBJECT, question, { timeoutMs: 5_000 });
    const { peels, facts } = resolveResponseCodec.decode((await world.settled(asked, 'an answer')).data);
    expect(
      JSON.stringify(Object.values(facts), (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    ).not.toContain('hunter');
    return peels;
  }
  return { world, fleet, first, enrolled, published, has, means, leads };
}

describe('what operators say of a peel', () => {
  it('is published for the peel, facts sealed to it, and follows the enrollment', async () => {
    const { enrolled, has } = await setUp();
    const id = await enrolled('web-1', { tags: { role: 'web' }, facts: { licence: 'hunter22' } });
    await enrolled('web-2', {});
    await has('web-1', { tags: { role: 'web' }, facts: { licence: 'hunter22' } });
    await has('web-2', undefined);
    await enrolled('web-1', { tags: { role: 'db' } }, id);
    await has('web-1', { tags: { role: 'db' } });
    await enrolled('web-1', {}, id);
    await has('web-1', undefined);
  });

  it('is gone with the peel, and not there before it is let in', async () => {
    const { world, first, enrolled, has, means } = await setUp();
    const id = await enrolled('web-1', { tags: { role: 'web' } });
    await has('web-1', { tags: { role: 'web' } });
    await enrolled('web-2', { tags: { role: 'web' }, state: 'pending' });
    await world.until(() => first.master.state().enrollments.pending === 1, 'the request to be known');
    expect(await means('T@role:web')).toEqual(['web-1']);
    await enrolled('web-1', { tags: { role: 'web' }, state: 'revoked', supersededBy: id }, id);
    await has('web-1', undefined);
    await has('web-2', undefined);
    expect(await means('T@role:web')).toEqual([]);
  });

  it('is written once, and put right when somebody changes it', async () => {
    const { world, enrolled, has, published } = await setUp();
    await enrolled('web-1', { tags: { role: 'web' }, facts: { licence: 'hunter22' } });
    await has('web-1', { tags: { role: 'web' }, facts: { licence: 'hunter22' } });
    const before = (await published('web-1'))?.revision;
    await world.clock.advance(1_000_000);
    expect((await published('web-1'))?.revision).toBe(before);
    await world.settled(world.admin.bucket(BUCKETS.peelTags.name).remove('web-1'), 'the loss');
    await world.settled(
      world.admin.bucket(BUCKETS.peelTags.name).put('web-9', Buffer.from('?')),
      'a forgery',
    );
    await world.clock.advance(700_000);
    await has('web-1', { tags: { role: 'web' }, facts: { licence: 'hunter22' } });
    const forged = await world.settled(world.admin.bucket(BUCKETS.peelTags.name).getLatest('web-9'), 'it');
    expect(forged.found).toBe(false);
  });

  it('goes on on another master, which knows it from its start', async () => {
    const { world, first, enrolled, has, leads, means } = await setUp();
    await enrolled('web-1', { tags: { role: 'web' } });
    await has('web-1', { tags: { role: 'web' } });
    const second = await world.process();
    first.kill();
    const id = await enrolled('web-2', { tags: { role: 'db' } });
    await world.until(() => leads(second), 'the lease to go over', 60_000);
    await has('web-2', { tags: { role: 'db' } });
    await enrolled('web-2', { tags: { role: 'mail' } }, id);
    await has('web-2', { tags: { role: 'mail' } });
    expect(await means('T@role:web or T@role:mail')).toEqual(['web-1', 'web-2']);
  });

  it('decides who is meant and who gets a secret; what a peel says of itself does not', async () => {
    const { world, fleet, enrolled, means } = await setUp();
    await fleet.publish({
      'top.zy': "base:\n  'T@role:db': [db]\n",
      'db.zy': 'db:\n  password: !encrypted sesame77\n',
    });
    const id = await enrolled('web-1', { tags: { role: 'web' }, facts: { site: 'hunter22' } });
    const facts = factsCodec.encode({
      role: 'db',
      tags: { role: 'db' },
      _curve_public_key: fleet.keyOf('web-2')?.publicKey ?? '',
    });
    await world.settled(world.admin.bucket(BUCKETS.facts.name).put('web-2', facts), 'a lie');
    await world.until(async () => (await means('G@role:db')).includes('web-2'), 'the lie to be known');
    expect(await means('T@role:db')).toEqual([]);
    expect(await means('T@site:hunter*')).toEqual(['web-1']);
    await world.clock.advance(30_000);
    expect([(await fleet.record('web-1')).is, (await fleet.record('web-2')).is]).toEqual([
      'absent',
      'absent',
    ]);
    await enrolled('web-1', { tags: { role: 'db' } }, id);
    await world.until(
      async () => JSON.stringify(await fleet.opened('web-1')) === '{"db.password":"sesame77"}',
      'the secret',
      30_000,
    );
    expect(await means('T@role:db')).toEqual(['web-1']);
  });
});
