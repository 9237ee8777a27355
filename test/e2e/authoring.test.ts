/** `zester render` and `zester lint` as a person runs them: they live in a program of their own. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, scratchDir, zester } from '../harness/programs/program.ts';

function tree(files: Readonly<Record<string, string>>): string {
  const dir = scratchDir();
  mkdirSync(join(dir, 'states'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

describe('zester lint', () => {
  it('exits with 0, 2 and 1: clean, errors, nothing to look at', async () => {
    const cwd = tree({
      'states/good.zy': '/etc/motd:\n  file.managed:\n    - contents: {{ grains.os }} {{ pillar.who }}\n',
    });
    mkdirSync(join(cwd, 'settings'));
    writeFileSync(join(cwd, 'settings/who.yaml'), 'who: me\n');
    const good = await zester(['lint', 'states', '--settings', 'settings'], { cwd });
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out).toContain('1 state file, with the facts of debian and rhel: 0 errors, 0 warnings');

    const bad = await zester(['lint', 'states', '--format', 'json'], { cwd });
    expect(bad.code).toBe(2);
    expect(JSON.parse(bad.out)).toMatchObject({ errors: 1, problems: [{ file: 'good.zy', line: 3 }] });

    const nothing = await zester(['lint', 'nowhere', '--format', 'json'], { cwd });
    expect(nothing.code).toBe(1);
    expect(JSON.parse(nothing.err)).toMatchObject({ error: { code: 'LINT_NOTHING' } });
  });

  it('checks a settings tree, alone and with the states that use it, with places in both', async () => {
    const cwd = tree({ 'states/a.zy': 'x:\n  test.nop:\n    - name: {{ settings.prot }}\n' });
    mkdirSync(join(cwd, 'settings'));
    writeFileSync(join(cwd, 'settings/top.zy'), "base:\n  '*': [common]\n");
    writeFileSync(join(cwd, 'settings/common.zy'), 'port: 80\n');
    expect(await zester(['lint', '--settings', 'settings'], { cwd })).toMatchObject({ code: 0, err: '' });
    writeFileSync(join(cwd, 'settings/web.zy'), 'a: 1\n');
    const both = await zester(['lint', 'states', '--settings', 'settings/'], { cwd });
    expect(both.code).toBe(2);
    expect(both.out).toContain('settings/web.zy: warning: no line of the top file gives this file');
    expect(both.out).toMatch(/states\/a\.zy:3:\d+: error: .*prot/);
    expect(both.out).toContain('1 state file and 3 settings files, with the facts of');
    expect((await zester(['lint'], { cwd })).err).toContain('CLI_MISSING_OPTION');
  });

  it('takes facts of real machines, and refuses what are none', async () => {
    const cwd = tree({
      'states/a.zy': "x:\n  test.{{ {'debian': 'nop'}[facts.os.family] }}: []\n",
      'debian.yaml': 'os: {family: debian}\n',
      'rhel.json': '{"os": {"family": "rhel"}}\n',
      'list.yaml': '- 1\n',
      'shown.yaml': 'peel_id: web-01\nonline: true\nfacts:\n  os: {family: debian}\n',
      'states/top.zy': "base:\n  'web-*': [a]\n",
    });
    expect((await zester(['lint', 'states', '--facts', 'shown.yaml', '--top'], { cwd })).code).toBe(0);
    expect((await zester(['lint', 'states', '--facts', 'debian.yaml'], { cwd })).code).toBe(0);
    const both = await zester(['lint', 'states', '--facts', 'debian.yaml', '--facts=rhel.json'], { cwd });
    expect(both.code).toBe(2);
    expect(both.out).toContain('(with the facts of rhel.json)');
    expect((await zester(['lint', 'states', '--facts', 'list.yaml'], { cwd })).err).toContain('LINT_FACTS');
  });
});

describe('zester render', () => {
  it('hands over words, exit codes and errors', async () => {
    const cwd = tree({ 'a b.jinja': 'hi {{ who }}\n' });
    expect(
      await zester(['render', 'a b.jinja', '--set', 'who=--you', '--set', 'x=1'], { cwd }),
    ).toMatchObject({
      code: 0,
      out: 'hi --you\n',
    });
    const failed = await zester(['render', 'a b.jinja'], { cwd });
    expect(failed).toMatchObject({ code: 1, out: '' });
    expect(failed.err).toContain('TEMPLATE_FAILED');
  });
});

describe('the program zester', () => {
  it('does not carry the template engine and the state modules: every command would load them', () => {
    const size = (name: string) => statSync(join(ROOT, 'dist', `${name}.cjs`)).size;
    expect(size('zester')).toBeLessThan(1_400_000);
    expect(size('zester-states')).toBeGreaterThan(500_000);
  });
});
