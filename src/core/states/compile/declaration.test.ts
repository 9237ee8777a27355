import { describe, expect, it } from 'vitest';
import { compiled, problems, states } from '../../../../test/harness/states/compiled-files.ts';

async function names(text: string): Promise<readonly string[]> {
  return (await states(text)).map(({ name }) => name);
}

describe('declarations', () => {
  it('are taken in every form of Salt', async () => {
    const forms = [
      'nginx: pkg.installed',
      'nginx: [pkg.installed]',
      'nginx:\n  - pkg.installed',
      'nginx:\n  pkg.installed: []',
      'nginx:\n  pkg.installed:',
      'nginx:\n  pkg: installed',
      'nginx:\n  pkg:\n    - installed',
      'nginx:\n  pkg:\n    - version: 1.10\n    - installed',
    ];
    for (const form of forms) expect([form, await names(form)]).toEqual([form, ['pkg.installed:nginx']]);
  });

  it('give the short form its arguments', async () => {
    const [state] = await states('nginx:\n  pkg:\n    - installed\n    - version: 1.10\n');
    expect(state?.values).toEqual({ name: 'nginx', version: '1.10', pkgs: undefined });
  });

  it('may be several below one id, also of one family', async () => {
    expect(await names('x:\n  pkg.installed: []\n  service.running: []\n  pkg.removed: []')).toEqual([
      'pkg.installed:x',
      'service.running:x',
      'pkg.removed:x',
    ]);
  });

  it('take any text as id', async () => {
    const ids = ['/etc/my file', 'https://x:80/y', 'größe ☃', '1.10', 'yes', 'pkg.installed:x', 'a.b'];
    expect(
      (await states(ids.map((id) => `${JSON.stringify(id)}: test.nop`).join('\n'))).map(({ id }) => id),
    ).toEqual(ids);
    expect((await states('1.10: test.nop\nyes: test.nop\n')).map(({ id }) => id)).toEqual(['1.10', 'yes']);
  });

  it('say where and in which file they are', async () => {
    const [, state] = await states({ 'web/init.zy': '\na: test.nop\nb:\n  test.nop: []\n' });
    expect(state).toMatchObject({ sls: 'web', at: { file: 'web/init.zy', line: 4, column: 3 } });
  });

  it.each([
    ['nginx:', '1:1 nginx has no function | write the function below the id: `pkg.installed: []`'],
    ['nginx: {}', '1:1 nginx has no function | write the function below the id: `pkg.installed: []`'],
    ['nginx: []', '1:1 nginx has no function | write the function below the id: `pkg.installed: []`'],
    [
      'nginx: installed',
      '1:8 nginx: a function such as pkg.installed is expected here, not "installed" | write the function below the id: `pkg.installed: []`',
    ],
    [
      'nginx:\n  - pkg.installed: []',
      '2:5 nginx: a function such as pkg.installed is expected here, not a mapping | write the function below the id: `pkg.installed: []`',
    ],
    [
      'nginx:\n  pkg.installed:\n    version: 1',
      '2:3 pkg.installed of nginx: parameters are a list here, not a mapping | put a dash before each of them: `- name: value`',
    ],
    [
      'nginx:\n  pkg.installed: now',
      '2:3 pkg.installed of nginx: a list of parameters is expected, not "now" | write `- name: value` below it',
    ],
    [
      'nginx:\n  pkg.installed:\n    - version',
      '3:7 pkg.installed of nginx: a parameter is expected here, not "version" | write parameters as `- name: value`',
    ],
    [
      'nginx:\n  pkg.installed:\n    - version:1',
      '3:7 pkg.installed of nginx: a parameter is expected here, not "version:1" | a blank is missing after the colon: `- version: 1`',
    ],
    [
      'nginx:\n  pkg.installed:\n    - [a]',
      '3:7 pkg.installed of nginx: a parameter is expected here, not a list | write parameters as `- name: value`',
    ],
    [
      'nginx:\n  pkg.installed: []\n  require:\n    - x',
      '3:3 nginx: require stands beside the functions instead of below one | move it into the list of its function: `- require: …`',
    ],
    [
      'nginx:\n  pkg:\n    - version: 1',
      '2:3 nginx: pkg says no function | write it with one, such as `pkg.installed:`',
    ],
    ['x:\n  thing: []', '2:3 x: thing says no function | write it with one, such as `thing.present:`'],
    [
      'x:\n  pkg: [installed, removed]',
      '2:20 x: pkg has two functions, installed and removed | write each with its family: `pkg.installed: []`',
    ],
    [
      'x:\n  a.b.c: []',
      '2:3 x: "a.b.c" is not the name of a function | write the function below the id: `pkg.installed: []`',
    ],
    ['x:\n  pkg.installed: []\n  pkg: installed', '3:3 x: pkg.installed is there twice'],
    ['1: test.nop\n"1": test.nop', '2:1 the id 1 is there twice | put both functions below one id'],
    ['__proto__: test.nop', '1:1 "__proto__" cannot be an id | give the state a name in quotes'],
    ['"": test.nop', '1:1 "" cannot be an id | give the state a name in quotes'],
    ['~: test.nop', '1:1 nothing cannot be an id | give the state a name in quotes'],
  ])('explain what is wrong: %j', async (text, expected) => {
    expect(await problems(text)).toEqual([`web.sls:${expected}`]);
  });

  it('tell everything that is wrong at once', async () => {
    const text =
      'a:\nb:\n  pkg.instaled: []\nc:\n  pkg.installed:\n    - versoin: 1\n    - onlyif: []\n    - order: x\n';
    expect(await problems(text)).toEqual([
      'web.sls:1:1 a has no function | write the function below the id: `pkg.installed: []`',
      'web.sls:3:3 b: there is no state function pkg.instaled | did you mean pkg.installed?',
      'web.sls:6:7 pkg.installed of c: it has no parameter versoin | did you mean version?',
      'web.sls:8:14 pkg.installed of c: order must be first, last or a whole number between -1000000 and 1000000, not "x"',
    ]);
  });

  it('give no states while something is wrong', async () => {
    expect((await compiled('a:\nb: test.nop')).states).toEqual([]);
  });

  it('take the later of two keys in one list, as Salt does, and warn; inverse requisites add up', async () => {
    const text = [
      'a: test.nop',
      'b: test.nop',
      'x:',
      '  cmd.run:',
      '    - name: one',
      '    - require: [{test: a}]',
      '    - require: [{test: b}]',
      '    - name: two',
      '    - onfail_in: [{test: a}]',
      '    - onfail_in: [{test: b}]',
    ].join('\n');
    const { states: made, warnings } = await compiled(text);
    expect(made[2]?.requisites.require).toEqual(['test.nop:b']);
    expect(made.slice(0, 2).map(({ requisites }) => requisites.onfail)).toEqual([
      ['cmd.run:x'],
      ['cmd.run:x'],
    ]);
    expect(made[2]?.values.command).toBe('two');
    expect(warnings.map(({ message, at }) => [message, at.line])).toEqual([
      ['cmd.run of x: require stands there twice, and the later one counts', 7],
      ['cmd.run of x: name stands there twice, and the later one counts', 8],
    ]);
  });
});
