import { describe, expect, it } from 'vitest';
import {
  everyDeath,
  SourceMaster,
  SourceWorld,
  type Tree,
} from '../../../test/harness/master/source-world.ts';
import { publishTree } from '../../../test/harness/mirror/publish-tree.ts';
import { PLAIN_FILES } from '../../bus/file-set/plain-files.ts';
import { BEHIND_FOR_A_MOMENT } from '../../core/files/set-state.ts';
import { BEHIND_MS } from '../../core/files/source-standing.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { streamPurgeSubject } from '../../wire/names/jetstream.ts';
import { MANIFEST_KEY, REVISION_KEY } from '../../wire/names/keys.ts';
import { FILE_VALUE_BYTES_MAX } from '../../wire/names/limits.ts';
import { objectChunkSubject, objectStreamName } from '../../wire/names/store-subjects.ts';
import { OBJECT_STORES } from '../../wire/names/streams.ts';
import { FILE_SETS, revisionCodec } from '../../wire/records/file-set.ts';
import { publishedSet } from './published-set.ts';
import { type SetPublisher, setPublisher, type TurnOptions } from './set-publisher.ts';
import { sourceNotes } from './source-note.ts';

const DIR = '/srv/states';
const DATA = '/var/lib/zester/master';
const OLD: Tree = { 'top.zy': 'top 1', 'web/init.zy': 'web 1', 'gone.zy': 'gone' };
const NEW: Tree = { 'top.zy': 'top 2', 'web/init.zy': 'web 1', 'web/more.zy': 'more' };
const EDIT = { 'top.zy': 'top 2', 'gone.zy': undefined, 'web/more.zy': 'more' };
const spec = FILE_SETS.states;

type StatesMaster = SourceMaster<SetPublisher>;

/** `refuse`: a tree with this text in one of its files cannot be published. */
function statesMaster(world: SourceWorld, files: Tree, refuse = 'REFUSED'): StatesMaster {
  return new SourceMaster(world, DIR, files, ({ bus, system, runtime, isPublisher }) =>
    setPublisher({
      clock: runtime.clock,
      log: runtime.log,
      files: system.files,
      spec,
      digest: PLAIN_FILES.digest,
      set: publishedSet({ bus, runtime, spec, seal: PLAIN_FILES, isPublisher }),
      directory: DIR,
      notes: sourceNotes(system.files, runtime.log, { dataDir: DATA, set: spec.name, source: DIR }),
      fileMode: 0o644,
      isPublisher,
      examine: async (tree) => {
        const problems: StateProblem[] = [];
        for (const file of tree.sources)
          if (Buffer.from(await file.read()).includes(refuse))
            problems.push({
              message: 'no',
              at: { file: file.path, line: 3 },
              chain: [],
              hint: undefined,
              severity: 'error',
            });
        return problems;
      },
    }),
  );
}

const turnNow = (master: StatesMaster, options: Partial<TurnOptions> = {}) =>
  master.run((part) => part.turn({ again: false, force: false, ...options }));

/** As its loop has it: again where it only waits to see whether the directory stays behind. */
async function turn(master: StatesMaster, options: Partial<TurnOptions> = {}) {
  const first = await turnNow(master, options);
  if (first.note !== BEHIND_FOR_A_MOMENT) return first;
  await master.world.clock.advance(BEHIND_MS);
  return turnNow(master, options);
}

/** Turns until nothing moves, as its loop would. */
async function settle(master: StatesMaster): Promise<string> {
  for (let turns = 0; turns < 5; turns++) {
    const { state, isMoving } = await turn(master);
    if (!isMoving && state !== 'updated' && state !== 'published') return state;
  }
  return 'never settles';
}

/** The master has seen for long enough that its directory is behind: its next turn updates it. */
async function noticeBehind(master: StatesMaster): Promise<void> {
  expect(await turnNow(master)).toMatchObject({ note: BEHIND_FOR_A_MOMENT });
  await master.world.clock.advance(BEHIND_MS);
}

