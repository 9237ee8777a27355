import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stateBench } from '../../../test/harness/states/state-bench.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { COMPARED_BYTES_MAX } from './file-change.ts';
import { fileManaged } from './managed.ts';

const TREE = {
  'web/motd': 'from the tree\n',
  'web/motd.jinja': 'Hello {{ who }}, {{ greeting }}\n',
  'web/own.jinja': '{{ name }} {{ source }} {{ user }} {{ group }} {{ mode }} {{ attrs }}\n',
};
const SETTINGS = { web: { motd: 'set\n', lines: ['a', '', 'b'], number: 7, map: { a: 1 } }, empty: '' };
const bench = () => stateBench({ tree: TREE, settings: SETTINGS, facts: { os: { family: 'debian' } } });

describe('file.managed', () => {
  it.each<[string, WireMap, string]>([
    ['text', { contents: 'Hello' }, 'Hello\n'],
    ['text that ends with its newline', { content: 'Hello\n' }, 'Hello\n'],
    ['text without a newline', { contents: 'a\nb\n\n', contents_newline: false }, 'a\nb'],
    ['lines', { contents: ['a', '', 'b'] }, 'a\n\nb\n'],
    ['nothing', { contents: '' }, ''],
    ['a setting', { contents_pillar: 'web:motd' }, 'set\n'],
    ['a setting by dots', { contents_settings: 'web.motd' }, 'set\n'],
    ['settings', { contents_pillar: ['web:lines', 'web:number'] }, 'a\n\nb\n7\n'],
    ['an empty setting', { contents_pillar: 'empty' }, ''],
    ['a fact', { contents_grains: 'os:family' }, 'debian\n'],
    ["a fact by Salt's name", { contents_grains: ['id', 'os_family'] }, 'web-01\nDebian\n'],
    ['a state file', { source: 'zester://web/motd' }, 'from the tree\n'],
    ['a state file as Salt names it', { source: 'salt://web/motd' }, 'from the tree\n'],
    ['the first source that is there', { source: ['salt://web/none', 'salt://web/motd'] }, 'from the tree\n'],
    ['a file of the machine', { source: '/etc/group' }, 'root:x:0:\nnogroup:x:65534:\n'],
    ['a source, whatever else', { source: 'salt://web/motd', contents: 'x' }, 'from the tree\n'],
    [
      'a template',
      {
        source: 'salt://web/motd.jinja',
        template: 'jinja',
        context: { who: 'Ann' },
        defaults: { who: 'nobody', greeting: 'good day' },
      },
      'Hello Ann, good day\n',
    ],
    [
      'a template that names its source and its file',
      { source: ['salt://web/none', 'salt://web/own.jinja'], template: 'jinja', mode: '0644' },
      '/etc/motd salt://web/own.jinja None None 0644 None\n',
    ],
    [
      'a template whose context has one of these names',
      { source: 'salt://web/own.jinja', template: 'jinja', user: 'root', context: { source: 'me', mode: 1 } },
      '/etc/motd me root None 1 None\n',
    ],
    ['a template as content', { contents: '{{ 1 + 1 }}', template: 'jinja' }, '2\n'],
    ['no template', { contents: '{{ 1 + 1 }}' }, '{{ 1 + 1 }}\n'],
  ])('writes %s', async (_, args, text) => {
    const { settle, look } = bench();
    const plan = await settle(fileManaged, '/etc/motd', args);
    expect(plan.details).toEqual({ bytes: String(text.length), mode: '0644' });
    expect(await look('/etc/motd')).toBe(`file 0644 0:0 ${text}`);
  });

  it('takes its path from name or path as well', async () => {
    const { settle, look } = bench();
    await settle(fileManaged, '', { path: '/etc/motd', contents: 'x' });
    await settle(fileManaged, '', { name: '/etc//issue', contents: 'y' });
    expect([await look('/etc/motd'), await look('/etc/issue')]).toEqual([
      'file 0644 0:0 x\n',
      'file 0644 0:0 y\n',
    ]);
  });

  const DECLARED = { contents: 'one\ntwo\n', mode: '0640', user: 'nobody', group: 'nogroup' };

  it('says all about a new file', async () => {
    const { settle, look } = bench();
    const { diff } = await settle(fileManaged, '/srv/a/f', { ...DECLARED, makedirs: true, dir_mode: '0750' });
    expect(diff.split('\n')).toEqual([
      'new directory /srv',
      'new directory /srv/a',
      'new file, mode 0640, owner nobody, group nogroup',
      '--- /srv/a/f',
      '+++ /srv/a/f',
      '@@ -0,0 +1,2 @@',
      '+one',
      '+two',
    ]);
    expect([await look('/srv'), await look('/srv/a/f')]).toEqual([
      'directory 0750 65534:65534',
      'file 0640 65534:65534 one\ntwo\n',
    ]);
  });

  it.each<[string, (bench: ReturnType<typeof stateBench>) => Promise<unknown>, string]>([
    ['mode', ({ system }) => system.files.chmod('/etc/f', 0o4777), 'mode 4777 → 0640'],
    ['owner', ({ system }) => system.files.chown('/etc/f', { uid: 0 }), 'owner root → nobody'],
    ['owner without a name', ({ system }) => system.files.chown('/etc/f', { uid: 77 }), 'owner 77 → nobody'],
    ['group', ({ system }) => system.files.chown('/etc/f', { gid: 0 }), 'group root → nogroup'],
    [
      'content',
      ({ system }) => system.files.writeAtomic('/etc/f', Buffer.from('one\n2\n')),
      '--- /etc/f\n+++ /etc/f\n@@ -1,2 +1,2 @@\n one\n-2\n+two',
    ],
    [
      'content of the same size',
      ({ system }) => system.files.writeAtomic('/etc/f', Buffer.from('one\ntwO\n')),
      '--- /etc/f\n+++ /etc/f\n@@ -1,2 +1,2 @@\n one\n-twO\n+two',
    ],
    [
      'content and mode',
      ({ system }) => system.files.writeAtomic('/etc/f', Buffer.from('one\n'), { mode: 0o600 }),
      'mode 0600 → 0640\n--- /etc/f\n+++ /etc/f\n@@ -1,1 +1,2 @@\n one\n+two',
    ],
    [
      'content that is not text',
      ({ system }) => system.files.writeAtomic('/etc/f', Buffer.from([0, 255])),
      `content 2 bytes, sha256 ${hash([0, 255])} → 8 bytes, sha256 ${hash(Buffer.from('one\ntwo\n'))}`,
    ],
    [
      'content too large to read for a diff',
      ({ system }) => system.files.writeAtomic('/etc/f', Buffer.alloc(COMPARED_BYTES_MAX + 1)),
      `content ${COMPARED_BYTES_MAX + 1} bytes → 8 bytes`,
    ],
    ['its absence', ({ system }) => system.files.removeFile('/etc/f'), 'new file, mode 0640, owner nobody'],
  ])('notices a change of the %s and names it', async (_, change, said) => {
    const at = bench();
    await at.settle(fileManaged, '/etc/f', DECLARED);
    await change(at);
    const { diff } = await at.settle(fileManaged, '/etc/f', DECLARED);
    expect(diff.slice(0, said.length)).toBe(said);
    expect(await at.look('/etc/f')).toBe('file 0640 65534:65534 one\ntwo\n');
  });

  it('leaves mode and owner that are not declared as they are', async () => {
    const { settle, look, put, system } = bench();
    await put('/etc/f', 'old', 0o4600);
    await system.files.chown('/etc/f', { uid: 77, gid: 88 });
    await system.files.chmod('/etc/f', 0o4600);
    await settle(fileManaged, '/etc/f', { contents: 'new' });
    expect(await look('/etc/f')).toBe('file 4600 77:88 new\n');
    await settle(fileManaged, '/etc/f', { contents: 'new', user: 'nobody' });
    expect(await look('/etc/f')).toBe('file 4600 65534:88 new\n');
  });

  it('does not hide behind a name: a number is an id', async () => {
    const { settle, look } = bench();
    await settle(fileManaged, '/etc/f', { contents: 'x', user: 1234, group: '5678' });
    expect(await look('/etc/f')).toBe('file 0644 1234:5678 x\n');
  });

  it('manages only mode and owner where no content is declared', async () => {
    const { settle, look, put } = bench();
    await put('/etc/f', 'kept');
    expect((await settle(fileManaged, '/etc/f', { mode: '0600' })).diff).toBe('mode 0644 → 0600');
    await settle(fileManaged, '/etc/g', { mode: '0600' });
    expect([await look('/etc/f'), await look('/etc/g')]).toEqual(['file 0600 0:0 kept', 'file 0600 0:0 ']);
  });

  it('keeps content with replace: false, and makes nothing with create: false', async () => {
    const { settle, look, put } = bench();
    await put('/etc/f', 'kept');
    await settle(fileManaged, '/etc/f', { contents: 'new', replace: false, mode: '0600' });
    await settle(fileManaged, '/etc/g', { contents: 'new', replace: false });
    await settle(fileManaged, '/none/h', { contents: 'new', create: false });
    expect([await look('/etc/f'), await look('/etc/g'), await look('/none')]).toEqual([
      'file 0600 0:0 kept',
      'file 0644 0:0 new\n',
      'nothing',
    ]);
  });

  it('shows no content with show_changes: false', async () => {
    const { settle, put } = bench();
    const args = { contents: 'secret', show_changes: false };
    const first = await settle(fileManaged, '/etc/f', args);
    await put('/etc/f', 'guess');
    const second = await settle(fileManaged, '/etc/f', args);
    expect(`${first.diff}\n${second.diff}`).toBe(
      'new file, mode 0644\ncontent, now 7 bytes; not shown, as show_changes says\ncontent, now 7 bytes; not shown, as show_changes says',
    );
  });

  it('follows a link of root or of the owner of the file, and no other', async () => {
    const { settle, plan, look, put, system } = bench();
    await put('/srv/real', 'old');
    await system.files.symlink({ path: '/etc/f', target: '/srv/real' });
    await settle(fileManaged, '/etc/f', { contents: 'new' });
    expect([await look('/etc/f'), await look('/srv/real')]).toEqual([
      'link 0:0 /srv/real',
      'file 0644 0:0 new\n',
    ]);
    await system.files.chown('/etc/f', { uid: 1000 });
    await expect(plan(fileManaged, '/etc/f', { contents: 'x' })).rejects.toMatchObject({
      code: 'FILE_IS_LINK',
    });
    await system.files.chown('/srv/real', { uid: 1000 });
    await settle(fileManaged, '/etc/f', { contents: 'newer' });
    await system.files.removeFile('/srv/real');
    await expect(plan(fileManaged, '/etc/f', { contents: 'x' })).rejects.toThrow(
      '/etc/f is a link to nothing, and the state wants a file',
    );
  });

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  it.each([`sha256=${sha256('from the tree\n')}`, `SHA256: ${sha256('from the tree\n').toUpperCase()}`])(
    'takes a source with the hash %s',
    async (source_hash) => {
      await bench().settle(fileManaged, '/etc/f', { source: 'salt://web/motd', source_hash });
    },
  );

  it.each<[WireMap, string]>([
    [{ source: 'salt://web/mtd' }, 'there is no salt://web/mtd, did you mean zester://web/motd?'],
    [{ source: ['/none', 'salt://zzzzzzzz/y'] }, 'there is no /none and no salt://zzzzzzzz/y'],
    [
      { source: 'https://example.com/x' },
      'cannot use the source https://example.com/x: https:// is not supported',
    ],
    [{ source: 'web/motd' }, 'it is neither zester://, salt:// nor an absolute path'],
    [{ source: 'salt://../x' }, 'it must name a path inside of the tree, without . and ..'],
    [{ source: 'salt://web/motd?saltenv=dev' }, 'there are no environments, leave ?saltenv= away'],
    [{ source: 'salt://web/motd', source_hash: sha256('other') }, `and source_hash says ${sha256('other')}`],
    [{ source: 'salt://web/motd', source_hash: 'md5=12' }, 'is no md5, sha1, sha256 or sha512 hash'],
    [
      { contents: 'x', contents_pillar: 'web:motd' },
      'only one of content, contents_pillar and contents_grains',
    ],
    [{ contents_pillar: 'web:none' }, 'there is no setting web:none'],
    [{ contents_grains: 'os:none' }, 'there is no fact os:none'],
    [{ contents_pillar: 'web:map' }, 'web:map must be text or a list of texts'],
    [{ contents: 'x', user: 'ghost' }, 'no user ghost in /etc/passwd'],
    [{ contents: 'x', group: 'ghosts' }, 'no group ghosts in /etc/group'],
    [{ contents: 'x', mode: 'keep' }, 'mode must be a file mode in octal such as 0644'],
    [{ contents: 'x', backup: 'minion' }, 'it has no parameter backup'],
    [{ name: '/none/f', contents: 'x' }, 'the directory /none for /none/f is not there'],
    [{ name: '/etc', contents: 'x' }, '/etc is a directory, and the state wants a file'],
    [{ name: '/etc/passwd/f', contents: 'x' }, 'ENOTDIR'],
    [{ name: 'etc/f', contents: 'x' }, 'it is not absolute'],
  ])('refuses %j', async (args, message) => {
    const { plan } = bench();
    await expect(plan(fileManaged, '', { name: '/etc/f', ...args })).rejects.toThrow(message);
  });

  it('settles whatever the content, the mode and what was there', async () => {
    const anyMode = fc.integer({ min: 0, max: 0o7777 });
    const there = fc.option(fc.record({ bytes: fc.uint8Array({ maxLength: 40 }), mode: anyMode }));
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.option(anyMode),
        there,
        async (contents, mode, old) => {
          const { settle, put, system, look } = bench();
          if (old !== null) await put('/etc/f', old.bytes, old.mode);
          const args = { contents, ...(mode === null ? {} : { mode }) };
          await settle(fileManaged, '/etc/f', args);
          expect((await system.files.lstat('/etc/f'))?.mode).toBe(mode ?? old?.mode ?? 0o644);
          const ends = contents === '' || contents.endsWith('\n') ? '' : '\n';
          expect(await look('/etc/f')).toContain(Buffer.from(contents + ends).toString('utf8'));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('costs one lstat and one read where nothing is missing', async () => {
    const { settle, plan, system } = bench();
    const args = { contents: 'x', mode: '0644', user: 0, group: 0 };
    await settle(fileManaged, '/etc/f', args);
    const calls: string[] = [];
    const counted = Object.fromEntries(
      Object.entries(system.files).map(([name, call]) => [
        name,
        (...given: never[]) => {
          calls.push(name);
          return (call as (...given: never[]) => unknown)(...given);
        },
      ]),
    ) as unknown as typeof system.files;
    await plan(fileManaged, '/etc/f', args, { files: counted });
    expect(calls).toEqual(['lstat', 'read']);
  });
});

function hash(bytes: number[] | Buffer): string {
  return createHash('sha256').update(Buffer.from(bytes)).digest('hex').slice(0, 12);
}
