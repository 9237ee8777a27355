/** A whole peel and its settings: from a published tree, with secrets, through restarts, rotation and broken trees. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DATA_DIR, PEEL, PeelWorld } from '../../../test/harness/peel/peel-world.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { SPREAD_KEY } from '../../wire/names/keys.ts';
import { type ExecResponse, execResponseCodec } from '../../wire/records/exec.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import { settingsCachePath, settingsSnapshotPath, statesCachePath } from '../data-dir.ts';

const CACHES = { states: statesCachePath(DATA_DIR), settings: settingsCachePath(DATA_DIR) };
const SNAPSHOT = settingsSnapshotPath(DATA_DIR);
const TOP = "base:\n  '*':\n    - common\n";
const SECRET = '__ZESTER_SECRET:db.password__';
const COMMON = `db:\n  host: db1\n  password: "${SECRET}"\n`;
const STATES = {
  'conf.zy':
    '/srv/conf:\n  file.managed:\n    - contents: host={{ pillar.db.host }} password={{ pillar.db.password }}\n',
};

let world: PeelWorld;

async function begin(module: string, id = '', args = {}): Promise<Jid> {
  const request = { ...world.request(module, { id }), args };
  world.send(request);
  await world.settle();
  return request.jid;
}

async function run(module: string, id = '', args = {}): Promise<ExecResponse> {
  const jid = await begin(module, id, args);
  await world.advance(5_000);
  const [found, ...more] = await world.returnsOf(jid);
  expect(more).toEqual([]);
  return execResponseCodec.decode(found?.returnData ?? new Uint8Array());
}

/** What an operator is told. */
const get = async (key: string) => (await run('settings.get', key)).results[0]?.details.result;

/** What a state gets. */
async function applied(): Promise<string | undefined> {
  await world.machine.boot().files.removeFile('/srv/conf');
  await run('state.apply', 'conf');
  return textAt('/srv/conf');
}

async function textAt(path: string): Promise<string | undefined> {
  const bytes = await world.machine.boot().files.read(path);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

const publish = (files: Readonly<Record<string, string>>) => world.publishFiles(FILE_SETS.settings, files);

async function erase(bucket: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) await Promise.all([world.master.bucket(bucket).erase(key), world.advance(10)]);
}

async function openWorld(): Promise<void> {
  world = await PeelWorld.withPeel({ withStates: true, caches: CACHES });
  await world.machine.boot().files.makeDirectory('/srv', { parents: true });
  await world.publishFiles(FILE_SETS.states, STATES);
}

beforeEach(openWorld);

