import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ListedFile, listsSame, type ManifestRead } from './file-manifest.ts';
import { type PublishPlan, planPublish, unlistedBlobs, unlistedKeys } from './publish-plan.ts';

const file = (path: string, sha256 = '1', blob = false): ListedFile => ({ path, sha256, size: 1, blob });
const manifestOf = (files: readonly ListedFile[], revision: number): ManifestRead => ({
  isTree: true,
  files,
  names: (number) => number === revision,
});
const nothing = { revision: undefined, lastRevision: 0, isPublished: false, manifest: undefined };
const published = (files: readonly ListedFile[], revision = 7) => ({
  revision,
  lastRevision: revision,
  isPublished: true,
  manifest: manifestOf(files, revision),
});
/** As one that died before the revision left it. */
const unfinished = (files: readonly ListedFile[], revision = 7) => ({
  ...published(files, revision),
  revision: revision - 1,
  lastRevision: revision - 1,
});
const always = () => true;
const plan = (view: Partial<Parameters<typeof planPublish>[0]>): PublishPlan =>
  planPublish({ wanted: [], stored: nothing, isIntact: always, force: false, ...view });

describe('a publish', () => {
  const tree = [file('a'), file('b')];

  it('of a tree that is published does nothing', () => {
    expect(plan({ wanted: tree, stored: published(tree) })).toEqual({ is: 'unchanged' });
  });

  it('writes what is not listed as it is, and leaves the rest', () => {
    const wanted = [file('a'), file('b', '2'), file('c')];
    expect(plan({ wanted, stored: published(tree) })).toEqual({
      is: 'publish',
      write: [file('b', '2'), file('c')],
      revision: 8,
    });
  });

  it('writes no file where one was only taken away, and raises the revision', () => {
    expect(plan({ wanted: [file('a')], stored: published(tree) })).toEqual({
      is: 'publish',
      write: [],
      revision: 8,
    });
  });

  it('begins with revision 1', () => {
    expect(plan({ wanted: tree })).toEqual({ is: 'publish', write: tree, revision: 1 });
  });

  it('with force writes everything', () => {
    expect(plan({ wanted: tree, stored: published(tree), force: true })).toEqual({
      is: 'publish',
      write: tree,
      revision: 8,
    });
  });

  it('puts back what was lost, without a new revision', () => {
    const isIntact = ({ path }: ListedFile) => path !== 'b';
    expect(plan({ wanted: tree, stored: published(tree), isIntact })).toEqual({
      is: 'repair',
      write: [file('b')],
    });
  });

  it('finishes one that died before the revision', () => {
    const stored = unfinished(tree);
    expect(plan({ wanted: tree, stored })).toEqual({ is: 'finish', write: [], revision: 7 });
    const isIntact = ({ path }: ListedFile) => path !== 'b';
    expect(plan({ wanted: tree, stored, isIntact })).toMatchObject({ is: 'finish', write: [file('b')] });
  });

  it('takes over from one that died before the revision with another tree', () => {
    const stored = unfinished([file('x')]);
    expect(plan({ wanted: tree, stored })).toEqual({ is: 'publish', write: tree, revision: 7 });
  });

  it('writes everything where the manifest cannot be used, or belongs to no revision near', () => {
    const broken = { ...published(tree), manifest: { isTree: false as const, problem: 'x' } };
    expect(plan({ wanted: tree, stored: broken })).toEqual({ is: 'publish', write: tree, revision: 8 });
    const early = { ...published(tree), revision: 2, lastRevision: 2 };
    expect(plan({ wanted: tree, stored: early })).toMatchObject({ is: 'publish', revision: 3 });
  });

  it('goes on counting where the revision cannot be read', () => {
    const stored = { ...published(tree), revision: undefined };
    expect(plan({ wanted: tree, stored })).toEqual({ is: 'publish', write: [], revision: 8 });
  });

  it('takes an object that is listed under any path as it is, with force too', () => {
    const stored = published([file('big', '9', true)]);
    const wanted = [file('moved', '9', true), file('small')];
    for (const force of [false, true])
      expect(plan({ wanted, stored, force })).toMatchObject({ is: 'publish', write: [file('small')] });
    const isIntact = () => false;
    expect(plan({ wanted, stored, isIntact })).toMatchObject({ write: wanted });
    // Not listed is not safe from being taken away, whoever put it there.
    expect(plan({ wanted, stored: published([file('small')]) })).toMatchObject({
      write: [file('moved', '9', true)],
    });
  });

  it('of nothing writes nothing, with force too, and says so where something is published', () => {
    for (const force of [false, true]) {
      expect(plan({ stored: published(tree), force })).toEqual({ is: 'empty source' });
      expect(plan({ stored: { ...nothing, isPublished: true }, force })).toEqual({ is: 'empty source' });
      expect(plan({ force })).toEqual({ is: 'unchanged' });
    }
  });
});

describe('what is left behind', () => {
  it('is every key but those of the protocol and of the files', () => {
    const keys = ['_manifest', '_revision', '_spread', 'a', 'b', '_old'];
    expect(unlistedKeys(keys, ['a'])).toEqual(['b', '_old']);
  });

  it('is every object that no set lists as one', () => {
    const names = ['1', '2', '3'];
    expect(unlistedBlobs(names, [[file('a', '1', true)], [file('b', '2', true)]])).toEqual(['3']);
    // The hash of a small file is not the name of an object.
    expect(unlistedBlobs(names, [[file('a', '1', false)]])).toEqual(names);
  });
});

