import { describe, expect, it } from 'vitest';
import { at, UNDO_DATA_DIR, UndoWorld, write } from '../../../test/harness/states/undo-world.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { FileStep } from '../../system/file-steps.ts';
import { plannedFiles } from '../../system/planned-files.ts';

const makeDirectory = (path: string): FileStep => ({ kind: 'make-directory', path: at(path), mode: 0o755 });
const remove = (path: string): FileStep => ({ kind: 'remove', path: at(path) });

async function furnished(): Promise<UndoWorld> {
  const world = await UndoWorld.make();
  await world.files.writeAtomic(at('motd'), Buffer.from('v1'), { mode: 0o640, uid: 5, gid: 6 });
  return world;
}

describe('revert', () => {
  it('restores content, mode and owner', async () => {
    const world = await furnished();
    const before = await world.tree();
    await world.apply('s', [write('motd', 'v2', { mode: 0o600, owner: { uid: 9 } })]);
    expect(await world.revert('s')).toEqual({
      changed: true,
      diff: '/srv/motd: content restored\n/srv/motd: mode 0640 again\n/srv/motd: owner 5:6 again',
      kept: [],
      error: undefined,
    });
    expect(await world.tree()).toEqual(before);
  });

  it('works in a later process', async () => {
    const world = await furnished();
    const before = await world.tree();
    await world.apply('s', [write('motd', 'v2')]);
    world.restart();
    expect(await world.revert('s')).toMatchObject({ changed: true, error: undefined });
    expect(await world.tree()).toEqual(before);
  });

  it('removes what was made, directories only when they are empty', async () => {
    const world = await furnished();
    const before = await world.tree();
    await world.apply('s', [makeDirectory('app'), makeDirectory('app/etc'), write('app/etc/conf', 'x')]);
    await world.files.writeAtomic(at('app/data.db'), Buffer.from('of somebody else'));
    expect(await world.revert('s')).toEqual({
      changed: true,
      diff: '/srv/app/etc/conf: removed\n/srv/app/etc: removed',
      kept: ['/srv/app: is not empty, it holds data.db'],
      error: undefined,
    });
    expect(await world.revert('s')).toEqual({
      changed: false,
      diff: 'already reverted by job undo, except what could not be undone',
      kept: ['/srv/app: is not empty, it holds data.db'],
      error: undefined,
    });
    await world.files.removeTree(at('app'));
    expect(await world.tree()).toEqual(before);
  });

  it('keeps runs apart: each can be undone by its jid, and stays on record as reverted', async () => {
    const world = await furnished();
    await world.apply('conf', [write('conf', 'v1')], 'one');
    await world.apply('other', [write('other', 'x')], 'one');
    await world.apply('conf', [write('conf', 'v2')], 'two');
    await world.record('runs', 'two').cannotUndo('runs make');
    expect((await world.revert('conf', { jid: 'one' })).error).toContain('not what the run left');
    expect(await world.revert('conf', { jid: 'two' })).toMatchObject({ changed: true });
    expect((await world.tree())['conf']).toMatch(/v1$/);
    expect(await world.revert('conf', { jid: 'one' })).toMatchObject({ changed: true });
    world.restart();
    expect(await world.journal.lastRun()).toMatchObject({ jid: 'two' });
    expect(await world.journal.run('three')).toBeUndefined();
    const told = (await world.journal.runs()).map(({ jid, states }) => [
      jid,
      states.map(({ name, isUndoable, reverted, kept }) => [name, isUndoable, reverted?.by, kept]),
    ]);
    expect(told).toEqual([
      [
        'one',
        [
          ['conf', false, 'undo', []],
          ['other', true, undefined, []],
        ],
      ],
      [
        'two',
        [
          ['conf', false, 'undo', []],
          ['runs', false, undefined, ['runs make']],
        ],
      ],
    ]);
  });

  it('leaves a directory that another state uses for a later try, if there is one', async () => {
    const world = await furnished();
    await world.apply('made', [makeDirectory('app')], 'run');
    await world.apply('used', [write('app/f', 'x')], 'run');
    const first = { by: 'undo', isLastTry: false, view: undefined };
    expect(await world.journal.revert({ jid: 'run', state: 'made' }, first)).toMatchObject({ end: 'left' });
    await world.revert('used');
    expect(await world.revert('made')).toMatchObject({ changed: true, kept: [] });
  });

  it('empties a directory before it removes it, whatever was done to which last', async () => {
    const world = await furnished();
    const before = await world.tree();
    await world.apply('s', [
      makeDirectory('app'),
      write('app/f', 'x'),
      { kind: 'chmod', path: at('app'), mode: 0o2711 },
    ]);
    expect(await world.revert('s')).toMatchObject({
      diff: '/srv/app/f: removed\n/srv/app: removed',
      kept: [],
    });
    expect(await world.tree()).toEqual(before);
  });

  it('brings a removed tree back with everything in it', async () => {
    const world = await furnished();
    await world.files.makeDirectory(at('tree/inner'), { parents: true });
    await world.files.writeAtomic(at('tree/inner/f'), Buffer.from('deep'), { mode: 0o4755, uid: 3 });
    await world.files.symlink({ target: 'inner/f', path: at('tree/link') });
    await world.files.chown(at('tree/link'), { uid: 8 });
    await world.files.chmod(at('tree/inner'), 0o2750);
    const before = await world.tree();
    await world.apply('s', [remove('tree'), { kind: 'link', path: at('tree'), target: '/etc' }]);
    expect(await world.revert('s')).toMatchObject({ changed: true, kept: [], error: undefined });
    expect(await world.tree()).toEqual(before);
  });

  it('goes back by any run of a state; a run that changes nothing hides none', async () => {
    const world = await furnished();
    await world.apply('s', [write('motd', 'v2')]);
    await world.apply('s', [write('motd', 'v3')]);
    await world.apply('s', [write('motd', 'v3')]);
    expect(await world.revert('s')).toMatchObject({ changed: true });
    expect((await world.tree()).motd).toContain('v2');
    expect(await world.revert('s')).toMatchObject({ changed: false, diff: 'already reverted by job undo' });
    expect(await world.revert('s', { jid: 'job-1' })).toMatchObject({ changed: true });
    expect((await world.tree()).motd).toContain('v1');
  });

  it('undoes two states on one path in reverse order, and not in the wrong one', async () => {
    const world = await furnished();
    await world.apply('first', [write('motd', 'v2')], 'run');
    await world.apply('second', [write('motd', 'v3')], 'run');
    expect((await world.revert('first')).error).toContain('its content is not what the run left');
    expect((await world.tree()).motd).toContain('v3');
    expect(await world.revert('second')).toMatchObject({ changed: true });
    expect(await world.revert('first')).toMatchObject({ changed: true });
    expect((await world.tree()).motd).toContain('v1');
  });

  it.each([
    ['content', (w: UndoWorld) => w.files.writeAtomic(at('motd'), Buffer.from('mine'))],
    ['mode', (w: UndoWorld) => w.files.chmod(at('motd'), 0o777)],
    ['owner', (w: UndoWorld) => w.files.chown(at('motd'), { uid: 77 })],
    ['is gone', (w: UndoWorld) => w.files.removeFile(at('motd'))],
  ])('changes nothing of the state when somebody changed the %s', async (word, meddle) => {
    const world = await furnished();
    await world.apply('s', [makeDirectory('app'), write('motd', 'v2'), write('app/f', 'x')]);
    await meddle(world);
    const before = await world.tree();
    const outcome = await world.revert('s');
    expect(outcome).toMatchObject({ changed: false, diff: '' });
    expect(outcome.error).toContain(`/srv/motd: `);
    expect(outcome.error).toContain(word);
    expect(await world.tree()).toEqual(before);
  });

  it('changes nothing when a removed directory has come back with other things in it', async () => {
    const world = await furnished();
    await world.files.makeDirectory(at('d'));
    await world.files.writeAtomic(at('d/f'), Buffer.from('x'));
    await world.apply('s', [remove('d')]);
    await world.files.makeDirectory(at('d'), { mode: 0o700 });
    await world.files.writeAtomic(at('d/new'), Buffer.from('y'));
    const before = await world.tree();
    expect((await world.revert('s')).error).toBe('/srv/d: holds new, which was put there since');
    expect(await world.tree()).toEqual(before);
  });

  it('lists what nobody can undo, now and later', async () => {
    const world = await furnished();
    await world.apply('s', [write('motd', 'v2')]);
    const record = world.record('s', 'later');
    await record.cannotUndo('runs systemctl restart nginx');
    await record.before({ kind: 'touch', path: at('motd') });
    expect(await world.revert('s')).toEqual({
      changed: false,
      diff: '',
      kept: ['runs systemctl restart nginx', '/srv/motd: the time was set'],
      error: undefined,
    });
    expect(await world.revert('s')).toMatchObject({
      changed: false,
      kept: ['runs systemctl restart nginx', '/srv/motd: the time was set'],
    });
    expect(await world.revert('s', { jid: 'job-1' })).toMatchObject({ changed: true });
  });

  it('says so when the last run left nothing to undo', async () => {
    const world = await furnished();
    const record = world.record('s', 'died');
    await record.before(write('motd', 'v2'));
    expect(await world.revert('s')).toMatchObject({
      changed: false,
      diff: 'already as it was before job died',
    });
  });

  it('stops with the words of the machine where the way back is blocked', async () => {
    const world = await furnished();
    await world.files.makeDirectory(at('d'));
    await world.files.writeAtomic(at('d/f'), Buffer.from('x'));
    await world.apply('s', [remove('d/f')]);
    await world.files.removeTree(at('d'));
    const view = plannedFiles({ base: world.files, clock: world.clock });
    const predicted = await world.revert('s', { view });
    expect(predicted.error).toContain('cannot write /srv/d/f');
    expect(await world.revert('s')).toEqual(predicted);
  });
});

