import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compiled, problems, states } from '../../../../test/harness/states/compiled-files.ts';
import { REQUISITE_KINDS, type RequisiteKind } from '../compiled-state.ts';
import { REQUISITES_RESOLVED_MAX, REQUISITES_WRITTEN_MAX } from './compile-limits.ts';

const NGINX = [
  'nginx:',
  '  pkg.installed: []',
  '  service.running: []',
  'web-conf:',
  '  file.managed:',
  '    - name: /etc/nginx.conf',
  'https://x:80/y: cmd.run',
  '',
].join('\n');

/** What a state `last` requires that names `target`. */
async function required(target: string): Promise<readonly string[] | undefined> {
  const made = await states(`${NGINX}last:\n  cmd.run:\n    - require:\n      - ${target}\n`);
  return made.find(({ id }) => id === 'last')?.requisites.require;
}

async function refused(target: string): Promise<string> {
  const found = await problems(`${NGINX}last:\n  cmd.run:\n    - require:\n      - ${target}\n`);
  expect(found.length).toBe(1);
  return found[0]?.replace('web.sls:11:9 cmd.run:last: require: ', '') ?? '';
}

describe('requisites name states', () => {
  it('by family, function, id, and what they are about', async () => {
    expect(await required('pkg: nginx')).toEqual(['pkg.installed:nginx']);
    expect(await required('pkg.installed: nginx')).toEqual(['pkg.installed:nginx']);
    expect(await required('pkg.installed:nginx')).toEqual(['pkg.installed:nginx']);
    expect(await required('id: nginx')).toEqual(['pkg.installed:nginx', 'service.running:nginx']);
    expect(await required('nginx')).toEqual(['pkg.installed:nginx', 'service.running:nginx']);
    expect(await required('file: web-conf')).toEqual(['file.managed:web-conf']);
    expect(await required('file: /etc/nginx.conf')).toEqual(['file.managed:web-conf']);
    expect(await required('file.managed:/etc/nginx.conf')).toEqual(['file.managed:web-conf']);
    expect(await required('/etc/nginx.conf')).toEqual(['file.managed:web-conf']);
  });

  it('with colons in the id', async () => {
    expect(await required('cmd: https://x:80/y')).toEqual(['cmd.run:https://x:80/y']);
    expect(await required('cmd.run:https://x:80/y')).toEqual(['cmd.run:https://x:80/y']);
    expect(await required('https://x:80/y')).toEqual(['cmd.run:https://x:80/y']);
    const made = await states('"cmd.run:x": test.nop\na: {test.nop: [require: ["cmd.run:x"]]}');
    expect(made[1]?.requisites.require).toEqual(['test.nop:cmd.run:x']);
  });

  it('by id and by name, whatever fits', async () => {
    const text =
      'a: {pkg.installed: [name: b]}\nb: {pkg.installed: [name: c]}\nx: {cmd.run: [require: [pkg: b]]}';
    expect((await states(text))[2]?.requisites.require).toEqual(['pkg.installed:b', 'pkg.installed:a']);
  });

  it('by a pattern', async () => {
    expect(await required('pkg: ng*')).toEqual(['pkg.installed:nginx']);
    expect(await required("file: '/etc/*'")).toEqual(['file.managed:web-conf']);
    expect(await required("'*ng*x*'")).toEqual([
      'pkg.installed:nginx',
      'service.running:nginx',
      'file.managed:web-conf',
    ]);
  });

  it('in a list, as in Salt', async () => {
    for (const form of ['[nginx]', '[{id: nginx}]', '[{pkg: nginx, service: nginx}]']) {
      const made = await states(`${NGINX}last: {cmd.run: [{require: ${form}}]}`);
      expect(made.at(-1)?.requisites.require).toEqual(['pkg.installed:nginx', 'service.running:nginx']);
    }
    expect((await states('x: {cmd.run: [require: ]}'))[0]?.requisites.require).toEqual([]);
    const hint = 'write it as a list: `- require:` and below it `- pkg: nginx`';
    expect(await problems(`${NGINX}last: {cmd.run: [{require: nginx}]}`)).toEqual([
      `web.sls:8:28 cmd.run of last: require takes a list of states, not "nginx" | ${hint}`,
    ]);
    expect(await problems(`${NGINX}last: {cmd.run: [{require: {pkg: nginx}}]}`)).toEqual([
      `web.sls:8:28 cmd.run of last: require takes a list of states, not a mapping | ${hint}`,
    ]);
  });

  it('of a whole file, with what that file brought into the run', async () => {
    const files = {
      'web.sls': [
        'include: [base, late, empty]',
        'x: {cmd.run: [require: [sls: base.init]]}',
        'y: {cmd.run: [require: [sls: late]]}',
        'z: {cmd.run: [require: [sls: empty]]}',
        "all: {cmd.run: [require: [sls: '[bl]a*']]}",
        'in: {cmd.run: [require_in: [sls: base]]}',
      ].join('\n'),
      'base/init.sls': 'include: [part]\na: test.nop',
      'part.sls': 'b: test.nop',
      'late.sls': 'include: [part]\nc: test.nop',
      'empty.sls': '',
    };
    const { states: made, warnings } = await compiled(files);
    const requires = new Map(made.map(({ id, requisites }) => [id, requisites.require]));
    expect(requires.get('x')).toEqual(['test.nop:b', 'test.nop:a']);
    // As in Salt: `part` had come with `base` before `late` asked for it.
    expect(requires.get('y')).toEqual(['test.nop:c']);
    expect(requires.get('z')).toEqual([]);
    expect(requires.get('all')).toEqual(['test.nop:b', 'test.nop:a', 'test.nop:c']);
    expect(requires.get('a')).toEqual(['cmd.run:in']);
    expect(requires.get('b')).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'cmd.run:z: require: empty has no states, so nothing is waited for',
    ]);
  });

  it('and leave themselves out where an id means several', async () => {
    const made = await states('nginx:\n  pkg.installed: []\n  service.running:\n    - require: [nginx]\n');
    expect(made[1]?.requisites.require).toEqual(['pkg.installed:nginx']);
  });

  it.each([
    ['pkg: ngnix', 'there is no pkg state ngnix | did you mean nginx?'],
    ['pkg.installed:ngnix', 'there is no pkg.installed state ngnix | did you mean nginx?'],
    ['ngnix', 'there is no state ngnix | did you mean nginx?'],
    ['pkg:nginx', 'there is no state pkg:nginx | a blank is missing after the colon: `- pkg: nginx`'],
    ['pkgs: nginx', 'there is no pkgs state nginx | there is no family pkgs; did you mean pkg?'],
    ['cmd: nginx', 'there is no cmd state nginx | nginx is there as pkg.installed, service.running'],
    [
      'pkg.removed: nginx',
      'there is no pkg.removed state nginx | nginx is there as pkg.installed, service.running',
    ],
    ['pkg: mysql', 'there is no pkg state mysql | include the file that declares it'],
    ["file: '/opt/*'", 'there is no file state /opt/* | include the file that declares it'],
    ['sls: wep', 'the state file wep is not part of this run | did you mean web?'],
    ['sls: other', 'the state file other is not part of this run | include it: `include:` with `- other`'],
    [
      'sls: web',
      'the state itself is among those of web and what that includes | name the states that are meant',
    ],
    ['cmd: last', 'a state cannot wait for itself'],
    ['last', 'a state cannot wait for itself'],
  ])('explain what is wrong: %s', async (target, expected) => {
    expect(await refused(target)).toBe(expected);
  });

  it('explain a form that is wrong', async () => {
    const forms = 'write `- pkg: nginx`, `- pkg.installed:nginx`, `- sls: web` or the id alone';
    const wrong = async (value: string) => await problems(`x:\n  cmd.run:\n    - require: ${value}`);
    expect(await wrong('[pkg: [a, b]]')).toEqual([
      'web.sls:3:17 cmd.run of x: require on pkg needs the id of one state, not a list | write one line for each: `- pkg: id`',
    ]);
    expect(await wrong('[pkg: ]')).toEqual([
      `web.sls:3:17 cmd.run of x: require on pkg needs the id of one state, not nothing | ${forms}`,
    ]);
    expect(await wrong('[[a]]')).toEqual([
      `web.sls:3:17 cmd.run of x: require names states, not a list | ${forms}`,
    ]);
  });

  it('in order and none twice', async () => {
    const text =
      'a: test.nop\nb: test.nop\nx:\n  cmd.run:\n    - require: [b, a, {test: b}]\n    - watch: [a]\n    - listen: [b, a]';
    const [, , x] = await states(text);
    expect([x?.requisites.require, x?.requisites.watch]).toEqual([
      ['test.nop:b', 'test.nop:a'],
      ['test.nop:a', 'test.nop:b'],
    ]);
  });
});

