import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BEHIND_MS,
  knownVersions,
  type PublishedSight,
  type StandingFacts,
  sourceStanding,
  type TreeSight,
} from './source-standing.ts';

type Files = Readonly<Record<string, string>>;

const tree = (files: Files): TreeSight => {
  const entries = Object.entries(files).sort();
  return { digest: JSON.stringify(entries), files: new Map(entries) };
};
const published = (files: Files, revision: number, writtenMs = revision): PublishedSight => ({
  ...tree(files),
  revision,
  writtenMs,
});

/** Paths at which two trees differ. */
function differingPaths(one: TreeSight['files'], other: TreeSight['files']): string[] {
  return PATHS.filter((path) => one.get(path) !== other.get(path));
}

const PATHS = ['a', 'b', 'c'];
const OLD = { a: '1', b: '1' };
const EDIT = { a: '2', b: '1' };
const NEWER = { a: '1', b: '2' };

function standing(given: Partial<StandingFacts>): string {
  const answer = sourceStanding({
    local: tree(OLD),
    published: published(OLD, 1),
    base: published(OLD, 1),
    publishing: [],
    updating: [],
    publishedForMs: BEHIND_MS,
    isPublisher: true,
    force: false,
    ...given,
  });
  return 'why' in answer ? `${answer.is}: ${answer.why}` : answer.is;
}