describe('settings of a peel', () => {
  it('are empty, and a success, where nothing was ever published', async () => {
    expect(await run('settings.items')).toMatchObject({ success: true, settingsRevision: 0 });
    expect((await run('settings.items')).results[0]?.data.result).toEqual({});
  });

  it('come from the published tree, with their secrets in states and without them in answers', async () => {
    await world.putSecrets({ 'db.password': 's3cret-value' });
    await publish({ 'top.zy': TOP, 'common.zy': COMMON });
    expect(await get('db.host')).toBe('db1');
    expect(await get('db.password')).toBe('[secret db.password]');
    expect(await applied()).toBe('host=db1 password=s3cret-value\n');
    const answer = await run('settings.items');
    expect(answer.settingsRevision).toBe(1);
    expect(JSON.stringify(answer.results[0]?.details)).not.toContain('s3cret');
    expect(await world.heartbeat()).toMatchObject({ settingsRevision: 1, filesProblem: '' });
    expect((await world.heartbeat()).secretsRevision).toBeGreaterThan(0);
  });

  it('are taken anew with every revision', async () => {
    await publish({ 'top.zy': TOP, 'common.zy': 'db: {host: db1, password: x}' });
    expect(await get('db.host')).toBe('db1');
    await publish({ 'top.zy': TOP, 'common.zy': 'db: {host: db2, password: x}' });
    expect(await get('db.host')).toBe('db2');
    expect((await run('state.apply', 'conf')).settingsRevision).toBe(2);
  });

  it('are those that were published a moment before somebody asks, as the states are, however long a fleet spreads its fetching', async () => {
    for (const { bucket } of [FILE_SETS.states, FILE_SETS.settings])
      await Promise.all([
        world.master.bucket(bucket.name).put(SPREAD_KEY, Buffer.from('600000')),
        world.advance(700_000),
      ]);
    await publish({ 'top.zy': TOP, 'common.zy': 'db: {host: db1, password: x}' });
    await world.publishFiles(FILE_SETS.states, { ...STATES, 'more.zy': '' });
    expect(await world.heartbeat()).toMatchObject({ statesRevision: 1, settingsRevision: 0 });
    expect(await run('state.apply', 'conf')).toMatchObject({
      success: true,
      statesRevision: 2,
      settingsRevision: 1,
    });
    expect(await textAt('/srv/conf')).toBe('host=db1 password=x\n');
  });

  it('rotate without a restart when only the secrets change, and the old value stays unspoken', async () => {
    await world.putSecrets({ 'db.password': 'first-value' });
    await publish({ 'top.zy': TOP, 'common.zy': COMMON });
    expect(await applied()).toBe('host=db1 password=first-value\n');
    await world.putSecrets({ 'db.password': 'second-value' });
    expect(await applied()).toBe('host=db1 password=second-value\n');
    const told = await run('test.echo', 'first-value and second-value');
    expect(told.results[0]?.details.result).toBe('[secret db.password] and [secret db.password]');
  });

  it('open what a new key of the masters sealed, as soon as that key is published', async () => {
    await world.putSecrets({ 'db.password': 'first-value' });
    await publish({ 'top.zy': TOP, 'common.zy': COMMON });
    const newer = world.newKeys();
    await world.putSecrets({ 'db.password': 'second-value' }, newer);
    await world.advance(20_000);
    expect((await world.heartbeat()).filesProblem).toBe(
      'settings: 1 sealed values cannot be opened with the keys of the masters that this peel knows',
    );
    expect((await run('settings.items')).results[0]?.error).toContain('unresolved secret placeholders');
    const curve = world.master
      .bucket(BUCKETS.secrets.name)
      .put('_master_curve_pub', Buffer.from(newer.curvePublic));
    await Promise.all([curve, world.advance(500)]);
    expect(await applied()).toBe('host=db1 password=second-value\n');
    expect((await world.heartbeat()).filesProblem).toBe('');
  });

  it('with a placeholder that no secret answers fail, by its name, are not kept, and come as soon as it is sealed', async () => {
    await publish({ 'top.zy': TOP, 'common.zy': COMMON });
    const text = `settings: resolve for peel ${PEEL}: unresolved secret placeholders for keys: db.password`;
    expect((await run('settings.items')).results[0]?.error).toContain(text);
    const refused = await run('state.apply', 'conf');
    expect([refused.success, refused.code, refused.error]).toEqual([
      false,
      'SETTINGS_SECRETS_MISSING',
      expect.stringContaining(text),
    ]);
    expect(await textAt('/srv/conf')).toBeUndefined();
    expect((await textAt(SNAPSHOT)) ?? '').not.toContain('db.password');
    await world.putSecrets({ 'db.password': 'late-value' });
    expect(await applied()).toBe('host=db1 password=late-value\n');
  });

  it('of a broken tree fail the run with file and line, before anything is changed, and are no reason for older ones', async () => {
    await publish({ 'top.zy': TOP, 'common.zy': 'db: {host: db1, password: x}' });
    expect(await get('db.host')).toBe('db1');
    await publish({ 'top.zy': TOP, 'common.zy': 'db:\n  host: {{ nope }}\n' });
    const refused = await run('state.apply', 'conf');
    expect(refused).toMatchObject({
      success: false,
      code: 'SETTINGS_INVALID',
      results: [],
      settingsRevision: 0,
    });
    expect(refused.error).toContain('common.zy:2');
    expect(await textAt('/srv/conf')).toBeUndefined();
    expect(world.logged('the settings cannot be resolved; no states run without them')).toHaveLength(1);
    await world.advance(20_000);
    expect((await world.heartbeat()).filesProblem).toContain('common.zy:2');
    await publish({ 'top.zy': TOP, 'common.zy': 'db: {host: db3, password: x}' });
    expect([await get('db.host'), (await world.heartbeat()).filesProblem]).toEqual(['db3', '']);
  });

  it('of a tree that lists files which are not there fail at the line of the top file', async () => {
    await publish({ 'top.zy': TOP });
    expect((await run('settings.items')).results[0]?.error).toContain('top.zy:3');
  });

  it('follow the facts', async () => {
    await publish({
      'top.zy': "base:\n  '*': [common]\n  'G@role:web': [web]\n",
      'common.zy': "of: {{ facts.get('role', 'none') }}\n",
      'web.zy': 'web: true\n',
    });
    expect(await get('of')).toBe('none');
    await run('facts.set', 'role', { value: 'web' });
    expect([await get('of'), await get('web')]).toEqual(['web', 'true']);
  });

  it('may ask what looks and nothing that acts, and nothing that needs them', async () => {
    await publish({ 'top.zy': TOP, 'common.zy': "there: {{ salt['test.ping']() }}\n" });
    expect(await get('there')).toBe('true');
    await publish({ 'top.zy': TOP, 'common.zy': "a: {{ salt['cmd.run']('date') }}\n" });
    expect((await run('settings.items')).results[0]?.error).toContain('settings can only look');
    await publish({ 'top.zy': TOP, 'common.zy': "a: {{ salt['settings.explain']('a') }}\n" });
    expect((await run('settings.items')).results[0]?.error).toContain('still in the making');
  });

  it('are resolved once for the same tree, secrets and facts, and each time where they ask the machine', async () => {
    await publish({ 'top.zy': TOP, 'common.zy': 'a: 1\n' });
    await get('a');
    const reads = await countReads(() => get('a'));
    expect(reads).toBe(0);
    await publish({ 'top.zy': TOP, 'common.zy': "a: {{ salt['test.ping']() }}\n" });
    await get('a');
    expect(await countReads(() => get('a'))).toBeGreaterThan(0);
  });

  it('are those of one revision for a whole run', async () => {
    await world.publishFiles(FILE_SETS.states, {
      'slow.zy':
        'wait:\n  module.run:\n    - name: test.sleep\n    - seconds: 20\n/srv/late:\n  file.managed:\n    - contents_pillar: v\n    - require: [module: wait]\n',
    });
    await publish({ 'top.zy': TOP, 'common.zy': 'v: old\n' });
    const jid = await begin('state.apply', 'slow');
    await world.advance(1_000);
    await publish({ 'top.zy': TOP, 'common.zy': 'v: new\n' });
    await world.advance(25_000);
    const [done] = await world.returnsOf(jid);
    expect(execResponseCodec.decode(done?.returnData ?? new Uint8Array()).settingsRevision).toBe(1);
    expect(await textAt('/srv/late')).toBe('old\n');
  });

  it('that are published and not mirrored yet are waited for, not taken for none', async () => {
    // The peel would fetch a new revision a minute later by itself.
    await Promise.all([
      world.master.bucket(FILE_SETS.settings.bucket.name).put('_spread', Buffer.from('60000')),
      world.advance(1_000),
    ]);
    world.crash('kill');
    await publish({ 'top.zy': TOP, 'common.zy': 'a: 1\n' });
    world.startPeel();
    await world.advance(500);
    expect((await world.heartbeat()).settingsRevision).toBe(0);
    expect(await get('a')).toBe('1');
  });
});