describe('inverse requisites', () => {
  it('of every kind become requisites of the state they name', async () => {
    const keys: readonly (readonly [string, RequisiteKind])[] = [
      ...REQUISITE_KINDS.map((kind) => [kind, kind] as const),
      ['listen', 'watch'],
    ];
    for (const [key, kind] of keys) {
      const forward = await states(`a: test.nop\nb: {test.nop: [${key}: [test: a]]}`);
      const inverse = await states(`a: {test.nop: [${key}_in: [test: b]]}\nb: test.nop`);
      const plain = (made: typeof forward) => made.map(({ name, requisites }) => [name, requisites]);
      expect(plain(inverse)).toEqual(plain(forward));
      expect(forward[1]?.requisites[kind]).toEqual(['test.nop:a']);
    }
  });

  it('never make a state', async () => {
    expect(
      await problems('nginx: pkg.installed\nx:\n  cmd.run:\n    - require_in:\n      - pkg: ngnix\n'),
    ).toEqual(['web.sls:5:9 cmd.run:x: require_in: there is no pkg state ngnix | did you mean nginx?']);
  });

  it('stand behind the own requisites of a state', async () => {
    const text = 'a: {test.nop: [require_in: [x]]}\nx: {cmd.run: [require: [b]]}\nb: test.nop';
    expect((await states(text))[1]?.requisites.require).toEqual(['test.nop:b', 'test.nop:a']);
  });
});