describe('the standing of a source directory', () => {
  it.each<[string, Partial<StandingFacts>, string]>([
    ['as published', {}, 'in step'],
    ['as published, without a base', { base: undefined }, 'in step'],
    ['edited', { local: tree(EDIT) }, 'publish: edit'],
    ['with a file less', { local: tree({ a: '1' }) }, 'publish: edit'],
    ['behind', { published: published(NEWER, 2) }, 'update directory: behind'],
    [
      'behind what was published just now, or was edited back',
      { published: published(NEWER, 2), publishedForMs: BEHIND_MS - 1 },
      'wait: just published',
    ],
    ['behind by a file that went', { published: published({ a: '1' }, 2) }, 'update directory: behind'],
    [
      'edited, as somebody else published',
      { local: tree(EDIT), published: published(NEWER, 2) },
      'conflict: both changed',
    ],
    [
      'with a file less that somebody else changed',
      { local: tree({ a: '1' }), published: published(NEWER, 2) },
      'conflict: both changed',
    ],
    ['of unknown past', { base: undefined, local: tree(EDIT) }, 'conflict: no common past'],
    ['empty and new', { base: undefined, local: tree({}) }, 'update directory: new here'],
    ['emptied', { local: tree({}) }, 'wait: emptied'],
    ['emptied, and behind', { local: tree({}), published: published(NEWER, 2) }, 'wait: emptied'],
    ['the first one', { published: 'nothing', base: undefined }, 'publish: first'],
    ['beside what cannot be read', { published: 'unreadable' }, 'conflict: unreadable'],
    ['the first one, where the store lost everything', { published: 'nothing' }, 'publish: first'],
    [
      'empty, and nothing is published',
      { published: 'nothing', local: tree({}) },
      'wait: nothing to publish',
    ],
  ])('that is %s', (_what, facts, expected) => {
    expect(standing(facts)).toBe(expected);
  });

  it.each<[string, Partial<StandingFacts>, string]>([
    ['an edit', { local: tree(EDIT) }, 'wait: not the publisher'],
    ['the first tree', { published: 'nothing', base: undefined }, 'wait: not the publisher'],
    ['a conflict', { local: tree(EDIT), published: published(NEWER, 2) }, 'conflict: both changed'],
    ['a tree that is behind', { published: published(NEWER, 2) }, 'update directory: behind'],
  ])('on a master that does not publish: %s', (_what, facts, expected) => {
    expect(standing({ ...facts, isPublisher: false })).toBe(expected);
    // What an operator says to the publisher is not said to others.
    expect(standing({ ...facts, isPublisher: false, force: true })).toBe(expected);
  });

  it.each<[string, Partial<StandingFacts>, string]>([
    ['a conflict', { local: tree(EDIT), published: published(NEWER, 2) }, 'publish: forced'],
    ['what cannot be read', { published: 'unreadable' }, 'publish: forced'],
    ['an unknown past', { base: undefined, local: tree(EDIT) }, 'publish: forced'],
    [
      'nothing where the directory is known to be behind',
      { published: published(NEWER, 2) },
      'update directory: behind',
    ],
    ['nothing where it was emptied', { local: tree({}) }, 'wait: emptied'],
    [
      'nothing where it is empty after a half update',
      { local: tree({}), updating: [new Map([['a', '7']])] },
      'conflict: half updated',
    ],
  ])('force settles %s', (_what, facts, expected) => {
    expect(standing({ ...facts, force: true })).toBe(expected);
  });

  describe('after its master died', () => {
    const updating = [new Map(Object.entries(NEWER))];
    const half = tree({ a: '1', b: '2', c: '1' });
    const from = published({ ...OLD, c: '1' }, 1);

    it('over a publish that got there, is not taken for somebody else’s', () => {
      const facts = { published: published(EDIT, 2), publishing: [tree(EDIT).digest] };
      expect(standing({ ...facts, local: tree(EDIT) })).toBe('in step');
      expect(standing({ ...facts, local: tree({ a: '3', b: '1' }) })).toBe('publish: edit');
    });

    it('over one that got there, and over the next one too, knows both', () => {
      const third = { a: '3', b: '1' };
      const facts = { publishing: [EDIT, third].map((files) => tree(files).digest), local: tree(third) };
      expect(standing({ ...facts, published: published(EDIT, 2) })).toBe('publish: edit');
      expect(standing({ ...facts, published: published(third, 3) })).toBe('in step');
      expect(standing({ ...facts, published: published(NEWER, 2) })).toBe('conflict: both changed');
    });

    it('over a publish that did not get there, is still an edit', () => {
      expect(standing({ local: tree(EDIT), publishing: [tree(EDIT).digest] })).toBe('publish: edit');
    });

    it.each<[string, Partial<StandingFacts>, string]>([
      ['is updated to its end', { published: published(NEWER, 2) }, 'update directory: behind'],
      ['is updated to what is newest', { published: published({ z: '9' }, 3) }, 'update directory: behind'],
      [
        'is not published when the store went back to its base',
        { published: from },
        'update directory: behind',
      ],
      ['is not published when the store lost everything', { published: 'nothing' }, 'conflict: half updated'],
      [
        'was edited too: a conflict',
        { local: tree({ ...NEWER, c: '7' }), published: published(NEWER, 2) },
        'conflict: both changed',
      ],
      [
        'was edited too, and the store went back',
        { local: tree({ ...NEWER, c: '7' }), published: from },
        'conflict: half updated',
      ],
      [
        'was interrupted twice',
        {
          local: tree({ a: '1', b: '2', c: '5' }),
          updating: [...updating, new Map([['c', '5']])],
          published: published({ z: '9' }, 4),
        },
        'update directory: behind',
      ],
      [
        'had never been filled before',
        { base: undefined, published: published(NEWER, 2), local: tree({ b: '2' }) },
        'update directory: behind',
      ],
    ])('over an update: %s', (_what, facts, expected) => {
      expect(standing({ local: half, base: from, updating, ...facts })).toBe(expected);
    });
  });

  describe('when the store was put back', () => {
    const base = published(NEWER, 7, 700);

    it('is published again, edited or not, and not overwritten', () => {
      const facts = { base, published: published(OLD, 5, 500) };
      expect(standing({ ...facts, local: tree(NEWER) })).toBe('publish: store went back');
      expect(standing({ ...facts, local: tree(EDIT) })).toBe('publish: store went back');
    });

    it('and somebody has published since, is a conflict', () => {
      const facts = { base, published: published(OLD, 5, 900) };
      expect(standing({ ...facts, local: tree(NEWER) })).toBe('conflict: store began anew');
    });

    it('is not believed when only its clock went back', () => {
      const facts = { base, published: published(OLD, 8, 100) };
      expect(standing({ ...facts, local: tree(NEWER) })).toBe('update directory: behind');
    });
  });
});

const filesOf = fc.dictionary(fc.constantFrom(...PATHS), fc.constantFrom('1', '2', '3'));
const sightOf = fc
  .record({ files: filesOf, revision: fc.nat(5), writtenMs: fc.nat(5) })
  .map(({ files, revision, writtenMs }) => published(files, revision, writtenMs));
const factsOf: fc.Arbitrary<StandingFacts> = fc.record({
  local: filesOf.map(tree),
  published: fc.oneof(sightOf, fc.constantFrom('nothing' as const, 'unreadable' as const)),
  base: fc.option(sightOf, { nil: undefined }),
  publishing: fc.array(
    filesOf.map((files) => tree(files).digest),
    { maxLength: 2 },
  ),
  updating: fc.array(
    filesOf.map((files) => tree(files).files),
    { maxLength: 2 },
  ),
  publishedForMs: fc.constantFrom(0, BEHIND_MS),
  isPublisher: fc.boolean(),
  force: fc.boolean(),
});