describe('a dry run of revert', () => {
  it('tells what the revert then does, state by state, and changes nothing', async () => {
    const world = await furnished();
    await world.apply('dir', [makeDirectory('app')], 'run');
    await world.apply('file', [write('app/f', 'x'), write('motd', 'v2')], 'run');
    await world.apply('other', [write('motd', 'v3')], 'run');
    const before = await world.tree();
    const view = plannedFiles({ base: world.files, clock: world.clock });
    const states = ['other', 'file', 'dir'];
    const predicted = [];
    for (const state of states) predicted.push(await world.revert(state, { view }));
    expect(await world.tree()).toEqual(before);
    for (const [index, state] of states.entries())
      expect(await world.revert(state)).toEqual(predicted[index]);
    expect(predicted.every(({ changed, kept }) => changed && kept.length === 0)).toBe(true);
  });
});

describe('the journal on disk', () => {
  const files = (world: UndoWorld) => world.treeAt(`${UNDO_DATA_DIR}/undo`);
  const recordFile = async (world: UndoWorld, index: number) => {
    const names = (await world.files.list(`${UNDO_DATA_DIR}/undo/records`)) ?? [];
    return `${UNDO_DATA_DIR}/undo/records/${names[index]}`;
  };
  const problem = (error: unknown) => (isZesterError(error) ? String(error.params.reason) : String(error));

  it('is for us alone and shows nothing of what it holds', async () => {
    const world = await furnished();
    await world.files.writeAtomic(at('secret'), Buffer.from('hunter2-hunter2'), { mode: 0o600 });
    await world.apply('secret-state', [write('secret', 'hunter3-hunter3')]);
    const rows = Object.entries(await files(world));
    expect(rows.length).toBe(4);
    for (const [path, row] of rows) {
      expect(row).toMatch(/^(directory 700|file 600) 0:0/);
      expect(`${path}${row}`).not.toMatch(/hunter|secret/);
    }
  });

  it('keeps the same old content once', async () => {
    const world = await furnished();
    const same = Buffer.alloc(10_000, 'x');
    for (const name of ['a', 'b', 'c']) await world.files.writeAtomic(at(name), same);
    for (const name of ['a', 'b', 'c']) await world.apply(name, [write(name, name)]);
    expect(await world.files.list(`${UNDO_DATA_DIR}/undo/packs`)).toHaveLength(1);
  });

  it('writes nothing for steps that change nothing', async () => {
    const world = await furnished();
    await world.apply('s', [
      write('motd', 'v1'),
      { kind: 'chmod', path: at('motd'), mode: 0o640 },
      { kind: 'chown', path: at('motd'), owner: { uid: 5 } },
    ]);
    expect(await world.files.list(`${UNDO_DATA_DIR}/undo/records`)).toHaveLength(0);
  });

  it('forgets old contents as soon as nobody needs them', async () => {
    const world = await furnished();
    await world.apply('s', [write('motd', 'v2')]);
    expect(await world.files.list(`${UNDO_DATA_DIR}/undo/packs`)).toHaveLength(1);
    await world.revert('s');
    await world.apply('t', [write('other', 'x')]);
    expect(await world.files.list(`${UNDO_DATA_DIR}/undo/packs`)).toHaveLength(0);
  });

  it('refuses to revert after a record was changed, and still takes new ones', async () => {
    const world = await furnished();
    await world.apply('s', [write('motd', 'v2')]);
    const file = await recordFile(world, 0);
    const bytes = Buffer.from((await world.files.read(file)) ?? []);
    bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
    await world.files.writeAtomic(file, bytes);
    world.restart();
    await expect(world.revert('s').catch((e) => Promise.reject(problem(e)))).rejects.toBe(
      'it is damaged or was changed',
    );
    await world.apply('s', [write('motd', 'v3')], 'new');
    await expect(world.journal.runs()).rejects.toThrow('it is damaged or was changed');
    expect(await world.journal.lastRun()).toMatchObject({ jid: 'new' });
    expect(await world.revert('s', { jid: 'new' })).toMatchObject({ changed: true });
    expect((await world.tree()).motd).toContain('v2');
  });

  it('refuses files that were swapped, and those of another key', async () => {
    const world = await furnished();
    await world.apply('s', [write('motd', 'v2')]);
    await world.apply('s', [write('motd', 'v3')]);
    const [first, second] = [await recordFile(world, 0), await recordFile(world, 1)];
    const [one, two] = [await world.files.read(first), await world.files.read(second)];
    await world.files.writeAtomic(first, two ?? Buffer.of());
    await world.files.writeAtomic(second, one ?? Buffer.of());
    world.restart();
    await expect(world.revert('s')).rejects.toThrow('it is damaged or was changed');
    world.secretByte = 8;
    world.restart();
    await expect(world.revert('s')).rejects.toThrow('it was written under another key');
    expect((await world.tree()).motd).toContain('v3');
  });

  it('restores nothing from a pack that is lost or was changed', async () => {
    const world = await furnished();
    await world.apply('s', [write('new', 'x'), write('motd', 'v2')]);
    const before = await world.tree();
    const pack = `${UNDO_DATA_DIR}/undo/packs/${(await world.files.list(`${UNDO_DATA_DIR}/undo/packs`))?.[0]}`;
    const bytes = Buffer.from((await world.files.read(pack)) ?? []);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    await world.files.writeAtomic(pack, bytes);
    world.restart();
    expect((await world.revert('s')).error).toContain('it is damaged or was changed');
    await world.files.removeFile(pack);
    world.restart();
    expect((await world.revert('s')).error).toContain('/srv/motd: not revertible');
    expect(await world.tree()).toEqual(before);
  });
});
