import { describe, expect, it } from 'vitest';
import {
  everyDeath,
  SourceMaster,
  SourceWorld,
  type Tree,
} from '../../../test/harness/master/source-world.ts';
import { BEHIND_FOR_A_MOMENT } from '../../core/files/set-state.ts';
import { BEHIND_MS } from '../../core/files/source-standing.ts';
import { SecretBook } from '../../core/redact/secret-book.ts';
import { NO_WORDS } from '../../core/target/operator-words.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { curveKeyOf, newSigningKey } from '../../trust/nkeys.ts';
import { boxKey } from '../../trust/sealed-box.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import { sealedSecretsCodec } from '../../wire/records/secrets.ts';
import { masterKeysOf } from '../master-ports.ts';
import type { SetPublisher, TurnOptions } from './set-publisher.ts';
import { settingsPublisher } from './settings-publisher.ts';

const DIR = '/srv/settings';
const SECRET = 'hunter2-is-secret';
const OLD: Tree = {
  'top.zy': "base:\n  '*': [common]\n  'db-*': [db]\n",
  'common.zy': 'port: 80\n',
  'db.zy': `database:\n  password: !encrypted "${SECRET}"\n`,
};
const ROTATED = 'correct horse battery';
const EDIT = { 'db.zy': `database:\n  password: !encrypted "${ROTATED}"\n`, 'common.zy': 'port: 81\n' };

const random = seededRandom(2);
const account = newSigningKey('account', random);
const keys = masterKeysOf(account);
const DB = 'db-01' as PeelId;
const WEB = 'web-01' as PeelId;
const peelKeys = new Map([DB, WEB].map((peel) => [peel, curveKeyOf(newSigningKey('user', random))]));

type SettingsMaster = SourceMaster<SetPublisher>;

/** `broken`: for these nothing can be sealed. */
function settingsMaster(
  world: SourceWorld,
  files: Tree,
  broken: readonly PeelId[] = [],
  secretBook = new SecretBook(),
): SettingsMaster {
  const facts = {
    index: { ids: () => [DB, WEB], words: () => NO_WORDS },
    curveKeyOf: (peel: PeelId) => {
      if (broken.includes(peel)) throw new Error('no way');
      return peelKeys.get(peel)?.publicKey;
    },
  };
  const life = new AbortController().signal;
  return new SourceMaster(world, DIR, files, ({ bus, system, runtime, isPublisher }) => {
    const context = { bus, system, runtime, keys, life, facts, secretBook } as unknown as Parameters<
      typeof settingsPublisher
    >[0]['context'];
    return settingsPublisher({ context, directory: DIR, dataDir: '/var/lib/zester/master', isPublisher });
  });
}

/** As its loop has it: again where it only waits to see whether the directory stays behind. */
async function turn(master: SettingsMaster, options: Partial<TurnOptions> = {}) {
  const once = () => master.run((part) => part.turn({ again: false, force: false, ...options }));
  const first = await once();
  if (first.note !== BEHIND_FOR_A_MOMENT) return first;
  await master.world.clock.advance(BEHIND_MS);
  return once();
}

async function settle(master: SettingsMaster): Promise<string> {
  for (let turns = 0; turns < 6; turns++) {
    const { state, isMoving } = await turn(master);
    if (!isMoving && state !== 'updated' && state !== 'published') return state;
  }
  return 'never settles';
}

async function setUp(files: Tree = OLD) {
  const world = new SourceWorld();
  await world.open();
  const a = settingsMaster(world, files);
  const b = settingsMaster(world, {});
  await b.files.makeDirectory(DIR, { parents: true });
  a.leads();
  return { world, a, b };
}

/** What the peel opens of what was sealed for it. */
async function secretsOf(world: SourceWorld, peel: PeelId): Promise<Record<string, string> | undefined> {
  const read = await world.settled(world.hand.bucket('secrets').getLatest(peel));
  if (!read.found) return undefined;
  const box = boxKey(peelKeys.get(peel) ?? keys.curveKey, keys.curveKey.publicKey);
  const { sealed } = sealedSecretsCodec.decode(read.value);
  return Object.fromEntries(
    Object.entries(sealed).map(([path, text]) => [path, Buffer.from(box?.open(text) ?? []).toString()]),
  );
}

