import { describe, expect, it } from 'vitest';
import { compiled, problems, states } from '../../../../test/harness/states/compiled-files.ts';
import { STATES_MAX } from './compile-limits.ts';

describe('arguments of a state', () => {
  it('are read by the type of their parameter', async () => {
    const text = [
      '/x:',
      '  file.managed:',
      '    - mode: 0644',
      '    - source: 1.10',
      '    - makedirs: yes',
      '    - context: {port: 8080, 1: a}',
      '    - contents: no',
    ].join('\n');
    const [state] = await states(text);
    expect(state?.values).toEqual({
      name: '/x',
      mode: 0o644,
      source: '1.10',
      makedirs: true,
      context: new Map<unknown, unknown>([
        ['port', 8080],
        [1, 'a'],
      ]),
      contents: 'no',
      secret: undefined,
    });
  });

  it('take the id for the primary parameter unless it is given', async () => {
    const command = async (args: string) => (await states(`x: {cmd.run: ${args}}`))[0]?.values.command;
    expect(await command('[]')).toBe('x');
    expect(await command('[name: y]')).toBe('y');
    expect(await command('[command: z]')).toBe('z');
    expect(await command("[name: '']")).toBe('x');
    expect(await problems('x: {cmd.run: [name: y, command: z]}')).toEqual([
      'web.sls:1:33 cmd.run of x: command was given twice, as command and as name',
    ]);
  });

  it('of an open function are kept as they are', async () => {
    const [state] = await states('x:\n  module.run:\n    - test.echo: [{text: 1}]\n    - parallel: 5\n');
    expect(state?.args).toEqual({ 'test.echo': [{ text: 1 }], parallel: 5 });
  });

  it.each([
    ['mode: 999', '3:13 file.managed of /x: mode must be a file mode in octal such as 0644, not "999"'],
    ['makedirs: maybe', '3:17 file.managed of /x: makedirs must be true or false, not "maybe"'],
    ['source: [a]', '3:15 file.managed of /x: source must be text, not ["a"]'],
    ['secret: [a]', '3:15 file.managed of /x: secret must be text, not what was given'],
    ['requires: x', '3:7 file.managed of /x: it has no parameter requires | did you mean require?'],
    ['mod: 644', '3:7 file.managed of /x: it has no parameter mod | did you mean mode?'],
    [
      'wherever: 1',
      '3:7 file.managed of /x: it has no parameter wherever | it takes name, source, mode, makedirs, context, contents, secret',
    ],
    ['context: {__proto__: 1}', '3:17 file.managed of /x: __proto__ cannot be a key'],
    ["'': 1", '3:7 file.managed of /x: "" cannot be the name of a parameter'],
    ['__proto__: 1', '3:7 file.managed of /x: "__proto__" cannot be the name of a parameter'],
    [
      'check_cmd: x',
      '3:7 file.managed of /x: check_cmd is not supported | put the check into a cmd.run of its own that requires this state',
    ],
    [
      'creates: /y',
      '3:7 file.managed of /x: creates is not supported | only commands have it: say it with `- unless: test -e …`',
    ],
    ['failhard: maybe', '3:17 file.managed of /x: failhard must be true or false, not "maybe"'],
    [
      'onlyif: [{fun: x}]',
      '3:15 file.managed of /x: onlyif takes shell commands, true and false, and no functions (`fun:`): write the same as a command, or decide it in the template',
    ],
  ])('explain what is wrong: %s', async (argument, expected) => {
    expect(await problems(`/x:\n  file.managed:\n    - ${argument}\n`)).toEqual([`web.sls:${expected}`]);
  });

  it('that are booleans in a guard are what a template has decided', async () => {
    const text = (guards: string) => `x: {cmd.run: [{onlyif: ${guards}}]}`;
    const guards = async (written: string) => (await states(text(written)))[0]?.attributes.onlyif;
    expect(await guards('{{ 1 == 1 }}')).toEqual([true]);
    expect(await guards('[False, "true", test -e /x, no]')).toEqual([false, 'true', 'test -e /x', false]);
  });

  it('of Salt that change nothing are only a warning', async () => {
    const { states: made, warnings } = await compiled('x: {cmd.run: [parallel: true, reload_modules: true]}');
    expect(made.length).toBe(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      'cmd.run of x: parallel has no effect here',
      'cmd.run of x: reload_modules has no effect here',
    ]);
  });

  it('are placed in the template where a loop wrote them', async () => {
    const text =
      "{% for n in ['a', 'b'] %}\n{{ n }}:\n  file.managed:\n    - mode: {{ 999 }}\n{% endfor %}\n";
    expect((await problems(text)).map((line) => line.split(' ')[0])).toEqual([
      'web.sls:4:16',
      'web.sls:4:16',
    ]);
  });
});

describe('functions', () => {
  it('that do not exist are told with what there is', async () => {
    expect(await problems('x: pkg.foobarbaz')).toEqual([
      'web.sls:1:4 x: there is no state function pkg.foobarbaz | there is pkg.installed, pkg.removed',
    ]);
    expect(await problems('x:\n  nothing.likeit:\n    - whatever: 1')).toEqual([
      'web.sls:2:3 x: there is no state function nothing.likeit',
    ]);
  });
});

describe('a run', () => {
  it('has a limit of states, and what is beyond is not called missing', async () => {
    const text = Array.from({ length: STATES_MAX }, (_, n) => `s${n}: test.nop\n`).join('');
    expect((await states(text)).length).toBe(STATES_MAX);
    expect(await problems(`first: {cmd.run: [require: [last]]}\n${text}last: test.nop\n`)).toEqual([
      'web.sls:10001:8 this would be more than 10000 states in one run',
    ]);
  });
});
