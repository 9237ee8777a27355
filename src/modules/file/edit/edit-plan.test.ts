/** The states that edit a file in place, on a machine. What each does to a text is tested beside its `edit-` file. */
import { describe, expect, it } from 'vitest';
import { stateBench } from '../../../../test/harness/states/state-bench.ts';
import type { WireMap } from '../../../wire/msgpack/wire-value.ts';
import type { StateModule } from '../../state-contract.ts';
import { fileAppend, filePrepend } from './append.ts';
import { fileBlockreplace } from './blockreplace.ts';
import { fileComment, fileUncomment } from './comment.ts';
import { EDITED_BYTES_MAX } from './edit-plan.ts';
import { fileKeyvalue } from './keyvalue.ts';
import { fileLine } from './line.ts';
import { fileReplace } from './replace.ts';

const PATH = '/etc/app.conf';
const TREE = { 'app/extra.conf': 'extra = 1\nmore = 2\n', 'app/extra.jinja': 'port = {{ port }}\n' };
const bench = () => stateBench({ tree: TREE });
const NO_BLOCK = '# START managed zone\nx\n# END managed zone\n';

/** A file that is not there is an error. */
const NOT_FOUND = Symbol('not found');

/** For each function: a text, its arguments, the text after, and what it makes of a file that is not there. */
const CASES: readonly (readonly [
  StateModule,
  string,
  WireMap,
  string,
  string | undefined | typeof NOT_FOUND,
])[] = [
  [fileAppend, 'a\n', { text: 'b' }, 'a\nb\n', 'b\n'],
  [fileAppend, 'a\n', { text: ['a', 'b'] }, 'a\nb\n', 'a\nb\n'],
  [
    fileAppend,
    'a\n',
    { source: 'salt://app/extra.conf' },
    'a\nextra = 1\nmore = 2\n',
    'extra = 1\nmore = 2\n',
  ],
  [
    fileAppend,
    'a\n',
    { source: 'zester://app/extra.jinja', template: 'jinja', context: { port: 80 } },
    'a\nport = 80\n',
    'port = 80\n',
  ],
  [
    fileAppend,
    'a\n',
    { text: ['{{ x }}', 'c'], template: 'jinja', defaults: { x: 'b' } },
    'a\nb\nc\n',
    'b\nc\n',
  ],
  [filePrepend, 'a\n', { text: ['b', 'c'] }, 'b\nc\na\n', 'b\nc\n'],
  [fileLine, 'Port 1\n', { content: 'Port 22\n', match: '^Port' }, 'Port 22\n', 'Port 22\n'],
  [fileLine, 'Port 1\n', { content: 'x', mode: 'INSERT', location: 'start' }, 'x\nPort 1\n', 'x\n'],
  [fileLine, 'a\nb\n', { content: 'x', mode: 'insert', before: 'b', create: false }, 'a\nx\nb\n', undefined],
  [fileLine, 'Port 1\n', { content: 'Port 2', match: '^Port', mode: 'replace' }, 'Port 2\n', undefined],
  [fileLine, 'Port 1\nx\n', { match: '^Port', mode: 'absent' }, 'x\n', undefined],
  [fileReplace, 'a b\n', { pattern: '^(a) (b)$', repl: '\\2 \\1' }, 'b a\n', NOT_FOUND],
  [fileReplace, 'A\nb\n', { pattern: 'a', repl: 'x', flags: ['IGNORECASE'] }, 'x\nb\n', NOT_FOUND],
  [fileReplace, 'A\na\n', { pattern: '^a.*', repl: 'x', flags: 2 | 16 }, 'x', NOT_FOUND],
  [fileReplace, 'ab\n', { pattern: 'a b # c', repl: 'x', flags: ['VERBOSE'] }, 'x\n', NOT_FOUND],
  [fileReplace, 'éa a\n', { pattern: '\\ba\\b', repl: 'x' }, 'éx x\n', NOT_FOUND],
  [fileReplace, 'éa a\n', { pattern: '\\ba\\b', repl: 'x', flags: ['UNICODE'] }, 'éa x\n', NOT_FOUND],
  [fileReplace, 'b\n', { pattern: '^a', repl: 'a', append_if_not_found: true }, 'b\na\n', NOT_FOUND],
  [
    fileReplace,
    'b\n',
    {
      pattern: '^(a)',
      repl: '\\1',
      prepend_if_not_found: true,
      not_found_content: 'ab',
      ignore_if_missing: true,
    },
    'ab\nb\n',
    undefined,
  ],
  [fileBlockreplace, 'a\n', { content: 'x', append_if_not_found: true }, `a\n${NO_BLOCK}`, NO_BLOCK],
  [fileBlockreplace, NO_BLOCK, { content: 'y\n' }, NO_BLOCK.replace('x', 'y'), undefined],
  [
    fileBlockreplace,
    NO_BLOCK,
    { content: 'y\n', append_newline: true },
    NO_BLOCK.replace('x', 'y\n'),
    undefined,
  ],
  [
    fileBlockreplace,
    NO_BLOCK,
    { source: 'salt://app/extra.conf' },
    NO_BLOCK.replace('x', 'extra = 1\nmore = 2'),
    undefined,
  ],
  [
    fileBlockreplace,
    'a\nb\n',
    { content: 'x', marker_start: '<', marker_end: '>', prepend_if_not_found: true },
    '<\nx\n>\na\nb\n',
    '<\nx\n>\n',
  ],
  [fileComment, 'a\nb\n', { regex: '^a' }, '#a\nb\n', undefined],
  [fileUncomment, '//a\n', { regex: '^a', char: '//' }, 'a\n', undefined],
  [fileKeyvalue, '#a = 1\n', { key: 'a', value: 2, uncomment: '#', separator: ' = ' }, 'a = 2\n', 'a = 2\n'],
  [fileKeyvalue, 'a=1\n', { key_values: { a: 2, b: 3 }, entries: { b: 4 } }, 'a=2\nb=4\n', 'a=2\nb=4\n'],
  [fileKeyvalue, 'a=1\nb=1\n', { key: 'a', value: 2, append_if_not_found: false }, 'a=2\nb=1\n', undefined],
];

