import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { FACT_KEYS, factsCodec } from '../../wire/records/facts.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());
const web = 'web-0' as PeelId;

describe('the facts of a peel', () => {
  it('are current, and the first word of each curve key is told', async () => {
    const world = makeWorld();
    const keyed: PeelId[] = [];
    const { facts, identity } = await world.context({ keyed: (peel) => keyed.push(peel) });
    const dropped = () =>
      world.logged('facts that cannot be read').filter((line) => line.master === identity.masterId);
    const bucket = world.admin.bucket(BUCKETS.facts.name);
    const put = async (value: Uint8Array) => {
      await world.settled(bucket.put(web, value), 'facts');
      await world.clock.advance(100);
    };
    const say = (given: WireMap) => put(factsCodec.encode(given));
    expect(facts.isSeeded()).toBe(false);
    await world.settled(facts.start(), 'the first reading');
    expect([facts.isSeeded(), facts.curveKeyOf(web)]).toEqual([true, undefined]);

    await say({ role: 'db' });
    expect([facts.index.size, facts.curveKeyOf(web), keyed]).toEqual([1, undefined, []]);
    await say({ role: 'db', [FACT_KEYS.curvePublicKey]: 'X1' });
    await say({ role: 'web', [FACT_KEYS.curvePublicKey]: 'X1' });
    expect([facts.curveKeyOf(web), keyed]).toEqual(['X1', [web]]);
    await say({ [FACT_KEYS.curvePublicKey]: 'X2' });
    await say({ [FACT_KEYS.curvePublicKey]: 7 });
    expect([facts.curveKeyOf(web), keyed]).toEqual([undefined, [web, web]]);

    await put(Uint8Array.of(0xc1));
    expect([facts.index.size, dropped().length]).toEqual([0, 1]);
    await say({ role: 'db' });
    await world.settled(bucket.delete(web), 'the end of its facts');
    await world.clock.advance(100);
    expect(facts.index.size).toBe(0);
    facts.stop();
  });
});
