/**
 * `describeFileSets` is the part of the suite about published files: a master publishes, a peel reads with no more than its
 * grants, and what is torn is told from what is whole. Interruptions and races are in `describe-file-set-faults.ts`.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import type { FileSetSeal } from '../../../src/bus/file-set/file-set.ts';
import { hashText } from '../../../src/bus/file-set/plain-files.ts';
import { type FilePublisher, filePublisher } from '../../../src/bus/file-set/publish-file-set.ts';
import { fetchFile, readFileSetHead } from '../../../src/bus/file-set/read-file-set.ts';
import { watchFileSet } from '../../../src/bus/file-set/watch-file-set.ts';
import type { AgentBus, Bus, KvRead } from '../../../src/bus/port.ts';
import { OBJECT_STORES } from '../../../src/wire/names/streams.ts';
import { FILE_SETS, type FileSetSpec } from '../../../src/wire/records/file-set.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';
import { type BusFixture, bytes, type MakeFixture, text } from './fixture.ts';
import {
  filesOf,
  LARGE_BYTES,
  large,
  readTree,
  shownTree,
  type Tree,
  wipe,
  writesSoFar,
} from './published-tree.ts';

const { states, settings, reactor, masterSettings } = FILE_SETS;
const BLOBS = OBJECT_STORES.fileBlobs.name;
const TREE: Tree = { 'top.zy': 'base: {}', 'web/init.zy': 'nginx', 'web/nginx.conf': 'listen 80' };

export function describeFileSets(make: MakeFixture): void {
  describe('file sets', () => {
    let fixture: BusFixture;
    let bus: Bus;
    let peel: AgentBus;
    beforeAll(async () => {
      fixture = await make();
      bus = await fixture.master();
      peel = await fixture.peel('web-01');
      const buckets = Object.values(FILE_SETS).map(({ bucket }) => bucket);
      await ensureAssets(bus, { buckets, streams: [], objectStores: [OBJECT_STORES.fileBlobs] }, 1);
    });
    beforeEach(() => wipe(bus));
    afterAll(() => fixture.close());

    const publisherOf = (spec: FileSetSpec = states, seal?: FileSetSeal): FilePublisher =>
      filePublisher(bus, spec, testRuntime, seal);
    const publish = (tree: Tree, publisher = publisherOf()) =>
      publisher.publish(filesOf(tree), { force: false });
    const bucket = () => bus.bucket(states.bucket.name);

    it('that were never published are empty, and an empty source publishes nothing', async () => {
      expect(await readTree(peel)).toEqual({ is: 'empty' });
      const before = await writesSoFar(bus);
      for (const force of [false, true])
        expect(await publisherOf().publish([], { force })).toEqual({ is: 'unchanged', revision: 0 });
      expect(await writesSoFar(bus)).toBe(before);
      expect(await readTree(peel)).toEqual({ is: 'empty' });
    });

    it.each([states, settings])('of $name are read by a peel as they were published', async (spec) => {
      expect(await publish(TREE, publisherOf(spec))).toMatchObject({
        is: 'published',
        revision: 1,
        written: 3,
        bytes: 22,
        removed: 0,
        notRemoved: 0,
      });
      expect(await readTree(peel, spec)).toEqual({ is: 'whole', revision: 1, tree: TREE });
    });

    it('of reactor and master settings are read by masters and by no peel', async () => {
      fixture.expectDenials();
      for (const spec of [reactor, masterSettings]) {
        await publish(TREE, publisherOf(spec));
        expect(await readTree(bus, spec)).toEqual({ is: 'whole', revision: 1, tree: TREE });
        await expect(readFileSetHead(peel, spec)).rejects.toMatchObject({
          code: expect.stringMatching(/^BUS_/),
        });
      }
      expect(await bus.bucket(reactor.bucket.name).keys()).toContain('reactor/web/init.zy');
    });

    it('that are published again are unchanged, and nothing is written', async () => {
      const publisher = publisherOf();
      await publish(TREE, publisher);
      const before = await writesSoFar(bus);
      expect(await publish(TREE, publisher)).toEqual({ is: 'unchanged', revision: 1 });
      // By another process, which knows nothing of the first.
      const other = publisherOf();
      expect(await publish(TREE, other)).toEqual({ is: 'unchanged', revision: 1 });
      expect(await publish(TREE, other)).toEqual({ is: 'unchanged', revision: 1 });
      expect(await writesSoFar(bus)).toBe(before);
    });

    it('that are unchanged and known cost one question, and an edit costs that file', async () => {
      const publisher = publisherOf();
      await publish(TREE, publisher);
      const reads: string[] = [];
      const edited = { ...TREE, 'web/init.zy': 'apache' };
      const files = filesOf(edited).map((file) => ({
        ...file,
        read: () => {
          reads.push(file.path);
          return file.read();
        },
      }));
      const before = await writesSoFar(bus);
      expect(await publisher.publish(files, { force: false })).toMatchObject({ revision: 2, written: 1 });
      expect(reads).toEqual(['web/init.zy']);
      // The file, the manifest, the revision.
      expect(await writesSoFar(bus)).toBe(before + 3);
      expect(await readTree(peel)).toEqual({ is: 'whole', revision: 2, tree: edited });
    });

    it('that were renamed, added and taken away are what the new tree says, and nothing else is left', async () => {
      await publish(TREE);
      const next = { 'top.zy': 'base: {}', 'db/init.zy': 'postgres' };
      expect(await publish(next)).toMatchObject({ is: 'published', revision: 2, written: 1, removed: 2 });
      expect(await readTree(peel)).toEqual({ is: 'whole', revision: 2, tree: next });
      expect(await bucket().keysWithDeleted('>')).toEqual(['_manifest', '_revision', 'db/init.zy', 'top.zy']);
    });

    it('are written as a whole with force', async () => {
      const publisher = publisherOf();
      await publish(TREE, publisher);
      expect(await publisher.publish(filesOf(TREE), { force: true })).toMatchObject({
        revision: 2,
        written: 3,
      });
      expect(await readTree(peel)).toMatchObject({ is: 'whole', revision: 2 });
    });

    it('are never taken away by an empty source, with force neither', async () => {
      const publisher = publisherOf();
      await publish(TREE, publisher);
      const before = await writesSoFar(bus);
      for (const force of [false, true])
        for (const each of [publisher, publisherOf()])
          expect(await each.publish([], { force })).toEqual({ is: 'empty source' });
      expect(await writesSoFar(bus)).toBe(before);
      expect(await readTree(peel)).toMatchObject({ is: 'whole', revision: 1 });
    });

    it('may have any name that a directory can hold', async () => {
      const odd: Tree = {
        'a b/c;d': '1',
        'grün/🍋.zy': '2',
        'caf\udce9/\udcff': '3',
        _manifest: '4',
        _revision: '5',
        '.hidden/..x': '6',
        '*/>': '7',
        'a=b': '8',
        'a..b.': '9',
        'new\nline': '10',
      };
      await publish(odd);
      expect(await readTree(peel)).toEqual({ is: 'whole', revision: 1, tree: odd });
      await publish(TREE);
      expect(await readTree(peel)).toEqual({ is: 'whole', revision: 2, tree: TREE });
    });

    it('may be larger than a message, and old objects go with the tree that had them', async () => {
      const publisher = publisherOf();
      const first: Tree = { ...TREE, 'big.iso': large(1), 'same.iso': large(1), 'other.iso': large(2) };
      expect(await publish(first, publisher)).toMatchObject({ written: 6, bytes: 22 + 3 * LARGE_BYTES });
      expect(await readTree(peel)).toEqual({ is: 'whole', revision: 1, tree: shownTree(first) });
      expect((await bus.objects(BLOBS).list()).objects).toHaveLength(2);
      expect(await bucket().keys()).not.toContain('big.iso');
      expect(await publish(first)).toEqual({ is: 'unchanged', revision: 1 });

      const next: Tree = { ...TREE, 'moved.iso': large(1), 'new.iso': large(3) };
      expect(await publish(next, publisher)).toMatchObject({ revision: 2, removed: 1, notRemoved: 0 });
      expect(await readTree(peel)).toEqual({ is: 'whole', revision: 2, tree: shownTree(next) });
      const left = (await bus.objects(BLOBS).list()).objects.map(({ name }) => name);
      expect(left.sort()).toEqual([large(1), large(3)].map(sha256).sort());
    });

    it('that are large are only taken away where no other set lists them', async () => {
      await publish({ 'a.iso': large(1), 'b.iso': large(2) });
      const listing = (key: string, content: Uint8Array) => ({
        key,
        sha256: sha256(content),
        size: 1,
        blob: true,
      });
      const revision = { key: '_revision', sha256: hashText('1'), size: 1, blob: false };
      const elsewhere = settings.manifest.encode([listing('a', large(1)), revision]);
      await bus.bucket(settings.bucket.name).put('_manifest', elsewhere);
      expect(await publish(TREE)).toMatchObject({ is: 'published', removed: 1, notRemoved: 0 });
      expect((await bus.objects(BLOBS).list()).objects.map(({ name }) => name)).toEqual([sha256(large(1))]);
      // What a set lists that cannot be read is not known: nothing is taken away.
      await bus.bucket(settings.bucket.name).put('_manifest', bytes('nonsense'));
      expect(await publish({ ...TREE, x: 'y' })).toMatchObject({ removed: 0, notRemoved: 1 });
      expect((await bus.objects(BLOBS).list()).objects).toHaveLength(1);
    });

    it('that are sealed are stored as the seal wraps them, and read with it', async () => {
      const seal = testSeal('k1');
      const publisher = publisherOf(masterSettings, seal);
      const files = filesOf(TREE, seal);
      expect(await publisher.publish(files, { force: false })).toMatchObject({ is: 'published', written: 3 });
      expect(await publisherOf(masterSettings, seal).publish(files, { force: false })).toMatchObject({
        is: 'unchanged',
      });
      expect(await readTree(bus, masterSettings, seal)).toEqual({ is: 'whole', revision: 1, tree: TREE });
      const raw = await bus.bucket(masterSettings.bucket.name).getLatest('web/init.zy');
      expect(raw.found && Buffer.from(raw.value).includes('nginx')).toBe(false);
      expect(await readTree(bus, masterSettings)).toMatchObject({ is: 'torn' });
      expect(await readTree(bus, masterSettings, testSeal('k2'))).toMatchObject({ is: 'torn' });
    });

    it('are watched by their revision, and the spread is told', async () => {
      const publisher = publisherOf();
      let changes = 0;
      const spreads: number[] = [];
      const watch = watchFileSet(peel, states, {
        changed: () => changes++,
        spread: (ms) => spreads.push(ms),
      });
      await until(() => changes === 1, 'the first look');
      await publish(TREE, publisher);
      await until(() => changes === 2, 'the first revision');
      await publisher.writeSpread(256);
      await until(() => spreads.length === 1, 'the spread');
      await publish({ 'top.zy': 'x' }, publisher);
      await until(() => changes === 3, 'the second revision');
      expect(spreads).toEqual([256]);
      watch.stop();
    });

    it('say a spread only when it is another, and know themselves after it', async () => {
      const publisher = publisherOf();
      await publish(TREE, publisher);
      await publisher.writeSpread(256);
      const before = await writesSoFar(bus);
      await publisher.writeSpread(256);
      await publisherOf().writeSpread(256);
      expect(await publish(TREE, publisher)).toEqual({ is: 'unchanged', revision: 1 });
      expect(await writesSoFar(bus)).toBe(before);
      await publisher.writeSpread(512);
      await publish({ 'top.zy': 'x' }, publisher);
      const spread = await bucket().getLatest('_spread');
      expect(spread.found && text(spread.value)).toBe('512');
    });

    it('are published only over the tree that the caller saw', async () => {
      await publish(TREE);
      const head = await readFileSetHead(peel, states);
      const over = head.is === 'whole' ? head.digest : '';
      await publish({ 'top.zy': 'by another master' });
      const late = await publisherOf().publish(filesOf({ 'top.zy': 'late' }), { force: true, over });
      expect(late).toEqual({ is: 'beaten' });
      expect(await readTree(peel)).toMatchObject({ revision: 2, tree: { 'top.zy': 'by another master' } });
    });

    it('that were edited while they were read are not published', async () => {
      await publish(TREE);
      const files = filesOf({ ...TREE, 'web/init.zy': 'new' }).map((file) =>
        file.path === 'web/init.zy' ? { ...file, read: async () => bytes('newer') } : file,
      );
      await expect(publisherOf().publish(files, { force: false })).rejects.toMatchObject({
        code: 'FILES_SOURCE_CHANGED',
      });
      expect(await readTree(peel)).toEqual({ is: 'whole', revision: 1, tree: TREE });
    });

    it('whose list is larger than a message are refused before anything is written', async () => {
      const before = await writesSoFar(bus);
      const many = Array.from({ length: 20_000 }, (_, i) => ({
        path: `f${i}`,
        sha256: sha256(bytes('')),
        size: 0,
        read: async () => bytes(''),
      }));
      await expect(publisherOf().publish(many, { force: false })).rejects.toMatchObject({
        code: 'FILES_LIST_TOO_LARGE',
      });
      expect(await writesSoFar(bus)).toBe(before);
    });

    describe('that are torn', () => {
      const otherManifest = () =>
        states.manifest.encode([{ key: '_revision', sha256: hashText('7'), size: 1, blob: false }]);
      const unsafe = () =>
        states.manifest.encode([
          { key: '../../etc/passwd', sha256: 'x', size: 1, blob: false },
          { key: '_revision', sha256: hashText('1'), size: 1, blob: false },
        ]);
      it.each<[string, () => Promise<unknown>, string]>([
        ['the manifest is gone', () => bucket().delete('_manifest'), 'a revision and no manifest'],
        ['the revision is gone', () => bucket().delete('_revision'), 'a manifest and no revision'],
        ['the revision is no number', () => bucket().put('_revision', bytes('x')), 'Revision'],
        ['the manifest is nonsense', () => bucket().put('_manifest', bytes('x')), 'FileManifest'],
        [
          'the manifest is of another time',
          () => bucket().put('_manifest', otherManifest()),
          'another revision',
        ],
        [
          'the manifest leads out of the tree',
          () => bucket().put('_manifest', unsafe()),
          'the key of no file',
        ],
        ['a file is gone', () => bucket().delete('top.zy'), 'top.zy is listed and not there'],
        ['a file is another', () => bucket().put('top.zy', bytes('evil')), 'top.zy has another content'],
      ])('because %s are told as such, and put right by the next publish', async (_, tear, problem) => {
        const publisher = publisherOf();
        await publish(TREE, publisher);
        await tear();
        expect(await readTree(peel)).toMatchObject({ is: 'torn', problem: expect.stringContaining(problem) });
        expect(await publish(TREE, publisher)).toMatchObject({ is: 'published' });
        expect(await readTree(peel)).toMatchObject({ is: 'whole', tree: TREE });
        expect(await publish(TREE, publisher)).toMatchObject({ is: 'unchanged' });
      });

      it('in a content only are put right without a new revision', async () => {
        await publish(TREE);
        await bucket().put('top.zy', bytes('evil'));
        expect(await publish(TREE)).toMatchObject({ is: 'published', revision: 1, written: 1 });
        expect(await readTree(peel)).toEqual({ is: 'whole', revision: 1, tree: TREE });
      });

      it('because an object is damaged or gone are put right by the next publish', async () => {
        const tree: Tree = { 'big.iso': large(1) };
        await publish(tree);
        const name = sha256(large(1));
        await bus.objects(BLOBS).put(name, bytes('evil'));
        expect(await readTree(peel)).toMatchObject({ is: 'torn' });
        expect(await publish(tree)).toMatchObject({ is: 'published', revision: 1 });
        await bus.objects(BLOBS).delete(name);
        expect(await readTree(peel)).toMatchObject({
          is: 'torn',
          problem: 'big.iso is listed and not there',
        });
        expect(await publish(tree)).toMatchObject({ is: 'published', revision: 1 });
        expect(await readTree(peel)).toEqual({ is: 'whole', revision: 1, tree: shownTree(tree) });
      });

      it('by a number that nobody can read go on with a higher one', async () => {
        await publish(TREE);
        await publish({ 'top.zy': '2' });
        await bucket().put('_revision', bytes('x'));
        expect(await publish(TREE)).toMatchObject({ is: 'published', revision: 3 });
      });
    });

    it('seen through a replica that lags are torn or whole, never mixed', async () => {
      const publisher = publisherOf();
      await publish(TREE, publisher);
      const old = new Map<string, KvRead>();
      for (const key of await bucket().keys()) old.set(key, await bucket().get(key));
      await publish({ ...TREE, 'top.zy': 'new' }, publisher);
      /** A bus whose replica has not heard of the newest write of these keys. */
      const lagging = (keys: readonly string[]): AgentBus => ({
        ...peel,
        bucket: (name) => ({
          ...peel.bucket(name),
          get: async (key) =>
            keys.includes(key) ? (old.get(key) ?? peel.bucket(name).get(key)) : peel.bucket(name).get(key),
        }),
      });
      expect(await readTree(lagging(['_manifest', '_revision', 'top.zy']))).toMatchObject({
        revision: 1,
        tree: TREE,
      });
      for (const keys of [
        ['_manifest'],
        ['_revision'],
        ['top.zy'],
        ['_manifest', '_revision'],
        ['_manifest', 'top.zy'],
      ])
        expect(await readTree(lagging(keys))).toMatchObject({ is: 'torn' });
      expect(await readTree(peel)).toMatchObject({ is: 'whole', revision: 2 });
    });

    it('that fit together only at the second look are whole', async () => {
      const publisher = publisherOf();
      await publish(TREE, publisher);
      const old = await bucket().get('_manifest');
      await publish({ 'top.zy': 'new' }, publisher);
      let isStale = true;
      const catchingUp: AgentBus = {
        ...peel,
        bucket: (name) => ({
          ...peel.bucket(name),
          get: async (key) => {
            if (key !== '_manifest' || !isStale) return peel.bucket(name).get(key);
            isStale = false;
            return old;
          },
        }),
      };
      expect(await readFileSetHead(catchingUp, states)).toMatchObject({ is: 'whole', revision: 2 });
    });

    it('have another identity after every write of the revision, also when the number comes again', async () => {
      await publish(TREE);
      const first = await readFileSetHead(peel, states);
      await wipe(bus);
      await publish(TREE);
      const second = await readFileSetHead(peel, states);
      expect([first, second]).toMatchObject([{ revision: 1 }, { revision: 1 }]);
      const [a, b] = [first, second].map((head) => (head.is === 'whole' ? head : undefined));
      expect(a?.identity).not.toBe(b?.identity);
      expect(a?.digest).toBe(b?.digest);
    });

    it('give a file only with the content that the head says', async () => {
      await publish(TREE);
      const head = await readFileSetHead(peel, states);
      await publish({ ...TREE, 'top.zy': 'new' });
      const file = head.is === 'whole' ? head.files.find(({ path }) => path === 'top.zy') : undefined;
      expect(file && (await fetchFile(peel, states, file))).toMatchObject({ is: 'torn' });
    });
  });
}

function sha256(content: Uint8Array): string {
  return filesOf({ x: content })[0]?.sha256 ?? '';
}

/** Contents are turned over, and digested under a key. */
function testSeal(key: string): FileSetSeal {
  const mask = key.charCodeAt(1);
  const turned = (data: Uint8Array) => data.map((byte) => byte ^ mask);
  return {
    digest: (plain) => createHmac('sha256', key).update(plain).digest('hex'),
    wrap: (plain) => Buffer.concat([bytes('sealed'), turned(plain)]),
    unwrap: (stored) =>
      Buffer.from(stored.subarray(0, 6)).toString() === 'sealed' ? turned(stored.subarray(6)) : undefined,
  };
}
