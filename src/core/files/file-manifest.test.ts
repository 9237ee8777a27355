import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import { keyOfFile, type ListedFile, listsSame, manifestOf, readManifest } from './file-manifest.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const { states, reactor } = FILE_SETS;
const entry = (key: string) => ({ key, sha256: 'ab', size: 1, blob: false });
const revision = (number: number) => ({ ...entry('_revision'), sha256: hash(String(number)) });
const listed = fc.record({
  path: fc.constantFrom('top.zy', 'web/init.zy', 'a b', 'caf\udce9', '_manifest', '.x', 'x/y/z'),
  sha256: fc.constantFrom('11', '22'),
  size: fc.nat(),
  blob: fc.boolean(),
});
const files = fc.uniqueArray(listed, { selector: ({ path }) => path });

describe('a manifest', () => {
  it('gives back the files it was made of, and knows its revision', () => {
    fc.assert(
      fc.property(files, fc.nat(), fc.constantFrom(states, reactor), (tree, number, spec) => {
        const entries = manifestOf(spec, tree, number, hash);
        expect(entries.map(({ key }) => key)).toEqual(entries.map(({ key }) => key).sort());
        const read = readManifest(spec, entries, hash);
        if (!read.isTree) return expect.fail(read.problem);
        expect(listsSame(read.files, tree)).toBe(true);
        expect(read.files.map(({ path }) => path)).toEqual(tree.map(({ path }) => path).sort());
        expect([number - 1, number, number + 1].filter(read.names)).toEqual([number]);
      }),
    );
  });

  it('of reactor rules has their prefix on every key', () => {
    expect(keyOfFile(reactor, 'top.zy')).toBe('reactor/top.zy');
    expect(readManifest(reactor, [entry('top.zy'), revision(1)], hash)).toMatchObject({ isTree: false });
  });

  it.each([
    ['the key of no file', [entry('../etc/passwd'), revision(1)]],
    ['the key of no file', [entry('/etc/passwd'), revision(1)]],
    ['the key of no file', [entry('=2E=2E/x'), revision(1)]],
    ['the key of no file', [entry('_manifest'), revision(1)]],
    ['twice', [entry('a'), entry('a'), revision(1)]],
    ['size below 0', [{ ...entry('a'), size: -1 }, revision(1)]],
    ['a file above "a/b/c"', [entry('a'), entry('a/b/c'), revision(1)]],
    ['which revision', [entry('a')]],
    ['which revision', [entry('a'), revision(1), revision(2)]],
    ['which revision', []],
  ])('that no disk could hold, or that says too little, is refused: %s', (problem, entries) => {
    const read = readManifest(states, entries, hash);
    expect(read).toMatchObject({ isTree: false, problem: expect.stringContaining(problem) });
  });

  it('lists the same files only where nothing about any of them differs', () => {
    const file: ListedFile = { path: 'a', sha256: '1', size: 2, blob: false };
    expect(listsSame([file], [{ ...file }])).toBe(true);
    for (const other of [{ path: 'b' }, { sha256: '2' }, { size: 3 }, { blob: true }])
      expect(listsSame([file], [{ ...file, ...other }])).toBe(false);
    expect(listsSame([file], [])).toBe(false);
    expect(listsSame([], [file])).toBe(false);
  });
});