/** Two masters with directories of their own; the first publishes, and both are in step. */
async function setUp({ first = OLD, second = {} as Tree } = {}) {
  const world = new SourceWorld();
  await world.open();
  const a = statesMaster(world, first);
  const b = statesMaster(world, second);
  await a.files.makeDirectory(DIR, { parents: true });
  await b.files.makeDirectory(DIR, { parents: true });
  a.leads();
  await settle(a);
  await settle(b);
  return { world, a, b };
}

describe('a set publisher', () => {
  it('publishes what its directory has, and then nothing while that does not change', async () => {
    const { world, a } = await setUp();
    expect(await world.published()).toEqual(OLD);
    expect(await turn(a)).toMatchObject({
      state: 'unchanged',
      changed: 0,
      published: { sight: { revision: 1 } },
    });
    expect(await a.writesOf((part) => part.turn({ again: true, force: false }))).toBe(0);
  });

  it('publishes an edit, and says how many files it changed', async () => {
    const { world, a } = await setUp();
    await a.edit(EDIT);
    expect(await turn(a)).toMatchObject({
      state: 'published',
      changed: 3,
      published: { sight: { revision: 2 } },
    });
    expect(await world.published()).toEqual(NEW);
  });

  it('keeps the directory of a master that does not publish up to date', async () => {
    const { a, b } = await setUp();
    expect(b.tree()).toEqual(OLD);
    await a.edit(EDIT);
    await settle(a);
    expect(await turn(b)).toMatchObject({ state: 'updated', changed: 3 });
    expect(b.tree()).toEqual(NEW);
    expect(await settle(b)).toBe('unchanged');
  });

  it('puts right what somebody else did to the store', async () => {
    const { world, a } = await setUp();
    await world.settled(world.hand.bucket(BUCKETS.stateFiles.name).put('top.zy', Buffer.from('foreign')));
    expect(await turn(a)).toMatchObject({ state: 'published' });
    expect(await world.published()).toEqual(OLD);
  });

  it('never empties what is published', async () => {
    const { world, a } = await setUp();
    await a.edit({ 'top.zy': undefined, 'web/init.zy': undefined, 'gone.zy': undefined });
    expect(await turn(a, { force: true })).toMatchObject({ state: 'empty' });
    expect(await world.published()).toEqual(OLD);
    await a.files.removeTree(DIR);
    expect(await turn(a, { force: true })).toMatchObject({
      state: 'failed',
      note: expect.stringContaining(`the directory ${DIR} is gone; what is published stays`),
    });
    expect(await world.published()).toEqual(OLD);
  });

  it('changes nothing for a tree that is refused, and names file and line', async () => {
    const { world, a } = await setUp();
    await a.edit({ 'web/init.zy': 'REFUSED', 'top.zy': 'top 2' });
    for (const force of [false, true]) {
      expect(await a.writesOf((part) => part.turn({ again: true, force }))).toBe(0);
      expect(await turn(a, { force })).toMatchObject({ state: 'broken', note: 'web/init.zy:3: no' });
    }
    expect(await world.published()).toEqual(OLD);
    await a.edit({ 'web/init.zy': 'web 2' });
    expect(await turn(a)).toMatchObject({ state: 'published' });
  });

  it('changes nothing for a tree with a link out of it', async () => {
    const { world, a } = await setUp();
    await a.files.symlink({ target: '/etc/passwd', path: `${DIR}/evil` });
    expect(await turn(a)).toMatchObject({ state: 'broken', note: expect.stringContaining('evil of states') });
    expect(await world.published()).toEqual(OLD);
  });

  it('writes everything again by force', async () => {
    const { world, a } = await setUp();
    expect(await turn(a, { force: true })).toMatchObject({ state: 'published', changed: 3 });
    expect(await world.revision()).toBe(2);
  });
});

