import { describe, expect, it } from 'vitest';
import { type StateBench, stateBench } from '../../../test/harness/states/state-bench.ts';
import { fileSymlink } from './symlink.ts';

const DECLARED = { target: '../etc/passwd', user: 'nobody', group: 'nogroup' };

describe('file.symlink', () => {
  it('makes a link, to nothing if need be, and the directories above with makedirs', async () => {
    const { settle, look } = stateBench();
    const { diff, details } = await settle(fileSymlink, '/srv/l', { target: '/none', makedirs: true });
    expect(diff).toBe('new directory /srv\nnew link to /none');
    expect(details).toEqual({ link: '/srv/l', target: '/none' });
    expect(await look('/srv/l')).toBe('link 0:0 /none');
  });

  it.each<[string, (bench: StateBench) => Promise<unknown>, string]>([
    [
      'target',
      ({ system }) => system.files.symlink({ path: '/l', target: '/none' }),
      'target /none → ../etc/passwd',
    ],
    ['owner', ({ system }) => system.files.chown('/l', { uid: 0 }), 'owner root → nobody'],
    ['group', ({ system }) => system.files.chown('/l', { gid: 0 }), 'group root → nogroup'],
    ['its absence', ({ system }) => system.files.removeFile('/l'), 'new link to ../etc/passwd'],
  ])('notices a change of the %s and names it', async (_, change, said) => {
    const bench = stateBench();
    await bench.settle(fileSymlink, '/l', DECLARED);
    await change(bench);
    expect((await bench.settle(fileSymlink, '/l', DECLARED)).diff).toBe(said);
    expect(await bench.look('/l')).toBe('link 65534:65534 ../etc/passwd');
  });

  it('removes what is in the way only with force', async () => {
    const { settle, plan, look, put } = stateBench();
    await put('/srv/f', 'x');
    await expect(plan(fileSymlink, '/srv/f', { target: '/a' })).rejects.toThrow(
      '/srv/f is a file, and the state wants a link',
    );
    await expect(plan(fileSymlink, '/srv', { target: '/a' })).rejects.toThrow('/srv is a directory');
    await settle(fileSymlink, '/srv/f', { target: '/a', force: true });
    expect((await settle(fileSymlink, '/srv', { target: '/a', force: true })).diff).toBe(
      'a directory → a link to /a',
    );
    expect(await look('/srv')).toBe('link 0:0 /a');
  });

  it('names the directory that is missing', async () => {
    await expect(stateBench().plan(fileSymlink, '/none/l', { target: '/a' })).rejects.toThrow(
      'the directory /none for /none/l is not there',
    );
  });
});
