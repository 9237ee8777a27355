import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import { SealedFleet, type SettingsTree } from '../../../test/harness/master/sealed-fleet.ts';
import { openTable } from '../../bus/kv/table.ts';
import { sealToFleet } from '../../trust/fleet-seal.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import {
  SECRET_LIST_SUBJECT,
  SECRET_REENCRYPT_SUBJECT,
  SECRET_SET_SUBJECT,
} from '../../wire/names/subjects.ts';
import {
  type SecretReply,
  type SecretSetRequest,
  secretListRequestCodec,
  secretReencryptRequestCodec,
  secretReplyCodec,
  secretSetRequestCodec,
} from '../../wire/records/secret-admin.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { masterKeysOf } from '../master-ports.ts';
import { sealSecrets } from './seal-secrets.ts';
import { SecretService, type SettingsDirectory } from './secret-service.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());
const TREE = {
  'top.zy': "base:\n  'web*': [web]\n  'db*': [db]\n",
  'web.zy': '# the site\ntls:\n  key: !encrypted web-key # old\n',
  'db.zy': 'port: 5432\n',
  'loose.zy': 'a: !encrypted nobody-gets-it\n',
};

async function setUp(given: { readonly isPublisher?: boolean; readonly hasSource?: boolean } = {}) {
  const world = makeWorld();
  const context = await world.contextAlone();
  const fleet = new SealedFleet(world);
  await fleet.keyed('web-1', 'web-2', 'db-1');
  await world.settled(context.facts.start(), 'the facts');
  const files = new Map<string, string>(Object.entries(TREE));
  const tree = (): SettingsTree => Object.fromEntries(files);

  /** As the publisher does it: checked, sealed, published. */
  const publish = async () => {
    const extraction = fleet.extraction(tree());
    if (extraction.problems.length > 0) return { revision: 0, problem: extraction.problems[0]?.message };
    const revision = await fleet.publish(tree());
    const peels = [...context.facts.index.ids()];
    await sealSecrets(context, { extraction, settingsRevision: revision, peels });
    return { revision: 100 + revision, problem: undefined };
  };
  const source: SettingsDirectory = {
    read: async (path) => files.get(path),
    write: async (path, text) => void files.set(path, text),
    publish,
  };
  await publish();
  const service = new SecretService(context, {
    isPublisher: () => given.isPublisher ?? true,
    source: () => (given.hasSource === false ? undefined : source),
  });
  await world.settled(service.start(), 'the service');

  const ask = async (subject: string, data: Uint8Array): Promise<SecretReply> => {
    const answer = world.admin.request(subject, data, { timeoutMs: 1_000 });
    return secretReplyCodec.decode((await world.settled(answer, 'an answer')).data);
  };
  const sealed = (value: string, account = world.account) =>
    sealToFleet(masterKeysOf(account).curveKey.publicKey, 1, Buffer.from(value), world.random) ?? '';
  const set = (request: Partial<SecretSetRequest>) =>
    ask(
      SECRET_SET_SUBJECT,
      secretSetRequestCodec.encode({
        file: 'db.zy',
        path: 'db.password',
        sealed: sealed('new-password'),
        mustExist: false,
        user: 'anna',
        ...request,
      }),
    );
  const list = (peel = '') => ask(SECRET_LIST_SUBJECT, secretListRequestCodec.encode({ peel }));
  const reencrypt = (peel = '') =>
    ask(SECRET_REENCRYPT_SUBJECT, secretReencryptRequestCodec.encode({ peel }));
  return { world, context, fleet, files, service, ask, set, sealed, list, reencrypt };
}