describe('whatever the facts are', () => {
  const always = (check: (facts: StandingFacts, answer: ReturnType<typeof sourceStanding>) => void) =>
    fc.assert(
      fc.property(factsOf, (facts) => check(facts, sourceStanding(facts))),
      { numRuns: 3_000 },
    );

  it('a directory as published is in step, and no other is', () => {
    always(({ local, published: there }, answer) => {
      expect(answer.is === 'in step').toBe(typeof there === 'object' && local.digest === there.digest);
    });
  });

  it('only the publisher publishes, and never an empty directory', () => {
    always(({ local, isPublisher }, answer) => {
      if (answer.is === 'publish') expect([isPublisher, local.files.size > 0]).toEqual([true, true]);
    });
  });

  it('the base is never published over something newer, not even by force', () => {
    always(({ local, base, published: there, publishing }, answer) => {
      if (typeof there !== 'object' || base === undefined || publishing.includes(there.digest)) return;
      const isNewer = there.digest !== base.digest && there.revision > base.revision;
      if (isNewer && local.digest === base.digest) expect(answer.is).not.toBe('publish');
    });
  });

  it('an update replaces only what is as some published tree had it', () => {
    always(({ local, base, updating, published: there }, answer) => {
      if (answer.is !== 'update directory') return;
      const stored = typeof there === 'object' ? there.files : undefined;
      const trees = [base?.files, ...updating, stored].filter((each) => each !== undefined);
      const isKnown = knownVersions(trees);
      const unknown = [...local.files].filter(([path, version]) => !isKnown(path, version));
      expect(unknown).toEqual([]);
    });
  });
});

it('an edit is not published over somebody who has gone back from it', () => {
  const [first, edited] = [tree({ a: '1' }), tree({ a: '1', b: '1' })];
  const published = { ...first, revision: 3, writtenMs: 3 };
  const base = { ...first, revision: 1, writtenMs: 1 };
  const facts = { local: edited, published, base, updating: [], publishedForMs: BEHIND_MS, force: false };
  const died = { ...facts, publishing: [edited.digest], isPublisher: true };
  expect(sourceStanding(died)).toEqual({ is: 'conflict', why: 'both changed' });
  // It never tried to publish, or nobody else has published since.
  expect(sourceStanding({ ...died, publishing: [] })).toEqual({ is: 'publish', why: 'edit' });
  expect(sourceStanding({ ...died, base: published })).toEqual({ is: 'publish', why: 'edit' });
});

