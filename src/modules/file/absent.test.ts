import { describe, expect, it } from 'vitest';
import { stateBench } from '../../../test/harness/states/state-bench.ts';
import { fileAbsent } from './absent.ts';

describe('file.absent', () => {
  it('wants nothing where nothing is', async () => {
    expect((await stateBench().settle(fileAbsent, '/none/at/all')).steps).toEqual([]);
  });

  it('removes a file, a link but not what it points to, and a directory with all it holds', async () => {
    const { settle, look, put, system } = stateBench();
    await put('/srv/f', 'x');
    await put('/tree/a/b', 'x');
    await system.files.symlink({ path: '/srv/link', target: '/tree' });
    const words = [];
    for (const path of ['/srv/f', '/srv/link', '/tree/']) words.push((await settle(fileAbsent, path)).diff);
    expect(words).toEqual(['a file → absent', 'a link → absent', 'a directory and all it holds → absent']);
    expect([await look('/srv/f'), await look('/srv/link'), await look('/tree')]).toEqual(
      Array(3).fill('nothing'),
    );
  });

  it('keeps what a link points to', async () => {
    const { settle, look, put, system } = stateBench();
    await put('/tree/f', 'x');
    await system.files.symlink({ path: '/link', target: '/tree' });
    await settle(fileAbsent, '/link');
    expect(await look('/tree/f')).toBe('file 0644 0:0 x');
  });

  it.each(['/', '//', 'relative', '/etc/..'])('refuses %s', async (path) => {
    await expect(stateBench().plan(fileAbsent, path)).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' });
  });
});