describe('setting a secret', () => {
  it('puts it into the file as it came, publishes, and names the peels that get it', async () => {
    const { fleet, files, set, sealed, world } = await setUp();
    const value = sealed('new-password');
    expect(await set({ sealed: value })).toMatchObject({
      error: '',
      settingsRevision: 102,
      secrets: [{ path: 'db.password', file: 'db.zy', line: 3, sealedAtRest: true, peels: ['db-1'] }],
    });
    expect(files.get('db.zy')).toBe(`port: 5432\ndb:\n  password: !encrypted "${value}"\n`);
    expect(await fleet.opened('db-1')).toEqual({ 'db.password': 'new-password' });
    expect(JSON.stringify(world.lines)).not.toMatch(/new-password|web-key/);
    expect(world.logged('secret set')).toMatchObject([{ file: 'db.zy', path: 'db.password', user: 'anna' }]);
  });

  it('rotates one that is there, and keeps what stands around it', async () => {
    const { fleet, files, set, sealed } = await setUp();
    const value = sealed('rotated-key');
    const { error, secrets } = await set({ file: 'web.zy', path: 'tls.key', sealed: value, mustExist: true });
    expect([error, secrets.map(({ peels }) => peels)]).toEqual(['', [['web-1', 'web-2']]]);
    expect(files.get('web.zy')).toBe(`# the site\ntls:\n  key: !encrypted "${value}" # old\n`);
    expect(await fleet.opened('web-2')).toEqual({ 'tls.key': 'rotated-key' });
  });

  it('names the peels for which the store does not have it, by what is there and not by what was tried', async () => {
    const { world, set, sealed } = await setUp();
    // Made from settings that the store has lost: it is not replaced.
    const records = openTable(world.admin, TABLES.sealedSecrets);
    const web1 = 'web-1' as PeelId;
    const read = await world.settled(records.getLatest(web1), 'the record');
    if (read.is !== 'found') expect.fail();
    const newer = { ...read.value, settingsRevision: 99 };
    await world.settled(records.update(web1, newer, read.revision), 'a newer record');
    const rotated = { file: 'web.zy', path: 'tls.key', sealed: sealed('rotated-key'), mustExist: true };
    expect(await set(rotated)).toMatchObject({ error: '', unsealed: ['web-1'], wasPlain: false });
  });

  it('says when it took the place of a plain value', async () => {
    const { set } = await setUp();
    expect(await set({ path: 'port' })).toMatchObject({ error: '', unsealed: [], wasPlain: true });
    expect(await set({ path: 'port' })).toMatchObject({ error: '', wasPlain: false });
    expect(await set({ path: 'new' })).toMatchObject({ error: '', wasPlain: false });
  });

  it('makes a file that is not there', async () => {
    const { files, set } = await setUp();
    expect((await set({ file: 'mail/smtp.zy', path: 'smtp.password' })).error).toBe('');
    expect(files.get('mail/smtp.zy')).toMatch(/^smtp:\n {2}password: !encrypted "ENC\[fleet,1,/);
  });

  it.each<[why: string, request: Partial<SecretSetRequest>, code: string]>([
    ['a file outside of the tree', { file: '../x.zy' }, 'SECRET_FILE_NAME'],
    ['the top file', { file: 'top.zy' }, 'SECRET_FILE_NAME'],
    ['a file that is no settings file', { file: 'map.jinja' }, 'SECRET_FILE_NAME'],
    ['a path that is none', { path: 'a..b' }, 'SECRET_PATH'],
    ['a value that is not sealed', { sealed: 'new-password' }, 'SECRET_SEAL'],
    ['a key that is no mapping', { path: 'port.x' }, 'SECRET_NOT_SET'],
    ['a rotation of what is not there', { mustExist: true }, 'SECRET_NOT_SET'],
  ])('refuses %s, and changes nothing', async (_, request, code) => {
    const { files, set } = await setUp();
    const { error, code: told } = await set(request);
    expect(told).toBe(code);
    expect(error).not.toContain('new-password');
    expect(Object.fromEntries(files)).toEqual(TREE);
  });

  it('refuses a value of another fleet, and one that is too short', async () => {
    const { set, sealed, world } = await setUp();
    const stranger = newSigningKey('account', world.random);
    expect((await set({ sealed: sealed('new-password', stranger) })).code).toBe('SECRET_SEAL');
    expect((await set({ sealed: sealed('abc') })).code).toBe('SECRET_TOO_SHORT');
  });

  it('says that it is in the file when the settings cannot be published', async () => {
    const { files, set, fleet } = await setUp();
    files.set('top.zy', 'base:\n  G@role:db: [db]\n');
    const { code, error } = await set({});
    expect(code).toBe('SECRET_NOT_PUBLISHED');
    expect(error).toContain('G@role:db looks at facts');
    expect(files.get('db.zy')).toContain('!encrypted');
    expect(await fleet.opened('db-1')).toBeUndefined();
  });

  it('is refused by a master without a settings directory', async () => {
    const { set } = await setUp({ hasSource: false });
    expect((await set({})).code).toBe('SECRET_NO_DIRECTORY');
  });
});

describe('the list of secrets', () => {
  it('has their places and their peels, and no value', async () => {
    const { list } = await setUp();
    const reply = await list();
    expect(reply.secrets).toEqual([
      { path: 'a', file: 'loose.zy', line: 1, sealedAtRest: false, peels: [] },
      { path: 'tls.key', file: 'web.zy', line: 3, sealedAtRest: false, peels: ['web-1', 'web-2'] },
    ]);
    expect(JSON.stringify(reply)).not.toMatch(/web-key|nobody-gets-it/);
  });

  it('is that of one peel where one is asked for, be it unknown', async () => {
    const { list } = await setUp();
    expect((await list('web-1')).secrets.map(({ path }) => path)).toEqual(['tls.key']);
    expect((await list('web-99')).secrets.map(({ path }) => path)).toEqual(['tls.key']);
    expect((await list('db-1')).secrets).toEqual([]);
    expect((await list('no peel')).code).toBe('MASTER_QUESTION_UNREADABLE');
  });
});

describe('sealing anew', () => {
  it('writes every record again, or that of one peel', async () => {
    const { fleet, reencrypt } = await setUp();
    const before = await fleet.record('web-1');
    expect((await reencrypt()).sealed).toBe(2);
    const after = await fleet.record('web-1');
    expect(after.revision).toBeGreaterThan(before.revision);
    expect((await reencrypt('web-2')).sealed).toBe(1);
    expect((await fleet.record('web-1')).revision).toBe(after.revision);
    expect(await fleet.opened('web-1')).toEqual({ 'tls.key': 'web-key' });
  });
});

describe('a question', () => {
  it('is left to the master that publishes', async () => {
    const { world } = await setUp({ isPublisher: false });
    const question = world.admin.request(SECRET_LIST_SUBJECT, secretListRequestCodec.encode({ peel: '' }), {
      timeoutMs: 500,
    });
    await expect(world.settled(question, 'silence')).rejects.toMatchObject({ code: 'BUS_TIMEOUT' });
  });

  it('that makes no sense is refused', async () => {
    const { ask } = await setUp();
    expect((await ask(SECRET_SET_SUBJECT, Uint8Array.of(0xc1))).code).toBe('MASTER_QUESTION_UNREADABLE');
  });

  it('that was heard is answered before the service stops', async () => {
    const { world, service, list } = await setUp();
    const answer = list();
    await world.settled(service.stop(), 'the stop');
    expect((await answer).secrets).toHaveLength(2);
  });
});

it('a master serves questions about secrets', async () => {
  const world = makeWorld();
  const { master } = await world.master();
  await world.until(() => master.state().leases.length === 3, 'its leases');
  const question = world.admin.request(
    SECRET_LIST_SUBJECT,
    secretListRequestCodec.encode({ peel: 'web-1' }),
    {
      timeoutMs: 1_000,
    },
  );
  const { data } = await world.settled(question, 'an answer');
  expect(secretReplyCodec.decode(data)).toMatchObject({ secrets: [], error: '' });
});
