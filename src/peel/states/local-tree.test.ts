import { beforeEach, describe, expect, it } from 'vitest';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import { localTree, TREE_FILE_BYTES_MAX } from './local-tree.ts';

describe.each(['fresh', 'listed'])('localTree, %s', (state) => {
  let tree: StateTree;

  beforeEach(async () => {
    const { files } = memorySystem({ clock: virtualClock(), random: seededRandom(1) });
    const write = (path: string, text: string | Uint8Array) => files.writeAtomic(path, Buffer.from(text));
    for (const path of ['/real/states/web', '/real/states/.git', '/srv', '/secret'])
      await files.makeDirectory(path, { parents: true });
    await files.symlink({ path: '/srv/states', target: '/real/states' });
    await write('/real/states/top.zy', 'top');
    await write('/real/states/web/init.zy', 'web');
    await write('/real/states/.git/config', 'x');
    await write('/real/states/bytes', Uint8Array.of(0xff, 0xfe));
    await write('/real/states/large', new Uint8Array(TREE_FILE_BYTES_MAX + 1));
    await write('/secret/key', 'secret');
    await files.symlink({ path: '/real/states/inside', target: 'web/init.zy' });
    await files.symlink({ path: '/real/states/outside', target: '/secret/key' });
    await files.symlink({ path: '/real/states/outside-dir', target: '/secret' });
    await files.symlink({ path: '/real/states/dangling', target: 'nowhere' });
    tree = localTree(files, '/srv/states');
    if (state === 'listed') await tree.list();
  });

  const code = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    return isZesterError(error) ? error.code : error;
  };

  it('reads what is in it, also where the directory itself is a link', async () => {
    expect(await tree.readText('web/init.zy')).toBe('web');
    expect(await tree.readText('inside')).toBe('web');
    expect([...((await tree.readBytes('bytes')) ?? [])]).toEqual([0xff, 0xfe]);
  });

  it.each(['nothing', 'web', 'web/init.zy/x', 'dangling', 'no/way'])('has no file %s', async (path) => {
    expect(await tree.readText(path)).toBeUndefined();
  });

  it.each([
    '../secret/key',
    'web/../../secret/key',
    '/secret/key',
    'outside',
    'outside-dir/key',
    './top.zy',
    '',
  ])('refuses %j', async (path) => {
    expect(await code(tree.readText(path))).toBe('STATE_TREE_PATH');
    expect(await code(tree.readBytes(path))).toBe('STATE_TREE_PATH');
  });

  it('takes no bytes for text, and nothing that is too large', async () => {
    expect(await code(tree.readText('bytes'))).toBe('STATE_FILE_TEXT');
    expect(await code(tree.readBytes('large'))).toBe('FILE_TOO_LARGE');
  });

  it('lists files, nothing hidden', async () => {
    expect(await tree.list()).toEqual(
      ['bytes', 'dangling', 'inside', 'large', 'outside', 'outside-dir', 'top.zy', 'web/init.zy'].sort(),
    );
  });
});
