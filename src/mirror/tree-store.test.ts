import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CACHE, MirrorDisk, type PublishedTexts, treeOf } from '../../test/harness/mirror/mirror-disk.ts';
import { RECORD_NAME } from './tree-record.ts';
import type { TreeStore } from './tree-store.ts';

const OLD: PublishedTexts = {
  'top.zy': 'base',
  'web/init.zy': 'one',
  'web/files/motd': 'hello',
  'gone.zy': 'gone',
  thing: 'a file here',
};
const NEW: PublishedTexts = {
  'top.zy': 'base',
  'web/init.zy': 'two',
  'web/files/motd': 'hello',
  'moved.zy': 'gone',
  'thing/inside': 'a directory now',
  'odd name ü': 'x',
  // Not UTF-8, as the system port spells it.
  'raw\udce9': 'y',
};
/** Nothing else is in the directory of mirrors. */
const ONLY_NEW = [
  `states → states.trees/2-${treeOf(2, NEW).digest.slice(0, 8)}`,
  'states.trees',
  ...[
    '',
    `/${RECORD_NAME}`,
    '/moved.zy',
    '/odd name ü',
    '/raw\udce9',
    '/thing',
    '/thing/inside',
    '/top.zy',
    '/web',
    '/web/files',
    '/web/files/motd',
    '/web/init.zy',
  ].map((path) => `states.trees/2-${treeOf(2, NEW).digest.slice(0, 8)}${path}`),
].sort();

const turnOver = () => new Promise((resolve) => setImmediate(resolve));