/**
 * A bucket as the planner sees it, and publishers that work on it step by step as `publish-file-set.ts` does: one step is
 * one call to the store. A publisher that is not asked for its next step has died, or sleeps.
 */
interface Model {
  sequence: number;
  revision: number;
  readonly keys: Map<string, { readonly sha256: string; readonly sequence: number }>;
  manifest: { readonly files: readonly ListedFile[]; readonly revision: number; readonly sequence: number };
}

function* publisher(model: Model, wanted: readonly ListedFile[]): Generator<void, string> {
  const { revision, manifest: read } = model;
  yield;
  const intact = new Set<string>();
  for (const { path, sha256 } of read.files) {
    if (model.keys.get(path)?.sha256 === sha256) intact.add(path);
    yield;
  }
  const decided = planPublish({
    wanted,
    stored: {
      revision,
      lastRevision: revision,
      isPublished: read.sequence > 0,
      manifest: manifestOf(read.files, read.revision),
    },
    isIntact: ({ path }) => intact.has(path),
    force: false,
  });
  if (decided.is === 'empty source') return decided.is;
  for (const { path, sha256 } of decided.is === 'unchanged' ? [] : decided.write) {
    model.keys.set(path, { sha256, sequence: ++model.sequence });
    yield;
  }
  let manifestSequence = read.sequence;
  if (decided.is === 'publish') {
    if (model.manifest.sequence !== read.sequence) return 'beaten';
    manifestSequence = ++model.sequence;
    model.manifest = { files: wanted, revision: decided.revision, sequence: manifestSequence };
    yield;
  }
  if (decided.is === 'publish' || decided.is === 'finish') {
    if (model.revision !== revision) return 'beaten';
    model.revision = decided.revision;
    model.sequence++;
    yield;
  }
  const listed = wanted.map(({ path }) => path);
  for (const path of unlistedKeys([...model.keys.keys()], listed)) {
    const seen = model.keys.get(path)?.sequence ?? 0;
    yield;
    if (seen < manifestSequence && model.keys.get(path)?.sequence === seen) {
      model.keys.delete(path);
      model.sequence++;
    }
    yield;
  }
  return decided.is;
}

/** To its end. */
function run(steps: Generator<void, string>): string {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const paths = ['a', 'b', 'c'];
const anyTree: fc.Arbitrary<readonly ListedFile[]> = fc.uniqueArray(
  fc.record({
    path: fc.constantFrom(...paths),
    sha256: fc.constantFrom('1', '2'),
    size: fc.constant(1),
    blob: fc.constant(false),
  }),
  { selector: ({ path }) => path, minLength: 1 },
);

function emptyModel(): Model {
  return {
    sequence: 0,
    revision: 0,
    keys: new Map(),
    manifest: { files: [], revision: -1, sequence: 0 },
  };
}

function isWhole({ manifest, revision, keys }: Model): boolean {
  return (
    manifest.revision === revision &&
    manifest.files.every(({ path, sha256 }) => keys.get(path)?.sha256 === sha256)
  );
}

describe('publishers', () => {
  it('that die anywhere leave what the next one finishes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyTree, fc.nat(20)), { maxLength: 5 }), anyTree, (deaths, last) => {
        const model = emptyModel();
        for (const [tree, steps] of deaths) {
          const dying = publisher(model, tree);
          for (let step = 0; step < steps; step++) dying.next();
        }
        run(publisher(model, last));
        expect(isWhole(model)).toBe(true);
        expect(listsSame(model.manifest.files, last)).toBe(true);
        // What is left beside it was written after the manifest in force, by one that died: somebody could still list it.
        const left = unlistedKeys(
          [...model.keys.keys()],
          last.map(({ path }) => path),
        );
        for (const path of left)
          expect(model.keys.get(path)?.sequence).toBeGreaterThan(model.manifest.sequence);
        expect(run(publisher(model, last))).toBe('unchanged');
      }),
      { numRuns: 500 },
    );
  });

  it('at the same time never take from the one that wins what it lists, and one more publish settles it', () => {
    // Long sleeps are where it goes wrong, so a turn is some steps of one publisher.
    const turn = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 10 }));
    const turns = fc.array(turn, { maxLength: 20, size: 'max' });
    fc.assert(
      fc.property(fc.tuple(anyTree, anyTree, anyTree), turns, (trees, order) => {
        const model = emptyModel();
        const running = trees.map((tree) => publisher(model, tree));
        for (const [who, steps] of order) {
          for (let step = 0; step < steps; step++) running[who]?.next();
          // A key that a whole set lists is never gone: at worst it has the content of another publisher.
          if (model.manifest.revision !== model.revision) continue;
          for (const { path } of model.manifest.files) expect(model.keys.has(path)).toBe(true);
        }
        const [last] = trees;
        let publishes = 0;
        while (run(publisher(model, last)) !== 'unchanged') expect(publishes++).toBeLessThan(2);
        expect(isWhole(model)).toBe(true);
        expect(listsSame(model.manifest.files, last)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
