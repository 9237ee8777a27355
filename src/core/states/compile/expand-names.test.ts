import { describe, expect, it } from 'vitest';
import { compiled, problems, states } from '../../../../test/harness/states/compiled-files.ts';
import { NAMES_MAX } from './compile-limits.ts';

describe('names', () => {
  it('makes a state of each, with the name in the primary parameter', async () => {
    const text = 'all:\n  cmd.run:\n    - names: [one, 2.50]\n    - name: gone\n    - env: {A: 1}\n';
    const made = await states(text);
    expect(made.map(({ name, id, values }) => [name, id, values.command, values.env])).toEqual([
      ['cmd.run:all:one', 'all', 'one', { A: '1' }],
      ['cmd.run:all:2.50', 'all', '2.50', { A: '1' }],
    ]);
  });

  it('gives an entry arguments of its own', async () => {
    const text = [
      'first: test.nop',
      'all:',
      '  file.managed:',
      '    - mode: 644',
      '    - names:',
      '      - /a',
      '      - /b:',
      '        - mode: 700',
      '        - require: [test: first]',
    ].join('\n');
    const [, a, b] = await states(text);
    expect([a?.values.mode, b?.values.mode]).toEqual([0o644, 0o700]);
    expect([a?.requisites.require, b?.requisites.require]).toEqual([[], ['test.nop:first']]);
  });

  it('takes one text as one name', async () => {
    expect((await states('x:\n  pkg.installed:\n    - names: y')).map(({ name }) => name)).toEqual([
      'pkg.installed:x:y',
    ]);
  });

  it('can be required by the id and by each name', async () => {
    const text = [
      'tools:',
      '  pkg.installed:',
      '    - names: [a, b]',
      '    - require_in: [cmd: last]',
      'all: {cmd.run: [require: [pkg: tools]]}',
      'one: {cmd.run: [require: [pkg: b]]}',
      'last: {cmd.run: []}',
    ].join('\n');
    const made = await states(text);
    const requires = made.slice(2).map(({ requisites }) => requisites.require);
    expect(requires).toEqual([
      ['pkg.installed:tools:a', 'pkg.installed:tools:b'],
      ['pkg.installed:tools:b'],
      ['pkg.installed:tools:a', 'pkg.installed:tools:b'],
    ]);
  });

  it('gives a function without a primary parameter only the name of the state', async () => {
    expect(await states('x:\n  test.nop:\n    - names: [a]')).toMatchObject([
      { name: 'test.nop:x:a', id: 'x', about: 'a', args: {} },
    ]);
    expect(await states('x:\n  module.run:\n    - names: [a]')).toMatchObject([{ args: { name: 'a' } }]);
  });

  it.each([
    [
      '[[a]]',
      '3:15 pkg.installed of x: names takes names, not a list | write each name as `- name`, or as `- name:` with a list of arguments below',
    ],
    [
      '[{a: [], b: []}]',
      '3:15 pkg.installed of x: names takes names, not a mapping | write each name as `- name`, or as `- name:` with a list of arguments below',
    ],
  ])('explains what is wrong: %s', async (names, expected) => {
    expect(await problems(`x:\n  pkg.installed:\n    - names: ${names}`)).toEqual([`web.sls:${expected}`]);
  });

  it('keeps ids apart that are about the same', async () => {
    const made = await states(
      'a: pkg.installed\nx:\n  pkg.installed:\n    - names: [a, x]\ny: {pkg.installed: [names: [a]]}\n',
    );
    expect(made.map(({ name, id, about }) => [name, id, about])).toEqual([
      ['pkg.installed:a', 'a', 'a'],
      ['pkg.installed:x:a', 'x', 'a'],
      ['pkg.installed:x', 'x', 'x'],
      ['pkg.installed:y:a', 'y', 'a'],
    ]);
  });

  it('makes one state of a name that stands there twice, and warns', async () => {
    const { states: made, warnings } = await compiled('x: {pkg.installed: [names: [a, b, a]]}');
    expect(made.map(({ about }) => about)).toEqual(['a', 'b']);
    expect(warnings.map(({ message }) => message)).toEqual([
      'pkg.installed of x: names has a twice, and the first one counts',
    ]);
  });

  it('refuses two states that would be called the same', async () => {
    expect(
      await problems('a: {pkg.installed: [names: ["b:c"]]}\n"a:b": {pkg.installed: [names: [c]]}'),
    ).toEqual([
      'web.sls:2:9 pkg.installed:a:b:c is already declared at web.sls:1 | give one of them another id',
    ]);
  });

  it('has a limit, and where it is empty the id is the name', async () => {
    const names = Array.from({ length: NAMES_MAX + 1 }, (_, n) => `n${n}`);
    const text = (list: readonly string[]) => `x:\n  pkg.installed:\n    - names: [${list.join(', ')}]`;
    expect((await states(text(names.slice(1)))).length).toBe(NAMES_MAX);
    expect(await problems(text(names))).toEqual([
      'web.sls:3:14 pkg.installed of x: names has more than 1000 entries',
    ]);
    expect((await states(text([]))).map(({ name, about }) => [name, about])).toEqual([
      ['pkg.installed:x', 'x'],
    ]);
  });
});
