/** The same laws on a real disk: what the memory machine may have made too easy. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stateBench } from '../../../test/harness/states/state-bench.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { systemRandom } from '../../runtime/system-random.ts';
import { linuxSystem } from '../../system/linux/linux-system.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { StateModule } from '../state-contract.ts';
import { fileAbsent } from './absent.ts';
import { fileCopy } from './copy.ts';
import { fileDirectory } from './directory.ts';
import { fileManaged } from './managed.ts';
import { fileRecurse } from './recurse.ts';
import { fileSerialize } from './serialize.ts';
import { fileSymlink } from './symlink.ts';
import { fileTouch } from './touch.ts';

const system = linuxSystem({ clock: systemClock, random: systemRandom });
const { files } = system;
const isRoot = process.getuid?.() === 0;
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zester-states-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const bench = stateBench({ system, tree: { 'd/a': 'a\n', 'd/s/b': 'b\n' } });
const at = (path: string) => join(directory, path);
const settle = (module: StateModule, path: string, args: WireMap) => bench.settle(module, at(path), args);
/** Without owners where not everybody may set them. */
const owned = (args: WireMap): WireMap => ({ ...args, ...(isRoot ? { user: '12345', group: '23456' } : {}) });
const modeOf = async (path: string) => (await files.lstat(at(path)))?.mode.toString(8);
const ownerOf = async (path: string) => {
  const stat = await files.lstat(at(path));
  return `${stat?.uid}:${stat?.gid}`;
};

describe('file states on a real disk', () => {
  it('write, set and repair a file', async () => {
    const args = owned({ contents: 'text', mode: '4751', makedirs: true });
    await settle(fileManaged, 'a/b/f', args);
    await files.chmod(at('a/b/f'), 0o600);
    expect((await settle(fileManaged, 'a/b/f', args)).diff).toBe('mode 0600 → 4751');
    await files.writeAtomic(at('a/b/f'), Buffer.from('other\n'));
    expect((await settle(fileManaged, 'a/b/f', args)).diff).toContain('-other\n+text');
    expect([await bench.look(at('a/b/f')), await modeOf('a')]).toEqual([
      expect.stringMatching(/^file 4751 .* text\n$/),
      '755',
    ]);
  });

  it.runIf(isRoot)('keep set-uid bits over a change of the owner, which clears them', async () => {
    await settle(fileManaged, 'f', { contents: 'x', mode: '6755' });
    const { steps } = await settle(fileManaged, 'f', owned({ contents: 'x' }));
    expect(steps.map(({ kind }) => kind)).toEqual(['chown', 'chmod']);
    expect([await modeOf('f'), await ownerOf('f')]).toEqual(['6755', '12345:23456']);
  });

  it('set a tree of directories, files and links', async () => {
    await bench.put(at('d/s/f'), 'x', 0o600);
    await files.symlink({ path: at('d/link'), target: '/etc/passwd' });
    const recurse = isRoot ? ['user', 'group', 'mode'] : ['mode'];
    await settle(fileDirectory, 'd', owned({ dir_mode: '2750', file_mode: '4640', recurse }));
    expect([await modeOf('d'), await modeOf('d/s'), await modeOf('d/s/f')]).toEqual(['2750', '2750', '4640']);
    if (isRoot)
      expect([await ownerOf('d/s/f'), await ownerOf('d/link')]).toEqual(Array(2).fill('12345:23456'));
    if (isRoot) expect((await files.stat('/etc/passwd'))?.uid).toBe(0);
  });

  it('copy a tree, and clean what it does not have', async () => {
    await bench.put(at('app/old'), 'x');
    const args = owned({ source: 'salt://d', clean: true, file_mode: '0640', dir_mode: '2755' });
    expect((await settle(fileRecurse, 'app', args)).details).toEqual({ copied: '2', cleaned: '1' });
    const copied = await settle(fileRecurse, 'again', { source: at('app') });
    expect(copied.details).toEqual({ copied: '2', cleaned: '0' });
    expect(await bench.look(at('again/s/b'))).toMatch(/^file 0644 .* b\n$/);
  });

  it('link, copy, touch, serialize and remove', async () => {
    await bench.put(at('src'), 'x', 0o6711);
    await settle(fileCopy, 'copy', { source: at('src'), force: true, preserve: true });
    expect(await modeOf('copy')).toBe('6711');
    await settle(fileSymlink, 'link', owned({ target: 'src' }));
    await settle(fileSymlink, 'link', owned({ target: 'copy' }));
    await settle(fileSymlink, 'copy', owned({ target: 'src', force: true }));
    await settle(fileTouch, 'new/flag', { makedirs: true });
    await settle(fileSerialize, 'data.json', { serializer: 'json', dataset: { a: [1, 'ü'] } });
    for (const path of ['link', 'copy', 'new', 'data.json', 'src']) await settle(fileAbsent, path, {});
    expect(await files.list(directory)).toEqual([]);
  });
});