describe('knownVersions', () => {
  it('counts what is missing as a version', () => {
    const isKnown = knownVersions([tree({ a: '1' }).files, tree({ a: '2', b: '1' }).files]);
    expect([isKnown('a', '2'), isKnown('a', undefined), isKnown('b', undefined)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

/**
 * Masters with directories of their own, persons who edit them, a lease that moves, deaths between any two steps and stores
 * that are put back. What was really seen is kept beside, out of the masters' reach.
 */
type Step =
  | { readonly do: 'edit'; readonly who: number; readonly path: string; readonly remove: boolean }
  | { readonly do: 'turn'; readonly who: number; readonly steps: number; readonly force: boolean }
  | { readonly do: 'lease'; readonly who: number }
  | { readonly do: 'put back'; readonly to: number };

interface Note {
  readonly base?: PublishedSight | undefined;
  readonly publishing?: readonly string[];
  readonly updating?: readonly ReadonlyMap<string, string>[];
}

const MASTERS = 3;
const whoOf = fc.nat(MASTERS - 1);
const stepOf: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      who: whoOf,
      path: fc.constantFrom(...PATHS),
      remove: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      who: whoOf,
      steps: fc.oneof(fc.constant(99), fc.nat(4)),
      force: fc.integer({ min: 0, max: 19 }).map((n) => n === 19),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lease' as const), who: whoOf }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('put back' as const), to: fc.nat(9) }) },
);

class Model {
  store: (PublishedSight & { readonly order: number }) | undefined;
  readonly past: (PublishedSight & { readonly order: number })[] = [];
  readonly masters = Array.from({ length: MASTERS }, () => ({
    files: {} as Files,
    note: {} as Note,
    /** The newest published tree that its directory was equal to, and the last one. */
    seen: 0,
    lastSeen: '',
    isMixed: false,
    /** By a person, since it was last as published and knew it. */
    isEdited: false,
  }));
  publisher = 0;
  private edits = 0;
  private order = 0;

  run(step: Step): void {
    if (step.do === 'lease') this.publisher = step.who;
    else if (step.do === 'put back') this.store = this.past[step.to] ?? this.store;
    else if (step.do === 'edit') this.edit(step.who, step.path, step.remove);
    else this.turn(step.who, step.steps, step.force);
    for (const master of this.masters)
      if (this.store !== undefined && tree(master.files).digest === this.store.digest) {
        master.seen = Math.max(master.seen, this.store.order);
        master.lastSeen = this.store.digest;
        master.isMixed = false;
        // An edit that happens to be what somebody else published is a person's until the master has noted that it is in step.
        if (master.note.base?.digest === this.store.digest) master.isEdited = false;
      }
  }

  /** `steps` writes are made; then the master dies. */
  turn(who: number, steps: number, force: boolean): string {
    const master = this.master(who);
    let left = steps;
    const write = (effect: () => void) => {
      if (left-- > 0) effect();
    };
    const note = (next: Note) =>
      write(() => {
        master.note = next;
      });
    const local = tree(master.files);
    const { base, publishing = [], updating = [] } = master.note;
    const answer = sourceStanding({
      local,
      published: this.store ?? 'nothing',
      base,
      publishing,
      updating,
      publishedForMs: BEHIND_MS,
      isPublisher: who === this.publisher,
      force,
    });
    if (answer.is === 'in step') note({ base: this.store });
    if (answer.is === 'publish') {
      note({ ...master.note, publishing: [...publishing, local.digest] });
      write(() => this.publish(master, local, answer.why));
      note({ base: this.store });
    }
    if (answer.is === 'update directory') {
      const to = this.store?.files ?? new Map();
      note({ ...master.note, updating: [...updating, to] });
      for (const path of differingPaths(local.files, to))
        write(() => this.replace(master, path, to.get(path)));
      note({ base: this.store });
    }
    return answer.is;
  }

  private edit(who: number, path: string, remove: boolean): void {
    const master = this.master(who);
    const { [path]: _, ...others } = master.files;
    master.files = remove ? others : { ...others, [path]: `edit ${++this.edits}` };
    master.isEdited = true;
  }

  private publish(master: Model['masters'][number], local: TreeSight, why: string): void {
    // The whole promise: whoever publishes has had what is published, unless a person took the decision. A master has had what it
    // was in step with when it died or began to publish, and what it was publishing itself, also where somebody published
    // the same again after the store was put back.
    const { base, publishing = [] } = master.note;
    const isBase = base?.digest === this.store?.digest && publishing.length === 1;
    const isOwn = this.store !== undefined && publishing.includes(this.store.digest);
    const hasHad = isBase || isOwn || master.lastSeen === this.store?.digest;
    if (this.store !== undefined && why !== 'forced' && !hasHad)
      expect(master.seen).toBeGreaterThanOrEqual(this.store.order);
    // And a directory that is half updated is nobody's tree.
    if (why !== 'forced') expect(master.isMixed).toBe(false);
    const order = ++this.order;
    this.store = { ...local, revision: (this.store?.revision ?? 0) + 1, writtenMs: order, order };
    this.past.push(this.store);
  }

  private replace(master: Model['masters'][number], path: string, version: string | undefined): void {
    const lost = master.files[path];
    if (lost !== undefined) expect(this.past.some(({ files }) => files.get(path) === lost)).toBe(true);
    const { [path]: _, ...others } = master.files;
    master.files = version === undefined ? others : { ...others, [path]: version };
    const isWhole = [...(master.note.updating ?? []), master.note.base?.files].some(
      (whole) => whole !== undefined && differingPaths(tree(master.files).files, whole).length === 0,
    );
    master.isMixed = !isWhole;
  }

  private master(who: number): Model['masters'][number] {
    return (
      this.masters[who] ?? { files: {}, note: {}, seen: 0, lastSeen: '', isMixed: false, isEdited: false }
    );
  }
}

describe('masters that edit, die and take over', () => {
  it('never publish over what they have not had, and lose no edit', () => {
    fc.assert(
      fc.property(fc.array(stepOf, { maxLength: 60, size: 'max' }), (steps) => {
        const model = new Model();
        for (const step of steps) model.run(step);
      }),
      { numRuns: 4_000 },
    );
  });

  it('have no conflict that no person made', () => {
    fc.assert(
      fc.property(fc.array(stepOf, { maxLength: 40, size: 'max' }), (steps) => {
        const model = new Model();
        for (const step of steps) if (step.do !== 'put back') model.run(step);
        for (const [who, master] of model.masters.entries()) {
          // Who died right after it published cannot know that it had, once somebody else has published over it.
          if (master.isEdited || master.note.publishing !== undefined) continue;
          expect(model.turn(who, 0, false)).not.toBe('conflict');
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('come to rest: each is in step, waits for a person, or waits for the publisher', () => {
    fc.assert(
      fc.property(fc.array(stepOf, { maxLength: 40, size: 'max' }), (steps) => {
        const model = new Model();
        for (const step of steps) model.run(step);
        const all = [0, 1, 2];
        for (let round = 0; round < 3; round++)
          for (const who of all) model.run({ do: 'turn', who, steps: 99, force: false });
        const rest = all.map((who) => model.turn(who, 99, false));
        expect(rest.filter((is) => is === 'publish' || is === 'update directory')).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});
