import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { type BusCall, interceptedBus } from '../../../test/harness/master/master-bus.ts';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import { SealedFleet } from '../../../test/harness/master/sealed-fleet.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { MasterContext } from '../master-context.ts';
import { type SealOrder, sealSecrets } from './seal-secrets.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());
const PEELS = ['db-1', 'mail', 'web-1', 'web-2'] as PeelId[];
const TREE = {
  'top.zy': "base:\n  'web*': [web]\n  'db*': [db]\n",
  'web.zy': 'tls: {key: !encrypted web-key}\n',
  'db.zy': 'db: {password: !encrypted db-password}\n',
};

async function setUp() {
  const world = makeWorld();
  const context = await world.context();
  const fleet = new SealedFleet(world);
  await fleet.keyed(...PEELS);
  await world.settled(context.facts.start(), 'the facts');
  const seal = (given: Partial<SealOrder> = {}, by: MasterContext = context) => {
    const order = { extraction: fleet.extraction(TREE), settingsRevision: 1, peels: PEELS, ...given };
    return world.settled(sealSecrets(by, order), 'the sealing');
  };
  return { world, context, fleet, seal };
}

describe('sealed secrets', () => {
  it('are what the top file gives to each peel, and only that peel opens them', async () => {
    const { fleet, seal, world } = await setUp();
    expect(await seal()).toEqual({ sealed: 3, unchanged: 1, failed: [] });
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'web-key' });
    expect(await fleet.opened('db-1')).toEqual({ 'db.password': 'db-password' });
    expect((await fleet.record('mail')).is).toBe('absent');
    const texts = await Promise.all(
      ['web-1', 'web-2'].map(async (peel) => {
        const read = await fleet.record(peel);
        return read.is === 'found' ? read.value.sealed['tls.key'] : '';
      }),
    );
    expect(texts[0]).toMatch(/^ENC\[nkey,/);
    expect(texts[0]).not.toBe(texts[1]);
    const stored = await world.settled(world.admin.bucket(BUCKETS.secrets.name).entries(), 'the bucket');
    expect(stored.map(({ value }) => Buffer.from(value).toString('latin1')).join()).not.toMatch(
      /web-key|db-password/,
    );
  });

  it('are not written again while nothing changes, also for newer settings', async () => {
    const { fleet, seal } = await setUp();
    await seal();
    const before = await fleet.record('web-1');
    expect(await seal({ settingsRevision: 2 })).toEqual({ sealed: 0, unchanged: 4, failed: [] });
    expect(await fleet.record('web-1')).toEqual(before);
  });

  it('are written for those whose value changed, and for all when that is wanted', async () => {
    const { fleet, seal } = await setUp();
    await seal();
    const extraction = fleet.extraction({ ...TREE, 'db.zy': 'db: {password: !encrypted rotated}\n' });
    expect((await seal({ extraction, settingsRevision: 2 })).sealed).toBe(1);
    expect(await fleet.opened('db-1')).toEqual({ 'db.password': 'rotated' });
    expect((await seal({ extraction, settingsRevision: 2, force: true })).sealed).toBe(3);
  });

  it('keep a name that the settings have given up, until that is not wanted any more', async () => {
    const { fleet, seal } = await setUp();
    await seal();
    const renamed = fleet.extraction({
      ...TREE,
      'web.zy': 'tls: {pem: !encrypted web-key}\n',
      'db.zy': 'x: 1\n',
    });
    const order = { extraction: renamed, settingsRevision: 2 };
    await seal(order);
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'web-key', 'tls.pem': 'web-key' });
    expect(await fleet.opened('db-1')).toEqual({ 'db.password': 'db-password' });
    expect((await seal(order)).sealed).toBe(0);
    expect((await seal({ ...order, keepFormer: false })).sealed).toBe(3);
    expect(await fleet.opened('web-1')).toEqual({ 'tls.pem': 'web-key' });
    expect(await fleet.record('db-1')).toMatchObject({ is: 'absent', revision: 0 });
  });

  it('are sealed to the newest key of a peel, and none of the old ones are kept', async () => {
    const { world, fleet, seal } = await setUp();
    await seal();
    await fleet.keyed('web-1');
    await world.clock.advance(200);
    const extraction = fleet.extraction({ ...TREE, 'web.zy': 'tls: {pem: !encrypted web-key}\n' });
    await seal({ extraction });
    expect(await fleet.opened('web-1')).toEqual({ 'tls.pem': 'web-key' });
  });

  it('are not made for a peel without a key, or with one that is none', async () => {
    const { world, fleet, seal } = await setUp();
    await fleet.says('web-1', '');
    await fleet.says('web-2', 'X');
    await world.clock.advance(200);
    expect(await seal()).toMatchObject({ sealed: 1, failed: [] });
    expect((await fleet.record('web-1')).is).toBe('absent');
    expect((await fleet.record('web-2')).is).toBe('absent');
    expect(world.logged('the curve key of a peel cannot be used')).toHaveLength(1);
  });

  it('replace what cannot be read', async () => {
    const { world, fleet, seal } = await setUp();
    const bucket = world.admin.bucket(BUCKETS.secrets.name);
    for (const peel of ['web-1', 'mail'])
      await world.settled(bucket.put(peel, Uint8Array.of(0xc1)), 'garbage');
    await seal();
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'web-key' });
    expect((await fleet.record('mail')).is).toBe('absent');
  });

  it('stay when somebody comes late with older settings', async () => {
    const { world, fleet, seal } = await setUp();
    const newer = fleet.extraction({ ...TREE, 'web.zy': 'tls: {key: !encrypted new-key}\n' });
    await seal({ extraction: newer, settingsRevision: 5 });
    expect((await seal({ settingsRevision: 4 })).sealed).toBe(0);
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'new-key' });
    expect(world.logged('sealed from newer settings').length).toBeGreaterThan(0);
    await seal({ settingsRevision: 4, force: true });
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'web-key' });
  });
});

