import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  hashOfText,
  MirrorDisk,
  type PublishedTexts,
  treeOf,
} from '../../test/harness/mirror/mirror-disk.ts';
import { type DirectoryUpdate, updateDirectory } from './update-directory.ts';

const DIR = '/srv/states';
const isHidden = (path: string) => /(?:^|\/)\./.test(path);

let disk: MirrorDisk;

async function fill(texts: PublishedTexts): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    const full = `${DIR}/${path}`;
    await disk.files.makeDirectory(full.slice(0, full.lastIndexOf('/')), { parents: true });
    await disk.files.writeAtomic(full, Buffer.from(text), { mode: 0o640 });
  }
}

function update(texts: PublishedTexts, given: Partial<DirectoryUpdate> = {}) {
  return updateDirectory(disk.files, {
    directory: DIR,
    wanted: treeOf(1, texts).files,
    content: async ({ path }) => Buffer.from(texts[path] ?? ''),
    digest: hashOfText,
    ignores: isHidden,
    ...given,
  });
}

function found(): PublishedTexts {
  const entries = disk.machine.look(DIR).map(({ path, kind, target, bytes }) => {
    if (kind === 'directory') return [path, '(directory)'];
    return [path, kind === 'symlink' ? `→ ${target}` : Buffer.from(bytes).toString()];
  });
  return Object.fromEntries(entries);
}

beforeEach(() => {
  disk = new MirrorDisk();
});

