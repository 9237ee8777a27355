import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memoryMachine } from '../../system/memory/memory-machine.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import { PeelFilesBook } from './peel-files-book.ts';
import { type PublishedTree, sha256Of } from './publish-book.ts';
import { stampedFiles } from './site-meaning.ts';
import { FIRST_SETTINGS, FIRST_STATES, type SettingsModel, type StatesModel } from './site-model.ts';
import { type ModelTree, STAMP_REF, STAMPS, settingsTree, statesTree } from './site-trees.ts';

const PEEL = 'peel-2' as PeelId;
const JID = 'jid-1';
const CACHES = { states: '/cache/states', settings: '/cache/settings' };
const SECOND: StatesModel = { ...FIRST_STATES, main: 2, page: 2 };
const HALF: StatesModel = { ...FIRST_STATES, main: 3, isHalf: true };
const BROKEN: SettingsModel = { ...FIRST_SETTINGS, even: 4, broken: 'open' };
const WELL = { results: [] as readonly StateResult[], error: undefined, isCut: false, isDiskWell: true };

function published<Model>(revision: number, model: Model, tree: ModelTree): PublishedTree<Model> {
  const files = new Map([...tree].map(([path, text]) => [path, sha256Of(Buffer.from(text))]));
  return { revision, files, model, atMs: 0 };
}

function setUp(
  models: readonly StatesModel[] = [FIRST_STATES, SECOND, HALF],
  settingsModels: readonly SettingsModel[] = [FIRST_SETTINGS, BROKEN],
) {
  const clock = virtualClock();
  const machine = memoryMachine({ clock, random: seededRandom(1) });
  const broken: string[] = [];
  const bookOf = <Model>(revisions: PublishedTree<Model>[]) => ({
    revisions,
    treesOf: (revision: number) => revisions.filter((each) => each.revision === revision),
  });
  const states = models.map((model, i) => published(i + 1, model, statesTree(model)));
  const settings = settingsModels.map((model, i) =>
    published(i + 1, model, settingsTree(model, 'published')),
  );
  const book = new PeelFilesBook({
    peel: PEEL,
    books: { states: bookOf(states), settings: bookOf(settings) },
    caches: CACHES,
    look: (directory) => machine.look(directory),
    nowMs: () => 1_000_000,
    broke: (rule, text) => broken.push(`${rule}: ${text}`),
    hasForgotten: () => false,
  });
  const put = (directory: string, tree: ReadonlyMap<string, string>) => {
    for (const [path, text] of tree) machine.put(`${directory}/${path}`, text);
  };
  const mirror = (model: StatesModel, of: SettingsModel = FIRST_SETTINGS) => {
    put(CACHES.states, statesTree(model));
    put(CACHES.settings, settingsTree(of, 'published'));
  };
  /** A run that leaves what it read of two versions of the files. */
  const run = (model: StatesModel, other: Partial<StatesModel> = {}) => {
    const begun = book.begin(JID, { ref: STAMP_REF, isDry: false });
    put(`${STAMPS}/${JID}`, stampedFiles({ ...model, ...other }, FIRST_SETTINGS, PEEL));
    book.end(begun, WELL);
  };
  const rules = () => broken.map((text) => text.split(':')[0]);
  return { book, machine, mirror, run, rules };
}

