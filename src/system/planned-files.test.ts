/** Examples; that plans equal what performing leaves is held for any steps in test/conformance/system. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import type { FileStep } from './file-steps.ts';
import { memorySystem } from './memory/memory-machine.ts';
import { PLANNED_BYTES_MAX, plannedFiles } from './planned-files.ts';

const write = (path: string, text: string): FileStep => ({ kind: 'write', path, bytes: Buffer.from(text) });

async function world() {
  const clock = virtualClock();
  const { files } = memorySystem({ clock, random: seededRandom(1) });
  await files.makeDirectory('/srv/real', { parents: true });
  await files.writeAtomic('/srv/real/f', Buffer.from('real'));
  await files.symlink({ target: '/srv/planned', path: '/srv/link-to-planned' });
  const planned = plannedFiles({ base: files, clock });
  const text = async (path: string) => Buffer.from((await planned.read(path)) ?? []).toString();
  return { clock, files, planned, text };
}

describe('plannedFiles', () => {
  it('follows a planned link into a real directory, and a real link into a planned one', async () => {
    const { planned, text, files } = await world();
    await planned.plan([
      { kind: 'link', path: '/srv/link-to-real', target: 'real' },
      { kind: 'make-directory', path: '/srv/planned', mode: 0o755 },
      write('/srv/planned/g', 'planned'),
    ]);
    expect(await text('/srv/link-to-real/f')).toBe('real');
    expect(await text('/srv/link-to-planned/g')).toBe('planned');
    expect(await planned.realPath('/srv/link-to-planned/g')).toBe('/srv/planned/g');
    await planned.plan([write('/srv/link-to-real/f', 'new')]);
    expect(await text('/srv/real/f')).toBe('new');
    expect(await files.list('/srv')).toEqual(['link-to-planned', 'real']);
  });

  it('hides what was in a directory that is removed and made again', async () => {
    const { planned } = await world();
    await planned.plan([
      { kind: 'remove', path: '/srv/real' },
      { kind: 'make-directory', path: '/srv/real', mode: 0o755 },
    ]);
    expect(await planned.list('/srv/real')).toEqual([]);
    expect(await planned.read('/srv/real/f')).toBeUndefined();
  });

  it('shows what changes in the base where nothing is planned', async () => {
    const { planned, files, text } = await world();
    await planned.plan([write('/srv/real/g', 'planned')]);
    await files.writeAtomic('/srv/real/h', Buffer.from('later'));
    expect(await text('/srv/real/h')).toBe('later');
    expect(await planned.list('/srv/real')).toEqual(['f', 'g', 'h']);
  });

  it('takes times from the clock, of directories too', async () => {
    const { planned, clock } = await world();
    await clock.advance(5_000);
    await planned.plan([write('/srv/real/g', 'x')]);
    for (const path of ['/srv/real', '/srv/real/g'])
      expect((await planned.stat(path))?.mtimeMs).toBe(clock.nowMs());
    await clock.advance(5_000);
    await planned.plan([{ kind: 'touch', path: '/srv/real/f' }]);
    expect((await planned.stat('/srv/real/f'))?.mtimeMs).toBe(clock.nowMs());
  });

  it('keeps the steps before the one that fails, as performing does', async () => {
    const { planned, text } = await world();
    const steps = [write('/srv/a', 'x'), write('/srv/none/b', 'x'), write('/srv/c', 'x')];
    await expect(planned.plan(steps)).rejects.toMatchObject({
      code: 'FILE_WRITE_FAILED',
      params: { errno: 'ENOENT', path: '/srv/none/b' },
    });
    expect(await text('/srv/a')).toBe('x');
    expect(await planned.lstat('/srv/c')).toBeUndefined();
  });

  it('plans for callers one after another', async () => {
    const { planned } = await world();
    const make = (path: string): FileStep => ({ kind: 'make-directory', path, mode: 0o755 });
    await Promise.all([
      planned.plan([make('/srv/d'), make('/srv/d/e')]),
      planned.plan([write('/srv/d/e/f', '')]),
    ]);
    expect(await planned.list('/srv/d/e')).toEqual(['f']);
  });

  it('refuses to hold more than its bound, and counts what was replaced or removed as gone', async () => {
    const { planned } = await world();
    const half = new Uint8Array(PLANNED_BYTES_MAX / 2);
    const big = (path: string): FileStep => ({ kind: 'write', path, bytes: half });
    await planned.plan([big('/srv/a'), big('/srv/b')]);
    await expect(planned.plan([write('/srv/c', 'x')])).rejects.toMatchObject({ code: 'FILE_PLAN_TOO_LARGE' });
    await planned.plan([{ kind: 'remove', path: '/srv/b' }, write('/srv/a', 'x'), big('/srv/d')]);
    expect((await planned.stat('/srv/d'))?.size).toBe(half.length);
    await expect(planned.plan([big('/srv/e')])).rejects.toThrow('/srv/e');
  });
});
