import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedFile } from './file-manifest.ts';
import { planMirror } from './mirror-plan.ts';

const file: fc.Arbitrary<ListedFile> = fc.record({
  path: fc.constantFrom('a', 'b', 'c', 'd', 'e/f'),
  sha256: fc.constantFrom('1', '2', '3'),
  size: fc.nat(100),
  blob: fc.boolean(),
});
const tree = fc.uniqueArray(file, { selector: ({ path }) => path });
const listed = (path: string, sha256: string): ListedFile => ({ path, sha256, size: 10, blob: false });

describe('a mirror', () => {
  it('fetches what is new to it and nothing that it has, under whatever name', () => {
    const plan = planMirror(
      [listed('same', '1'), listed('moved', '2'), listed('edited', '3')],
      [listed('same', '1'), listed('elsewhere', '2'), listed('edited', '4')],
    );
    expect(plan.fetch.map(({ path }) => path)).toEqual(['edited']);
    expect(plan.reuse.map(({ file: { path }, from }) => [path, from])).toEqual([
      ['same', 'same'],
      ['elsewhere', 'moved'],
    ]);
    expect(plan.remove).toEqual(['moved']);
    expect(plan.bytesToFetch).toBe(10);
  });

  it('that follows the plan has the new tree, and fetched nothing it had', () => {
    fc.assert(
      fc.property(tree, tree, (have, wanted) => {
        const { fetch, reuse, remove } = planMirror(have, wanted);
        const hashes = new Map(have.map(({ path, sha256 }) => [path, sha256]));
        const after = new Map([
          ...fetch.map(({ path, sha256 }) => [path, sha256] as const),
          ...reuse.map(({ file: { path }, from }) => [path, hashes.get(from)] as const),
        ]);
        expect([...after].sort()).toEqual(wanted.map(({ path, sha256 }) => [path, sha256]).sort());
        expect(fetch.filter(({ sha256 }) => [...hashes.values()].includes(sha256))).toEqual([]);
        expect([...hashes.keys()].filter((path) => !after.has(path)).sort()).toEqual(remove);
      }),
    );
  });

  it('takes a file that stayed from its own place', () => {
    fc.assert(
      fc.property(tree, (have) => {
        for (const { file: each, from } of planMirror(have, have).reuse) expect(from).toBe(each.path);
        expect(planMirror(have, have)).toMatchObject({ fetch: [], remove: [] });
      }),
    );
  });
});