/** Every byte that the store has. */
async function everythingStored(world: SourceWorld): Promise<string> {
  const buckets = [FILE_SETS.settings, FILE_SETS.masterSettings].map(({ bucket }) => bucket.name);
  const entries = await Promise.all(
    [...buckets, 'secrets'].map((name) => world.settled(world.hand.bucket(name).entries())),
  );
  return entries
    .flat()
    .map(({ key, value }) => `${key} ${Buffer.from(value).toString('latin1')}`)
    .join('\n');
}

const settings = (world: SourceWorld) => world.published(FILE_SETS.settings) as Promise<Tree>;

describe('the settings publisher', () => {
  it('publishes placeholders for everybody, and each peel’s secrets for that peel', async () => {
    const { world, a } = await setUp();
    expect(await turn(a)).toMatchObject({ state: 'published', published: { sight: { revision: 1 } } });
    expect(await settings(world)).toEqual({
      ...OLD,
      'db.zy': 'database:\n  password: "__ZESTER_SECRET:database.password__"\n',
    });
    expect(await secretsOf(world, DB)).toEqual({ 'database.password': SECRET });
    expect(await secretsOf(world, WEB)).toBeUndefined();
    expect(await settle(a)).toBe('unchanged');
  });

  it('lets no secret into the store in the open, nor into a log or a note on the disk', async () => {
    const { world, a } = await setUp();
    await settle(a);
    await a.edit(EDIT);
    await settle(a);
    const everything = [await everythingStored(world), world.lines.join('\n'), a.disk('/var')].join('\n');
    for (const secret of [SECRET, ROTATED])
      for (const form of [
        secret,
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('hex'),
      ])
        expect(everything).not.toContain(form);
  });

  it('writes nothing while nothing changes, and seals no one anew', async () => {
    const { a } = await setUp();
    await settle(a);
    expect(await a.writesOf((part) => part.turn({ again: true, force: false }))).toBe(0);
  });

  it('publishes a rotated secret although the files for peels stay the same', async () => {
    const { world, a } = await setUp();
    await settle(a);
    const before = await world.revision(FILE_SETS.settings);
    await a.edit({ 'db.zy': EDIT['db.zy'] });
    await settle(a);
    expect(await secretsOf(world, DB)).toEqual({ 'database.password': ROTATED });
    expect(await world.revision(FILE_SETS.settings)).toBe(before);
  });

  it.each([
    ['a secret in what is no YAML', { 'db.zy': `{% if x %}\npassword: !encrypted "${SECRET}\n` }, 'db.zy:'],
    ['a secret that is reached by a fact', { 'top.zy': "base:\n  'G@role:db': [db]\n" }, 'top.zy:'],
    [
      'a secret in a file that is no settings file',
      { 'notes.txt': `x: !encrypted "${SECRET}"` },
      'notes.txt:',
    ],
    ['a settings file in another encoding', { 'db.zy': 'p\udcff: 1\n' }, 'db.zy'],
  ])('stores nothing of a tree with %s, and tells where it is', async (_what, changes, place) => {
    const { world, a } = await setUp();
    await settle(a);
    const before = await everythingStored(world);
    const files = a.files;
    for (const [path, text] of Object.entries(changes))
      await world.settled(
        files.writeAtomic(
          `${DIR}/${path}`,
          Buffer.from(text, path === 'db.zy' && text.startsWith('p') ? 'latin1' : 'utf8'),
        ),
      );
    const { state, note } = await turn(a);
    expect([state, note]).toEqual(['broken', expect.stringContaining(place)]);
    expect(note).not.toContain(SECRET);
    expect(await everythingStored(world)).toBe(before);
    expect(await settle(a)).toBe('broken');
  });

  it('names a peel that cannot be sealed for, publishes for the others, and tries again', async () => {
    const world = new SourceWorld();
    await world.open();
    const broken: PeelId[] = [DB];
    const a = settingsMaster(world, OLD, broken);
    a.leads();
    const first = await turn(a);
    expect(first.note).toContain('db-01');
    expect(Object.keys(await settings(world))).toHaveLength(3);
    broken.length = 0;
    await turn(a);
    expect(await secretsOf(world, DB)).toEqual({ 'database.password': SECRET });
  });

  it('gives other masters the files as they are, readable for their owner alone', async () => {
    const { a, b } = await setUp();
    await settle(a);
    expect(await turn(b)).toMatchObject({ state: 'updated' });
    expect(b.tree()).toEqual(OLD);
    expect(b.modeOf('db.zy')).toBe('600');
    expect(await turn(b)).toMatchObject({ state: 'unchanged', published: { sight: { revision: 1 } } });
  });
});