describe('of several masters', () => {
  it('one that does not publish keeps its edits, and publishes them when it takes over', async () => {
    const { world, a, b } = await setUp();
    await b.edit(EDIT);
    expect(await turn(b)).toMatchObject({
      state: 'waiting',
      note: expect.stringContaining('3 files differ'),
    });
    expect(await settle(a)).toBe('unchanged');
    expect(await world.published()).toEqual(OLD);
    b.leads();
    expect(await turn(b)).toMatchObject({ state: 'published' });
    expect(await turn(a)).toMatchObject({ state: 'updated' });
    expect(a.tree()).toEqual(NEW);
  });

  it('one that was away does not publish its old tree when it takes over', async () => {
    const { world, a, b } = await setUp();
    await a.edit(EDIT);
    await settle(a);
    b.restart();
    b.leads();
    expect(await turn(b)).toMatchObject({ state: 'updated' });
    expect(await settle(b)).toBe('unchanged');
    expect(b.tree()).toEqual(NEW);
    expect([await world.published(), await world.revision()]).toEqual([NEW, 2]);
  });

  it('one that has never been here fills its empty directory', async () => {
    const { world, b } = await setUp();
    const c = statesMaster(world, {});
    await c.files.makeDirectory(DIR, { parents: true });
    await c.edit({ '.hidden': 'mine' });
    c.leads();
    expect(await turn(c)).toMatchObject({ state: 'updated' });
    expect(c.tree()).toEqual(b.tree());
    expect(c.modeOf('web/init.zy')).toBe('644');
  });

  it('one with files of its own publishes nothing and loses nothing, until an operator says so', async () => {
    const { world } = await setUp();
    const c = statesMaster(world, { 'top.zy': 'mine' });
    expect(await turn(c)).toMatchObject({ state: 'conflict' });
    c.leads();
    expect(await turn(c)).toMatchObject({ state: 'conflict', note: expect.stringContaining('--force') });
    expect([await world.published(), c.tree()]).toEqual([OLD, { 'top.zy': 'mine' }]);
    expect(await turn(c, { force: true })).toMatchObject({ state: 'published' });
    expect(await world.published()).toEqual({ 'top.zy': 'mine' });
  });

  it('two that were both edited are in conflict: nobody’s edit is lost, nothing is published', async () => {
    const { world, a, b } = await setUp();
    await a.edit({ 'top.zy': 'by a' });
    await b.edit({ 'web/init.zy': 'by b' });
    await settle(a);
    expect(await turn(b)).toMatchObject({
      state: 'conflict',
      note: expect.stringContaining('top.zy, web/init.zy'),
    });
    b.leads();
    expect(await settle(b)).toBe('conflict');
    expect(b.tree()).toMatchObject({ 'top.zy': 'top 1', 'web/init.zy': 'by b' });
    expect(await world.published()).toMatchObject({ 'top.zy': 'by a', 'web/init.zy': 'web 1' });
    // The person brings the other's edit over by hand: then it is an edit of what is published.
    await b.edit({ 'top.zy': 'by a', 'web/init.zy': 'web 1' });
    expect(await settle(b)).toBe('unchanged');
    await b.edit({ 'web/init.zy': 'by b' });
    expect(await turn(b)).toMatchObject({ state: 'published' });
  });

  it('force is for the publisher, and does not bring a tree back that is known to be old', async () => {
    const { world, a, b } = await setUp();
    await a.edit(EDIT);
    await settle(a);
    b.leads();
    expect(await turn(b, { force: true })).toMatchObject({ state: 'updated' });
    expect(await world.published()).toEqual(NEW);
    await a.edit({ 'top.zy': 'by a' });
    await b.edit({ 'top.zy': 'by b' });
    await settle(b);
    expect(await turn(a, { force: true })).toMatchObject({ state: 'conflict' });
    expect(await world.published()).toMatchObject({ 'top.zy': 'by b' });
  });

  it('two on one directory never get in each other’s way', async () => {
    const world = new SourceWorld();
    await world.open();
    const a = statesMaster(world, OLD);
    // The same machine: the second master has a data directory of its own, and the same directory.
    const { files } = a;
    const b = new SourceMaster(world, DIR, {}, ({ bus, runtime, isPublisher }) =>
      setPublisher({
        clock: runtime.clock,
        log: runtime.log,
        files,
        spec,
        digest: PLAIN_FILES.digest,
        set: publishedSet({ bus, runtime, spec, seal: PLAIN_FILES, isPublisher }),
        directory: DIR,
        notes: sourceNotes(files, runtime.log, { dataDir: `${DATA}-2`, set: spec.name, source: DIR }),
        fileMode: 0o644,
        isPublisher,
        examine: async () => [],
      }),
    );
    for (const leader of [a, b, a, b]) {
      leader.leads();
      await a.edit({ 'top.zy': `edit ${await world.revision()}` });
      const tree = a.tree();
      for (const each of [b, a, b, a])
        expect(['unchanged', 'published', 'waiting']).toContain((await turn(each)).state);
      expect(await world.published()).toEqual(tree);
      expect([await settle(a), await settle(b)]).toEqual(['unchanged', 'unchanged']);
    }
    expect(await world.revision()).toBe(4);
  });
});