describe.each(CASES.map((each) => [each[0].name, ...each] as const))(
  '%s',
  (_, module, before, args, after, made) => {
    it('edits the file and keeps its mode and owner', async () => {
      const { settle, put, look, system } = bench();
      await put(PATH, before, 0o600);
      await system.files.chown(PATH, { uid: 65534, gid: 65534 });
      const { diff } = await settle(module, PATH, args);
      expect(diff).toMatch(/^--- \/etc\/app.conf\n\+\+\+ \/etc\/app.conf\n@@ /);
      expect(await look(PATH)).toBe(`file 0600 65534:65534 ${after}`);
    });

    it('keeps lines that end as on Windows', async () => {
      const { settle, put, look } = bench();
      await put(PATH, before.replaceAll('\n', '\r\n'));
      await settle(module, PATH, args);
      expect(await look(PATH)).toBe(`file 0644 0:0 ${after.replaceAll('\n', '\r\n')}`);
    });

    it('knows what to do without a file', async () => {
      const { settle, look } = bench();
      if (made === NOT_FOUND)
        await expect(settle(module, PATH, args)).rejects.toThrow(`${PATH}: file not found`);
      else await settle(module, PATH, args);
      const isMade = made !== undefined && made !== NOT_FOUND;
      expect(await look(PATH)).toBe(isMade ? `file 0644 0:0 ${made}` : 'nothing');
    });

    it('locks the path that it reads and writes', () => {
      const values = { name: PATH } as never;
      expect(module.locks?.(values)).toEqual([PATH]);
    });
  },
);