it('a master that does not publish knows the secrets of its directory too, so that it can keep them out of its log', async () => {
  const { world, a } = await setUp();
  await settle(a);
  const book = new SecretBook();
  const standby = settingsMaster(world, {}, [], book);
  await standby.files.makeDirectory(DIR, { parents: true });
  expect(await settle(standby)).toBe('unchanged');
  expect(book.redact(`it is ${SECRET}`)).toBe('it is [secret database.password]');
});

describe('a master that dies in the middle of publishing settings', () => {
  const change = (part: SetPublisher) => part.turn({ again: false, force: false });

  async function edited() {
    const fleet = await setUp();
    await settle(fleet.a);
    await settle(fleet.b);
    await fleet.a.edit(EDIT);
    return fleet;
  }

  async function expectConsistent(world: SourceWorld, who: string): Promise<void> {
    const { 'common.zy': common } = await settings(world);
    const secrets = await secretsOf(world, DB);
    const isNew = common === 'port: 81\n';
    expect(secrets, who).toEqual({ 'database.password': isNew ? ROTATED : SECRET });
  }

  it('finishes it in its next life', async () => {
    const { a: counted } = await edited();
    const deaths = everyDeath(await counted.writesOf(change));
    expect(deaths.length).toBeGreaterThan(15);
    for (const death of deaths) {
      const { world, a } = await edited();
      expect(await a.dieIn(death, change), JSON.stringify(death)).toBe(true);
      expect(await settle(a), JSON.stringify(death)).toBe('unchanged');
      expect((await settings(world))['common.zy']).toBe('port: 81\n');
      await expectConsistent(world, JSON.stringify(death));
    }
  });

  it('leaves to the next publisher what it needs to finish it or to go on without it', async () => {
    const { a: counted } = await edited();
    const ends = new Set<string>();
    for (const death of everyDeath(await counted.writesOf(change), 'power')) {
      const { world, a, b } = await edited();
      await a.dieIn(death, change);
      b.leads();
      expect(await settle(b), JSON.stringify(death)).toBe('unchanged');
      await expectConsistent(world, JSON.stringify(death));
      ends.add((await settings(world))['common.zy'] ?? '');
      expect(['waiting', 'unchanged']).toContain(await settle(a));
      a.leads();
      expect(await settle(a)).toBe('unchanged');
      expect((await settings(world))['common.zy']).toBe('port: 81\n');
    }
    expect(ends.size).toBe(2);
  });

  it('leaves it to a publisher whose own directory is in conflict, too', async () => {
    const { a: counted } = await edited();
    const writes = await counted.writesOf(change);
    let finished = 0;
    for (let at = 1; at <= writes; at++) {
      const { world, a, b } = await edited();
      await b.edit({ 'common.zy': 'port: 99\n' });
      await a.dieIn({ at, when: 'after', how: 'kill' }, change);
      b.leads();
      const state = await settle(b);
      await expectConsistent(world, `at ${at}: ${state}`);
      if (state === 'conflict') finished += 1;
      expect(b.tree()['common.zy']).toBe('port: 99\n');
    }
    expect(finished).toBeGreaterThan(2);
  });
});

it('a publisher that slept brings no old settings back', async () => {
  const counted = await (async () => {
    const { a } = await setUp();
    await settle(a);
    await a.edit(EDIT);
    return a.writesOf((part) => part.turn({ again: false, force: false }));
  })();
  for (let at = 1; at <= counted; at++) {
    const { world, a: slow, b } = await setUp();
    await settle(slow);
    await settle(b);
    await slow.edit({ ...EDIT, 'common.zy': 'port: 1\n' });
    const part = await slow.part();
    const gate = slow.pauseAt(at);
    const running = part.turn({ again: false, force: false });
    running.catch((error: unknown) => error);
    await world.outcome(gate.reached);
    b.leads();
    await settle(b);
    await b.edit({ 'common.zy': 'port: 2\n' });
    await settle(b);
    slow.believesToLead = true;
    gate.release();
    await world.outcome(running);
    slow.believesToLead = false;
    // What it wrote may be in the way for a moment, and is never taken for the newest.
    const atOnce = await world.published(FILE_SETS.settings);
    if (typeof atOnce === 'object') expect(atOnce['common.zy'], `at ${at}`).not.toBe('port: 1\n');
    for (let turns = 0; turns < 3; turns++) {
      await turn(b);
      await turn(slow);
    }
    const { 'common.zy': common } = await settings(world);
    expect(common, `at ${at}`).toBe('port: 2\n');
  }
});
