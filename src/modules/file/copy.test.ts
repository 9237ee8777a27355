import { describe, expect, it } from 'vitest';
import { type StateBench, stateBench } from '../../../test/harness/states/state-bench.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { fileCopy } from './copy.ts';

async function withSource(): Promise<StateBench> {
  const bench = stateBench();
  await bench.put('/src', 'text\n', 0o600);
  await bench.system.files.chown('/src', { uid: 7, gid: 8 });
  await bench.system.files.chmod('/src', 0o4600);
  return bench;
}

const FORCED = { source: '/src', force: true, preserve: true };

describe('file.copy', () => {
  it.each<[WireMap, string]>([
    [{}, 'file 0644 0:0 text\n'],
    [{ mode: '0755', user: 'nobody', group: '9' }, 'file 0755 65534:9 text\n'],
    [{ preserve: true }, 'file 4600 7:8 text\n'],
    [{ preserve: true, user: 'nobody', mode: '0640' }, 'file 0640 65534:8 text\n'],
  ])('with %j makes %s', async (args, made) => {
    const { settle, look } = await withSource();
    const { details } = await settle(fileCopy, '/a/copy', { source: '/src', makedirs: true, ...args });
    expect(details).toEqual({ bytes: '5' });
    expect(await look('/a/copy')).toBe(made);
  });

  it('leaves a file that is there alone', async () => {
    const { settle, put } = await withSource();
    await put('/copy', 'mine');
    expect((await settle(fileCopy, '/copy', { source: '/src', preserve: true, mode: '0777' })).steps).toEqual(
      [],
    );
  });

  it.each<[string, (bench: StateBench) => Promise<unknown>, string]>([
    ['mode', ({ system }) => system.files.chmod('/copy', 0o644), 'mode 0644 → 4600'],
    ['owner', ({ system }) => system.files.chown('/copy', { uid: 0 }), 'owner root → 7'],
    ['group', ({ system }) => system.files.chown('/copy', { gid: 0 }), 'group root → 8'],
    ['content', ({ system }) => system.files.writeAtomic('/copy', Buffer.from('x')), '--- /copy\n+++ /copy'],
    ['source', ({ system }) => system.files.writeAtomic('/src', Buffer.from('texts\n')), '--- /copy'],
  ])('with force notices a change of the %s and names it', async (_, change, said) => {
    const bench = await withSource();
    await bench.settle(fileCopy, '/copy', FORCED);
    await change(bench);
    const { diff } = await bench.settle(fileCopy, '/copy', FORCED);
    expect(diff.slice(0, said.length)).toBe(said);
    expect(await bench.look('/copy')).toBe(await bench.look('/src'));
  });

  it.each<[WireMap, string]>([
    [{ source: '/none' }, 'there is no /none'],
    [{ source: '/etc' }, 'it is no regular file; file.recurse copies a directory'],
    [{ source: 'salt://a' }, 'file.copy takes a file of this machine'],
    [{}, 'source is missing'],
    [{ source: '/src', name: '/none/f' }, 'the directory /none for /none/f is not there'],
    [{ source: '/src', name: '/etc' }, '/etc is a directory'],
  ])('refuses %j', async (args, message) => {
    const { plan } = await withSource();
    await expect(plan(fileCopy, '', { name: '/copy', ...args })).rejects.toThrow(message);
  });
});
