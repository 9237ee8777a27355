import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compiled, problems, states } from '../../../../test/harness/states/compiled-files.ts';

describe('the same id in two files', () => {
  it('is one state: requisites add up, other arguments are those of the later file', async () => {
    const files = {
      'web.sls': [
        'include: [more]',
        'a: test.nop',
        'nginx:',
        '  pkg.installed:',
        '    - version: 1.10',
        '    - pkgs: [x]',
        '    - require: [{test: a}]',
        '    - watch_in: [test: a]',
      ].join('\n'),
      'more.sls':
        'b: test.nop\nnginx:\n  pkg.installed:\n    - version: 1.20\n    - require: ["test.nop:b"]\n',
    };
    const { states: made, warnings } = await compiled(files);
    const nginx = made.find(({ id }) => id === 'nginx');
    expect(nginx?.values).toEqual({ name: 'nginx', version: '1.10', pkgs: ['x'] });
    expect(nginx?.requisites.require).toEqual(['test.nop:b', 'test.nop:a']);
    expect(nginx?.sls).toBe('more');
    expect(made.find(({ id }) => id === 'a')?.requisites.watch).toEqual(['pkg.installed:nginx']);
    expect(warnings.map(({ message, at }) => [at.file, message])).toEqual([
      [
        'web.sls',
        'nginx (pkg.installed) is also declared in more.sls: the two are merged, and the parameters given here count',
      ],
    ]);
  });

  it('stays two states where the functions differ', async () => {
    const made = await states({ 'web.sls': 'include: [b]\nx: pkg.installed', 'b.sls': 'x: pkg.removed' });
    expect(made.map(({ name }) => name)).toEqual(['pkg.removed:x', 'pkg.installed:x']);
  });

  it('tells a wrong argument in the file that it came from', async () => {
    const files = {
      'web.sls': 'include: [b]\nx:\n  pkg.installed:\n    - pkgs: [a]\n',
      'b.sls': 'x:\n  pkg.installed:\n    - version: [1]\n',
    };
    expect(await problems(files)).toEqual([
      'b.sls:3:16 pkg.installed of x: version must be text, not [1] < web.sls:1:11',
    ]);
  });

  it('law: merging the same declaration again changes nothing', async () => {
    const params = fc.uniqueArray(
      fc.tuple(
        fc.constantFrom('source', 'mode', 'contents', 'order', 'onlyif'),
        fc.integer({ min: 1, max: 777 }),
      ),
      { selector: ([key]) => key },
    );
    const kinds = fc.array(fc.constantFrom('require', 'watch', 'onchanges_in', 'listen', 'prereq'), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(params, kinds, async (given, requisites) => {
        const body = [
          'x:',
          '  file.managed:',
          ...given.map(([key, value]) => `    - ${key}: ${String(value).replace(/[89]/g, '7')}`),
          ...requisites.map((kind) => `    - ${kind}: [{id: a}]`),
          ...(given.length + requisites.length === 0 ? ['    []'] : []),
          '',
        ].join('\n');
        const file = (text: string) => ({ 'a.sls': 'a: test.nop', 'b.sls': body, 'c.sls': text });
        const once = await states(file(''), ['a', 'b', 'c']);
        expect(await states(file(body), ['a', 'b', 'c'])).toEqual(once);
      }),
      { numRuns: 50 },
    );
  });
});

describe('extend', () => {
  it('adds to a state of an included file, by function or by family', async () => {
    const base =
      'nginx:\n  pkg.installed: []\n  service.running:\n    - enable: true\n    - require: [pkg: nginx]\n';
    for (const family of ['service', 'service.running'])
      expect(
        await states({
          'web.sls': `include: [base]\nconf: test.nop\nextend:\n  nginx:\n    ${family}:\n      - enable: false\n      - watch:\n        - test: conf\n`,
          'base.sls': base,
        }).then((made) => made.find(({ module }) => module === 'service.running')),
      ).toMatchObject({
        sls: 'base',
        values: { enable: false },
        requisites: { require: ['pkg.installed:nginx'], watch: ['test.nop:conf'] },
      });
  });

  it('adds several times over', async () => {
    const made = await states({
      'web.sls': 'include: [b]\nx: pkg.installed\nextend: {x: {pkg: [version: 1]}}',
      'b.sls': 'extend: {x: {pkg: [pkgs: [q]]}}',
    });
    expect(made[0]?.values).toEqual({ name: 'x', version: '1', pkgs: ['q'] });
  });

  it.each([
    [
      'nginx: pkg.installed\nextend:\n  ngnix:\n    pkg: []',
      '3:3 extend: there is no state with the id ngnix | did you mean nginx?',
    ],
    [
      'extend:\n  nginx:\n    pkg: []',
      '2:3 extend: there is no state with the id nginx | include the file that declares it',
    ],
    [
      'nginx: pkg.installed\nextend:\n  nginx:\n    service: []',
      '4:5 extend: nginx has no service | it has pkg.installed',
    ],
    [
      'x:\n  pkg.installed: []\n  pkg.removed: []\nextend:\n  x:\n    pkg: []',
      '6:5 extend: pkg of x can be pkg.installed and pkg.removed | write the function too',
    ],
    ['extend: [a]', '1:9 extend takes a mapping of ids, not a list'],
  ])('explains what is wrong: %j', async (text, expected) => {
    expect(await problems(text)).toEqual([`web.sls:${expected}`]);
  });
});

describe('exclude', () => {
  const base = { 'base.sls': 'include: [base.sub]\na: test.nop\nb: test.nop', 'base/sub.sls': 'c: test.nop' };

  it('takes away an id or what a file declares', async () => {
    const ids = async (exclude: string) =>
      (await states({ ...base, 'web.sls': `include: [base]\nexclude: ${exclude}\nd: test.nop` })).map(
        ({ id }) => id,
      );
    expect(await ids('[{id: a}]')).toEqual(['c', 'b', 'd']);
    expect(await ids('[{sls: base}]')).toEqual(['c', 'd']);
    expect(await ids('[base.sub]')).toEqual(['a', 'b', 'd']);
    expect(await ids("['base*']")).toEqual(['d']);
  });

  it('warns of what is not there, and refuses what it cannot read', async () => {
    const { warnings } = await compiled({
      ...base,
      'web.sls': 'include: [base]\nexclude: [{id: aa}, {sls: bass}]',
    });
    expect(warnings.map(({ message, hint }) => `${message} | ${hint}`)).toEqual([
      'exclude: there is no state with the id aa | did you mean a?',
      'exclude: bass is not part of this run | did you mean base?',
    ]);
    const form = 'write `- sls: web.config` or `- id: nginx`';
    expect(await problems('exclude: [{file: x}]\n')).toEqual([
      `web.sls:1:11 exclude does not take a mapping | ${form}`,
    ]);
    expect(await problems('exclude: x\n')).toEqual([`web.sls:1:10 exclude takes a list, not "x" | ${form}`]);
  });
});
