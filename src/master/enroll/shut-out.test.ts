/** A peel that was revoked and that NATS lets through all the same: nothing that it says counts, and what it writes is erased. */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import { Trap } from '../../../test/harness/master/master-traps.ts';
import type { Bus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import {
  jobReturnSubject,
  peelTargetResolveSubject,
  TARGET_RESOLVE_SUBJECT,
} from '../../wire/names/subjects.ts';
import { FACT_KEYS, factsCodec } from '../../wire/records/facts.ts';
import { returnCodec } from '../../wire/records/job-return.ts';
import { resolveRequestCodec, resolveResponseCodec } from '../../wire/records/target-resolve.ts';

const makeWorld = closedAfterEach(() => new EnrollWorld());

/** A fleet of two, both enrolled. */
async function fleet(wrap = (bus: Bus): Bus => bus) {
  const world = makeWorld();
  const { master } = await world.master({}, wrap(world.connectMaster()));
  const { desk } = master;
  const [web, db] = [world.machine('web-1'), world.machine('db-1')];
  const id = await world.join(desk, web);
  await world.join(desk, db);
  const peel = await world.peel('web-1', { key: web.key });
  const other = await world.peel('db-1', { key: db.key });
  const facts = (role: string) => factsCodec.encode({ role, [FACT_KEYS.curvePublicKey]: web.curvePublicKey });
  const known = () => [master.state().peels, master.state().peelsOnline];
  await world.until(() => known().join() === '2,2', 'both to be known');
  return { world, desk, master, web, id, peel, other, facts, known };
}

const question = resolveRequestCodec.encode({ expr: '*', type: '', wantFacts: false });

describe('a revoked peel', () => {
  it('is forgotten at once, its later facts and heartbeats do not count and are erased', async () => {
    const { world, id, peel, facts, known } = await fleet();
    expect((await world.decide('revoke', id)).record?.state).toBe('revoked');
    await world.until(() => known().join() === '1,1', 'it to be forgotten');
    expect(await world.keysOf(peel.id)).toEqual([]);
    for (const role of ['a', 'b']) {
      await world.settled(peel.bus.bucket(BUCKETS.facts.name).put(peel.id, facts(role)), 'later facts');
      await world.settled(peel.beat(), 'a later heartbeat');
      expect(known()).toEqual([1, 1]);
      await world.until(async () => (await world.keysOf(peel.id)).length === 0, 'them to be erased', 20_000);
    }
    const admin = await world.settled(
      world.admin.request(TARGET_RESOLVE_SUBJECT, question, { timeoutMs: 5_000 }),
      'an answer',
    );
    expect(resolveResponseCodec.decode(admin.data).peels).toEqual(['db-1']);
  });

  it('gets no answers, and its returns are no rows; those of others are', async () => {
    const { world, id, peel, other } = await fleet();
    const job = world.job(['web-1', 'db-1'], { timeout: 5_000_000_000n });
    await world.decide('revoke', id);
    const ask = (each: typeof peel) =>
      world.settled(
        each.bus.request(peelTargetResolveSubject(each.id), question, { timeoutMs: 3_000 }).then(
          ({ data }) => resolveResponseCodec.decode(data).peels,
          () => 'no answer',
        ),
        'an answer or none',
      );
    expect([await ask(other), await ask(peel)]).toEqual([['db-1'], 'no answer']);
    await world.dispatch(job);
    const value = returnCodec.encode(returnCodec.create({ jid: job.jid, peelId: peel.id, success: true }));
    await world.settled(peel.bus.append(jobReturnSubject(job.jid, peel.id), value, {}), 'a forged return');
    await world.until(async () => (await world.rows(job.jid)).length === 2, 'the end of the job');
    expect(await world.outcomes(job)).toMatchObject({ 'db-1': 'returned' });
    expect((await world.outcomes(job))['web-1']).not.toBe('returned');
    await world.clock.advance(10_000);
    expect((await world.outcomes(job))['web-1']).not.toBe('returned');
    expect(world.logged('ack or return dropped').map(({ problem }) => problem)).toContain('is shut out');
  });

  it('whose machine was replaced is believed again, with the key of the new one', async () => {
    const { world, desk, id, known } = await fleet();
    await world.decide('revoke', id);
    await world.until(() => known().join() === '1,1', 'it to be forgotten');
    const next = world.machine('web-1');
    await world.join(desk, next);
    const peel = await world.peel('web-1', { key: next.key });
    await world.until(() => known().join() === '2,2', 'the new one to be known');
    const job = world.job(['web-1']);
    await world.dispatch(job);
    await world.endsAs(job, 'complete');
    expect(peel.heard.map(({ verified }) => verified)).toEqual([true]);
    expect((await world.keysOf(peel.id)).length).toBeGreaterThan(1);
  });

  it('is erased by a master that cannot do it at once as soon as it can', async () => {
    const trap = new Trap();
    const { world, id, peel } = await fleet(trap.bus);
    await world.settled(peel.bus.close(), 'the end of its line');
    const failure = zesterError('BUS_STORE_UNAVAILABLE', { what: 'it', reason: 'no leader' });
    const heal = trap.fail(({ op, on }) => op === 'remove' && on.includes(peel.id), failure);
    expect((await world.decide('revoke', id)).warning).toContain('could not be erased yet');
    await world.clock.advance(20_000);
    expect(await world.keysOf(peel.id)).not.toEqual([]);
    heal();
    await world.until(async () => (await world.keysOf(peel.id)).length === 0, 'them to be erased', 60_000);
  });

  it('leaves no facts to the machine that gets its id next', async () => {
    const { world, desk, id, peel, facts, known } = await fleet();
    await world.decide('revoke', id);
    await world.until(() => known().join() === '1,1', 'it to be forgotten');
    // More than are erased at once: the last ones are there when the next machine is let in.
    const bucket = peel.bus.bucket(BUCKETS.facts.name);
    for (const role of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await world.settled(bucket.put(peel.id, facts(role)), 'later facts');
      await world.clock.advance(200);
    }
    const next = world.machine('web-1');
    await world.join(desk, next);
    expect(await world.keysOf(peel.id)).toContain(`${BUCKETS.facts.name}/web-1`);
    await world.clock.advance(5_000);
    expect(known()[0]).toBe(1);
    await world.peel('web-1', { key: next.key });
    await world.until(() => known().join() === '2,2', 'the new one to be known');
    // And a word of the old one, if a server lets it through, does not replace them.
    await world.settled(bucket.put(peel.id, facts('g')), 'facts of the old one');
    await world.until(() => world.logged('facts of another key than the approved one').length > 0, 'it');
    await world.clock.advance(1_000);
    expect(known()[0]).toBe(2);
  });

  it('that only claims another curve key in its facts gets commands under the approved one', async () => {
    const { world, peel } = await fleet();
    const thief = world.machine('web-1');
    const lie = factsCodec.encode({ [FACT_KEYS.curvePublicKey]: thief.curvePublicKey });
    await world.settled(peel.bus.bucket(BUCKETS.facts.name).put(peel.id, lie), 'a lie');
    await world.clock.advance(1_000);
    const job = world.job(['web-1']);
    await world.dispatch(job);
    await world.endsAs(job, 'complete');
    expect(peel.heard.map(({ verified }) => verified)).toEqual([true]);
  });
});
