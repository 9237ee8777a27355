import { describe, expect, it } from 'vitest';
import { stateBench } from '../../../test/harness/states/state-bench.ts';
import { fileTouch } from './touch.ts';

describe('file.touch', () => {
  it('makes an empty file, and the directories above with makedirs', async () => {
    const { settle, look } = stateBench();
    expect((await settle(fileTouch, '/srv/a/f', { makedirs: true })).diff).toBe(
      'new directory /srv\nnew directory /srv/a\nnew file, mode 0644',
    );
    expect(await look('/srv/a/f')).toBe('file 0644 0:0 ');
  });

  it('leaves what is there alone', async () => {
    const { settle, put, system } = stateBench();
    await put('/srv/f', 'x', 0o600);
    await system.files.symlink({ path: '/srv/link', target: '/none' });
    for (const path of ['/srv/f', '/srv', '/srv/link'])
      expect((await settle(fileTouch, path)).steps).toEqual([]);
  });

  it('sets the times when a state that it watches has changed something', async () => {
    const { plan, put } = stateBench();
    await put('/srv/f', 'x');
    expect(await plan(fileTouch, '/srv/f', {}, { forced: true })).toMatchObject({
      steps: [{ kind: 'touch', path: '/srv/f' }],
      diff: 'times → now',
    });
  });

  it('names the directory that is missing', async () => {
    await expect(stateBench().plan(fileTouch, '/none/f')).rejects.toMatchObject({
      code: 'FILE_PARENT_MISSING',
      hint: expect.stringContaining('makedirs: true'),
    });
  });
});