describe('a tree store', () => {
  it('has no tree before the first one, and then a whole one of modes 0644 and 0755', async () => {
    const disk = new MirrorDisk();
    const store = await disk.open();
    expect([store.current(), await store.pin()]).toEqual([undefined, undefined]);
    await disk.install(store, 1, OLD);
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
    const modes = disk.machine.look(`${CACHE}/`).map(({ kind, mode }) => `${kind} ${mode.toString(8)}`);
    expect([...new Set(modes)].sort()).toEqual(['directory 755', 'file 644']);
  });

  it('fetches only what has changed, links the rest, and takes a renamed file for what it is', async () => {
    const disk = new MirrorDisk();
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    expect(disk.fetched.sort()).toEqual(Object.keys(OLD).sort());
    disk.fetched = [];
    const before = await disk.files.stat(`${CACHE}/web/files/motd`);
    await disk.install(store, 2, NEW);
    expect(disk.fetched.sort()).toEqual(['odd name ü', 'raw\udce9', 'thing/inside', 'web/init.zy']);
    expect((await disk.files.stat(`${CACHE}/web/files/motd`))?.ino).toBe(before?.ino);
    expect(await disk.read(store)).toEqual({ revision: 2, texts: NEW });
    expect([...disk.paths()].sort()).toEqual(ONLY_NEW);
  });

  it('fetches a file again that was changed here, or whose mode was', async () => {
    const disk = new MirrorDisk();
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    disk.fetched = [];
    await disk.files.writeAtomic(`${CACHE}/web/files/motd`, Buffer.from('HELLO'));
    await disk.files.chmod(`${CACHE}/top.zy`, 0o600);
    await disk.install(store, 2, NEW);
    expect(disk.fetched).toContain('web/files/motd');
    expect(await disk.read(store)).toEqual({ revision: 2, texts: NEW });
    expect((await disk.files.stat(`${CACHE}/top.zy`))?.mode).toBe(0o644);
  });

  it('copies where hard links cannot be had', async () => {
    const disk = new MirrorDisk();
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    disk.fetched = [];
    disk.fault = ({ name }) => (name === 'link' ? { fail: 'EXDEV' } : undefined);
    await disk.install(store, 2, NEW);
    expect(disk.fetched).toHaveLength(4);
    expect(await disk.read(store)).toEqual({ revision: 2, texts: NEW });
  });

  it('keeps the old tree when a file cannot be had, and leaves nothing else', async () => {
    const disk = new MirrorDisk();
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    const before = disk.paths();
    const fails = store.install(treeOf(2, NEW), async () => {
      throw new Error('the bus is gone');
    });
    await expect(fails).rejects.toThrow('the bus is gone');
    await turnOver();
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
    expect(disk.paths()).toEqual(before);
  });

  it('keeps a pinned tree until its last reader is gone, and removes it then', async () => {
    const disk = new MirrorDisk();
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    const [one, two] = [await store.pin(), await store.pin()];
    await disk.install(store, 2, NEW);
    await disk.install(store, 3, { ...NEW, more: '3' });
    const readOld = async () => (await disk.files.read(`${one?.directory}/web/init.zy`))?.toString();
    expect([one?.revision, await readOld()]).toEqual([1, 'one']);
    one?.release();
    one?.release();
    await turnOver();
    expect(await readOld()).toBe('one');
    expect(disk.released).toBe(0);
    two?.release();
    await turnOver();
    expect([await readOld(), disk.released]).toEqual([undefined, 1]);
    expect(await disk.files.list(`${CACHE}.trees`)).toHaveLength(1);
  });

  it('gives no tree that somebody removed', async () => {
    const disk = new MirrorDisk();
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    await disk.files.removeTree(`${CACHE}.trees`);
    expect(await store.pin()).toBeUndefined();
    await disk.install(store, 1, OLD);
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
  });

  it('has the same tree under the same revision when that was written again', async () => {
    const disk = new MirrorDisk();
    const store = await disk.open();
    await disk.install(store, 2, NEW);
    await store.install(treeOf(2, NEW, 'another writing'), async () => Buffer.from('not needed'));
    expect(store.current()?.identity).toBe('another writing');
    await turnOver();
    expect((await disk.read(store))?.texts).toEqual(NEW);
    expect(await disk.files.list(`${CACHE}.trees`)).toHaveLength(1);
  });

  it.each(['../out', '/etc/passwd', 'a//b', '', '.zester-tree.msgpack', 'a/'.repeat(200)])(
    'refuses a set that lists %j, whole',
    async (path) => {
      const disk = new MirrorDisk();
      const store = await disk.open();
      await disk.install(store, 1, OLD);
      await expect(disk.install(store, 2, { ...NEW, [path]: 'x' })).rejects.toMatchObject({
        code: 'MIRROR_PATH',
      });
      expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
    },
  );

  it('knows its tree after a restart, without fetching anything', async () => {
    const disk = new MirrorDisk();
    await disk.install(await disk.open(), 1, OLD);
    disk.restart('powerLoss');
    const store = await disk.open();
    expect(store.current()).toEqual(treeOf(1, OLD));
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
  });

  it('takes a tree with a damaged record for none', async () => {
    const disk = new MirrorDisk();
    await disk.install(await disk.open(), 1, OLD);
    await disk.files.writeAtomic(`${CACHE}/${RECORD_NAME}`, Buffer.from('?'));
    const store = await disk.open();
    expect(store.current()).toBeUndefined();
    await disk.install(store, 2, NEW);
    expect([...disk.paths()].sort()).toEqual(ONLY_NEW);
  });

  it('goes where a link of the operator leads, and refuses what is no directory', async () => {
    const disk = new MirrorDisk();
    await disk.files.makeDirectory('/mnt/big', { parents: true });
    await disk.files.makeDirectory('/data/cache');
    await disk.files.symlink({ target: '/mnt/big', path: CACHE });
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
    expect(await disk.files.readLink(CACHE)).toBe('/mnt/big');
    expect((await disk.read(await disk.open()))?.revision).toBe(1);

    const taken = new MirrorDisk({ [CACHE]: 'a file' });
    await expect(taken.open()).rejects.toMatchObject({ code: 'MIRROR_PLACE' });
    const nowhere = new MirrorDisk({ '/data/cache/x': '' });
    await nowhere.files.symlink({ target: 'nothing', path: CACHE });
    await expect(nowhere.open()).rejects.toMatchObject({ code: 'MIRROR_PLACE' });
  });
});