/** Files of the settings tree that are opened meanwhile. */
async function countReads(work: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  world.crashHook = ({ name }) => {
    if (name.startsWith('read ') && name.includes('settings.trees')) reads += 1;
    return false;
  };
  await work();
  world.crashHook = () => false;
  return reads;
}

describe('the snapshot of the settings', () => {
  const KEYS = ['_revision', '_manifest', 'top.zy', 'common.zy'];

  /** A start without tree, bucket or secrets: what a machine is that booted where NATS cannot be reached. */
  async function bootOffline(): Promise<void> {
    world.crash('power');
    const { files } = world.machine.boot();
    await files.removeTree(CACHES.settings);
    await files.removeTree(`${CACHES.settings}.trees`);
    await erase(FILE_SETS.settings.bucket.name, KEYS);
    await Promise.all([
      world.master.bucket(FILE_SETS.settings.bucket.name).put('_revision', Buffer.from('9')),
      world.advance(10),
    ]);
    world.startPeel();
    await world.advance(2_000);
  }

  it('stands in at a start without the tree, with a warning in log and answer', async () => {
    await world.putSecrets({ 'db.password': 'kept-value' });
    await publish({ 'top.zy': TOP, 'common.zy': COMMON });
    expect(await applied()).toBe('host=db1 password=kept-value\n');
    await bootOffline();
    const answer = await run('state.apply', 'conf');
    expect(answer).toMatchObject({ success: true, settingsRevision: 1 });
    expect(answer.results[0]?.details.note).toMatch(
      /^the settings are those of revision 1, as this peel last knew them: /,
    );
    expect(await textAt('/srv/conf')).toBe('host=db1 password=kept-value\n');
    expect(world.logged('settings as they were last known are used').length).toBeGreaterThan(0);
    expect((await run('settings.explain', 'db.host')).results[0]?.details.result).toContain(SNAPSHOT);
    // Once the tree is whole again it counts.
    await publish({ 'top.zy': TOP, 'common.zy': 'db: {host: db2, password: x}' });
    await world.advance(40_000);
    const newest = await run('settings.get', 'db.host');
    expect([newest.results[0]?.details.result, newest.results[0]?.details.note]).toEqual(['db2', undefined]);
  });

  it('has no secret in plain text, is for this peel alone, and is written only when it has changed', async () => {
    await world.putSecrets({ 'db.password': 'plain-as-day' });
    await publish({ 'top.zy': TOP, 'common.zy': COMMON });
    await get('db.host');
    const { files } = world.machine.boot();
    expect((await files.stat(SNAPSHOT))?.mode).toBe(0o600);
    const everything = world.machine.look(DATA_DIR).map(({ bytes }) => Buffer.from(bytes).toString('latin1'));
    expect(everything.filter((text) => text.includes('plain-as-day'))).toEqual([]);
    expect(everything.some((text) => text.includes(SECRET))).toBe(true);
    const before = await files.stat(SNAPSHOT);
    await run('facts.set', 'unrelated', { value: '1' });
    await get('db.host');
    expect((await files.stat(SNAPSHOT))?.ino).toBe(before?.ino);
    await publish({ 'top.zy': TOP, 'common.zy': `${COMMON}more: 1\n` });
    await get('db.host');
    expect((await files.stat(SNAPSHOT))?.ino).not.toBe(before?.ino);
  });

  it('keeps values that were rotated out unspoken after a restart', async () => {
    await publish({ 'top.zy': TOP, 'common.zy': COMMON });
    for (const value of ['first-value', 'second-value', 'second-value', 'third-value'])
      await world.putSecrets({ 'db.password': value });
    await get('db.host');
    await bootOffline();
    await erase(BUCKETS.secrets.name, [PEEL]);
    const told = await run('test.echo', 'first-value second-value third-value other');
    expect(told.results[0]?.details.result).toBe(
      '[secret db.password] [secret db.password] [secret db.password] other',
    );
  });

  it('that is damaged is none: then there are no settings, and no states', async () => {
    await publish({ 'top.zy': TOP, 'common.zy': 'db: {host: db1, password: x}' });
    await get('db.host');
    await world.machine.boot().files.writeAtomic(SNAPSHOT, Buffer.from('?'));
    await bootOffline();
    const refused = await run('state.apply', 'conf');
    expect([refused.code, refused.results]).toEqual(['SETTINGS_NOT_HERE', []]);
    expect(await textAt('/srv/conf')).toBeUndefined();
  });

  it('that cannot be read is not taken for none', async () => {
    await publish({ 'top.zy': TOP, 'common.zy': 'db: {host: db1, password: x}' });
    await get('db.host');
    world = await PeelWorld.open({
      withStates: true,
      caches: CACHES,
      fault: ({ name, path }) => (name === 'open' && path === SNAPSHOT ? { fail: 'EIO' } : undefined),
    });
    world.startPeel();
    await world.advance(2_000);
    expect((await run('settings.items')).results[0]?.error).toContain('EIO');
  });

  it('is preferred to nothing where the bucket is empty and settings were known', async () => {
    await publish({ 'top.zy': TOP, 'common.zy': 'db: {host: db1, password: x}' });
    await get('db.host');
    await bootOffline();
    await erase(FILE_SETS.settings.bucket.name, ['_revision']);
    await world.advance(60_000);
    const answer = await run('settings.get', 'db.host');
    expect(answer.results[0]?.details).toMatchObject({
      result: 'db1',
      note: expect.stringContaining('nothing is published any more'),
    });
  });
});
