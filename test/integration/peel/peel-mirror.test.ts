/** The built program zester-peel and what masters publish, on a real nats-server: mirrored, swapped, used, kept. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FILE_VALUE_BYTES_MAX } from '../../../src/wire/names/limits.ts';
import { FILE_SETS } from '../../../src/wire/records/file-set.ts';
import { publishTree } from '../../harness/mirror/publish-tree.ts';
import { PeelOnNats } from '../../harness/peel/peel-on-nats.ts';
import type { RunningProgram } from '../../harness/programs/program.ts';
import { until } from '../../harness/until.ts';

const SECRET = 'xkcd-936-horse';
const STATES = (text: string) => ({
  'web/init.zy': `/unused:\n  test.nop: []\nsay:\n  test.show_notification:\n    - text: ${text}\n`,
  'web/files/motd': text,
});

describe('a peel and published files', () => {
  let nats: PeelOnNats;
  const cache = () => join(nats.dir, 'data/cache/states');
  const publish = (files: Readonly<Record<string, string>>) =>
    publishTree(nats.master, FILE_SETS.states, files);
  const publishSettings = (files: Readonly<Record<string, string>>) =>
    publishTree(nats.master, FILE_SETS.settings, files);
  /** Nothing of the machine that the test runs on. */
  const start = (node: readonly string[] = []): RunningProgram =>
    nats.start(['--states', join(nats.dir, 'none')], node);
  /** Its own first heartbeat, not one of the life before, says that it listens. */
  const started = async (node: readonly string[] = []): Promise<RunningProgram> => {
    const peel = start(node);
    await nats.beatsAgain();
    return peel;
  };
  const motd = () => readFileSync(join(cache(), 'web/files/motd'), 'utf8');
  const has = (revision: number) =>
    until(
      async () => (await nats.heartbeat())?.statesRevision === revision,
      `revision ${revision} on the peel`,
    );

  beforeAll(async () => {
    nats = await PeelOnNats.open();
  }, 60_000);
  afterEach(() => nats.killPeels());
  afterAll(() => nats.close());

  it('starts without any states, says so, refuses states with the agreed text, and runs everything else', async () => {
    const peel = await started();
    await until(
      () => peel.err().includes('states engine unavailable at boot; will build when state files appear'),
      'the warning',
    );
    expect(await nats.ask('state.apply', 'web')).toMatchObject({
      success: false,
      code: 'STATES_UNAVAILABLE',
      error: expect.stringContaining(
        'states engine unavailable: no states directory exists yet (state files not yet synced from KV and no baked states dir); retry after state files are published',
      ),
    });
    expect(await nats.ask('test.ping')).toMatchObject({ success: true });
  });

  it('has what was published a second ago, whole, and names its revision', async () => {
    await started();
    const publishedMs = performance.now();
    await publish(STATES('one'));
    const answer = await until(async () => {
      const response = await nats.ask('state.apply', 'web');
      return response.success ? response : undefined;
    }, 'a run of the published states');
    expect(performance.now() - publishedMs).toBeLessThan(5_000);
    expect(answer).toMatchObject({ statesRevision: 1 });
    expect(answer.results.some(({ details }) => details.comment === 'one')).toBe(true);
    expect(lstatSync(cache()).isSymbolicLink()).toBe(true);
    expect([
      statSync(join(cache(), 'web/files/motd')).mode & 0o777,
      statSync(join(cache(), 'web')).mode & 0o777,
    ]).toEqual([0o644, 0o755]);
  });

  it('swaps to the next revision at once, keeps what has not changed, and leaves one tree', async () => {
    await started();
    await has(1);
    const before = statSync(join(cache(), 'web/files/motd')).ino;
    const large = 'x'.repeat(FILE_VALUE_BYTES_MAX + 1);
    await publish({ ...STATES('one'), 'odd name ü/%': 'odd', large });
    await has(2);
    expect(statSync(join(cache(), 'web/files/motd')).ino).toBe(before);
    expect(readFileSync(join(cache(), 'odd name ü/%'), 'utf8')).toBe('odd');
    expect(statSync(join(cache(), 'large')).size).toBe(large.length);
    await publish(STATES('two'));
    await has(3);
    expect([motd(), existsSync(join(cache(), 'large'))]).toEqual(['two', false]);
    await until(() => readdirSync(`${cache()}.trees`).length === 1, 'the old trees to go');
    writeFileSync(join(cache(), 'mine'), 'by hand');
    const { results } = await nats.ask('files.diff', 'states');
    expect(results[0]?.details.result).toBe('states: revision 3 of 3:\n  + mine');
  });

  it('is as it was after kill -9 and a start without NATS, and goes on when NATS is back', async () => {
    await started();
    await has(3);
    const since = (await nats.heartbeat())?.since;
    await nats.killPeels();
    const tree = readlinkSync(cache());
    await nats.server.kill9();
    const peel = start();
    await until(() => peel.err().includes('peel ready'), 'the peel to be ready');
    expect([readlinkSync(cache()), motd()]).toEqual([tree, 'two']);
    await nats.server.restart();
    await until(async () => (await nats.heartbeat())?.since !== since, 'a heartbeat of this life');
    expect(await nats.ask('state.apply', 'web')).toMatchObject({ success: true, statesRevision: 3 });
    expect(peel.err()).not.toContain('states engine unavailable');
    await publish(STATES('three'));
    await has(4);
    expect(motd()).toBe('three');
  });

  it('does not take a set that is torn, says why, and heals with the next publish', async () => {
    await started();
    await has(4);
    const bucket = nats.master.bucket(FILE_SETS.states.bucket.name);
    const revision = await bucket.getLatest('_revision');
    await bucket.put('_revision', Buffer.from('77'));
    await until(
      async () => (await nats.heartbeat())?.filesProblem.includes('another revision'),
      'the problem to be told',
    );
    expect(motd()).toBe('three');
    expect(await nats.ask('state.apply', 'web')).toMatchObject({ success: true, statesRevision: 4 });
    expect(revision.found).toBe(true);
    const { revision: next } = (await publish(STATES('four'))) as { readonly revision: number };
    await has(next);
    expect([motd(), (await nats.heartbeat())?.filesProblem]).toEqual(['four', '']);
  });

  it('resolves settings with sealed secrets, takes a rotation without a restart, and tells no value', async () => {
    const peel = await started();
    await nats.putSecrets({ 'db.password': `${SECRET}-1` });
    await publishSettings({
      'top.zy': "base:\n  '*': [common]\n",
      'common.zy': 'db: {host: db1, password: "__ZESTER_SECRET:db.password__"}\n',
    });
    const said = join(nats.dir, 'said');
    const { revision } = (await publish({
      'say.zy': `${said}:\n  file.managed:\n    - contents: '{{ pillar.db.password }}'\n    - mode: 600\n`,
    })) as { readonly revision: number };
    await has(revision);
    await until(
      async () => (await nats.ask('settings.get', 'db.host')).results[0]?.details.result === 'db1',
      'the settings',
    );
    const answer = await nats.ask('state.apply', 'say');
    expect(answer).toMatchObject({ success: true, settingsRevision: 1 });
    expect(readFileSync(said, 'utf8')).toBe(`${SECRET}-1\n`);
    await nats.putSecrets({ 'db.password': `${SECRET}-2` });
    await until(async () => {
      await nats.ask('state.apply', 'say');
      return readFileSync(said, 'utf8') === `${SECRET}-2\n`;
    }, 'the rotated value');
    const echoed = await nats.ask('test.echo', `${SECRET}-1 ${SECRET}-2`);
    expect(echoed.results[0]?.details.result).toBe('[secret db.password] [secret db.password]');
    expect(statSync(join(nats.dir, 'data/settings-snapshot.msgpack')).mode & 0o777).toBe(0o600);
    expect(peel.err()).not.toContain(SECRET);
    expect(bytesBelow(join(nats.dir, 'data'))).not.toContain(SECRET);
  });

  it('does not tell a secret when it crashes', async () => {
    const [trigger, preload] = [join(nats.dir, 'crash-now'), join(nats.dir, 'preload.cjs')];
    writeFileSync(
      preload,
      `const fs = require('node:fs');
       const look = setInterval(() => {
         if (!fs.existsSync(${JSON.stringify(trigger)})) return;
         clearInterval(look);
         const how = fs.readFileSync(${JSON.stringify(trigger)}, 'utf8');
         const error = new Error('with ${SECRET}-2', { cause: new Error('because of ${SECRET}-2') });
         error.extra = '${SECRET}-2';
         if (how === 'reject') Promise.reject(error); else throw error;
       }, 20);`,
    );
    for (const how of ['throw', 'reject']) {
      const peel = await started(['--require', preload]);
      await until(async () => (await nats.ask('settings.get', 'db.host')).success, 'the settings');
      writeFileSync(trigger, how);
      const { code, err } = await peel.ended;
      expect([how, code]).toEqual([how, 1]);
      expect(err).toContain('with [secret db.password]');
      expect(err).toContain('caused by');
      expect(err).not.toContain(SECRET);
      await nats.killPeels();
      rmSync(trigger);
    }
  });

  it('a local call on a directory of settings tells no secret either', async () => {
    const settings = join(nats.dir, 'local-settings');
    mkdirSync(settings);
    writeFileSync(join(settings, 'top.zy'), "base:\n  '*': [common]\n");
    writeFileSync(join(settings, 'common.zy'), `db:\n  password: !encrypted "${SECRET}-3"\n`);
    const local = (...words: string[]) =>
      nats.run(['call', '--local', ...words, '--settings', settings, '--data-dir', join(nats.dir, 'local')])
        .ended;
    const items = await local('settings.items');
    expect([items.code, items.out]).toEqual([0, expect.stringContaining('[secret db.password]')]);
    expect((await local('settings.get', 'db.password', '--format', 'json')).out).not.toContain(SECRET);
    writeFileSync(join(settings, 'common.zy'), `db:\n  password: !encrypted ["${SECRET}-3"]\n`);
    const broken = await local('settings.items');
    expect(broken.code).not.toBe(0);
    expect(`${items.out}${items.err}${broken.out}${broken.err}`).not.toContain(SECRET);
  });
});

function bytesBelow(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