describe('a master that dies in the middle', () => {
  const change = (part: SetPublisher) => part.turn({ again: false, force: false });

  /** How many writes a turn makes after `prepare`. */
  async function countWrites(prepare: (world: Awaited<ReturnType<typeof setUp>>) => Promise<StatesMaster>) {
    const master = await prepare(await setUp());
    return master.writesOf(change);
  }

  const edited = async ({ a }: Awaited<ReturnType<typeof setUp>>) => {
    await a.edit(EDIT);
    return a;
  };
  const behind = async ({ a, b }: Awaited<ReturnType<typeof setUp>>) => {
    await a.edit(EDIT);
    await settle(a);
    await noticeBehind(b);
    return b;
  };

  it('of a publish, finishes it in its next life', async () => {
    const deaths = everyDeath(await countWrites(edited));
    expect(deaths.length).toBeGreaterThan(20);
    for (const death of deaths) {
      const fleet = await setUp();
      const { world, a, b } = fleet;
      await edited(fleet);
      expect(await a.dieIn(death, change), JSON.stringify(death)).toBe(true);
      expect(await settle(a), JSON.stringify(death)).toBe('unchanged');
      expect(await world.published()).toEqual(NEW);
      expect(a.tree()).toEqual(NEW);
      expect(await settle(b)).toBe('unchanged');
      expect(b.tree()).toEqual(NEW);
    }
  });

  it('of a publish, and is edited again before its next life, has no conflict', async () => {
    for (const death of everyDeath(await countWrites(edited), 'power')) {
      const fleet = await setUp();
      const { world, a } = fleet;
      await edited(fleet);
      await a.dieIn(death, change);
      await a.edit({ 'top.zy': 'top 3' });
      expect(await settle(a), JSON.stringify(death)).toBe('unchanged');
      expect(await world.published()).toEqual({ ...NEW, 'top.zy': 'top 3' });
    }
  });

  it('of a publish, and of the next one too, has no conflict', async () => {
    const writes = await countWrites(edited);
    for (const first of everyDeath(writes)) {
      // Right after it has noted what it is about to publish, and in the middle.
      for (const at of [5, 8]) {
        const fleet = await setUp();
        const { world, a } = fleet;
        await edited(fleet);
        await a.dieIn(first, change);
        await a.edit({ 'top.zy': 'top 3' });
        await a.dieIn({ at, when: 'after', how: 'kill' }, change);
        await a.edit({ 'top.zy': 'top 4' });
        expect(await settle(a), JSON.stringify([first, at])).toBe('unchanged');
        expect(await world.published()).toEqual({ ...NEW, 'top.zy': 'top 4' });
      }
    }
  });

  it('of a publish, leaves to the next publisher the old tree or the new one, and no conflict', async () => {
    const ends = new Set<string>();
    for (const death of everyDeath(await countWrites(edited))) {
      const fleet = await setUp();
      const { world, a, b } = fleet;
      await edited(fleet);
      await a.dieIn(death, change);
      b.leads();
      expect(await settle(b), JSON.stringify(death)).toBe('unchanged');
      const tree = await world.published();
      ends.add(JSON.stringify(tree));
      expect([JSON.stringify(OLD), JSON.stringify(NEW)].map((each) => JSON.parse(each))).toContainEqual(tree);
      expect(b.tree()).toEqual(tree);
      // The edit is still there, wherever it ended; its master waits with it, or has seen it published.
      expect(a.tree()).toEqual(NEW);
      expect(['waiting', 'unchanged']).toContain(await settle(a));
      a.leads();
      expect(await settle(a)).toBe('unchanged');
      expect(await world.published()).toEqual(NEW);
    }
    expect(ends.size).toBe(2);
  });

  it('of an update, finishes it, also when something newer was published meanwhile', async () => {
    const deaths = everyDeath(await countWrites(behind));
    expect(deaths.length).toBeGreaterThan(20);
    for (const [index, death] of deaths.entries()) {
      const fleet = await setUp();
      const { world, a, b } = fleet;
      await behind(fleet);
      expect(await b.dieIn(death, change), JSON.stringify(death)).toBe(true);
      const isNewer = index % 2 === 0;
      if (isNewer) {
        await a.edit({ 'web/init.zy': 'web 3', 'web/more.zy': undefined });
        await settle(a);
      }
      b.leads();
      const tree = await world.published();
      expect(await settle(b), JSON.stringify(death)).toBe('unchanged');
      expect(b.tree()).toEqual(a.tree());
      // Half of an update is never published, also by a master that has just become the publisher.
      expect([await world.published(), await world.revision()]).toEqual([tree, isNewer ? 3 : 2]);
    }
  });

  it('of an update, and again right at the start of the next, still finishes', async () => {
    const writes = await countWrites(behind);
    for (let at = 4; at <= writes; at++)
      for (const second of [3, 4, 5]) {
        const fleet = await setUp();
        const { a, b } = fleet;
        await behind(fleet);
        await b.dieIn({ at, when: 'after', how: 'kill' }, change);
        await a.edit({ 'top.zy': 'x', 'web/more.zy': 'x' });
        await settle(a);
        await b.dieIn({ at: second, when: 'after', how: 'kill' }, change);
        await a.edit({ 'top.zy': 'y', 'web/more.zy': 'y' });
        await settle(a);
        expect(await settle(b), `at ${at}, then ${second}`).toBe('unchanged');
        expect(b.tree()).toEqual(a.tree());
      }
  });

  it('of filling a new directory, finishes it', async () => {
    const fill = async () => {
      const { world } = await setUp();
      const c = statesMaster(world, {});
      await c.files.makeDirectory(DIR, { parents: true });
      return { world, c };
    };
    const { c: counted } = await fill();
    for (const death of everyDeath(await counted.writesOf(change))) {
      const { world, c } = await fill();
      await c.dieIn(death, change);
      c.leads();
      expect(await settle(c), JSON.stringify(death)).toBe('unchanged');
      expect([c.tree(), await world.published()]).toEqual([OLD, OLD]);
    }
  });
});

