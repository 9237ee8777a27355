import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compiled, problems, testRender } from '../../../../test/harness/states/compiled-files.ts';
import { memoryTree } from '../../../../test/harness/states/memory-tree.ts';
import { zesterError } from '../../errors/zester-error.ts';
import { INCLUDE_DEPTH_MAX, STATE_FILES_MAX } from './compile-limits.ts';
import { loadStateFiles } from './load-state-files.ts';
import { ProblemList } from './problem-list.ts';

describe('files and includes', () => {
  it('finds every form of file', async () => {
    for (const path of ['web/init.zy', 'web.zy', 'web/init.sls', 'web.sls'])
      expect((await compiled({ [path]: 'a: test.nop' })).files).toEqual([path]);
  });

  it('refuses to guess between two files of one name', async () => {
    expect(await problems({ 'web/init.zy': '', 'web.sls': '' })).toEqual([
      '/states web is both web/init.zy and web.sls | remove or rename all but one of them',
    ]);
  });

  it('loads depth first, the included files before the one that includes them, each once', async () => {
    const files = {
      'top1.sls': 'include: [a, b]',
      'a.sls': 'include: [c]',
      'b.sls': 'include: [c, d]',
      'c.sls': '',
      'd.sls': '',
    };
    expect((await compiled(files, ['top1', 'd'])).files).toEqual([
      'c.sls',
      'a.sls',
      'd.sls',
      'b.sls',
      'top1.sls',
    ]);
  });

  it('knows a file under both of its names', async () => {
    expect((await compiled({ 'web/init.sls': '' }, ['web', 'web.init'])).files).toEqual(['web/init.sls']);
  });

  it('includes relative to the folder', async () => {
    const files = {
      'web/init.zy': 'include: [.config, ..base]',
      'web/config.zy': 'include: [.tls]',
      'web/tls.zy': '',
      'base.zy': '',
    };
    expect((await compiled(files)).files).toEqual(['web/tls.zy', 'web/config.zy', 'base.zy', 'web/init.zy']);
    expect(await problems('include:\n  - ...x')).toEqual([
      'web.sls:2:5 ...x leads out of the tree | use fewer dots at its beginning',
    ]);
  });

  it('loads files that include each other once, the one that was asked for last', async () => {
    const files = {
      'web.sls': 'include: [a]',
      'a.sls': 'include:\n  - b',
      'b.sls': 'x: test.nop\ninclude:\n  - a\n',
    };
    expect((await compiled(files)).files).toEqual(['b.sls', 'a.sls', 'web.sls']);
    expect((await compiled(files, ['b', 'a'])).files).toEqual(['a.sls', 'b.sls']);
    expect((await compiled('include: [web]\nx: test.nop')).states).toHaveLength(1);
  });

  it('tells what a missing file may have been', async () => {
    expect(await problems({ 'web/init.sls': 'include:\n  - web.confg', 'web/config.zy': '' })).toEqual([
      'web/init.sls:2:5 there is no state file web.confg | did you mean web.config?',
    ]);
    expect(await problems({}, ['x.y'])).toEqual([
      '/states there is no state file x.y | looked for x/y/init.zy, x/y.zy, x/y/init.sls, x/y.sls',
    ]);
    expect(await problems({}, ['web/config.sls'])).toEqual([
      '/states "web/config.sls" cannot be the name of a state file | write web.config',
    ]);
  });

  it('points into the top file for a ref that came from there', async () => {
    const at = { file: 'top.sls', line: 3, column: 7 };
    const { problems: found } = await compiled({}, [{ ref: 'nowhere', at }]);
    expect(found.map((problem) => problem.at)).toEqual([at]);
  });

  it('refuses an include that is no list of names', async () => {
    expect(await problems('include: web.config')).toEqual([
      'web.sls:1:10 include takes a list of files, not "web.config" | write each file on a line of its own: `- web.config`',
    ]);
    expect(await problems('include:\n  - a: b\n  -\n')).toEqual([
      'web.sls:2:5 include takes names of files, not a mapping | write `- web.config`',
      'web.sls:3:4 include takes names of files, not nothing | write `- web.config`',
    ]);
    expect(await problems('include:')).toEqual([]);
  });

  it('tells template errors at their place with the include chain', async () => {
    const files = { 'web.sls': 'include:\n  - a\n', 'a.sls': 'x:\n  cmd.run:\n    - name: {{ facs.os }}\n' };
    const [line] = await problems(files);
    expect(line).toMatch(/^a\.sls:3:\d+ 'facs' is undefined \| .*did you mean facts\? < web\.sls:2:5$/);
  });

  it('says so where a function is not there', async () => {
    expect(await problems({ 'web.zy': "{% set salt = {} %}{{ salt['file.file_exists']('/x') }}" })).toEqual([
      expect.stringContaining('this peel has no file.file_exists; sys.list_functions shows all'),
    ]);
  });

  it('tells YAML errors in the template, not in the rendered text', async () => {
    const text = '{% if true %}\n{% set x = 1 %}\n{% endif %}\nok: test.nop\nbad: [\n';
    const [line] = await problems(text);
    expect(line).toMatch(/^web\.sls:[56]:/);
    const [twice] = await problems(
      '{#\n\n#}a: test.nop\n{% for i in [1, 2] %}\nb:\n  test.nop: []\n{% endfor %}',
    );
    expect(twice).toMatch(/^web\.sls:5:1 /);
  });

  it('reads jinja and yaml, and says so of anything else', async () => {
    expect(await problems('#!py\ndef run(): pass')).toEqual([
      'web.sls:1:1 a state file is read with jinja and yaml only | remove the first line, or write #!jinja|yaml',
    ]);
    expect(await problems('#!jinja|yaml\na: test.nop\n')).toEqual([]);
    const plain = await compiled('#!yaml\na:\n  cmd.run:\n    - name: "{{ x }}"\n');
    expect(plain.states[0]?.values.command).toBe('{{ x }}');
  });

  it('wants a mapping', async () => {
    expect(await problems('- a\n- b')).toEqual([
      'web.sls:1:1 a state file is a mapping of ids to states, not a list | begin with an id, such as `nginx:` and below it `  pkg.installed: []`',
    ]);
    expect(await problems('# nothing\n')).toEqual([]);
    expect(await problems('~')).toEqual([]);
  });

  it('tells what the tree cannot read, and lets a bug through', async () => {
    const unreadable = {
      ...memoryTree({}),
      readText: async (): Promise<string> => {
        throw zesterError('TEMPLATE_UNREADABLE', { path: 'web.sls' });
      },
    };
    const found = new ProblemList();
    const asked = [{ ref: 'web', at: { file: 'top.sls' } }];
    await loadStateFiles(asked, { tree: unreadable, render: testRender }, found);
    expect(found.errors[0]?.message).toBe('cannot read web.sls');
    const broken = {
      tree: memoryTree({ 'web.sls': '' }),
      render: () => Promise.reject(new TypeError('bug')),
    };
    await expect(loadStateFiles(asked, broken, new ProblemList())).rejects.toThrow('bug');
  });

  it('stops at the limits', async () => {
    const deep = Array.from({ length: INCLUDE_DEPTH_MAX + 2 }, (_, n) => [
      `f${n}.sls`,
      `include: [f${n + 1}]`,
    ]);
    expect(await problems(Object.fromEntries(deep), ['f0'])).toEqual([
      expect.stringMatching(/^f100\.sls:1:11 includes are nested more than 100 deep < f99\.sls/),
    ]);
    const many = Array.from({ length: STATE_FILES_MAX }, (_, n) => [`f${n}.sls`, '']);
    const refs = many.map(([path]) => path?.replace('.sls', '') ?? '');
    const files = { ...Object.fromEntries(many), 'web.sls': `include: [${refs.join(', ')}]` };
    expect(await problems(files)).toEqual([
      expect.stringMatching(/^web\.sls:1:\d+ this would be more than 2000 state files in one run$/),
    ]);
  });

  it('law: load order is post-order, for any includes', async () => {
    const edges = fc.array(fc.array(fc.nat(7), { maxLength: 4 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(edges, async (wanted) => {
        const includes = wanted.map((list) => list.filter((to) => to < wanted.length));
        const seen = new Set<number>();
        const expected: number[] = [];
        const walk = (n: number): void => {
          if (seen.has(n)) return;
          seen.add(n);
          for (const to of includes[n] ?? []) walk(to);
          expected.push(n);
        };
        walk(0);
        const files = Object.fromEntries(
          includes.map((list, n) => [`f${n}.zy`, `include: [${list.map((to) => `f${to}`).join(', ')}]`]),
        );
        expect((await compiled(files, ['f0'])).files).toEqual(expected.map((n) => `f${n}.zy`));
      }),
    );
  });
});
