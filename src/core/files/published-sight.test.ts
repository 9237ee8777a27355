import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ManifestRead } from './file-manifest.ts';
import { type DatedSet, publishedSight, treeSight } from './published-sight.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const files = [
  { path: 'a', sha256: '1', size: 1, blob: false },
  { path: 'b/c', sha256: '2', size: 1, blob: false },
];
const manifestOf = (named: number): ManifestRead => ({ isTree: true, files, names: (n) => n === named });
const sight = treeSight(files, hash);
const base = { ...treeSight([{ path: 'old', sha256: '9' }], hash), revision: 4, writtenMs: 40 };

function stateOf(stored: Partial<DatedSet>, known: typeof base | undefined = base) {
  return publishedSight(dated(stored), known, hash);
}

describe('what counts as published', () => {
  it('is nothing where there is neither manifest nor revision', () => {
    expect(
      stateOf({ isPublished: false, revision: undefined, lastRevision: 0, manifest: undefined }),
    ).toEqual({ is: 'nothing' });
  });

  it('is a manifest with its revision', () => {
    expect(stateOf({})).toEqual({ is: 'whole', files, sight: { ...sight, revision: 4, writtenMs: 40 } });
  });

  it.each([
    [4, 4],
    [undefined, 0],
  ])(
    'is a publish to be finished where the manifest is one ahead of revision %s',
    (revision, lastRevision) => {
      expect(stateOf({ revision, lastRevision, manifest: manifestOf(lastRevision + 1) })).toEqual({
        is: 'unfinished',
        files,
        digest: sight.digest,
      });
    },
  );

  const broken: readonly [string, Partial<DatedSet>, string][] = [
    ['a manifest that was deleted', { manifest: undefined }, 'there is revision 4 and no manifest'],
    ['one that is no manifest', { manifest: { isTree: false, problem: 'is a picture' } }, 'is a picture'],
    ['one of another time', { manifest: manifestOf(2) }, 'the manifest is of another revision than 4'],
  ];

  it.each(broken)('is what was seen last, with %s', (_what, stored, problem) => {
    expect(stateOf(stored)).toEqual({ is: 'damaged', sight: base, problem });
  });

  it.each(broken)('cannot be told by who has not seen that revision, with %s', (_what, stored, problem) => {
    const unreadable = { is: 'unreadable', problem };
    expect(publishedSight(dated(stored), undefined, hash)).toEqual(unreadable);
    expect(stateOf({ ...stored, writtenMs: 41 })).toEqual(unreadable);
    expect(stateOf(stored, { ...base, revision: 3 })).toEqual(unreadable);
  });

  it('cannot be told where the revision is nonsense', () => {
    expect(stateOf({ revision: undefined, writtenMs: 40 })).toEqual({
      is: 'unreadable',
      problem: 'there is no revision that can be read',
    });
  });
});

function dated(stored: Partial<DatedSet>): DatedSet {
  return {
    isPublished: true,
    revision: 4,
    lastRevision: 4,
    writtenMs: 40,
    manifest: manifestOf(4),
    ...stored,
  };
}
