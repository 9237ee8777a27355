/**
 * A peel that dies at every single call it makes, while it applies and while it reverts, by a kill or by a power loss.
 * What must hold: the next process reverts to the tree that was there before, byte for byte.
 */
import { describe, expect, it } from 'vitest';
import { at, UndoWorld, untilDead, write } from '../../../test/harness/states/undo-world.ts';
import type { FileStep } from '../../system/file-steps.ts';
import { TEMPORARY_NAME } from '../../system/files.ts';

/** Attributes alone are not synced by the port, so a power loss may take them back after the revert. */
const ATTRIBUTES: readonly FileStep[] = [
  { kind: 'chown', path: at('kept'), owner: { uid: 4, gid: 4 } },
  { kind: 'chmod', path: at('kept'), mode: 0o4711 },
  { kind: 'chmod', path: at('old'), mode: 0o711 },
];

const STATES: Readonly<Record<string, readonly FileStep[]>> = {
  content: [write('motd', 'v2', { mode: 0o600, owner: { uid: 9 } }), write('fresh', 'new')],
  directory: [
    { kind: 'make-directory', path: at('app'), mode: 0o750, owner: { uid: 3 } },
    write('app/conf', 'x'),
    { kind: 'link', path: at('app/link'), target: 'conf' },
  ],
  replaced: [
    { kind: 'remove', path: at('old') },
    { kind: 'link', path: at('old'), target: 'app' },
  ],
  again: [write('motd', 'v3')],
};

async function furnished(seed: number): Promise<UndoWorld> {
  const world = await UndoWorld.make({ seed });
  await world.files.writeAtomic(at('motd'), Buffer.from('v1'), { mode: 0o640, uid: 5, gid: 6 });
  await world.files.writeAtomic(at('kept'), Buffer.from('k'), { mode: 0o4755 });
  await world.files.makeDirectory(at('old/inner'), { parents: true, mode: 0o755 });
  await world.files.writeAtomic(at('old/inner/f'), Buffer.from('deep'), { mode: 0o644 });
  await world.files.writeAtomic(at('old/g'), Buffer.from('deep'), { mode: 0o600 });
  return world;
}

async function shown(world: UndoWorld): Promise<Record<string, string>> {
  const rows = Object.entries(await world.tree());
  return Object.fromEntries(rows.filter(([path]) => !TEMPORARY_NAME.test(path.split('/').at(-1) ?? '')));
}

/** Two states of one level at once, then two more, as the runner does it. */
async function applyAll(world: UndoWorld, states: typeof STATES): Promise<void> {
  const { content = [], directory = [], replaced = [], again = [], attributes = [] } = states;
  await Promise.all([world.apply('content', content, 'run'), world.apply('directory', directory, 'run')]);
  await world.apply('attributes', attributes, 'run');
  await world.apply('replaced', replaced, 'run');
  await world.apply('again', again, 'run');
}

async function revertAll(world: UndoWorld): Promise<void> {
  for (const state of ['again', 'replaced', 'attributes', 'directory', 'content']) {
    const { error, kept } = await world.revert(state);
    expect({ state, error, kept }).toEqual({ state, error: undefined, kept: [] });
  }
}

/** Dies at call `point` of `work`; false when it was over before that. */
async function dieIn(
  world: UndoWorld,
  how: 'kill' | 'power',
  point: number,
  work: () => Promise<void>,
): Promise<string | undefined> {
  let calls = 0;
  let died: string | undefined;
  world.dieAt = ({ name }) => {
    if (died !== undefined || calls++ !== point) return died !== undefined;
    died = name;
    if (how === 'kill') world.machine.crash();
    else world.machine.powerLoss();
    return true;
  };
  await untilDead(work(), () => died !== undefined);
  world.dieAt = () => false;
  return died;
}

describe.each(['kill', 'power'] as const)('%s at every port call', (how) => {
  const states = how === 'kill' ? { ...STATES, attributes: ATTRIBUTES } : STATES;

  it('of an apply leaves a journal that brings everything back', async () => {
    const seen = new Set<string>();
    for (let point = 0; ; point++) {
      const world = await furnished(point);
      const before = await shown(world);
      const died = await dieIn(world, how, point, () => applyAll(world, states));
      if (died === undefined) break;
      seen.add(died);
      world.start();
      await revertAll(world);
      expect(await shown(world), `at call ${point}, ${died}`).toEqual(before);
    }
    for (const name of ['write', 'sync', 'rename', 'unlink', 'symlink', 'read']) expect(seen).toContain(name);
  }, 120_000);

  it('of a revert is made good by the next one', async () => {
    const seen = new Set<string>();
    for (let point = 0; ; point++) {
      const world = await furnished(point);
      const before = await shown(world);
      await applyAll(world, states);
      world.restart();
      const died = await dieIn(world, how, point, () => revertAll(world));
      if (died === undefined) break;
      seen.add(died);
      world.start();
      await revertAll(world);
      expect(await shown(world), `at call ${point}, ${died}`).toEqual(before);
    }
    for (const name of ['write', 'rename', 'unlink', 'removeDirectory', 'makeDirectory'])
      expect(seen).toContain(name);
  }, 120_000);
});
