/** This suite says what every adapter's `files` must do. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files } from '../../../src/system/files.ts';
import { TEMPORARY_NAME, TREE_DEPTH_MAX } from '../../../src/system/files.ts';
import { readOnly } from '../../../src/system/system.ts';
import type { World, WorldMaker } from './world.ts';

const bytes = (text: string) => Buffer.from(text);

export function describeFiles(name: string, makeWorld: WorldMaker): void {
  describe(`files of ${name}`, () => {
    let world: World;
    let files: Files;
    let at: (path: string) => string;
    beforeEach(async () => {
      world = await makeWorld();
      files = world.system.files;
      at = (path) => `${world.directory}/${path}`;
    });
    afterEach(() => world.close());

    const text = async (path: string) =>
      Buffer.from((await files.read(path)) ?? bytes('(absent)')).toString();
    const names = async () => files.list(world.directory);
    /** The error an operation ends with, as code and errno. */
    const failure = async (operation: Promise<unknown>) =>
      operation.then(
        () => 'no error',
        (error: { code: string; params?: { errno?: string } }) =>
          error.params?.errno === undefined ? error.code : `${error.code} ${error.params.errno}`,
      );

    describe('reading', () => {
      it('gives what was written, byte for byte', async () => {
        const all = Uint8Array.from({ length: 256 }, (_, index) => index);
        await files.writeAtomic(at('f'), all);
        expect(new Uint8Array((await files.read(at('f'))) ?? [])).toEqual(all);
        await files.writeAtomic(at('empty'), new Uint8Array());
        expect(await files.read(at('empty'))).toHaveLength(0);
      });

      it('tells absent from unreadable', async () => {
        await files.writeAtomic(at('f'), bytes('x'));
        for (const read of [
          files.read,
          files.stat,
          files.lstat,
          files.list,
          files.walk,
          files.readLink,
          files.realPath,
        ]) {
          expect(await read(at('nothing'))).toBeUndefined();
          expect(await read(at('nothing/deeper'))).toBeUndefined();
          expect(await failure(read(at('f/below-a-file')))).toBe('FILE_READ_FAILED ENOTDIR');
        }
        expect(await failure(files.read(world.directory))).toBe('FILE_READ_FAILED EISDIR');
        expect(await failure(files.list(at('f')))).toBe('FILE_READ_FAILED ENOTDIR');
        expect(await failure(files.readLink(at('f')))).toBe('FILE_READ_FAILED EINVAL');
      });

      it('never takes a denied file for an absent one', async () => {
        await files.makeDirectory(at('private'), { mode: 0o700 });
        await files.writeAtomic(at('private/f'), bytes('x'));
        await files.writeAtomic(at('secret'), bytes('x'), { mode: 0o600 });
        const denied = { code: 'FILE_READ_FAILED', errno: 'EACCES' };
        if (!world.root) {
          // Without root nobody else can be had, so we shut ourselves out.
          await files.chmod(at('secret'), 0);
          await files.chmod(at('private'), 0);
        }
        expect(await world.asNobody({ method: 'read', path: at('secret') })).toEqual(denied);
        expect(await world.asNobody({ method: 'lstat', path: at('private/f') })).toEqual(denied);
        expect(await world.asNobody({ method: 'lstat', path: at('private/nothing') })).toEqual(denied);
        expect(await world.asNobody({ method: 'list', path: at('private') })).toEqual(denied);
        expect(await world.asNobody({ method: 'read', path: at('nothing') })).toEqual({ answer: 'absent' });
        await files.chmod(at('private'), 0o700);
      });

      it('stops at the limit of the reader, and not one byte before', async () => {
        await files.writeAtomic(at('f'), new Uint8Array(1000));
        expect(await files.read(at('f'), { bytesMax: 1000 })).toHaveLength(1000);
        expect(await failure(files.read(at('f'), { bytesMax: 999 }))).toBe('FILE_TOO_LARGE');
      });

      it('refuses a pipe instead of waiting for a writer', async () => {
        world.makePipe(at('pipe'));
        expect(await failure(files.read(at('pipe')))).toBe('FILE_READ_FAILED EINVAL');
        expect((await files.stat(at('pipe')))?.kind).toBe('other');
      });

      it('says kind, size, mode, owner, time and identity', async () => {
        await files.writeAtomic(at('f'), bytes('four'), { mode: 0o640 });
        await files.touch(at('f'), 1_700_000_000_000);
        const stat = await files.stat(at('f'));
        expect(stat).toMatchObject({ kind: 'file', size: 4, mode: 0o640, mtimeMs: 1_700_000_000_000 });
        expect((await files.stat(world.directory))?.kind).toBe('directory');
        await files.hardLink({ from: at('f'), to: at('g') });
        const other = await files.stat(at('g'));
        expect([other?.dev, other?.ino]).toEqual([stat?.dev, stat?.ino]);
      });

      it('lists in order and walks parents first, never through links', async () => {
        await files.makeDirectory(at('b/inner'), { parents: true });
        await files.writeAtomic(at('b/inner/z'), bytes(''));
        await files.writeAtomic(at('b/a'), bytes(''));
        await files.writeAtomic(at('a'), bytes(''));
        await files.symlink({ target: 'b', path: at('c') });
        await files.symlink({ target: '..', path: at('b/up') });
        expect(await names()).toEqual(['a', 'b', 'c']);
        expect(await files.list(at('c'))).toEqual(['a', 'inner', 'up']);
        const walked = await files.walk(world.directory);
        expect(walked?.map((entry) => `${entry.path} ${entry.stat.kind}`)).toEqual([
          'a file',
          'b directory',
          'b/a file',
          'b/inner directory',
          'b/inner/z file',
          'b/up symlink',
          'c symlink',
        ]);
        expect(await failure(files.walk(at('c')))).toBe('FILE_READ_FAILED ENOTDIR');
        expect(await files.walk(at('b'), { entriesMax: 4 })).toHaveLength(4);
        expect(await failure(files.walk(at('b'), { entriesMax: 3 }))).toBe('FILE_TREE_TOO_LARGE');
        const options = { entriesMax: 3, skip: (name: string) => name === 'inner' || name === 'c' };
        expect(
          (await files.walk(world.directory, { ...options, entriesMax: 4 }))?.map(({ path }) => path),
        ).toEqual(['a', 'b', 'b/a', 'b/up']);
        expect(await failure(files.walk(world.directory, options))).toBe('FILE_TREE_TOO_LARGE');
      });

      it('follows links to files, not in circles and not into nothing', async () => {
        await files.writeAtomic(at('f'), bytes('here'));
        await files.symlink({ target: 'f', path: at('link') });
        await files.symlink({ target: 'nowhere', path: at('dangling') });
        await files.symlink({ target: 'loop2', path: at('loop1') });
        await files.symlink({ target: 'loop1', path: at('loop2') });
        expect(await text(at('link'))).toBe('here');
        expect(await files.readLink(at('link'))).toBe('f');
        expect(await files.realPath(at('link'))).toBe(await files.realPath(at('f')));
        expect((await files.lstat(at('link')))?.kind).toBe('symlink');
        expect((await files.stat(at('link')))?.kind).toBe('file');
        expect(await files.stat(at('dangling'))).toBeUndefined();
        expect(await files.read(at('dangling'))).toBeUndefined();
        expect((await files.lstat(at('dangling')))?.kind).toBe('symlink');
        expect(await failure(files.read(at('loop1')))).toBe('FILE_READ_FAILED ELOOP');
        expect(await failure(files.stat(at('loop1/f')))).toBe('FILE_READ_FAILED ELOOP');
      });

      it('refuses relative paths and NUL, and minds no slash at the end', async () => {
        expect(await failure(files.read('etc/passwd'))).toBe('FILE_PATH_INVALID');
        expect(await failure(files.read('/etc/\0'))).toBe('FILE_PATH_INVALID');
        expect(await failure(files.read('/etc/\ud800'))).toBe('FILE_PATH_INVALID');
        await files.symlink({ target: 'nowhere', path: at('link') });
        expect((await files.lstat(at('link///')))?.kind).toBe('symlink');
        expect((await files.stat('/'))?.kind).toBe('directory');
      });
    });

    describe('writing', () => {
      it('gives a new file mode 0600 and keeps mode and owner of an old one', async () => {
        await files.writeAtomic(at('f'), bytes('1'));
        expect((await files.stat(at('f')))?.mode).toBe(0o600);
        await files.chmod(at('f'), 0o4751);
        await files.writeAtomic(at('f'), bytes('2'));
        expect((await files.stat(at('f')))?.mode).toBe(0o4751);
        await files.writeAtomic(at('f'), bytes('3'), { mode: 0o666 });
        expect((await files.stat(at('f')))?.mode).toBe(0o666);
        expect(await text(at('f'))).toBe('3');
      });

      it('sets and keeps owners where we are root', async ({ skip }) => {
        skip(!world.root, 'only root can give files away');
        await files.writeAtomic(at('f'), bytes('1'), { uid: 65_534, gid: 65_534, mode: 0o6755 });
        await files.writeAtomic(at('f'), bytes('2'));
        expect(await files.stat(at('f'))).toMatchObject({ uid: 65_534, gid: 65_534, mode: 0o6755 });
        await files.chown(at('f'), { uid: 0 });
        expect(await files.stat(at('f'))).toMatchObject({ uid: 0, gid: 65_534, mode: 0o755 });
        await files.symlink({ target: 'f', path: at('link') });
        await files.chown(at('link'), { gid: 7 });
        expect([(await files.lstat(at('link')))?.gid, (await files.stat(at('f')))?.gid]).toEqual([7, 65_534]);
        await files.makeDirectory(at('d'), { uid: 65_534, mode: 0o2750 });
        expect(await files.stat(at('d'))).toMatchObject({ uid: 65_534, mode: 0o2750 });
      });

      it('does with groups and set-id bits what the kernel does', async ({ skip }) => {
        skip(!world.root, 'only root can give files away');
        await files.writeAtomic(at('f'), bytes('1'), { mode: 0o6644 });
        await files.chown(at('f'), { uid: 65_534 });
        expect((await files.stat(at('f')))?.mode).toBe(0o2644);
        await files.makeDirectory(at('d'), { gid: 7, mode: 0o2755 });
        await files.writeAtomic(at('d/f'), bytes('1'));
        await files.makeDirectory(at('d/e'), { mode: 0o755 });
        expect(await files.stat(at('d/f'))).toMatchObject({ gid: 7 });
        expect(await files.stat(at('d/e'))).toMatchObject({ gid: 7, mode: 0o755 });
      });

      it('leaves nothing but the file, also after failures', async () => {
        await files.writeAtomic(at('f'), bytes('x'));
        await files.makeDirectory(at('d'));
        world.makePipe(at('pipe'));
        await files.symlink({ target: 'f', path: at('link') });
        expect(await failure(files.writeAtomic(at('d'), bytes('')))).toBe('FILE_WRITE_FAILED EISDIR');
        expect(await failure(files.writeAtomic(at('pipe'), bytes('')))).toBe('FILE_WRITE_FAILED EINVAL');
        expect(await failure(files.writeAtomic(at('link'), bytes('')))).toBe('FILE_IS_LINK');
        expect(await failure(files.writeAtomic(at('no/f'), bytes('')))).toBe('FILE_WRITE_FAILED ENOENT');
        expect(await failure(files.writeAtomic(at('f/f'), bytes('')))).toBe('FILE_WRITE_FAILED ENOTDIR');
        expect(await failure(files.writeAtomic(at('x'.repeat(256)), bytes('')))).toBe(
          'FILE_WRITE_FAILED ENAMETOOLONG',
        );
        expect(await names()).toEqual(['d', 'f', 'link', 'pipe']);
        expect(await text(at('f'))).toBe('x');
      });

      it('is denied where the user may not write, and leaves nothing there', async ({ skip }) => {
        skip(!world.root, 'without root the directory is our own');
        await files.writeAtomic(at('f'), bytes('x'), { mode: 0o666 });
        const denied = { code: 'FILE_WRITE_FAILED', errno: 'EACCES' };
        expect(await world.asNobody({ method: 'writeAtomic', path: at('f') })).toEqual(denied);
        expect(await world.asNobody({ method: 'removeFile', path: at('f') })).toEqual(denied);
        expect(await world.asNobody({ method: 'chmod', path: at('f') })).toEqual({
          ...denied,
          errno: 'EPERM',
        });
        // In a sticky directory one may add names but not take those of others.
        await files.chmod(world.directory, 0o1777);
        expect(await world.asNobody({ method: 'writeAtomic', path: at('mine') })).toEqual({ answer: 'done' });
        expect(await world.asNobody({ method: 'writeAtomic', path: at('f') })).toEqual({
          ...denied,
          errno: 'EPERM',
        });
        expect(await names()).toEqual(['f', 'mine']);
      });

      it('writes names as long as they may be', async () => {
        const long = 'x'.repeat(255);
        await files.writeAtomic(at(long), bytes('long'));
        await files.writeAtomic(at(long), bytes('longer'));
        expect(await text(at(long))).toBe('longer');
        expect(await names()).toEqual([long]);
      });

      it('follows a link only when told, and keeps the link', async () => {
        await files.makeDirectory(at('d'));
        await files.writeAtomic(at('d/f'), bytes('old'), { mode: 0o640 });
        await files.symlink({ target: 'd/f', path: at('link') });
        await files.writeAtomic(at('link'), bytes('new'), { followLink: true });
        expect(await text(at('d/f'))).toBe('new');
        expect((await files.stat(at('d/f')))?.mode).toBe(0o640);
        expect(await files.readLink(at('link'))).toBe('d/f');
        await files.writeAtomic(at('plain'), bytes('new'), { followLink: true });
        expect(await text(at('plain'))).toBe('new');
        await files.symlink({ target: 'nowhere', path: at('dangling') });
        expect(await failure(files.writeAtomic(at('dangling'), bytes(''), { followLink: true }))).toBe(
          'FILE_WRITE_FAILED ENOENT',
        );
      });

      it('shows readers the old content or the new, never a part', async () => {
        const content = (letter: string) => Buffer.alloc(200_000, letter);
        await files.writeAtomic(at('f'), content('a'));
        let writing = true;
        const writer = (async () => {
          for (const letter of 'bcdefghij')
            await files.writeAtomic(at('f'), content(letter), { skipSync: true });
          writing = false;
        })();
        while (writing) {
          const seen = Buffer.from((await files.read(at('f'))) ?? []);
          expect(seen.length).toBe(200_000);
          expect(seen.every((byte) => byte === seen[0])).toBe(true);
        }
        await writer;
      });

      it('keeps the old content when its process is killed before the rename', async () => {
        await files.writeAtomic(at('f'), bytes('old'));
        await world.dieBeforeRename(at('f'), 'new');
        expect(await text(at('f'))).toBe('old');
        // The temporary file of a killed process stays: closed to others, and recognizable.
        const [left = '', ...others] = (await names())?.filter((entry) => entry !== 'f') ?? [];
        expect(others).toEqual([]);
        expect(left).toMatch(TEMPORARY_NAME);
        expect((await files.stat(at(left)))?.mode).toBe(0o600);
        await files.writeAtomic(at('f'), bytes('newer'));
        expect(await text(at('f'))).toBe('newer');
      });

      it('lets the last of many writers win and leaves one file', async () => {
        await Promise.all(
          Array.from({ length: 50 }, (_, index) => files.writeAtomic(at('f'), bytes(`writer ${index}`))),
        );
        expect(await text(at('f'))).toMatch(/^writer \d+$/);
        expect(await names()).toEqual(['f']);
      });

      it('serializes read-modify-write of one path, also after a failure', async () => {
        await files.writeAtomic(at('n'), bytes('0'));
        const add = () =>
          files.lock(at('n'), async () => {
            await files.writeAtomic(at('n'), bytes(`${Number(await text(at('n'))) + 1}`), { skipSync: true });
          });
        const broken = files.lock(`${world.directory}//n`, () => Promise.reject(new Error('broken')));
        await Promise.all([expect(broken).rejects.toThrow('broken'), ...Array.from({ length: 30 }, add)]);
        expect(await text(at('n'))).toBe('30');
      });
    });

    describe('directories and names', () => {
      it('makes directories with exact modes, parents when asked, and leaves existing ones alone', async () => {
        expect(await files.makeDirectory(at('a'), { mode: 0o1777 })).toBe(true);
        expect((await files.stat(at('a')))?.mode).toBe(0o1777);
        expect(await files.makeDirectory(at('a'), { mode: 0o700 })).toBe(false);
        expect((await files.stat(at('a')))?.mode).toBe(0o1777);
        expect(await failure(files.makeDirectory(at('x/y')))).toBe('FILE_WRITE_FAILED ENOENT');
        expect(await files.makeDirectory(at('x/y/z'), { mode: 0o700, parents: true })).toBe(true);
        expect((await files.walk(at('x')))?.map((entry) => [entry.path, entry.stat.mode])).toEqual([
          ['y', 0o755],
          ['y/z', 0o700],
        ]);
        await files.writeAtomic(at('f'), bytes(''));
        expect(await failure(files.makeDirectory(at('f')))).toBe('FILE_WRITE_FAILED EEXIST');
        await files.symlink({ target: 'a', path: at('link') });
        expect(await files.makeDirectory(at('link'))).toBe(false);
      });

      it('removes files and links but not directories', async () => {
        await files.writeAtomic(at('f'), bytes('x'));
        await files.symlink({ target: 'f', path: at('link') });
        await files.makeDirectory(at('d'));
        expect(await files.removeFile(at('link'))).toBe(true);
        expect(await text(at('f'))).toBe('x');
        expect(await files.removeFile(at('f'))).toBe(true);
        expect(await files.removeFile(at('f'))).toBe(false);
        expect(await failure(files.removeFile(at('d')))).toMatch(/^FILE_WRITE_FAILED E(ISDIR|PERM)$/);
      });

      it('removes a directory only when it is empty', async () => {
        await files.makeDirectory(at('d'));
        await files.writeAtomic(at('d/f'), bytes(''));
        expect(await failure(files.removeDirectory(at('d')))).toBe('FILE_WRITE_FAILED ENOTEMPTY');
        expect(await failure(files.removeDirectory(at('d/f')))).toBe('FILE_WRITE_FAILED ENOTDIR');
        await files.removeFile(at('d/f'));
        expect(await files.removeDirectory(at('d'))).toBe(true);
        expect(await files.removeDirectory(at('d'))).toBe(false);
      });

      it('removes trees without following what points out of them', async () => {
        await files.makeDirectory(at('keep'));
        await files.writeAtomic(at('keep/f'), bytes('x'));
        await files.makeDirectory(at('tree/deep/deeper'), { parents: true });
        await files.writeAtomic(at('tree/deep/f'), bytes('x'));
        await files.symlink({ target: '../keep', path: at('tree/link') });
        await files.symlink({ target: 'keep', path: at('way') });
        expect(await files.removeTree(at('tree'))).toBe(true);
        expect(await files.removeTree(at('tree'))).toBe(false);
        expect(await files.removeTree(at('way/'))).toBe(true);
        expect((await files.walk(world.directory))?.map((entry) => entry.path)).toEqual(['keep', 'keep/f']);
        expect(await files.removeTree(at('keep/f'))).toBe(true);
        expect(await failure(files.removeTree('/'))).toBe('FILE_PATH_INVALID');
        expect(await failure(files.removeTree(at('keep/..')))).toBe('FILE_PATH_INVALID');
      });

      it('refuses to remove a tree that is too deep, untouched', async () => {
        const deep = at(Array.from({ length: TREE_DEPTH_MAX + 1 }, () => 'd').join('/'));
        await files.makeDirectory(deep, { parents: true });
        expect(await failure(files.removeTree(at('d')))).toBe('FILE_TREE_TOO_LARGE');
        expect((await files.stat(deep))?.kind).toBe('directory');
      });

      it('lists, reads and removes names that are not UTF-8', async () => {
        // The bytes 0xff 0xc3 0x28 and a later "é" in Latin-1.
        const odd = 'f-\udcff\udcc3(\udce9';
        await files.makeDirectory(at('d'));
        await files.writeAtomic(at(`d/${odd}`), bytes('odd'));
        await files.symlink({ target: odd, path: at('d/é') });
        expect(await files.list(at('d'))).toEqual([odd, 'é']);
        expect(await text(at('d/é'))).toBe('odd');
        expect(await files.readLink(at('d/é'))).toBe(odd);
        expect(await files.removeTree(at('d'))).toBe(true);
        expect(await names()).toEqual([]);
      });

      it('replaces links in one step and nothing else by a link', async () => {
        await files.writeAtomic(at('f'), bytes('x'));
        await files.symlink({ target: 'f', path: at('link') });
        await files.symlink({ target: 'elsewhere', path: at('link') });
        expect(await files.readLink(at('link'))).toBe('elsewhere');
        expect(await failure(files.symlink({ target: 'x', path: at('f') }))).toBe('FILE_WRITE_FAILED EEXIST');
        expect(await failure(files.chmod(at('link'), 0o600))).toBe('FILE_IS_LINK');
        expect(await names()).toEqual(['f', 'link']);
        expect(await text(at('f'))).toBe('x');
      });

      it('leaves a link alone that points there already, with its owner', async () => {
        await files.symlink({ target: 'f', path: at('link') });
        await files.chown(at('link'), { gid: 7 });
        await files.symlink({ target: 'f', path: at('link') });
        expect(await files.lstat(at('link'))).toMatchObject({ kind: 'symlink', gid: 7 });
        await files.symlink({ target: 'g', path: at('link') });
        expect(await files.lstat(at('link'))).toMatchObject({ kind: 'symlink', gid: 0 });
      });

      it('syncs files and directories that were made without, and nothing else', async () => {
        await files.makeDirectory(at('made/inner'), { parents: true, mode: 0o750, skipSync: true });
        await files.writeAtomic(at('made/f'), bytes('x'), { skipSync: true });
        await files.hardLink({ from: at('made/f'), to: at('made/inner/g'), skipSync: true });
        await files.symlink({ target: 'made', path: at('link') });
        for (const path of ['made/f', 'made/inner', 'made', 'link']) await files.sync(at(path));
        expect(await text(at('made/inner/g'))).toBe('x');
        expect((await files.stat(at('made/inner')))?.mode).toBe(0o750);
        world.makePipe(at('pipe'));
        expect(await failure(files.sync(at('pipe')))).toBe('FILE_WRITE_FAILED EINVAL');
        expect(await failure(files.sync(at('none')))).toBe('FILE_WRITE_FAILED ENOENT');
      });

      it('renames over files and empty directories only', async () => {
        await files.writeAtomic(at('a'), bytes('a'));
        await files.writeAtomic(at('b'), bytes('b'));
        await files.rename({ from: at('a'), to: at('b') });
        expect(await text(at('b'))).toBe('a');
        await files.makeDirectory(at('d'));
        await files.makeDirectory(at('full/inner'), { parents: true });
        expect(await failure(files.rename({ from: at('d'), to: at('full') }))).toBe(
          'FILE_WRITE_FAILED ENOTEMPTY',
        );
        expect(await failure(files.rename({ from: at('b'), to: at('d') }))).toBe('FILE_WRITE_FAILED EISDIR');
        expect(await failure(files.rename({ from: at('d'), to: at('b') }))).toBe('FILE_WRITE_FAILED ENOTDIR');
        expect(await failure(files.rename({ from: at('full'), to: at('full/inner/x') }))).toBe(
          'FILE_WRITE_FAILED EINVAL',
        );
        expect(await failure(files.rename({ from: at('none'), to: at('x') }))).toBe(
          'FILE_WRITE_FAILED ENOENT',
        );
        await files.rename({ from: at('full'), to: at('d') });
        expect(await names()).toEqual(['b', 'd']);
        expect(await failure(files.hardLink({ from: at('b'), to: at('d') }))).toBe(
          'FILE_WRITE_FAILED EEXIST',
        );
        expect(await failure(files.touch(at('none'), 0))).toBe('FILE_WRITE_FAILED ENOENT');
        expect(await failure(files.chown(at('none'), { uid: 0 }))).toBe('FILE_WRITE_FAILED ENOENT');
      });
    });

    it('has a read-only half that cannot write even when cast', () => {
      const half = readOnly(world.system);
      expect(Object.keys(half).sort()).toEqual(['accounts', 'clockSkew', 'files']);
      expect(Object.keys(half.files).sort()).toEqual(
        ['list', 'lstat', 'read', 'readLink', 'realPath', 'stat', 'walk'].sort(),
      );
    });

    it('knows the users and groups of the machine', async () => {
      const { accounts } = world.system;
      expect(await accounts.user('root')).toMatchObject({ uid: 0, gid: 0, home: '/root' });
      expect((await accounts.user(0))?.name).toBe('root');
      expect((await accounts.group('root'))?.gid).toBe(0);
      expect(await accounts.user('no-such-user')).toBeUndefined();
      expect(await accounts.group(4_000_000_000)).toBeUndefined();
    });

    it('answers whether the clock is kept right, or that it does not know', async () => {
      const reading = await world.drive(world.system.clockSkew());
      expect(['synchronized', 'unsynchronized', 'unknown']).toContain(reading.state);
      expect(reading.why).not.toBe('');
    });
  });
}