describe('prereq', () => {
  it('makes the named state require the one that runs before it', async () => {
    const [stop, file] = await states('stop: {cmd.run: [prereq: [file: /x]]}\n/x: file.managed');
    expect([stop?.requisites.prereq, stop?.requisites.require]).toEqual([['file.managed:/x'], []]);
    expect([file?.requisites.prereq, file?.requisites.require]).toEqual([[], ['cmd.run:stop']]);
  });
});

describe('a broken file or id', () => {
  it('is told once: nobody hears that its states are missing', async () => {
    expect(
      await problems('include: [gone]\nx: {cmd.run: [require: [pkg: y]]}\nextend: {z: {pkg: []}}'),
    ).toEqual([expect.stringContaining('there is no state file gone')]);
    expect(await problems('x: {cmd.run: [require: [pkg: y]]}\ny:\n  pkg.installed: 5')).toEqual([
      expect.stringContaining('web.sls:3:3 pkg.installed of y: a list of parameters'),
    ]);
    expect(await problems('x: {cmd.run: [require: [pkg: y]]}\ny: pkg.instaled')).toEqual([
      expect.stringContaining('there is no state function pkg.instaled'),
    ]);
  });
});

describe('limits', () => {
  it('of what one state names', async () => {
    const targets = Array(REQUISITES_WRITTEN_MAX).fill('a').join(', ');
    expect(await problems(`a: test.nop\nx: {cmd.run: [require: [${targets}]]}`)).toEqual([]);
    expect(await problems(`a: test.nop\nx: {cmd.run: [require: [${targets}, a]]}`)).toEqual([
      'web.sls:2:5 cmd.run:x names more than 1000 states in its requisites',
    ]);
  });

  it('of what all of them come to', async () => {
    const each = 501;
    expect(each * each).toBeGreaterThan(REQUISITES_RESOLVED_MAX);
    const many = (id: string, body: string) =>
      Array.from({ length: each }, (_, n) => `${id}${n}: ${body}\n`).join('');
    const files = {
      'web.sls': `include: [b]\n${many('x', '{test.nop: [require: [sls: b]]}')}`,
      'b.sls': many('y', 'test.nop'),
    };
    expect(await problems(files)).toEqual([
      expect.stringContaining('test.nop:x499: require: the requisites of this run come to more than 250000'),
    ]);
  });
});

describe('laws', () => {
  it('every requisite of a compiled set names a state of the set, and never the state itself', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const key = fc.constantFrom(
      ...REQUISITE_KINDS,
      'listen',
      'require_in',
      'prereq_in',
      'listen_in',
      'onfail_any_in',
    );
    const target = fc.oneof(
      id,
      id.map((to) => `{cmd: ${to}}`),
      id.map((to) => `{id: ${to}}`),
      id.map((to) => `cmd.run:${to}`),
    );
    const given = fc.uniqueArray(fc.tuple(key, target), { selector: ([name]) => name, maxLength: 4 });
    const state = fc.tuple(id, given);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(state, { selector: ([name]) => name, minLength: 1 }), async (drawn) => {
        const text = drawn
          .map(
            ([name, given]) =>
              `${name}:\n  cmd.run: [${given.map(([k, to]) => `{${k}: [${to}]}`).join(', ')}]\n`,
          )
          .join('');
        const { states: made, problems: found } = await compiled(text);
        const names = new Set(made.map(({ name }) => name));
        for (const one of made)
          for (const kind of REQUISITE_KINDS)
            for (const to of one.requisites[kind]) expect(names.has(to) && to !== one.name).toBe(true);
        // Each target that is missing or the state itself is told, and nothing else is.
        const ids: readonly string[] = drawn.map(([name]) => name);
        const bad = drawn.flatMap(([name, given]) =>
          given.filter(([, to]) => {
            const meant = /[a-d](?=\}?$)/.exec(to)?.[0] ?? '';
            return meant === name || !ids.includes(meant);
          }),
        );
        expect(found.length).toBe(bad.length);
      }),
    );
  });
});