describe('updateDirectory', () => {
  it('makes the directory, writes what differs, removes what does not belong, and directories that are left empty', async () => {
    await fill({ same: '1', old: '2', 'a/b/c': '3', 'kept/x': '4' });
    expect(await update({ same: '1', old: 'two', 'kept/x': '4', 'new/y': '5' })).toEqual({
      written: 2,
      removed: 1,
    });
    expect(found()).toEqual({
      same: '1',
      old: 'two',
      kept: '(directory)',
      'kept/x': '4',
      new: '(directory)',
      'new/y': '5',
    });
    expect((await disk.files.stat(`${DIR}/old`))?.mode).toBe(0o640);
    expect((await disk.files.stat(`${DIR}/new/y`))?.mode).toBe(0o644);
  });

  it('writes nothing when nothing differs', async () => {
    await fill({ a: '1', 'b/c': '2' });
    disk.fault = ({ name }) => (['write', 'unlink', 'rename'].includes(name) ? { fail: 'EROFS' } : undefined);
    expect(await update({ a: '1', 'b/c': '2' })).toEqual({ written: 0, removed: 0 });
  });

  it('leaves a link to a directory behind which all is as wanted, also when that came only now', async () => {
    await fill({ 'web/init.zy': '1', 'web/more.zy': '1' });
    await disk.files.symlink({ target: 'web', path: `${DIR}/alias` });
    const wanted = { 'web/init.zy': '2', 'web/more.zy': '1', 'alias/init.zy': '2', 'alias/more.zy': '1' };
    expect(await update(wanted, { mayReplace: (_, digest) => digest === hashOfText('1') })).toEqual({
      written: 1,
      removed: 0,
    });
    expect(found()).toEqual({
      alias: '→ web',
      web: '(directory)',
      'web/init.zy': '2',
      'web/more.zy': '1',
    });
  });

  it.each<[string, PublishedTexts]>([
    ['has another content', { 'alias/init.zy': '3' }],
    ['has a file more', { 'alias/init.zy': '1', 'alias/new.zy': '4' }],
    ['is gone', {}],
  ])('puts files in the place of a link to a directory when what is wanted there %s', async (_, below) => {
    await fill({ 'web/init.zy': '1' });
    await disk.files.symlink({ target: 'web', path: `${DIR}/alias` });
    await update({ 'web/init.zy': '1', ...below }, { mayReplace: () => false });
    const directory = Object.keys(below).length === 0 ? {} : { alias: '(directory)' };
    expect(found()).toEqual({ web: '(directory)', 'web/init.zy': '1', ...directory, ...below });
  });

  it('says that it begins to change things when all was looked at, and not before', async () => {
    await fill({ a: '1' });
    let begun = 0;
    const beforeChanges = async () => {
      begun += 1;
    };
    await expect(update({ a: '2' }, { beforeChanges, mayReplace: () => false })).rejects.toThrow();
    expect(begun).toBe(0);
    await update({ a: '2' }, { beforeChanges });
    expect(begun).toBe(1);
  });

  it('turns a file into a directory and a directory into a file', async () => {
    await fill({ a: '1', 'b/c/d': '2' });
    await disk.files.makeDirectory(`${DIR}/b/empty`);
    await update({ 'a/inside': '3', b: '4' });
    expect(found()).toEqual({ a: '(directory)', 'a/inside': '3', b: '4' });
  });

  it('leaves alone what no set has, and the directories that hold it', async () => {
    await fill({ '.git/config': 'mine', 'web/.swp': 'mine', 'web/old': '1', gone: '2' });
    await disk.files.makeDirectory(`${DIR}/empty of mine`);
    await update({ top: '3' });
    expect(found()).toEqual({
      '.git': '(directory)',
      '.git/config': 'mine',
      'empty of mine': '(directory)',
      web: '(directory)',
      'web/.swp': 'mine',
      top: '3',
    });
  });

  it('lets a link be that leads to the right content in the end, and replaces one that does not', async () => {
    await fill({ real: 'old', other: 'x' });
    for (const [name, target] of [
      ['good', 'real'],
      ['bad', 'other'],
      ['dangling', 'nowhere'],
      ['circle', 'circle'],
    ] as const)
      await disk.files.symlink({ target, path: `${DIR}/${name}` });
    await update({ real: 'new', good: 'new', bad: 'y', other: 'x', dangling: 'z' });
    expect(found()).toEqual({ real: 'new', good: '→ real', bad: 'y', other: 'x', dangling: 'z' });
  });

  it('changes nothing at all when one file is not what it may replace', async () => {
    const texts = { 'a-first': '1', edited: 'by hand', obsolete: '2' };
    await fill(texts);
    const mayReplace = (path: string, digest: string) =>
      path !== 'edited' || digest === hashOfText('as published');
    await expect(update({ 'a-first': 'one', edited: 'new' }, { mayReplace })).rejects.toMatchObject({
      code: 'DIRECTORY_CHANGED',
      message: expect.stringContaining(`${DIR}/edited`),
    });
    expect(found()).toEqual(texts);
    // A changed file that is not touched is nobody's business.
    await update({ 'a-first': 'one', edited: 'by hand' }, { mayReplace });
    expect(found()).toEqual({ 'a-first': 'one', edited: 'by hand' });
  });

  it.each([
    ['is written', 'b', 'by hand'],
    ['appears', 'c', 'by hand'],
  ])('stops at a file that %s while it works, and leaves it', async (_, path, text) => {
    await fill({ a: '1', b: '2' });
    const content: DirectoryUpdate['content'] = async (file) => {
      if (file.path === 'a') {
        await disk.clock.advance(10);
        await disk.files.writeAtomic(`${DIR}/${path}`, Buffer.from(text));
      }
      return Buffer.from('new');
    };
    const given = { content, mayReplace: () => true };
    await expect(update({ a: 'new', b: 'new', c: 'new' }, given)).rejects.toMatchObject({
      code: 'DIRECTORY_CHANGED',
    });
    expect(found()).toMatchObject({ a: 'new', [path]: text });
  });

  it('called again after a death at any call ends with what was wanted', async () => {
    const [before, after] = [
      { a: '1', 'b/c': '2', d: '3' },
      { a: 'one', b: 'two', 'd/e': '5' },
    ];
    for (let deadly = 0, died = true; died; deadly++) {
      disk = new MirrorDisk();
      await fill(before);
      disk.calls = [];
      disk.fault = (_, index) => (index >= deadly ? 'hang' : undefined);
      const turnOver = new Promise((resolve) => setImmediate(resolve));
      died = await Promise.race([update(after).then(() => false), turnOver.then(() => true)]);
      disk.restart(deadly % 2 === 0 ? 'crash' : 'powerLoss');
      await update(after, { ignores: () => false });
      expect([deadly, found()]).toEqual([deadly, { a: 'one', b: 'two', d: '(directory)', 'd/e': '5' }]);
    }
  });

  it('called again after a death at any call has all of it on disk', async () => {
    const before = { same: '1', old: '2', 'gone/deep/x': '3', 'gone/y': '4' };
    const wanted = { same: '1', old: 'two', 'new/z': '5' };
    for (let calls = 1; ; calls++) {
      disk = new MirrorDisk();
      await fill(before);
      let left = calls;
      let isOver = false;
      disk.fault = () => {
        if (left-- > 0) return undefined;
        isOver = true;
        return 'hang';
      };
      await Promise.race([update(wanted), new Promise((resolve) => setImmediate(resolve))]);
      if (!isOver) break;
      disk.restart('crash');
      await update(wanted, { ignores: () => false });
      disk.restart('powerLoss');
      const files = Object.entries(found()).filter(([, text]) => text !== '(directory)');
      expect(Object.fromEntries(files), `after ${calls} calls`).toEqual(wanted);
    }
  });

  it('ends with exactly the wanted files, whatever was there', async () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'));
    // A path that is a file cannot be a directory as well: the shorter one wins.
    const tree = fc.dictionary(path, fc.constantFrom('1', '2', ''), { maxKeys: 8 }).map((texts) => {
      const paths = Object.keys(texts);
      return Object.fromEntries(
        Object.entries(texts).filter(([each]) => !paths.some((other) => each.startsWith(`${other}/`))),
      );
    });
    await fc.assert(
      fc.asyncProperty(tree, tree, async (before, after) => {
        disk = new MirrorDisk();
        await fill(before);
        await update(after);
        const files = Object.entries(found()).filter(([, text]) => text !== '(directory)');
        expect(Object.fromEntries(files)).toEqual({ ...after });
      }),
      { numRuns: 200 },
    );
  });
});
