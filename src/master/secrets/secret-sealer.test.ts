import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { FleetWorld, type MasterProcess } from '../../../test/harness/master/master-fleet.ts';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import { SealedFleet } from '../../../test/harness/master/sealed-fleet.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { FACTS_SECRETS_LEASE_KEY, REVISION_KEY } from '../../wire/names/keys.ts';
import { readMasterSettings } from './master-settings-read.ts';

const makeWorld = closedAfterEach(() => new FleetWorld());
const treeOf = (value: string, name = 'password') => ({
  'top.zy': "base:\n  'web*': [web]\n",
  'web.zy': `db:\n  ${name}: !encrypted ${value}\n`,
});

const saysOf = ({ lines }: MasterProcess, text: string) => lines.filter(({ msg }) => msg.includes(text));
const seals = ({ master }: MasterProcess) => master.state().leases.includes(FACTS_SECRETS_LEASE_KEY);

async function setUp(trap = new Trap()) {
  const world = makeWorld();
  const first = await world.process({ bus: trap.bus });
  const fleet = new SealedFleet(world);
  await world.until(() => seals(first), 'the lease');
  const has = (peel: string, secrets: Readonly<Record<string, string>> | undefined) =>
    world.until(
      async () => JSON.stringify(await fleet.opened(peel)) === JSON.stringify(secrets),
      `${peel} to have ${JSON.stringify(secrets)}`,
      30_000,
    );
  return { world, fleet, first, trap, has };
}

describe('the secret sealer', () => {
  it('seals for a peel when its key appears, and when it changes', async () => {
    const { fleet, has } = await setUp();
    await fleet.publish(treeOf('hunter22'));
    await fleet.keyed('web-1', 'mail');
    await has('web-1', { 'db.password': 'hunter22' });
    await fleet.keyed('web-1');
    await has('web-1', { 'db.password': 'hunter22' });
    expect((await fleet.record('mail')).is).toBe('absent');
  });

  it('seals for all when settings are published, first or again', async () => {
    const { fleet, has } = await setUp();
    await fleet.keyed('web-1', 'web-2');
    await fleet.publish(treeOf('hunter22'));
    await has('web-1', { 'db.password': 'hunter22' });
    await has('web-2', { 'db.password': 'hunter22' });
    await fleet.publish(treeOf('rotated-now'));
    await has('web-1', { 'db.password': 'rotated-now' });
    await has('web-2', { 'db.password': 'rotated-now' });
    const read = await fleet.record('web-1');
    expect(read.is === 'found' && read.value.settingsRevision).toBe(2);
  });

  it('drops names that are gone from the settings only when every peel has had time for them', async () => {
    const { world, fleet, has } = await setUp();
    await fleet.keyed('web-1');
    await fleet.publish(treeOf('hunter22'));
    await has('web-1', { 'db.password': 'hunter22' });
    await fleet.publish(treeOf('hunter22', 'pass'));
    await has('web-1', { 'db.pass': 'hunter22', 'db.password': 'hunter22' });
    await world.clock.advance(500_000);
    expect(await fleet.opened('web-1')).toEqual({ 'db.pass': 'hunter22', 'db.password': 'hunter22' });
    await world.clock.advance(1_500_000);
    expect(await fleet.opened('web-1')).toEqual({ 'db.pass': 'hunter22' });
  });

  it('takes back what somebody else has done to a record, in time', async () => {
    const { world, fleet, has } = await setUp();
    await fleet.keyed('web-1');
    await fleet.publish(treeOf('hunter22'));
    await has('web-1', { 'db.password': 'hunter22' });
    await world.settled(world.admin.bucket(BUCKETS.secrets.name).remove('web-1'), 'the loss');
    await world.clock.advance(700_000);
    await has('web-1', { 'db.password': 'hunter22' });
  });

  it('is on one master at a time, and goes on on another when that dies', async () => {
    const { world, fleet, first, has } = await setUp();
    const second = await world.process();
    await fleet.publish(treeOf('hunter22'));
    await fleet.keyed('web-1');
    await has('web-1', { 'db.password': 'hunter22' });
    const sealed = () => [first, second].map((each) => saysOf(each, 'secrets sealed').length);
    await world.clock.advance(10_000);
    expect(sealed()).toEqual([1, 0]);
    first.kill();
    await fleet.keyed('web-2');
    await world.until(() => seals(second), 'the lease to go over', 60_000);
    await has('web-2', { 'db.password': 'hunter22' });
    expect(sealed()).toEqual([1, 1]);
  });

  it('tries again for a peel for which it failed', async () => {
    const trap = new Trap();
    const { world, fleet, first, has } = await setUp(trap);
    const error = zesterError('BUS_TIMEOUT', { what: 'it', ms: 1 });
    const mend = trap.fail(callOf('create', /^secrets\/web-1$/), error);
    await fleet.publish(treeOf('hunter22'));
    await fleet.keyed('web-1', 'web-2');
    await has('web-2', { 'db.password': 'hunter22' });
    await world.until(() => saysOf(first, 'secrets of a peel not sealed').length > 0, 'the failure');
    mend();
    await has('web-1', { 'db.password': 'hunter22' });
  });

  it('waits while the settings are torn, and seals nothing from settings that are wrong', async () => {
    const { world, fleet, first, has } = await setUp();
    await fleet.keyed('web-1');
    await fleet.publish(treeOf('hunter22'));
    await has('web-1', { 'db.password': 'hunter22' });
    await world.settled(
      world.admin.bucket(BUCKETS.masterSettings.name).put(REVISION_KEY, Buffer.from('9')),
      'a tear',
    );
    await world.until(() => saysOf(first, 'secrets cannot be sealed for the moment').length > 0, 'a word');
    const wrong = { ...treeOf('other-value'), 'top.zy': 'base:\n  G@role:web: [web]\n' };
    await fleet.publish(wrong);
    await world.until(
      () => saysOf(first, 'the settings that masters share cannot be used').length > 0,
      'a word',
    );
    expect(await fleet.opened('web-1')).toEqual({ 'db.password': 'hunter22' });
    await fleet.publish(treeOf('mended-now'));
    await has('web-1', { 'db.password': 'mended-now' });
    expect(JSON.stringify(first.lines)).not.toMatch(/hunter22|other-value|mended-now/);
  });

  it('teaches what must not be in logs', async () => {
    const world = makeWorld();
    const context = await world.contextAlone();
    await new SealedFleet(world).publish(treeOf('hunter22'));
    await world.settled(readMasterSettings(context), 'the settings');
    expect(context.secretBook.redact('it is hunter22')).toBe('it is [secret db.password]');
  });

  it('seals nothing where no settings were ever published', async () => {
    const { world, fleet, first } = await setUp();
    await fleet.keyed('web-1');
    await world.clock.advance(10_000);
    expect((await fleet.record('web-1')).is).toBe('absent');
    expect(saysOf(first, 'secrets')).toEqual([]);
  });
});