describe('the record of the files of a peel', () => {
  it('takes any whole published tree for a mirror, and none', () => {
    const { book, mirror, rules } = setUp();
    book.check('now');
    mirror(SECOND);
    book.check('now');
    expect(rules()).toEqual([]);
    expect(book.has('settings', published(1, 0, settingsTree(FIRST_SETTINGS, 'published')).files)).toBe(true);
    expect(book.has('states', published(1, 0, statesTree(FIRST_STATES)).files)).toBe(false);
  });

  it('says when a mirror is a mix, or part of a tree', () => {
    for (const [path, text] of [
      ['stamp/page.jinja', statesTree(FIRST_STATES).get('stamp/page.jinja')],
      ['stamp/more.zy', undefined],
      ['stamp/more.zy', ''],
    ] as const) {
      const { book, machine, mirror, rules } = setUp();
      mirror(SECOND);
      machine.put(`${CACHES.states}/${path}`, text);
      book.check('now');
      expect(rules()).toEqual(['a mirror is one whole published tree']);
    }
  });

  it('leaves a tree alone that is marked as unfinished, and the product its own notes', () => {
    const { book, machine, mirror, rules } = setUp();
    mirror(SECOND);
    machine.put(`${CACHES.states}/.zester-tree.msgpack`, 'x');
    book.check('now');
    machine.put(`${CACHES.states}/stamp/page.jinja`, 'half');
    machine.put(`${CACHES.states}/.zester-incomplete`, '');
    book.check('now');
    expect(rules()).toEqual([]);
  });

  it('compares what a run left with the revisions that its return names', () => {
    const { book, mirror, run, rules } = setUp();
    mirror(SECOND);
    run(SECOND);
    book.returned(JID, { statesRevision: 2, settingsRevision: 1 });
    expect(rules()).toEqual([]);
    expect(book.counts.judged).toBe(1);
  });

  it('takes either number of a tree that was published twice', () => {
    const { book, mirror, run, rules } = setUp([FIRST_STATES, SECOND, SECOND]);
    mirror(SECOND);
    run(SECOND);
    book.returned(JID, { statesRevision: 2, settingsRevision: 1 });
    expect(rules()).toEqual([]);
  });

  it.each<[string, Partial<StatesModel>, number, string]>([
    ['mixed two trees', { page: 1 }, 2, 'a run uses one published tree and names it'],
    ['left a file out', { extras: new Map() }, 2, 'a run uses one published tree and names it'],
    ['names another revision', {}, 3, 'a run uses one published tree and names it'],
    ['names one that never was', {}, 9, 'a run uses one published tree and names it'],
    ['used an old tree', FIRST_STATES, 1, 'a run uses what the peel has'],
  ])('says when a run %s', (_, other, statesRevision, rule) => {
    const { book, mirror, run, rules } = setUp();
    mirror(SECOND);
    run(SECOND, other);
    book.returned(JID, { statesRevision, settingsRevision: 1 });
    expect(rules()).toEqual([rule]);
  });

  it('lets a run fail for files that are broken, or for a secret that has not come, and for nothing else', () => {
    /** With the first of each mirrored, and all published. */
    const fails = (states: readonly StatesModel[], settings: readonly SettingsModel[], error = 'x') => {
      const { book, mirror, rules } = setUp(states, settings);
      mirror(states[0] ?? SECOND, settings[0]);
      const begun = book.begin(JID, { ref: STAMP_REF, isDry: false });
      return [book.end(begun, { ...WELL, error }), rules()];
    };
    const missing = 'unresolved secret placeholders for keys: login';
    expect(fails([HALF], [FIRST_SETTINGS])).toEqual([true, []]);
    expect(fails([SECOND], [BROKEN])).toEqual([true, []]);
    expect(fails([SECOND], [FIRST_SETTINGS], missing)).toEqual([true, []]);
    // The newest, which it may have fetched before it began.
    expect(fails([SECOND, HALF], [FIRST_SETTINGS])).toEqual([true, []]);
    expect(fails([SECOND], [FIRST_SETTINGS, BROKEN])).toEqual([true, []]);
    const broken = ['files that are right can be applied'];
    expect(fails([SECOND], [FIRST_SETTINGS])).toEqual([false, broken]);
    expect(fails([SECOND, HALF, SECOND], [FIRST_SETTINGS])).toEqual([false, broken]);
  });

  it('knows that a run of stamped states changes the machine, until it ends or dies', () => {
    const { book } = setUp();
    const begun = book.begin(JID, { ref: STAMP_REF, isDry: false });
    expect(book.isActing).toBe(true);
    book.end(begun, WELL);
    expect(book.isActing).toBe(false);
    book.begin(JID, { ref: STAMP_REF, isDry: true });
    expect(book.isActing).toBe(false);
    book.begin(JID, { ref: STAMP_REF, isDry: false });
    book.died();
    expect(book.isActing).toBe(false);
  });
});
