import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StateBench, stateBench } from '../../../test/harness/states/state-bench.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { fileDirectory } from './directory.ts';

const DECLARED = { mode: '2750', user: 'nobody', group: 'nogroup' };

describe('file.directory', () => {
  it('makes a directory, and the ones above with makedirs', async () => {
    const { settle, look } = stateBench();
    const { diff, details } = await settle(fileDirectory, '/srv/a/b/', { ...DECLARED, makedirs: true });
    expect(diff.split('\n')).toEqual([
      'new directory /srv',
      'new directory /srv/a',
      'new directory, mode 2750, owner nobody, group nogroup',
    ]);
    expect(details).toEqual({ mode: '2750' });
    expect([await look('/srv'), await look('/srv/a/b')]).toEqual([
      'directory 0755 65534:65534',
      'directory 2750 65534:65534',
    ]);
  });

  it.each<[string, (bench: StateBench) => Promise<unknown>, string]>([
    ['mode', ({ system }) => system.files.chmod('/srv', 0o777), 'mode 0777 → 2750'],
    ['owner', ({ system }) => system.files.chown('/srv', { uid: 0 }), 'owner root → nobody'],
    ['group', ({ system }) => system.files.chown('/srv', { gid: 0 }), 'group root → nogroup'],
    [
      'its absence',
      ({ system }) => system.files.removeTree('/srv'),
      'new directory, mode 2750, owner nobody, group nogroup',
    ],
  ])('notices a change of the %s and names it', async (_, change, said) => {
    const bench = stateBench();
    await bench.settle(fileDirectory, '/srv', DECLARED);
    await change(bench);
    expect((await bench.settle(fileDirectory, '/srv', DECLARED)).diff).toBe(said);
    expect(await bench.look('/srv')).toBe('directory 2750 65534:65534');
  });

  it('leaves what is not declared as it is, and is 0755 when new', async () => {
    const { settle, look, system } = stateBench();
    await system.files.makeDirectory('/srv', { mode: 0o700, uid: 7, gid: 8 });
    expect((await settle(fileDirectory, '/srv')).steps).toEqual([]);
    await settle(fileDirectory, '/new');
    expect([await look('/srv'), await look('/new')]).toEqual(['directory 0700 7:8', 'directory 0755 0:0']);
  });

  it('takes dir_mode for mode, and mode over dir_mode', async () => {
    const { settle, look } = stateBench();
    await settle(fileDirectory, '/a', { dir_mode: '0700' });
    await settle(fileDirectory, '/b', { dir_mode: '0700', mode: '0711' });
    expect([await look('/a'), await look('/b')]).toEqual(['directory 0700 0:0', 'directory 0711 0:0']);
  });

  it('manages a directory behind a link', async () => {
    const { settle, look, system } = stateBench();
    await system.files.makeDirectory('/data');
    await system.files.symlink({ path: '/srv', target: '/data' });
    await settle(fileDirectory, '/srv', { mode: '0700' });
    expect([await look('/srv'), await look('/data')]).toEqual(['link 0:0 /data', 'directory 0700 0:0']);
  });

  async function tree(bench: StateBench) {
    const { put, system } = bench;
    await put('/srv/a/f', 'x', 0o4755);
    await put('/srv/g', 'y');
    await system.files.symlink({ path: '/srv/link', target: '/etc/passwd' });
  }

  it('reaches everything below, and nothing behind links', async () => {
    const bench = stateBench();
    await tree(bench);
    const args = { user: 'nobody', group: 'nogroup', dir_mode: '0750', file_mode: '4640' };
    const plan = await bench.settle(fileDirectory, '/srv', { ...args, recurse: ['user', 'group', 'mode'] });
    expect(plan.diff.split('\n')).toEqual([
      'owner root → nobody',
      'group root → nogroup',
      'mode 0755 → 0750',
      'a: owner root → nobody',
      'a: group root → nogroup',
      'a: mode 0755 → 0750',
      'a/f: owner root → nobody',
      'a/f: group root → nogroup',
      'a/f: mode 4755 → 4640',
      'g: owner root → nobody',
      'g: group root → nogroup',
      'g: mode 0644 → 4640',
      'link: owner root → nobody',
      'link: group root → nogroup',
    ]);
    expect(await Promise.all(['/srv/a', '/srv/a/f', '/srv/link', '/etc/passwd'].map(bench.look))).toEqual([
      'directory 0750 65534:65534',
      'file 4640 65534:65534 x',
      'link 65534:65534 /etc/passwd',
      expect.stringContaining('file 0644 0:0'),
    ]);
  });

  it.each<[WireMap, string, string]>([
    [{ user: 'nobody', recurse: 'user' }, 'directory 0755 65534:0', 'file 4755 65534:0 x'],
    [{ user: 'nobody', recurse: ['user', 'ignore_files'] }, 'directory 0755 65534:0', 'file 4755 0:0 x'],
    [{ user: 'nobody', recurse: ['user', 'ignore_dirs'] }, 'directory 0755 0:0', 'file 4755 65534:0 x'],
    [{ mode: '0700', recurse: ['mode'] }, 'directory 0700 0:0', 'file 4755 0:0 x'],
    [{ file_mode: '0600', recurse: ['mode'] }, 'directory 0755 0:0', 'file 0600 0:0 x'],
    [{ user: 'nobody', mode: '0711' }, 'directory 0755 0:0', 'file 4755 0:0 x'],
    [
      { user: 'nobody', mode: '0711', file_mode: '0600', recurse: 'user' },
      'directory 0755 65534:0',
      'file 4755 65534:0 x',
    ],
  ])('%j makes below %s and %s', async (args, directory, file) => {
    const bench = stateBench();
    await tree(bench);
    await bench.settle(fileDirectory, '/srv', args);
    expect([await bench.look('/srv/a'), await bench.look('/srv/a/f')]).toEqual([directory, file]);
  });

  it.each<[WireMap, string]>([
    [{ recurse: ['owner'] }, 'recurse knows user, group, mode, ignore_files, ignore_dirs, not owner'],
    [
      { recurse: ['user', 'group', 'mode'] },
      'recurse: user needs a user; recurse: group needs a group; recurse: mode',
    ],
    [{ clean: true }, 'it has no parameter clean'],
    [{ name: '/etc/passwd' }, '/etc/passwd is a file, and the state wants a directory'],
    [{ name: '/none/a' }, 'the directory /none for /none/a is not there'],
  ])('refuses %j', async (args, message) => {
    await expect(stateBench().plan(fileDirectory, '', { name: '/srv', ...args })).rejects.toThrow(message);
  });

  it('settles any mode on any mode', async () => {
    const mode = fc.integer({ min: 0, max: 0o7777 });
    await fc.assert(
      fc.asyncProperty(mode, mode, fc.boolean(), async (before, after, chowns) => {
        const { settle, system } = stateBench();
        await system.files.makeDirectory('/srv', { mode: before });
        await settle(fileDirectory, '/srv', { mode: after, ...(chowns ? { user: 'nobody' } : {}) });
        expect((await system.files.lstat('/srv'))?.mode).toBe(after);
      }),
      { numRuns: 50 },
    );
  });
});
