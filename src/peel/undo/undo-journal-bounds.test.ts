import { describe, expect, it } from 'vitest';
import {
  at,
  NOT_ON_RECORD,
  UNDO_DATA_DIR,
  UndoWorld,
  write,
} from '../../../test/harness/states/undo-world.ts';
import { ORPHAN_MS } from './undo-bounds.ts';

const packs = async (world: UndoWorld) => (await world.files.list(`${UNDO_DATA_DIR}/undo/packs`)) ?? [];
const records = async (world: UndoWorld) => (await world.files.list(`${UNDO_DATA_DIR}/undo/records`)) ?? [];

/** A state for each name, which replaces a file of `bytes`. */
async function replaceEach(world: UndoWorld, names: readonly string[], bytes: number): Promise<void> {
  for (const name of names) {
    await world.files.writeAtomic(at(name), Buffer.alloc(bytes, name));
    await world.apply(name, [write(name, 'new')]);
  }
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('the bounds of the undo journal', () => {
  it.each([
    ['bytes', { journalBytesMax: 4_000 }],
    ['changes', { journalChangesMax: 4 }],
  ])('forget the oldest first when there are too many %s', async (_, bounds) => {
    const world = await UndoWorld.make({ bounds });
    await replaceEach(world, NAMES, 1_000);
    world.restart();
    for (const name of ['f', 'e', 'd']) expect(await world.revert(name)).toMatchObject({ changed: true });
    for (const name of ['a', 'b']) expect(await world.revert(name)).toEqual(NOT_ON_RECORD);
    expect(await world.journal.forgottenUntilMs()).toBeDefined();
    expect((await world.tree()).f).toContain('ffff');
  });

  it('do not let a program that runs every time push out what can be undone', async () => {
    const world = await UndoWorld.make({ bounds: { journalChangesMax: 4 } });
    await replaceEach(world, ['a'], 10);
    for (let run = 0; run < 10; run++)
      await world.record('cmd.run:reload', `run-${run}`).cannotUndo('runs reload');
    world.restart();
    expect(await world.revert('cmd.run:reload')).toMatchObject({ changed: false, kept: ['runs reload'] });
    expect(await world.revert('a')).toMatchObject({ changed: true });
  });

  it('hold on disk too', async () => {
    const world = await UndoWorld.make({ bounds: { journalBytesMax: 4_000, recordFilesMax: 8 } });
    for (let round = 0; round < 10; round++) {
      await replaceEach(world, NAMES, 1_000 + round);
      // What is in the middle of being tidied is done when the next record is written.
      expect((await packs(world)).length).toBeLessThanOrEqual(6);
      expect((await records(world)).length).toBeLessThanOrEqual(9);
    }
  });

  it('make one file of many records, and lose nothing by it', async () => {
    const world = await UndoWorld.make({ bounds: { recordFilesMax: 3 } });
    await replaceEach(world, NAMES, 10);
    world.restart();
    for (const name of [...NAMES].reverse())
      expect(await world.revert(name)).toMatchObject({ changed: true, error: undefined });
    expect((await records(world)).length).toBeLessThanOrEqual(4);
  });

  it('do not keep a file that is too large, and say so', async () => {
    const world = await UndoWorld.make({ bounds: { oldFileBytesMax: 100 } });
    await replaceEach(world, ['big'], 101);
    expect(await world.revert('big')).toMatchObject({
      changed: false,
      error: '/srv/big: its old content of 101 bytes was too large to keep',
    });
    expect((await world.tree()).big).toContain('new');
    expect(await packs(world)).toEqual([]);
  });

  it.each([
    ['bytes', { entryBytesMax: 250 }],
    ['paths', { entryChangesMax: 2 }],
  ])('keep nothing of a state with too many %s, and say so', async (_, bounds) => {
    const world = await UndoWorld.make({ bounds });
    for (const name of ['a', 'b', 'c']) await world.files.writeAtomic(at(name), Buffer.alloc(100, name));
    await world.apply(
      's',
      ['a', 'b', 'c'].map((name) => write(name, 'new')),
      'job-9',
    );
    world.restart();
    expect(await world.revert('s')).toMatchObject({
      changed: false,
      error: 'what job job-9 changed was too large to keep',
    });
    expect((await world.tree()).a).toContain('new');
  });

  it('refuse half an undo for a state that was forgotten while it was at work', async () => {
    const world = await UndoWorld.make({ bounds: { journalChangesMax: 2 } });
    await world.apply('s', [write('a', '1'), write('b', '1'), write('c', '1'), write('d', '1')], 'job-9');
    expect((await world.revert('s')).error).toBe('what job job-9 changed was too large to keep');
  });

  it('take away packs that a crash left without a record, once they are old', async () => {
    const world = await UndoWorld.make();
    let dead = false;
    world.dieAt = ({ name, path }) => {
      dead ||= name === 'open' && path.includes('/records/.zester-');
      return dead;
    };
    void replaceEach(world, ['a'], 10);
    while (!dead) await new Promise((resolve) => setImmediate(resolve));
    world.dieAt = () => false;
    world.restart();
    await world.revert('a');
    expect(await packs(world)).toHaveLength(1);
    await world.clock.advance(ORPHAN_MS + 1);
    world.restart();
    await world.revert('a');
    expect(await packs(world)).toHaveLength(0);
  });
});

describe('a thousand states at once', () => {
  it('cost a few syncs together, not one each', async () => {
    const world = await UndoWorld.make();
    const names = Array.from({ length: 1_000 }, (_, index) => `f${index}`);
    for (const name of names) await world.files.writeAtomic(at(name), Buffer.from(name), { skipSync: true });
    let syncs = 0;
    world.onCall = ({ name }) => {
      if (name === 'sync') syncs++;
    };
    const steps = names.map((name) => write(name, 'new'));
    await Promise.all(steps.map((step) => world.record(step.path, 'run').before(step)));
    expect(syncs).toBeLessThan(40);
    world.restart();
    expect((await world.revert(at('f999'))).diff).toContain('already as it was');
  });
});