it('a publish that was interrupted, and of which the store has lost a part, does not stand in the way of the next', async () => {
  const { world, a } = await setUp();
  const large = 'x'.repeat(FILE_VALUE_BYTES_MAX + 1);
  await world.settled(publishTree(world.hand, spec, { ...OLD, large }));
  await world.settled(world.hand.bucket(spec.bucket.name).put(REVISION_KEY, revisionCodec.encode(1)));
  const chunks = { filter: objectChunkSubject(OBJECT_STORES.fileBlobs.name, '*'), keep: 1 };
  const stream = objectStreamName(OBJECT_STORES.fileBlobs.name);
  const purge = Buffer.from(JSON.stringify(chunks));
  await world.settled(world.hand.request(streamPurgeSubject(stream), purge, { timeoutMs: 1_000 }));
  await a.edit(EDIT);
  expect(await settle(a)).toBe('unchanged');
  expect(await world.published()).toEqual(NEW);
});

it('links to directories in the trees of masters stand in nobody’s way', async () => {
  const { world, a, b } = await setUp();
  await a.files.symlink({ target: 'web', path: `${DIR}/alias` });
  await settle(a);
  expect(await settle(b)).toBe('unchanged');
  expect(b.tree()).toEqual({ ...OLD, 'alias/init.zy': 'web 1' });
  // The one with the link is the one that is updated.
  b.leads();
  await b.edit({ 'web/init.zy': 'web 2', 'alias/init.zy': 'web 2' });
  await settle(b);
  expect(await settle(a)).toBe('unchanged');
  await b.edit({ 'alias/init.zy': 'another' });
  await settle(b);
  expect(await settle(a)).toBe('unchanged');
  expect(await world.published()).toEqual({ ...OLD, 'web/init.zy': 'web 2', 'alias/init.zy': 'another' });
});

