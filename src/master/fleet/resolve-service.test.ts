/** Who may ask which peels a target means, and what they are told. */

import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import type { ScriptedPeel } from '../../../test/harness/master/master-scripted-peel.ts';
import { MasterWorld, type MasterWorldOptions } from '../../../test/harness/master/master-world.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { enrolledPeelKey } from '../../wire/names/keys.ts';
import { peelTargetResolveSubject } from '../../wire/names/subjects.ts';
import { enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { FACT_KEYS, factsCodec } from '../../wire/records/facts.ts';
import { resolveRequestCodec, resolveResponseCodec } from '../../wire/records/target-resolve.ts';

const makeWorld = closedAfterEach((options?: MasterWorldOptions) => new MasterWorld(options));

describe('targets', () => {
  const ask = async (world: MasterWorld, by: ScriptedPeel | undefined, given: object) => {
    const request = resolveRequestCodec.encode({ expr: '', type: '', wantFacts: false, ...given });
    const bus = by?.bus ?? world.admin;
    const subject = by === undefined ? 'zester.target.resolve' : peelTargetResolveSubject(by.id);
    const answer = await world.settled(bus.request(subject, request, { timeoutMs: 5_000 }), 'an answer');
    return resolveResponseCodec.decode(answer.data);
  };

  it('are resolved for operators, with facts, and for peels, without', async () => {
    const world = makeWorld();
    await world.master();
    const [first] = await world.peels(3);
    await world.peel('db-1');
    expect(await ask(world, undefined, { expr: 'web-*' })).toMatchObject({
      peels: ['web-0', 'web-1', 'web-2'],
    });
    expect(await ask(world, undefined, { expr: 'db-1,web-0', type: 'list' })).toMatchObject({
      peels: ['db-1', 'web-0'],
    });
    const facts = (await ask(world, undefined, { expr: 'db-1', wantFacts: true })).facts;
    expect(Object.keys(facts['db-1'] ?? {})).toEqual(['_curve_public_key']);
    expect((await ask(world, first, { expr: 'db-*' })).peels).toEqual(['db-1']);
    expect(await ask(world, first, { expr: '*', wantFacts: true })).toMatchObject({
      error: expect.stringContaining('MASTER_FACTS_REFUSED'),
      code: 'MASTER_FACTS_REFUSED',
    });
    expect((await ask(world, undefined, { expr: 'E@((' })).error).toContain('TARGET_');
    expect((await ask(world, undefined, { expr: 'x', type: 'nonsense' })).error).toContain(
      'TARGET_TYPE_UNKNOWN',
    );
  });

  it('of peels match ids, and of facts only those that the operator lists', async () => {
    const world = makeWorld();
    await world.master({ factsVisibleToPeels: ['role'] });
    const [asker, other] = await world.peels(2);
    const facts = factsCodec.encode({ role: 'db', token: 's3cret', [FACT_KEYS.curvePublicKey]: 'X' });
    await world.settled(world.admin.bucket(BUCKETS.facts.name).put(other?.id ?? '', facts), 'facts');
    await world.clock.advance(3_000);
    // The operator sees all; a peel what is listed, and no shape of question opens the rest.
    expect((await ask(world, undefined, { expr: 'G@token:s*' })).peels).toEqual(['web-1']);
    expect((await ask(world, asker, { expr: 'G@role:db or E@0$' })).peels).toEqual(['web-0', 'web-1']);
    for (const expr of ['G@token:s*', 'I@token:s*', 'web-0 or not G@token:s*', 'G@role:db and G@token:!=x']) {
      const answer = await ask(world, asker, { expr });
      expect(answer.peels).toEqual([]);
      expect(answer.error).toContain('MASTER_FACT_HIDDEN');
    }
    const typed = await ask(world, asker, { expr: 'token:s*', type: 'grain' });
    expect(typed.error).toContain('MASTER_FACT_HIDDEN');
  });

  it('may ask for tags, whoever asks; of a fact that an operator set a peel learns nothing', async () => {
    const world = makeWorld();
    await world.master();
    const [asker, other] = await world.peels(2);
    const id = 'enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO' as EnrollmentId;
    const peelId = other?.id as PeelId;
    const record = enrollmentCodec.create({
      ...{ id, peelId, publicKey: 'U', curvePublicKey: other?.key.publicKey ?? '', state: 'active' },
      ...{ tags: { role: 'web' }, facts: { token: 'sesame77' } },
    });
    const bucket = world.admin.bucket(BUCKETS.enrollments.name);
    await world.settled(bucket.put(id, enrollmentCodec.encode(record)), 'a record');
    await world.settled(bucket.put(enrolledPeelKey(peelId), Buffer.from(id)), 'an index');
    const meant = async (by: ScriptedPeel | undefined, expr: string) =>
      (await ask(world, by, { expr })).peels;
    await world.until(async () => (await meant(undefined, 'T@role:web')).length > 0, 'the tag');
    expect(await meant(asker, 'T@role:web')).toEqual([peelId]);
    expect(await meant(undefined, 'T@token:s*')).toEqual([peelId]);
    expect([await meant(asker, 'T@token:s*'), await meant(asker, 'T@token')]).toEqual([[], []]);
    expect((await ask(world, asker, { expr: 'G@token:s*' })).error).toContain('MASTER_FACT_HIDDEN');
  });

  it('whose answer fits no message are refused, not cut', async () => {
    const world = makeWorld({ payloadBytesMax: 8_192 });
    await world.master();
    await world.herd(1_000);
    expect((await ask(world, undefined, { expr: '*' })).error).toContain('MASTER_ANSWER_TOO_LARGE');
  });
});