describe('sealing', () => {
  it('stops when newer settings were published, also where those took the value back', async () => {
    const { fleet, seal } = await setUp();
    const between = fleet.extraction({ ...TREE, 'web.zy': 'tls: {key: !encrypted between}\n' });
    await seal({ settingsRevision: 1 });
    for (const port of [1, 2, 3]) await fleet.publish({ ...TREE, 'port.zy': `port: ${port}\n` });
    const late = await seal({ extraction: between, settingsRevision: 2 });
    expect(late.sealed).toBe(0);
    expect(late.failed).toContain('web-1');
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'web-key' });
  });

  it('by two masters at once gives one record, of the newer settings', async () => {
    const { world, context, fleet, seal } = await setUp();
    const trap = new Trap();
    const held = trap.hold(callOf('create', /^secrets\/web-1$/));
    const newer = fleet.extraction({ ...TREE, 'web.zy': 'tls: {key: !encrypted new-key}\n' });
    const late = seal({ peels: ['web-1' as PeelId] }, { ...context, bus: trap.bus(context.bus) });
    await world.until(() => held.waiting() === 1, 'the first to write');
    await seal({ extraction: newer, settingsRevision: 2 });
    held.release();
    expect(await late).toMatchObject({ sealed: 0, failed: [] });
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'new-key' });
  });

  it('that fails for one peel names it, does the others, and can be done again', async () => {
    const { context, fleet, seal } = await setUp();
    const trap = new Trap();
    const error = zesterError('BUS_TIMEOUT', { what: 'it', ms: 1 });
    const mend = trap.fail(callOf('create', /^secrets\/web-1$/), error);
    const bus = trap.bus(context.bus);
    expect(await seal({}, { ...context, bus })).toEqual({ sealed: 2, unchanged: 1, failed: ['web-1'] });
    mend();
    expect(await seal({}, { ...context, bus })).toEqual({ sealed: 1, unchanged: 3, failed: [] });
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'web-key' });
  });

  it.each([
    [1, 'before'],
    [1, 'after'],
    [2, 'before'],
    [3, 'after'],
  ] as const)('whose master dies at write %i, %s its effect, is finished by another', async (nth, when) => {
    const { world, context, fleet, seal } = await setUp();
    const never = new Promise<never>(() => undefined);
    let writes = 0;
    let isDead = false;
    const bus = interceptedBus(context.bus, <T>(call: BusCall, run: () => T): T => {
      if (isDead) return never as T;
      if (call.op !== 'create' || ++writes !== nth) return run();
      isDead = true;
      if (when === 'after') run();
      return never as T;
    });
    const order = { extraction: fleet.extraction(TREE), settingsRevision: 1, peels: PEELS };
    void sealSecrets({ ...context, bus }, order);
    await world.until(() => isDead, 'its death');
    const done = nth - (when === 'after' ? 0 : 1);
    expect(await seal()).toEqual({ sealed: 3 - done, unchanged: 1 + done, failed: [] });
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'web-key' });
    expect(await fleet.opened('web-2')).toEqual({ 'tls.key': 'web-key' });
    expect(await fleet.opened('db-1')).toEqual({ 'db.password': 'db-password' });
  });

  it('ends when its master gives up', async () => {
    const { context, seal } = await setUp();
    const life = AbortSignal.abort();
    await expect(seal({}, { ...context, life })).rejects.toThrow();
  });

  it('lets others work whenever it has worked for a while', async () => {
    const { context, seal } = await setUp();
    let nowMs = 0;
    let pauses = 0;
    const { clock } = context.runtime;
    const busy = {
      ...clock,
      // Every look at the clock finds it 3 ms later.
      monotonicMs: () => (nowMs += 3),
      after: (delayMs: number, run: () => void) => {
        if (delayMs === 0) pauses += 1;
        return clock.after(delayMs, run);
      },
    };
    await seal({}, { ...context, runtime: { ...context.runtime, clock: busy } });
    expect(pauses).toBeGreaterThan(1);
  });
});