it('an edit that is taken back right after it was published is not put back by a master that shares the directory', async () => {
  const { world, a, b: shares } = await setUp();
  await a.edit(EDIT);
  await settle(a);
  // Taken back before the other master looks: it finds what it had, and something newer published.
  expect(await turnNow(shares)).toMatchObject({
    state: 'waiting',
    note: BEHIND_FOR_A_MOMENT,
    isMoving: true,
  });
  expect(shares.tree()).toEqual(OLD);
  await a.edit({ ...OLD, 'web/more.zy': undefined });
  await settle(a);
  await world.clock.advance(BEHIND_MS);
  expect(await turnNow(shares)).toMatchObject({ state: 'unchanged' });
  expect([shares.tree(), await world.published()]).toEqual([OLD, OLD]);
});

describe('a person who edits meanwhile', () => {
  /** B is behind, and somebody edits its directory at the n-th write of its update. */
  async function editedAt(at: number, changes: Tree) {
    const { world, a, b } = await setUp();
    await a.edit(EDIT);
    await settle(a);
    await noticeBehind(b);
    b.editAt(at, changes);
    await turn(b);
    return { world, b, state: await settle(b) };
  }

  it('loses no file that is not being replaced in that very moment, while the directory is updated', async () => {
    const { a, b } = await setUp();
    await a.edit(EDIT);
    await settle(a);
    await noticeBehind(b);
    const writes = await b.writesOf((part) => part.turn({ again: false, force: false }));
    const ends = new Set<string>();
    for (let at = 1; at <= writes; at++) {
      // The one is the same in both trees, the other in neither.
      const { world, b: edited, state } = await editedAt(at, { 'web/init.zy': 'mine', 'new.zy': 'mine' });
      ends.add(state);
      expect(edited.tree(), `at ${at}`).toMatchObject({ 'web/init.zy': 'mine', 'new.zy': 'mine' });
      expect(['conflict', 'waiting'], `at ${at}`).toContain(state);
      expect(await world.published()).toEqual(NEW);
    }
    // In conflict with what it had not been updated to, an edit of what it had.
    expect(ends.size).toBe(2);
  });

  it.each([1, 2, 3])('keeps an edit of a file that would have been replaced (write %d)', async (at) => {
    const { b, state } = await editedAt(at, { 'top.zy': 'mine' });
    expect([b.tree()['top.zy'], state]).toEqual(['mine', 'conflict']);
  });

  it('while it is published is published next', async () => {
    const { world, a } = await setUp();
    await a.edit(EDIT);
    a.editAt(1, { 'top.zy': 'top 3' });
    await turn(a);
    expect(await settle(a)).toBe('unchanged');
    expect(await world.published()).toEqual({ ...NEW, 'top.zy': 'top 3' });
  });
});

describe('a lease that is lost', () => {
  it('in the middle of a publish lets nothing old come over what the next publisher wrote', async () => {
    const fleet = await setUp();
    const { a } = fleet;
    await a.edit(EDIT);
    const writes = await a.writesOf((part) => part.turn({ again: false, force: false }));
    for (let at = 1; at <= writes; at++) {
      const { world, a: slow, b } = await setUp();
      await slow.edit({ 'top.zy': 'slow' });
      await b.edit({ 'web/init.zy': 'fast' });
      const frozen = await freezeAt(slow, at);
      b.leads();
      await settle(b);
      slow.believesToLead = true;
      await frozen.thaw();
      slow.believesToLead = false;
      for (let turns = 0; turns < 4; turns++) {
        await turn(b);
        await turn(slow);
      }
      const tree = (await world.published()) as Tree;
      // Either the slow one had its manifest in the store before it lost the lease, or the fast one is the publisher.
      const isOneOf = [
        { ...OLD, 'top.zy': 'slow' },
        { ...OLD, 'web/init.zy': 'fast' },
      ];
      expect(isOneOf, `at ${at}`).toContainEqual(tree);
      expect(slow.tree()).toMatchObject({ 'top.zy': 'slow' });
      expect(b.tree()).toMatchObject({ 'web/init.zy': 'fast' });
      const [ofSlow, ofFast] = [await settle(slow), await settle(b)];
      expect([ofSlow, ofFast].sort(), `at ${at}`).toEqual(['conflict', 'unchanged']);
    }
  });

  /** Begins a turn and stops it at its n-th write, as a process that is frozen there. */
  async function freezeAt(master: StatesMaster, at: number) {
    const part = await master.part();
    const gate = master.pauseAt(at);
    const running = part.turn({ again: false, force: false });
    running.catch((error: unknown) => error);
    await master.world.outcome(gate.reached);
    return {
      thaw: async () => {
        gate.release();
        await master.world.outcome(running);
      },
    };
  }
});

