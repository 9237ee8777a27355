import { describe, expect, it } from 'vitest';
import { fileKeyOf } from '../../wire/names/file-keys.ts';
import { MANIFEST_KEY, REVISION_KEY } from '../../wire/names/keys.ts';
import { FILE_SETS, revisionCodec } from '../../wire/records/file-set.ts';
import { PublishBook, sha256Of } from './publish-book.ts';
import type { ModelTree } from './site-trees.ts';
import { SourceBook } from './source-book.ts';

const bytes = (text: string) => Buffer.from(text);
const OLD: ModelTree = new Map([
  ['a', 'a 1'],
  ['b c', 'b 1'],
]);
const NEW: ModelTree = new Map([
  ['a', 'a 2'],
  ['b c', 'b 2'],
]);
const LARGE: ModelTree = new Map([['large', 'x'.repeat(1_000)]]);

function bookOf(...trees: readonly ModelTree[]) {
  const broken: string[] = [];
  let nowMs = 0;
  const source = new SourceBook<ModelTree>(
    (tree) => tree,
    () => nowMs,
  );
  for (const tree of trees) {
    nowMs += 1;
    source.edited(tree);
  }
  const book = new PublishBook<ModelTree>({
    spec: FILE_SETS.states,
    nowMs: () => nowMs,
    broke: (rule) => broken.push(rule),
    modelOf: (files) => source.modelOf(files),
    isNewest: (_, tree) => source.publishes(tree),
  });
  const files = (tree: ModelTree, node = 'master-1') => {
    for (const [path, text] of tree) book.stored(node, fileKeyOf(path) ?? '', bytes(text));
  };
  const manifest = (tree: ModelTree, revision: number, { blob = false, node = 'master-1' } = {}) => {
    const entries = [...tree].map(([path, text]) => ({
      key: fileKeyOf(path) ?? '',
      sha256: sha256Of(bytes(text)),
      size: text.length,
      blob,
    }));
    const named = { key: REVISION_KEY, sha256: sha256Of(bytes(String(revision))), size: 1, blob: false };
    book.stored(node, MANIFEST_KEY, FILE_SETS.states.manifest.encode([named, ...entries]));
  };
  const revision = (count: number, node = 'master-1') =>
    book.stored(node, REVISION_KEY, revisionCodec.encode(count));
  const publish = (tree: ModelTree, count: number) => {
    files(tree);
    manifest(tree, count);
    revision(count);
  };
  return { book, broken, files, manifest, revision, publish };
}

describe('the book of a published set', () => {
  it('knows which tree each revision is', () => {
    const { book, broken, publish } = bookOf(OLD, NEW);
    publish(OLD, 1);
    publish(NEW, 2);
    expect(broken).toEqual([]);
    expect([book.treesOf(1), book.treesOf(2)].map(([tree]) => tree?.model)).toEqual([OLD, NEW]);
    expect(book.newest?.revision).toBe(2);
  });

  it('lets one master finish what another began, and publish the same again', () => {
    const { broken, files, manifest, revision } = bookOf(OLD);
    files(OLD);
    manifest(OLD, 1);
    revision(1, 'master-2');
    manifest(OLD, 2, { node: 'master-2' });
    revision(2, 'master-2');
    expect(broken).toEqual([]);
  });

  it('lets another master write over a file that is listed', () => {
    const { broken, files, manifest, revision } = bookOf(OLD, NEW);
    files(OLD);
    files(NEW, 'master-2');
    manifest(OLD, 1);
    revision(1);
    expect(broken).toEqual([]);
  });

  it('takes objects for the contents of large files', () => {
    const { book, broken, manifest, revision } = bookOf(LARGE);
    manifest(LARGE, 1, { blob: true });
    expect(broken).toEqual(['a manifest lists what is stored']);
    broken.length = 0;
    book.blobStored(sha256Of(bytes(LARGE.get('large') ?? '')));
    manifest(LARGE, 1, { blob: true });
    revision(1);
    expect(broken).toEqual([]);
  });

  it.each<[string, (its: ReturnType<typeof bookOf>) => void]>([
    ['a manifest lists what is stored', ({ manifest }) => manifest(NEW, 2)],
    [
      'a manifest lists what is stored',
      ({ files, manifest }) => {
        files(NEW);
        files(OLD);
        manifest(NEW, 2);
      },
    ],
    [
      'a revision comes after its manifest',
      ({ files, revision }) => {
        files(NEW);
        revision(2);
      },
    ],
    [
      'a revision counts up',
      ({ files, manifest, revision }) => {
        files(NEW);
        manifest(NEW, 3);
        revision(3);
      },
    ],
    ['an empty source never wipes', ({ manifest }) => manifest(new Map(), 2)],
    ['an empty source never wipes', ({ book }) => book.stored('master-1', MANIFEST_KEY, undefined)],
    [
      'what is published stood like that in a source tree',
      ({ publish }) => publish(new Map([...OLD, ['a', 'a 2']]), 2),
    ],
    [
      'an old tree is never published again',
      ({ publish }) => {
        publish(NEW, 2);
        publish(OLD, 3);
      },
    ],
  ])('says: %s', (rule, happens) => {
    const its = bookOf(OLD, NEW);
    its.publish(OLD, 1);
    happens(its);
    expect(its.broken[0]).toBe(rule);
  });

  it('takes a number twice when the server has forgotten', () => {
    const { book, broken, publish } = bookOf(OLD, NEW, LARGE);
    publish(OLD, 1);
    const restore = book.snapshot();
    publish(NEW, 2);
    restore();
    expect(book.newest?.model).toBe(OLD);
    publish(LARGE, 2);
    expect(broken).toEqual([]);
    expect(book.treesOf(2).map(({ model }) => model)).toEqual([NEW, LARGE]);
  });
});