describe('a directory where the link shall be', () => {
  it('that is empty goes', async () => {
    const disk = new MirrorDisk({ '/data/cache/x': '' });
    await disk.files.makeDirectory(CACHE);
    const store = await disk.open();
    expect(store.current()).toBeUndefined();
    await disk.install(store, 1, OLD);
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
    expect(await disk.files.list('/data/cache')).toEqual(['states', 'states.trees', 'x']);
  });

  it('that somebody filled is used without a revision, and then moved aside, whole, once nobody reads it', async () => {
    const disk = new MirrorDisk({ [`${CACHE}/mine.zy`]: 'precious' });
    const store = await disk.open();
    expect(await disk.read(store)).toEqual({ revision: 0, texts: { 'mine.zy': 'precious' } });
    const reader = await store.pin();
    await expect(disk.install(store, 1, OLD)).rejects.toMatchObject({ code: 'MIRROR_IN_USE' });
    reader?.release();
    await disk.install(store, 1, OLD);
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
    expect(await disk.files.read(`${CACHE}.before/mine.zy`)).toEqual(Buffer.from('precious'));
    expect(disk.warned).toEqual([
      'a directory that was no mirror stood at the path of one; it was moved aside',
    ]);
  });
});

/** As on a mount point: the directory cannot be moved, nor anything put in its place. */
function busyMount(disk: MirrorDisk): void {
  disk.fault = ({ name, path }) =>
    [CACHE, `${CACHE}.before`].includes(path) && ['rename', 'removeDirectory'].includes(name)
      ? { fail: 'EBUSY' }
      : undefined;
}

describe('a path that cannot become a link', () => {
  const cases: readonly (readonly [what: string, failing: string, at: string, errno: string])[] = [
    ['a mount point', 'removeDirectory', CACHE, 'EBUSY'],
    ['a link from another file system', 'rename', CACHE, 'EXDEV'],
    ['a file system without links', 'symlink', `${CACHE}.trees/.link`, 'EPERM'],
    ['a parent that we may not write', 'makeDirectory', `${CACHE}.trees`, 'EACCES'],
  ];

  it.each(cases)('%s: files are replaced in place, said once', async (_, failing, at, errno) => {
    const disk = new MirrorDisk({ '/data/cache/x': '' });
    await disk.files.makeDirectory(CACHE);
    disk.fault = ({ name, path }) => (name === failing && path === at ? { fail: errno } : undefined);
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
    await disk.install(store, 2, NEW);
    expect(await disk.read(store)).toEqual({ revision: 2, texts: NEW });
    expect(disk.warned).toEqual([
      'the mirror of published files cannot be a link here; its files are replaced one by one',
    ]);
    expect((await disk.files.lstat(CACHE))?.kind).toBe('directory');
    const own = disk.machine.look(CACHE).filter(({ path }) => path.startsWith('.zester-'));
    expect(own.map(({ path }) => path)).toEqual([RECORD_NAME]);
  });

  it('keeps to its place after a restart, also when it could be moved by now', async () => {
    const disk = new MirrorDisk({ '/data/cache/x': '' });
    await disk.files.makeDirectory(CACHE);
    busyMount(disk);
    await disk.install(await disk.open(), 1, OLD);
    disk.restart('crash');
    const store = await disk.open();
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
    await disk.install(store, 2, NEW);
    expect(await disk.read(store)).toEqual({ revision: 2, texts: NEW });
    expect((await disk.files.lstat(CACHE))?.kind).toBe('directory');
  });

  it('fetches only what has changed, and leaves the lost and found of a file system', async () => {
    const disk = new MirrorDisk({ [`${CACHE}/lost+found/#12`]: 'piece', [`${CACHE}/old`]: 'of before' });
    busyMount(disk);
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    disk.fetched = [];
    await disk.install(store, 2, NEW);
    expect(disk.fetched.sort()).toEqual(['odd name ü', 'raw\udce9', 'thing/inside', 'web/init.zy']);
    expect(await disk.read(store)).toEqual({ revision: 2, texts: { ...NEW, 'lost+found/#12': 'piece' } });
  });

  it('waits for whoever reads, and lets whoever comes wait while files are replaced', async () => {
    const disk = new MirrorDisk({ '/data/cache/x': '' });
    await disk.files.makeDirectory(CACHE);
    busyMount(disk);
    const store = await disk.open();
    await disk.install(store, 1, OLD);
    const reader = await store.pin();
    await expect(disk.install(store, 2, NEW)).rejects.toMatchObject({ code: 'MIRROR_IN_USE' });
    expect(await disk.read(store)).toEqual({ revision: 1, texts: OLD });
    reader?.release();
    expect(disk.released).toBeGreaterThan(0);

    disk.fetched = [];
    const busy = disk.fault;
    disk.fault = (call, index) =>
      call.name === 'rename' && call.path === `${CACHE}/web/init.zy`
        ? { delayMs: 1_000 }
        : busy?.(call, index);
    const installing = disk.install(store, 2, NEW);
    await turnOver();
    expect(disk.machine.look(CACHE).some(({ path }) => path === '.zester-incomplete')).toBe(true);
    let seen: unknown = 'waits';
    const reading = disk.read(store).then((found) => {
      seen = found;
    });
    await turnOver();
    expect(seen).toBe('waits');
    await disk.clock.advance(60_000);
    await Promise.all([installing, reading]);
    expect(seen).toEqual({ revision: 2, texts: NEW });
    // The stage of the try before was still there.
    expect(disk.fetched).toEqual([]);
  });
});

