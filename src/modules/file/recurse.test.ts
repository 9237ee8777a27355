import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StateBench, stateBench } from '../../../test/harness/states/state-bench.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { WORDS_BYTES_MAX } from './change.ts';
import { fileRecurse } from './recurse.ts';

const TREE = {
  'app/conf/a.conf': 'a {{ n }}\n',
  'app/conf/sub/deep/b.conf': 'b\n',
  'app/conf/sub/c.bak': 'c\n',
  'app/conference': 'not below\n',
};
const bench = () => stateBench({ tree: TREE });
const DECLARED = {
  source: 'zester://app/conf',
  file_mode: '0640',
  dir_mode: '0750',
  user: 'nobody',
  group: 'nogroup',
};

async function below({ system }: StateBench, path: string): Promise<readonly string[]> {
  return ((await system.files.walk(path)) ?? []).map((entry) => entry.path);
}

describe('file.recurse', () => {
  it('copies a directory of the state tree', async () => {
    const at = bench();
    const { diff, details } = await at.settle(fileRecurse, '/srv/app', { ...DECLARED, makedirs: true });
    expect(diff.split('\n').filter((line) => line.includes('new'))).toEqual([
      'new directory /srv',
      'new directory, mode 0750, owner nobody, group nogroup',
      'sub: new directory, mode 0750, owner nobody, group nogroup',
      'sub/deep: new directory, mode 0750, owner nobody, group nogroup',
      'a.conf: new file, mode 0640, owner nobody, group nogroup',
      'sub/c.bak: new file, mode 0640, owner nobody, group nogroup',
      'sub/deep/b.conf: new file, mode 0640, owner nobody, group nogroup',
    ]);
    expect(details).toEqual({ copied: '3', cleaned: '0' });
    expect(await below(at, '/srv/app')).toEqual([
      'a.conf',
      'sub',
      'sub/c.bak',
      'sub/deep',
      'sub/deep/b.conf',
    ]);
    expect(await Promise.all(['/srv/app/sub', '/srv/app/sub/deep/b.conf'].map(at.look))).toEqual([
      'directory 0750 65534:65534',
      'file 0640 65534:65534 b\n',
    ]);
  });

  it.each<[string, (bench: StateBench) => Promise<unknown>, string]>([
    ['mode of a file', ({ system }) => system.files.chmod('/app/a.conf', 0o600), 'a.conf: mode 0600 → 0640'],
    ['mode of a directory', ({ system }) => system.files.chmod('/app/sub', 0o700), 'sub: mode 0700 → 0750'],
    ['mode of itself', ({ system }) => system.files.chmod('/app', 0o700), 'mode 0700 → 0750'],
    [
      'owner of a file',
      ({ system }) => system.files.chown('/app/sub/c.bak', { uid: 0 }),
      'sub/c.bak: owner root → nobody',
    ],
    [
      'group of a directory',
      ({ system }) => system.files.chown('/app/sub', { gid: 0 }),
      'sub: group root → nogroup',
    ],
    [
      'content',
      ({ system }) => system.files.writeAtomic('/app/sub/c.bak', Buffer.from('x\n')),
      '--- /app/sub/c.bak\n+++ /app/sub/c.bak\n@@ -1,1 +1,1 @@\n-x\n+c',
    ],
    [
      'absence of a directory',
      ({ system }) => system.files.removeTree('/app/sub/deep'),
      'sub/deep: new directory',
    ],
  ])('notices a change of the %s and names it', async (_, change, said) => {
    const at = bench();
    await at.settle(fileRecurse, '/app', DECLARED);
    await change(at);
    const { diff } = await at.settle(fileRecurse, '/app', DECLARED);
    expect(diff.slice(0, said.length)).toBe(said);
  });

  it('leaves modes and owners that are not declared as they are', async () => {
    const at = bench();
    await at.put('/app/a.conf', 'old', 0o600);
    await at.system.files.chmod('/app', 0o700);
    await at.system.files.chown('/app', { uid: 7 });
    await at.settle(fileRecurse, '/app', { source: 'salt://app/conf' });
    expect(await Promise.all(['/app', '/app/a.conf', '/app/sub', '/app/sub/c.bak'].map(at.look))).toEqual([
      'directory 0700 7:0',
      'file 0600 0:0 a {{ n }}\n',
      'directory 0755 0:0',
      'file 0644 0:0 c\n',
    ]);
  });

  it('renders templates', async () => {
    const at = bench();
    await at.settle(fileRecurse, '/app', { ...DECLARED, template: 'jinja', context: { n: 3 } });
    expect(await at.look('/app/a.conf')).toContain('a 3\n');
  });

  it('tells each template its own file', async () => {
    const at = stateBench({ tree: { 'app/sub/a': '{{ name }} {{ source }} {{ mode }} {{ group }}' } });
    await at.settle(fileRecurse, '/srv', { source: 'salt://app', template: 'jinja', file_mode: '0640' });
    expect(await at.look('/srv/sub/a')).toBe('file 0640 0:0 /srv/sub/a salt://app/sub/a 0640 None');
  });

  it.each<[WireMap, readonly string[]]>([
    [{ include_pat: '*.conf' }, ['a.conf', 'sub', 'sub/deep', 'sub/deep/b.conf']],
    [{ include_pat: ['a*', 'E@c\\.bak$'] }, ['a.conf', 'sub', 'sub/c.bak']],
    [{ exclude_pat: 'sub/*' }, ['a.conf']],
    [{ include_pat: '*.conf', exclude_pat: 'E@^sub/' }, ['a.conf']],
  ])('with %j copies %j', async (args, expected) => {
    const at = bench();
    await at.settle(fileRecurse, '/app', { ...DECLARED, ...args });
    expect(await below(at, '/app')).toEqual(expected);
  });

  it('removes with clean what the source does not have: regular files that are not excluded', async () => {
    const at = bench();
    await at.put('/app/old/f', 'x');
    await at.put('/app/keep.log', 'x');
    await at.system.files.symlink({ path: '/app/link', target: '/etc' });
    const args = { ...DECLARED, exclude_pat: '*.log' };
    expect((await at.settle(fileRecurse, '/app', args)).diff).not.toContain('absent');
    const { diff, details } = await at.settle(fileRecurse, '/app', { ...args, clean: true });
    expect([diff, details]).toEqual(['old/f: a file → absent', { copied: '0', cleaned: '1' }]);
    expect(await below(at, '/app')).toEqual([
      'a.conf',
      'keep.log',
      'link',
      'old',
      'sub',
      'sub/c.bak',
      'sub/deep',
      'sub/deep/b.conf',
    ]);
  });

  it('copies a directory of the machine, with what its links to files point to', async () => {
    const at = bench();
    await at.put('/src/d/f', 'x', 0o600);
    await at.system.files.symlink({ path: '/src/link', target: 'd/f' });
    await at.system.files.symlink({ path: '/src/none', target: '/none' });
    await at.system.files.symlink({ path: '/src/etc', target: '/etc' });
    await at.settle(fileRecurse, '/app', { source: '/src/' });
    expect(await Promise.all(['/app/d/f', '/app/link', '/app/none', '/app/etc'].map(at.look))).toEqual([
      'file 0644 0:0 x',
      'file 0644 0:0 x',
      'nothing',
      'nothing',
    ]);
  });

  it('cuts a long diff at a file, and says so', async () => {
    const tree = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`d/f${i}`, `${'x'.repeat(70)}\n`.repeat(200)]),
    );
    const { plan } = stateBench({ tree });
    const { diff, steps } = await plan(fileRecurse, '/app', { source: 'salt://d' });
    expect(steps).toHaveLength(21);
    expect(Buffer.byteLength(diff)).toBeLessThan(WORDS_BYTES_MAX + 100);
    expect(diff.split('\n').at(-1)).toMatch(/^\[\d+ more changes are not shown\]$/);
  });

  it.each<[WireMap, string]>([
    [{ source: 'salt://app/cof' }, 'there is no salt://app/cof'],
    [{ source: '/none' }, 'there is no /none'],
    [{ source: '/etc/passwd' }, 'it is no directory'],
    [{ source: '/etc', name: '/etc/copy' }, 'it and /etc/copy lie one inside of the other'],
    [{ source: '/etc', name: '/', clean: true }, 'it and / lie one inside of the other'],
    [{ exclude_pat: '[' }, 'exclude_pat [: '],
    [{ include_pat: 'E@(' }, 'include_pat E@(: '],
    [{ name: '/none/app' }, 'the directory /none for /none/app is not there'],
    [{ name: '/etc/passwd' }, '/etc/passwd is a file, and the state wants a directory'],
  ])('refuses %j', async (args, message) => {
    const { plan } = bench();
    await expect(plan(fileRecurse, '', { name: '/app', ...DECLARED, ...args })).rejects.toThrow(message);
  });

  it('refuses what stands where a directory or a file should be', async () => {
    const at = bench();
    await at.put('/app/sub', 'x');
    await expect(at.plan(fileRecurse, '/app', DECLARED)).rejects.toThrow('/app/sub is a file');
  });

  it('settles on whatever was there', async () => {
    const names = fc.constantFrom('a.conf', 'sub/c.bak', 'sub/x', 'y', 'z/sub/f');
    const text = fc.string({ maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, text), fc.boolean(), async (there, clean) => {
        const at = bench();
        for (const [path, content] of Object.entries(there)) await at.put(`/app/${path}`, content);
        await at.settle(fileRecurse, '/app', { ...DECLARED, clean });
      }),
      { numRuns: 40 },
    );
  });
});
