import { describe, expect, it } from 'vitest';
import { settingsContents } from './settings-contents.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const file = (path: string, bytes: Uint8Array) => ({ path, bytes });

describe('the files of a settings tree', () => {
  it('are texts, with every byte of them, or something else', () => {
    const picture = file('logo.png', Uint8Array.of(0x89, 0x50, 0xff));
    const given = [
      file('top.zy', Buffer.from('\ufeffbäse:\r\n')),
      picture,
      file('map.jinja', Buffer.from('x')),
    ];
    const { texts, others, problems } = settingsContents(given);
    expect(texts).toEqual([
      { path: 'top.zy', text: '\ufeffbäse:\r\n' },
      { path: 'map.jinja', text: 'x' },
    ]);
    expect(others).toEqual([picture]);
    expect(problems).toEqual([]);
  });

  it.each([
    ['a settings file in another encoding', 'db.zy', latin1('passwörd: !encrypted "x"')],
    ['a settings file in UTF-16', 'db.sls', Buffer.from('password: !encrypted "x"', 'utf16le')],
    ['YAML that is none', 'data.yml', Uint8Array.of(0xff)],
    [
      'a mark in what is no text',
      'backup.bin',
      Buffer.concat([Uint8Array.of(0xff), latin1('a: !encrypted b')]),
    ],
  ])('are refused with %s', (_what, path, bytes) => {
    const { texts, others, problems } = settingsContents([file(path, bytes)]);
    expect([texts, others]).toEqual([[], []]);
    expect(problems).toMatchObject([{ at: { file: path }, severity: 'error' }]);
    expect(JSON.stringify(problems)).not.toContain('passw');
  });
});
