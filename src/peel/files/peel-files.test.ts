/** A whole peel that mirrors what masters publish: which revision a run uses, and what it says of it. */
import { describe, expect, it } from 'vitest';
import { DATA_DIR, PEEL, PeelWorld } from '../../../test/harness/peel/peel-world.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { type ExecResponse, execResponseCodec } from '../../wire/records/exec.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import type { Return } from '../../wire/records/job-return.ts';
import { settingsCachePath, statesCachePath } from '../data-dir.ts';

const CACHES = { states: statesCachePath(DATA_DIR), settings: settingsCachePath(DATA_DIR) };
const SOON_MS = 5_000;

function openWorld(): Promise<PeelWorld> {
  return PeelWorld.withPeel({ withStates: true, caches: CACHES });
}

async function begin(world: PeelWorld, module: string, id = ''): Promise<Jid> {
  const request = { ...world.request(module, { id }), args: {} };
  world.send(request);
  await world.settle();
  return request.jid;
}

async function answer(world: PeelWorld, jid: Jid): Promise<Return> {
  await world.advance(SOON_MS);
  const returns = await world.returnsOf(jid);
  expect(returns).toHaveLength(1);
  return returns[0] as Return;
}

const responseIn = ({ returnData }: Return): ExecResponse => execResponseCodec.decode(returnData);

async function run(world: PeelWorld, module: string, id = ''): Promise<ExecResponse> {
  return responseIn(await answer(world, await begin(world, module, id)));
}

async function textAt(world: PeelWorld, path: string): Promise<string | undefined> {
  const bytes = await world.machine.boot().files.read(path);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

/** The second state begins 20 s after the first. */
const SLOW = `
wait:
  module.run:
    - name: test.sleep
    - seconds: 20
/srv/motd:
  file.managed:
    - source: zester://motd
    - require: [module: wait]
/srv/rendered:
  file.managed:
    - source: zester://motd.j2
    - template: jinja
    - require: [module: wait]
`;

describe('a peel that mirrors published files', () => {
  it('has no states before the first publish, says so as the specification does, and uses them a second after it', async () => {
    const world = await openWorld();
    expect(
      world.logged('states engine unavailable at boot; will build when state files appear'),
    ).toHaveLength(1);
    const refused = await answer(world, await begin(world, 'state.apply', 'a'));
    expect(refused.error).toContain(
      'states engine unavailable: no states directory exists yet (state files not yet synced from KV and no baked states dir); retry after state files are published',
    );
    await world.publishFiles(FILE_SETS.states, { 'a.zy': 'a:\n  test.nop: []\n' });
    expect(await run(world, 'state.apply', 'a')).toMatchObject({ success: true, statesRevision: 1 });
  });

  it('names the revision that a run used, and none where it used none', async () => {
    const world = await openWorld();
    await world.publishFiles(FILE_SETS.states, {
      'a.zy': 'a:\n  test.nop: []\n',
      'top.zy': "base:\n  '*': [a]\n",
    });
    await world.publishFiles(FILE_SETS.states, {
      'a.zy': 'b:\n  test.nop: []\n',
      'top.zy': "base:\n  '*': [a]\n",
    });
    for (const [module, id] of [
      ['state.apply', 'a'],
      ['state.highstate', ''],
      ['state.show_top', ''],
      ['state.show_low_sls', 'a'],
    ] as const)
      expect([module, (await run(world, module, id)).statesRevision]).toEqual([module, 2]);
    for (const module of ['test.ping', 'state.runs'])
      expect([module, (await run(world, module)).statesRevision]).toEqual([module, 0]);
  });

  it('a run uses one revision to its end, sources and templates too, though another one is mirrored meanwhile', async () => {
    const world = await openWorld();
    await world.machine.boot().files.makeDirectory('/srv', { parents: true });
    await world.publishFiles(FILE_SETS.states, {
      'slow.zy': SLOW,
      motd: 'old',
      'motd.j2': 'old {{ 1 + 1 }}',
    });
    const jid = await begin(world, 'state.apply', 'slow');
    await world.advance(1_000);
    await world.publishFiles(FILE_SETS.states, {
      'slow.zy': SLOW,
      motd: 'new',
      'motd.j2': 'new {{ 1 + 1 }}',
    });
    expect((await world.heartbeat()).statesRevision).toBe(2);
    expect(await textAt(world, '/srv/motd')).toBeUndefined();
    await world.advance(20_000);
    expect(responseIn(await answer(world, jid))).toMatchObject({ success: true, statesRevision: 1 });
    expect([await textAt(world, '/srv/motd'), await textAt(world, '/srv/rendered')]).toEqual([
      'old',
      'old 2',
    ]);
    // Nobody reads the old tree any more.
    expect(await world.files(`${CACHES.states}.trees`)).toHaveLength(1);
    const next = await begin(world, 'state.apply', 'slow');
    await world.advance(20_000);
    expect(responseIn(await answer(world, next))).toMatchObject({ success: true, statesRevision: 2 });
    expect(await textAt(world, '/srv/motd')).toBe('new');
  });

  it('lets the tree of a run go that is cancelled', async () => {
    const world = await openWorld();
    await world.publishFiles(FILE_SETS.states, { 'slow.zy': SLOW, motd: 'old', 'motd.j2': '' });
    const jid = await begin(world, 'state.apply', 'slow');
    await world.publishFiles(FILE_SETS.states, { 'slow.zy': SLOW, motd: 'new', 'motd.j2': '' });
    expect(await world.files(`${CACHES.states}.trees`)).toHaveLength(2);
    world.sendCancel(jid);
    await world.advance(30_000);
    expect(await world.files(`${CACHES.states}.trees`)).toHaveLength(1);
  });

  it('tells masters soon what it has, and why it has not more, not once for each file', async () => {
    const world = await openWorld();
    await world.publishFiles(
      FILE_SETS.states,
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, `${at}`])),
    );
    await world.publishFiles(FILE_SETS.settings, { 'top.zy': 'base: {}' });
    expect(await world.heartbeat()).toMatchObject({
      statesRevision: 1,
      settingsRevision: 1,
      filesProblem: '',
    });
    const before = await beatRevision(world);
    await Promise.all([
      world.master.bucket(FILE_SETS.states.bucket.name).erase('_manifest'),
      world.advance(10),
    ]);
    await Promise.all([
      world.master.bucket(FILE_SETS.states.bucket.name).put('_revision', Buffer.from('2')),
      world.advance(1_000),
    ]);
    const told = await world.heartbeat();
    expect(told.filesProblem).toBe(
      'states: the published states are incomplete: there is a revision and no manifest',
    );
    expect((await beatRevision(world)) - before).toBe(1);
  });

  it('runs from its mirror after a restart, though the bucket has nothing any more', async () => {
    const world = await openWorld();
    await world.publishFiles(FILE_SETS.states, { 'a.zy': 'a:\n  test.nop: []\n' });
    world.crash('power');
    const bucket = world.master.bucket(FILE_SETS.states.bucket.name);
    for (const key of ['_revision', '_manifest', 'a.zy'])
      await Promise.all([bucket.erase(key), world.advance(10)]);
    world.startPeel();
    await world.advance(10_000);
    expect(await run(world, 'state.apply', 'a')).toMatchObject({ success: true, statesRevision: 1 });
    expect(await world.heartbeat()).toMatchObject({ statesRevision: 1, filesProblem: '' });
  });
});

async function beatRevision(world: PeelWorld): Promise<number> {
  const [read] = await Promise.all([
    world.master.bucket(BUCKETS.peelHeartbeat.name).get(PEEL),
    world.advance(0),
  ]);
  return read.revision;
}