describe('a store', () => {
  const past = async (world: SourceWorld, key: string) => {
    const read = await world.settled(world.hand.bucket(BUCKETS.stateFiles.name).getLatest(key));
    return read.found ? read.value : new Uint8Array();
  };

  it('whose manifest somebody deleted is published anew by who has seen it', async () => {
    const { world, a, b } = await setUp();
    await world.settled(world.hand.bucket(BUCKETS.stateFiles.name).delete(MANIFEST_KEY));
    const stranger = statesMaster(world, { 'top.zy': 'mine' });
    stranger.leads();
    expect(await turn(stranger)).toMatchObject({
      state: 'conflict',
      note: expect.stringContaining('no manifest'),
    });
    b.leads();
    expect(await turn(b)).toMatchObject({ state: 'published' });
    expect(await world.published()).toEqual(OLD);
    expect(await settle(a)).toBe('unchanged');
  });

  it('that lost everything gets it back from who publishes', async () => {
    const { world, a, b } = await setUp();
    const bucket = world.hand.bucket(BUCKETS.stateFiles.name);
    for (const key of await world.settled(bucket.keys())) await world.settled(bucket.erase(key));
    b.leads();
    expect(await turn(b)).toMatchObject({ state: 'published' });
    expect(await settle(a)).toBe('unchanged');
    expect(await world.published()).toEqual(OLD);
  });

  it('that was put back to an older state does not overwrite the directories that are newer', async () => {
    const { world, a, b } = await setUp();
    const [manifest, revision, top] = [
      await past(world, MANIFEST_KEY),
      await past(world, REVISION_KEY),
      Buffer.from('top 1'),
    ];
    await a.edit({ 'top.zy': 'top 2' });
    await settle(a);
    await settle(b);
    const bucket = world.hand.bucket(BUCKETS.stateFiles.name);
    // A restored backup has the time of its writes; here the clock is put back for that.
    world.clock.jumpWall(-3_600_000);
    await world.settled(bucket.put('top.zy', top));
    await world.settled(bucket.put(MANIFEST_KEY, manifest));
    await world.settled(bucket.put(REVISION_KEY, revision));
    world.clock.jumpWall(3_600_000);
    expect(await world.published()).toEqual(OLD);
    expect(await turn(b)).toMatchObject({ state: 'waiting' });
    expect(await turn(a)).toMatchObject({ state: 'published' });
    expect(await world.published()).toMatchObject({ 'top.zy': 'top 2' });
    expect([await settle(a), await settle(b)]).toEqual(['unchanged', 'unchanged']);
  });
});

it('clocks that jump change nothing about which tree is right', async () => {
  const { world, a, b } = await setUp();
  for (const [jumpMs, leader, other] of [
    [-86_400_000, a, b],
    [172_800_000, b, a],
    [-86_400_000, a, b],
  ] as const) {
    world.clock.jumpWall(jumpMs);
    leader.leads();
    await leader.edit({ 'top.zy': `at ${jumpMs} ${await world.revision()}` });
    expect(await settle(leader)).toBe('unchanged');
    expect(await turn(other)).toMatchObject({ state: 'updated' });
    expect(other.tree()).toEqual(leader.tree());
    expect(await world.published()).toEqual(leader.tree());
  }
});
