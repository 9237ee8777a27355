import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIFFERENCE_NAMES_MAX, filesDifferenceCodec } from '../../wire/records/fileserver.ts';
import { compareTrees, shownDifference, type TreeFile, treeDigest } from './file-tree.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const digest = (files: readonly TreeFile[]) => treeDigest(files, hash);

const file: fc.Arbitrary<TreeFile> = fc.record({
  path: fc.constantFrom('a', 'b', 'a/b', 'a b', 'ä', 'caf\udce9', 'x/y/z'),
  sha256: fc.constantFrom('1', '2', '3'),
});
const tree = fc.uniqueArray(file, { selector: ({ path }) => path });

describe('the digest of a tree', () => {
  it('is that of its paths and hashes, in any order', () => {
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const isSame = JSON.stringify([...a].sort(byPath)) === JSON.stringify([...b].sort(byPath));
        expect(digest(a) === digest(b)).toBe(isSame);
        expect(digest([...a].reverse())).toBe(digest(a));
      }),
    );
  });

  it('cannot be made by moving the border between path and hash', () => {
    expect(digest([{ path: 'ab', sha256: 'c' }])).not.toBe(digest([{ path: 'a', sha256: 'bc' }]));
    expect(digest([{ path: 'a', sha256: '1"]\n["b","2' }])).not.toBe(
      digest([
        { path: 'a', sha256: '1' },
        { path: 'b', sha256: '2' },
      ]),
    );
  });
});

describe('the difference of two trees', () => {
  it('lists what to add, change and remove, and nothing else', () => {
    const from = [file1('same', '1'), file1('edited', '1'), file1('gone', '1')];
    const to = [file1('new', '1'), file1('edited', '2'), file1('same', '1')];
    expect(compareTrees(from, to)).toEqual({ added: ['new'], changed: ['edited'], removed: ['gone'] });
  });

  it('leads from one to the other, is empty for equal ones, and turned around it leads back', () => {
    fc.assert(
      fc.property(tree, tree, (from, to) => {
        const { added, changed, removed } = compareTrees(from, to);
        const after = new Map(from.map(({ path, sha256 }) => [path, sha256]));
        for (const path of removed) expect(after.delete(path)).toBe(true);
        for (const path of [...added, ...changed]) {
          const wanted = to.find((each) => each.path === path)?.sha256 ?? '';
          expect(after.get(path)).not.toBe(wanted);
          after.set(path, wanted);
        }
        expect([...after].sort()).toEqual(to.map(({ path, sha256 }) => [path, sha256]).sort());
        const back = compareTrees(to, from);
        expect(back).toEqual({ added: removed, changed, removed: added });
      }),
    );
  });
});

const place = { set: 'states', directory: '/srv', revision: 3, mirrored: 0, note: '' };
const names = (count: number, stem: string) => Array.from({ length: count }, (_, i) => `${stem}${i}`);

describe('a difference that is shown', () => {
  it('has all names where they are few', () => {
    const difference = { added: ['a'], changed: ['b'], removed: ['c'] };
    expect(shownDifference(difference, place)).toEqual({ ...place, ...difference, omitted: 0 });
  });

  it('has so many at most, counts the rest, and fits its record', () => {
    const count = fc.nat(DIFFERENCE_NAMES_MAX + 10);
    fc.assert(
      fc.property(count, count, count, (added, changed, removed) => {
        const shown = shownDifference(
          { added: names(added, 'a'), changed: names(changed, 'c'), removed: names(removed, 'r') },
          place,
        );
        const told = shown.added.length + shown.changed.length + shown.removed.length;
        expect(told).toBeLessThanOrEqual(DIFFERENCE_NAMES_MAX);
        expect(told + shown.omitted).toBe(added + changed + removed);
        if (shown.omitted > 0) expect(told).toBe(DIFFERENCE_NAMES_MAX);
        expect(filesDifferenceCodec.decode(filesDifferenceCodec.encode(shown))).toEqual(shown);
      }),
      { numRuns: 50 },
    );
  });
});

function file1(path: string, sha256: string): TreeFile {
  return { path, sha256 };
}

function byPath(a: TreeFile, b: TreeFile): number {
  return a.path < b.path ? -1 : 1;
}
