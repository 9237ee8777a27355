/** `zester-peel call --local`: states without any NATS, on the built program. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, scratchDir, start } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';

const FACTS = `os: {name: linux, family: debian, platform: debian, platform_version: '12.5'}\ncpu: {count: 2}\n`;

function place() {
  const dir = scratchDir();
  const scratch = join(dir, 'scratch');
  writeFileSync(join(dir, 'facts.yaml'), `${FACTS}scratch: ${scratch}\n`);
  const given = ['--facts', join(dir, 'facts.yaml'), '--data-dir', join(dir, 'data'), '--id', 'web-01'];
  const examples = ['--states', 'examples/states', '--settings', 'examples/settings'];
  const begin = (...words: string[]) =>
    start(join(ROOT, 'bin/zester-peel'), ['call', '--local', ...words, ...given]);
  return {
    dir,
    scratch,
    begin,
    call: (...words: string[]) => begin(...words).ended,
    example: (...words: string[]) => begin(...words, ...examples).ended,
    states(files: Readonly<Record<string, string>>): string[] {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(dir, 'states', path)), { recursive: true });
        writeFileSync(join(dir, 'states', path), text);
      }
      return ['--states', join(dir, 'states')];
    },
  };
}

describe('zester-peel call --local', () => {
  it('dry run, apply, no change, revert', async () => {
    const { scratch, dir, example } = place();
    const dry = await example('state.apply', 'web', '--test');
    expect([dry.code, dry.err]).toEqual([0, '']);
    expect(dry.out).toContain('6 states, 6 would change, 0 failed, 0 skipped');
    expect([existsSync(scratch), existsSync(join(dir, 'data'))]).toEqual([false, false]);
    const real = await example('state.apply', 'web');
    expect([real.code, real.out]).toEqual([0, expect.stringContaining('6 states, 6 changed')]);
    const again = await example('state.apply', 'web', '--format', 'json');
    const { success, results } = JSON.parse(again.out) as {
      success: boolean;
      results: { changed: boolean }[];
    };
    expect([success, results.length, results.some(({ changed }) => changed)]).toEqual([true, 6, false]);
    expect((statSync(join(dir, 'data/undo.key')).mode & 0o777).toString(8)).toBe('600');
    const { jid } = JSON.parse(again.out) as { jid: string };
    expect((await example('state.revert', jid)).out).toContain('has changed nothing here');
    const undone = await example('state.revert');
    // What the program of the example did cannot be undone.
    expect([undone.code, undone.out]).toEqual([2, expect.stringContaining('not all of it can be undone')]);
    expect((await example('state.revert')).out).toContain('already reverted');
    expect(existsSync(join(scratch, 'motd'))).toBe(false);
  });

  it('what the journal keeps cannot be read without its key', async () => {
    const { dir, call, states } = place();
    const path = join(dir, 'secret.conf');
    writeFileSync(path, 'password=hunter2');
    const given = states({ 'one.zy': `${path}:\n  file.managed:\n    - contents: new\n` });
    expect((await call('state.apply', 'one', ...given)).code).toBe(0);
    const kept = readdirSync(join(dir, 'data/undo'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.join('')).not.toContain('hunter2');
    expect((await call('state.revert', ...given)).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe('password=hunter2');
  });

  it('functions, and their failures, with the exit codes of every command', async () => {
    const { call } = place();
    expect(await call('test.ping')).toMatchObject({ code: 0, out: 'true\n' });
    expect(await call('cmd.run', 'echo out; exit 3')).toMatchObject({ code: 2, out: 'out\nexited with 3\n' });
    const unknown = await call('test.pnig');
    expect([unknown.code, unknown.out]).toEqual([2, expect.stringContaining('did you mean test.ping?')]);
    const usage = await call('test.ping', '--frmat', 'json');
    expect([usage.code, usage.out, usage.err]).toEqual([1, '', expect.stringContaining('--format')]);
  });

  it('mistakes in files and settings have their place', async () => {
    const { dir, call, states } = place();
    const given = states({ 'bad.zy': 'a:\n  file.managed:\n    - mode: rwx\n    - contents: x\n' });
    const bad = await call('state.apply', 'bad', ...given);
    expect([bad.code, bad.out]).toEqual([2, expect.stringContaining('bad.zy:3:')]);
    mkdirSync(join(dir, 'settings'));
    writeFileSync(join(dir, 'settings/a.yaml'), 'a: 1\na: 2\n');
    const settings = await call('state.apply', 'bad', ...given, '--settings', join(dir, 'settings'));
    expect(settings.out).toContain('settings/a.yaml:2:1');
  });

  it('Ctrl-C ends the running state and skips the rest', async () => {
    const { dir, begin, states } = place();
    const mark = join(dir, 'mark');
    const given = states({
      'long.zy': `one:\n  cmd.run:\n    - name: touch ${mark}; sleep 300\ntwo:\n  cmd.run:\n    - name: touch ${mark}2\n    - require: [cmd: one]\n`,
    });
    const running = begin('state.apply', 'long', ...given, '--format', 'json');
    await until(() => existsSync(mark), 'the first state');
    running.child.kill('SIGINT');
    const { code, out } = await running.ended;
    expect(code).toBe(130);
    const { error, results } = JSON.parse(out) as {
      error: string;
      results: { name: string; skipped: boolean }[];
    };
    expect(error).toBe('execution canceled');
    expect(results.map(({ name, skipped }) => [name, skipped])).toEqual([
      ['cmd.run:one', false],
      ['cmd.run:two', true],
    ]);
    expect(existsSync(`${mark}2`)).toBe(false);
  });

  it('runs while a peel works in another data directory, and not twice in one', async () => {
    const { dir, begin, call, states } = place();
    const given = states({
      'slow.zy': `${dir}/x:\n  file.managed:\n    - contents: x\nwait:\n  cmd.run:\n    - name: sleep 300\n    - require: [file: ${dir}/x]\n`,
      'quick.zy': `${dir}/y:\n  file.managed:\n    - contents: y\n`,
    });
    const running = begin('state.apply', 'slow', ...given);
    await until(() => existsSync(join(dir, 'x')), 'the first state');
    const second = await call('state.apply', 'quick', ...given);
    expect([second.code, second.out]).toEqual([2, expect.stringContaining('PEEL_DIR_IN_USE')]);
    expect(existsSync(join(dir, 'y'))).toBe(false);
    running.child.kill('SIGINT');
    await running.ended;
  });
});