/** System calls that change nothing on a disk. `open` is not one of them: it may make a file. */
const ONLY_LOOKS: readonly string[] = ['stat', 'lstat', 'readLink', 'realPath', 'read', 'names', 'close'];

describe('a crash at every call', () => {
  type Prepare = (disk: MirrorDisk) => Promise<void>;
  const layouts: readonly (readonly [string, Prepare, PublishedTexts | undefined, revision: number])[] = [
    ['of the first install', async () => undefined, undefined, 0],
    ['of the next install', async (disk) => disk.install(await disk.open(), 1, OLD), OLD, 1],
    [
      'while the directory of somebody else is replaced by a link',
      (disk) =>
        disk.files.makeDirectory(CACHE).then(() => disk.files.writeAtomic(`${CACHE}/mine`, Buffer.from('m'))),
      { mine: 'm' },
      0,
    ],
    [
      'of an install in place',
      async (disk) => {
        await disk.files.makeDirectory(CACHE);
        busyMount(disk);
        await disk.install(await disk.open(), 1, OLD);
      },
      OLD,
      1,
    ],
  ];

  /** Ends everything at the call `deadly`. False when the work was over before. */
  async function dieIn(disk: MirrorDisk, deadly: number, work: () => Promise<unknown>): Promise<boolean> {
    disk.calls = [];
    disk.fault = (_, index) => (index >= deadly ? 'hang' : undefined);
    await Promise.race([work(), turnOver()]);
    // What is swept at the end is part of it.
    await turnOver();
    return disk.calls.length > deadly;
  }

  function afterCrash(disk: MirrorDisk, old: PublishedTexts | undefined, revision: number, context: string) {
    disk.restart('crash');
    return expectWhole(disk, old, revision, context);
  }

  async function expectWhole(
    disk: MirrorDisk,
    old: PublishedTexts | undefined,
    revision: number,
    context: string,
  ) {
    const store = await disk.open();
    const found = await disk.read(store);
    const before = old === undefined ? undefined : { revision, texts: old };
    const isOne = [before, { revision: 2, texts: NEW }].some((each) => isDeepStrictEqual(each, found));
    expect([context, isOne ? 'old or new' : found]).toEqual([context, 'old or new']);
    return store;
  }

  /** The same disk each time: calls of one run are those of the next. */
  async function prepared(prepare: Prepare): Promise<{ disk: MirrorDisk; store: TreeStore }> {
    const disk = new MirrorDisk({ '/data/cache/x': '' });
    await prepare(disk);
    disk.fault = undefined;
    return { disk, store: await disk.open() };
  }

  for (const [what, prepare, old, revision] of layouts)
    for (const how of ['crash', 'powerLoss'] as const)
      it(`${what} (${how}) leaves the old tree or the new one, whole, and the next try ends with the new one and nothing else`, async () => {
        const whole = await prepared(prepare);
        await dieIn(whole.disk, Number.POSITIVE_INFINITY, () => whole.disk.install(whole.store, 2, NEW));
        const { calls } = whole.disk;
        expect(calls.length).toBeGreaterThan(50);
        for (let deadly = 0; deadly <= calls.length; deadly++) {
          // A call that only looks leaves the disk as it was: whoever dies after it dies as if before it.
          if (ONLY_LOOKS.includes(calls[deadly - 1]?.name ?? '')) continue;
          const { disk, store } = await prepared(prepare);
          const died = await dieIn(disk, deadly, () => disk.install(store, 2, NEW));
          const context = `${deadly}: ${JSON.stringify(disk.calls.at(-1))}`;
          expect([context, died, disk.calls[deadly]]).toEqual([
            context,
            deadly < calls.length,
            calls[deadly],
          ]);
          disk.restart(how);
          const again = await expectWhole(disk, old, revision, context);
          if (!died) expect(again.current()?.revision).toBe(2);
          await disk.install(again, 2, NEW);
          expect([context, await disk.read(again)]).toEqual([context, { revision: 2, texts: NEW }]);
          const left = disk.paths().filter((path) => /\.(?:stage|link|gone|zester-(?!tree))/.test(path));
          expect([context, left]).toEqual([context, []]);
          expect([context, ((await disk.files.list(`${CACHE}.trees`)) ?? []).length <= 1]).toEqual([
            context,
            true,
          ]);
        }
      });

  it.each(['crash', 'powerLoss'] as const)(
    'and a second one (%s) while the next start mends what the first one left',
    async (how) => {
      let mended = 0;
      // Elsewhere a start has nothing to mend but leftovers.
      for (const [, prepare, old, revision] of layouts.slice(2))
        for (let deadly = 3, isOver = false; !isOver; deadly += 29) {
          for (let second = 0, died = true; died; second += 3) {
            const { disk, store } = await prepared(prepare);
            isOver = !(await dieIn(disk, deadly, () => disk.install(store, 2, NEW)));
            disk.restart(how);
            died = await dieIn(disk, second, () => disk.open());
            disk.restart(how);
            await expectWhole(disk, old, revision, `${deadly}, ${second}`);
            mended += 1;
          }
        }
      expect(mended).toBeGreaterThan(50);
    },
    60_000,
  );

  it('and a call that fails is told, keeps what was there, and the next try succeeds', async () => {
    for (const [what, prepare, old, revision] of layouts) {
      let failing = 0;
      for (let isOver = false; !isOver; failing++) {
        const { disk, store } = await prepared(prepare);
        disk.calls = [];
        disk.fault = (_, index) => (index === failing ? { fail: 'EIO' } : undefined);
        await disk.install(store, 2, NEW).catch(() => undefined);
        isOver = disk.calls.length <= failing;
        disk.fault = undefined;
        const found = await disk.read(store);
        // In place there is no usable tree between marker and end; the next try, or the next start, makes it whole.
        const before = old === undefined ? undefined : { revision, texts: old };
        const none = what.endsWith('in place') ? [undefined] : [];
        const allowed = [before, ...none, { revision: 2, texts: NEW }];
        expect([what, failing, allowed.some((each) => isDeepStrictEqual(each, found))]).toEqual([
          what,
          failing,
          true,
        ]);
        const next = failing % 2 === 0 ? store : await afterCrash(disk, old, revision, `${what} ${failing}`);
        await disk.install(next, 2, NEW);
        expect([what, failing, await disk.read(next)]).toEqual([what, failing, { revision: 2, texts: NEW }]);
      }
      expect(failing).toBeGreaterThan(50);
    }
  }, 60_000);
});
