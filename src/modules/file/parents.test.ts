import { describe, expect, it } from 'vitest';
import { stateBench } from '../../../test/harness/states/state-bench.ts';
import { parentSteps } from './parents.ts';

describe('parentSteps', () => {
  it('makes what is missing, the highest first, with mode and owner', async () => {
    const { files } = stateBench().system;
    const options = { makedirs: true, mode: 0o700, owner: { uid: 7 } };
    expect(await parentSteps('/etc/a/b/f', options, files)).toEqual([
      { kind: 'make-directory', path: '/etc/a', mode: 0o700, owner: { uid: 7 } },
      { kind: 'make-directory', path: '/etc/a/b', mode: 0o700, owner: { uid: 7 } },
    ]);
  });

  it('needs nothing where the directory is there, also behind a link', async () => {
    const { files } = stateBench().system;
    await files.symlink({ path: '/link', target: '/etc' });
    for (const path of ['/f', '/etc/f', '/link/f'])
      expect(await parentSteps(path, { makedirs: false }, files)).toEqual([]);
  });

  it('says what is missing or in the way', async () => {
    const { files } = stateBench().system;
    await files.symlink({ path: '/link', target: '/none' });
    await expect(parentSteps('/a/b/f', { makedirs: false }, files)).rejects.toThrow(
      'the directory /a/b for /a/b/f is not there',
    );
    await expect(parentSteps('/link/f', { makedirs: true }, files)).rejects.toThrow(
      '/link is a link to nothing, and the state wants a directory',
    );
    await expect(parentSteps('/etc/passwd/f', { makedirs: true }, files)).rejects.toThrow(
      '/etc/passwd is a file, and the state wants a directory',
    );
  });
});