describe('an edit', () => {
  it('makes parents when told, and says which one is missing otherwise', async () => {
    const { settle, plan, look } = bench();
    const args = { text: 'a' };
    await expect(plan(fileAppend, '/srv/x/f', args)).rejects.toThrow(
      'the directory /srv/x for /srv/x/f is not',
    );
    await settle(fileAppend, '/srv/x/f', { ...args, makedirs: true });
    expect(await look('/srv/x/f')).toBe('file 0644 0:0 a\n');
  });

  it('goes through a link of root, and leaves the link', async () => {
    const { settle, put, look, system } = bench();
    await put('/etc/real', 'a\n');
    await system.files.symlink({ path: PATH, target: 'real' });
    await settle(fileAppend, PATH, { text: 'b' });
    expect(await look('/etc/real')).toBe('file 0644 0:0 a\nb\n');
    expect(await look(PATH)).toContain('link');
  });

  it('refuses what is no file, no text, or too much', async () => {
    const { plan, put } = bench();
    await put('/etc/binary', Buffer.from([0, 1]));
    await put('/etc/latin', Buffer.from([0xe4]));
    await put('/etc/large', Buffer.alloc(EDITED_BYTES_MAX + 1, 'x'));
    const append = (path: string) => plan(fileAppend, path, { text: 'a' });
    await expect(append('/etc')).rejects.toThrow('/etc is a directory, and the state wants a file');
    await expect(append('/etc/binary')).rejects.toThrow('/etc/binary is not UTF-8 text');
    await expect(append('/etc/latin')).rejects.toThrow('/etc/latin is not UTF-8 text');
    await expect(append('/etc/large')).rejects.toThrow('larger than');
  });

  it('keeps a secret', async () => {
    const { settle, put } = bench();
    await put(PATH, 'password=old\n');
    const { diff } = await settle(fileKeyvalue, PATH, { key: 'password', value: 'new', show_changes: false });
    expect(diff).toBe('content, now 13 bytes; not shown, as show_changes says');
  });

  it.each<[StateModule, string, WireMap, string]>([
    [fileReplace, 'foo\n', { pattern: 'foo', repl: 'foobar' }, 'the pattern finds the replacement again'],
    [fileReplace, 'a\n', { pattern: '^', repl: '#' }, 'the pattern finds the replacement again'],
    [fileReplace, 'a a\n', { pattern: 'a', repl: 'b', count: 1 }, 'each run would take the next 1'],
  ])('that never settles is refused: %#', async (module, text, args, reason) => {
    const { plan, put } = bench();
    await put(PATH, text);
    await expect(plan(module, PATH, args)).rejects.toThrow(
      `the edit of ${PATH} would change it again at every run: ${reason}`,
    );
  });

  it.each<[StateModule, WireMap, string]>([
    [fileAppend, {}, 'file.append: text is missing, or source'],
    [fileAppend, { source: 'salt://app/none' }, 'there is no salt://app/none'],
    [fileLine, {}, 'file.line: content is missing'],
    [fileLine, { mode: 'delete' }, 'file.line: match is missing, or content'],
    [fileLine, { mode: 'replace', content: 'x' }, 'file.line: match is missing: it says what to replace'],
    [
      fileLine,
      { mode: 'ensured', content: 'x' },
      'mode must be ensure, replace, insert, delete, not ensured',
    ],
    [fileLine, { content: 'x', location: 'middle' }, 'location must be start or end, not middle'],
    [fileLine, { content: 'x\ny' }, 'content must be one line'],
    [
      fileLine,
      { content: 'x', match: 'a(?=b)' },
      'cannot use the regular expression a(?=b): RE2 has no look-around',
    ],
    [fileReplace, {}, 'pattern is missing'],
    [fileReplace, { pattern: 'a', flags: ['LOCALE'] }, 'flags must be MULTILINE, IGNORECASE, DOTALL'],
    [
      fileReplace,
      { pattern: 'a', flags: 'FAST' },
      'flags must be MULTILINE, IGNORECASE, DOTALL, VERBOSE, ASCII or UNICODE, not FAST',
    ],
    [fileReplace, { pattern: 'a', count: -1 }, 'count must not be negative'],
    [fileReplace, { pattern: '(a)', repl: '$1', append_if_not_found: true }, 'not_found_content is missing'],
    [
      fileReplace,
      { pattern: 'a', append_if_not_found: true, prepend_if_not_found: true },
      'exclude each other',
    ],
    [fileReplace, { pattern: 'a', backup: '.bak' }, 'it has no parameter backup'],
    [fileBlockreplace, { append_if_not_found: true, insert_after_match: 'a' }, 'exclude each other'],
    [fileBlockreplace, { content: 'x', insert_after_match: 'a' }, 'no line is there to put the block beside'],
    [fileBlockreplace, { content: '# END managed zone', append_if_not_found: true }, 'has its end marker'],
    [fileComment, { regex: 'a', char: ' #' }, 'char must not start with white space'],
    [fileKeyvalue, {}, 'key and value are missing, or key_values'],
    [fileKeyvalue, { key: 'a' }, 'key and value go together'],
    [fileKeyvalue, { key_values: { a: 'b\nc' } }, 'one line each'],
    [fileKeyvalue, { key: 'a', value: 'b', count: -2 }, 'count must be -1, 0 or more'],
  ])('says what is wrong: %#', async (module, args, message) => {
    await expect(bench().plan(module, PATH, args)).rejects.toThrow(message);
  });
});
