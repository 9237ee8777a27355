/** This suite says what every adapter's `watchTree` must do. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files } from '../../../src/system/files.ts';
import type { TreeWatch } from '../../../src/system/watch-tree.ts';
import type { World, WorldMaker } from './world.ts';

const bytes = (text: string) => Buffer.from(text);
/** More than one change can leave behind: so many hints come only if every one of so many changes is heard. */
const CHANGES = 20;

export function describeWatchTree(name: string, makeWorld: WorldMaker): void {
  describe(`watchTree of ${name}`, () => {
    let world: World;
    let files: Files;
    let watch: TreeWatch | undefined;
    let hints = 0;
    const limits: string[] = [];
    const at = (path: string) => `${world.directory}/tree${path === '' ? '' : `/${path}`}`;
    const beside = (path: string) => `${world.directory}/${path}`;

    beforeEach(async () => {
      world = await makeWorld();
      files = world.system.files;
      hints = 0;
      limits.length = 0;
      await files.makeDirectory(at('sub/deep'), { parents: true });
      await files.writeAtomic(at('top'), bytes('1'));
      await files.writeAtomic(at('sub/deep/leaf'), bytes('1'));
      await files.writeAtomic(beside('outside'), bytes('1'));
    });
    afterEach(async () => {
      watch?.stop();
      expect(limits).toEqual([]);
      await world.close();
    });

    const heardAfter = (before: number) => world.until(() => hints > before);

    /** Resolves with the hint that comes when everything is watched. */
    async function watched(path = at('')): Promise<void> {
      watch = world.system.watchTree(path, {
        changed: () => {
          hints += 1;
        },
        limited: (why) => limits.push(why),
      });
      await heardAfter(0);
    }

    async function heardOf(change: () => Promise<unknown>): Promise<void> {
      const before = hints;
      await change();
      await heardAfter(before);
    }

    /** What is written here is heard of, whatever hints are still on their way. */
    async function isWatched(directory: string): Promise<void> {
      for (let turn = 0; turn < CHANGES; turn++)
        await heardOf(() => files.writeAtomic(`${directory}/probe`, bytes(`${turn}`)));
    }

    it.each<[string, () => Promise<unknown>]>([
      ['a new file', () => files.writeAtomic(at('new'), bytes('x'))],
      ['a new file far below', () => files.writeAtomic(at('sub/deep/new'), bytes('x'))],
      ['a file that is replaced', () => files.writeAtomic(at('top'), bytes('2'))],
      ['a file that is renamed', () => files.rename({ from: at('top'), to: at('sub/top') })],
      [
        'a file that is renamed over another',
        () => files.rename({ from: at('top'), to: at('sub/deep/leaf') }),
      ],
      ['a file that is moved in', () => files.rename({ from: beside('outside'), to: at('sub/outside') })],
      ['a file that is moved out', () => files.rename({ from: at('sub/deep/leaf'), to: beside('leaf') })],
      ['a file that is removed', () => files.removeFile(at('sub/deep/leaf'))],
      ['a mode that is set', () => files.chmod(at('sub/deep/leaf'), 0o640)],
      ['a time that is set', () => files.touch(at('top'), 1_000)],
      ['a link that is made', () => files.symlink({ target: 'top', path: at('link') })],
      ['a second name', () => files.hardLink({ from: at('top'), to: at('sub/again') })],
      ['a new directory', () => files.makeDirectory(at('sub/made'))],
      ['a directory that is removed', () => files.removeTree(at('sub'))],
      ['the end of the tree', () => files.removeTree(at(''))],
    ])('tells of %s', async (_what, change) => {
      await watched();
      await heardOf(change);
    });

    it('says nothing when nothing happens, and nothing of what is beside the tree', async () => {
      await watched();
      const before = hints;
      await files.writeAtomic(beside('outside'), bytes('2'));
      await files.makeDirectory(beside('other'));
      await files.writeAtomic(beside('other/file'), bytes('x'));
      // Something that is told of, last: what came before it would have been told first.
      await heardOf(() => files.chmod(at('top'), 0o640));
      expect(hints - before).toBeLessThanOrEqual(2);
    });

    it('says nothing of names that do not matter, and watches nothing below them', async () => {
      watch = world.system.watchTree(at(''), {
        changed: () => {
          hints += 1;
        },
        skip: (each) => each.startsWith('.'),
      });
      await heardAfter(0);
      const before = hints;
      await files.makeDirectory(at('.git/objects'), { parents: true });
      await files.makeDirectory(at('sub/.hidden'));
      await files.symlink({ target: 'x', path: at('.git/objects/link') });
      await files.symlink({ target: 'x', path: at('sub/.hidden/link') });
      expect(hints).toBe(before);
      await heardOf(() => files.chmod(at('sub/deep/leaf'), 0o640));
      expect(hints - before).toBeLessThanOrEqual(2);
    });

    it('watches directories that came later, and what lies in them', async () => {
      await watched();
      await heardOf(() => files.makeDirectory(at('a/b/c'), { parents: true }));
      await isWatched(at('a/b/c'));
      await isWatched(at('a'));
    });

    it('watches a directory that was moved in with all that it holds', async () => {
      await files.makeDirectory(beside('elsewhere/inner'), { parents: true });
      await watched();
      await heardOf(() => files.rename({ from: beside('elsewhere'), to: at('moved') }));
      await isWatched(at('moved/inner'));
    });

    it('watches a directory under its new name', async () => {
      await watched();
      await heardOf(() => files.rename({ from: at('sub'), to: at('renamed') }));
      await isWatched(at('renamed/deep'));
    });

    it('watches a directory that was removed and made again at once', async () => {
      await watched();
      await files.removeTree(at('sub'));
      await files.makeDirectory(at('sub/deep'), { parents: true });
      await isWatched(at('sub/deep'));
    });

    it('goes on when the tree was removed and is made again', async () => {
      await watched();
      await heardOf(() => files.removeTree(at('')));
      await heardOf(() => files.makeDirectory(at('sub'), { parents: true }));
      await isWatched(at('sub'));
      await isWatched(at(''));
    });

    it('goes on when another tree takes the place of the first', async () => {
      await files.makeDirectory(beside('next/sub'), { parents: true });
      await watched();
      await files.rename({ from: at(''), to: beside('last') });
      await heardOf(() => files.rename({ from: beside('next'), to: at('') }));
      await isWatched(at('sub'));
    });

    it('waits for a tree that is not there yet', async () => {
      await watched(at('later/tree'));
      await world.drive(
        (async () => {
          await files.makeDirectory(at('later/tree/sub'), { parents: true });
          for (let before = hints; hints === before; ) await new Promise((resolve) => setImmediate(resolve));
        })(),
      );
      await isWatched(at('later/tree/sub'));
    });

    it('follows a link to the tree, and sees that it leads elsewhere now', async () => {
      await files.makeDirectory(beside('next/sub'), { parents: true });
      await files.symlink({ target: 'tree', path: beside('link') });
      await watched(beside('link'));
      await isWatched(at('sub/deep'));
      await heardOf(() => files.symlink({ target: 'next', path: beside('link') }));
      await isWatched(beside('next/sub'));
    });

    it('says nothing after it was stopped', async () => {
      await watched();
      watch?.stop();
      const before = hints;
      let others = 0;
      const other = world.system.watchTree(at(''), {
        changed: () => {
          others += 1;
        },
      });
      await world.until(() => others > 0);
      await files.writeAtomic(at('top'), bytes('2'));
      await world.until(() => others > 1);
      other.stop();
      expect(hints).toBe(before);
    });
  });
}
