/** States on a local fleet as `npm start` runs it: from the example files to a peel that is killed in the middle. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProgram, scratchDir, startZester, zester } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';

interface Fleet {
  readonly peels: readonly { readonly name: string; readonly pid: number }[];
}

interface Result {
  readonly name: string;
  readonly changed: boolean;
  readonly diff: string;
  readonly error: string;
  readonly skipped: boolean;
  readonly skip_reason: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Row {
  readonly success: boolean;
  readonly test?: boolean;
  readonly error?: string;
  readonly results: readonly Result[];
}

describe('states on a local fleet', () => {
  const dir = scratchDir();
  const scratch = (peel: string) => join(dir, 'peels', peel, 'scratch');
  let up: RunningProgram;

  beforeAll(async () => {
    up = startZester(['up', '--dir', dir, '--masters', '1', '--peels', '2', '--format', 'json']);
    await until(
      () => {
        if (up.child.exitCode !== null) throw new Error(up.err());
        return JSON.parse(up.out()) as Fleet;
      },
      'the fleet',
      60_000,
    );
  }, 90_000);
  afterAll(async () => {
    up.child.kill('SIGINT');
    expect((await up.ended).code).toBe(0);
  });

  const run = (...words: string[]) => zester([...words, '--dir', dir]);
  const rows = async (...words: string[]) => {
    const { out, err, code } = await run(...words, '--format', 'json');
    const record = JSON.parse(out || `{"err": ${JSON.stringify(err)}}`) as { returns: Record<string, Row> };
    return { code, returns: record.returns };
  };
  const row = async (...words: string[]) => {
    const { code, returns } = await rows(...words);
    return { code, ...(returns['web-01'] as Row) };
  };
  const write = async (path: string, text: string) => {
    const full = join(dir, 'states', path);
    mkdirSync(join(full, '..'), { recursive: true });
    writeFileSync(full, text);
    expect((await run('files', 'publish')).code).toBe(0);
  };
  /** Everything about a state but its duration. */
  const told = ({ results }: Row) =>
    results.map(({ name, changed, diff, error, skipped, skip_reason }) => ({
      name,
      changed,
      diff,
      error,
      skipped,
      skip_reason,
    }));

  it('a dry run of the example highstate touches nothing, and the apply does exactly what it said', async () => {
    const dry = await rows('*', 'state.apply', '--test');
    expect(dry.code).toBe(0);
    expect(existsSync(scratch('web-01'))).toBe(false);
    const real = await rows('*', 'state.apply');
    expect(real.code).toBe(0);
    for (const peel of ['web-01', 'web-02']) {
      const [said, did] = [dry.returns[peel], real.returns[peel]] as [Row, Row];
      expect([said.test, did.test]).toEqual([true, false]);
      expect(said.results.length).toBeGreaterThan(4);
      expect(said.results.every(({ changed }) => changed)).toBe(true);
      expect(told(said)).toEqual(told(did));
      expect(readFileSync(join(scratch(peel), 'motd'), 'utf8')).toContain(`Welcome to ${peel}.`);
    }
    const sites = readdirSync(join(scratch('web-01'), 'nginx'), { recursive: true }).filter((name) =>
      String(name).endsWith('.conf'),
    );
    expect(sites).toHaveLength(2);
  });

  it('a second run changes nothing, and says the words of a state run', async () => {
    const { code, out } = await run('web-01', 'state.highstate');
    expect(code).toBe(0);
    expect(out).toContain('web-01');
    expect(out).toMatch(/Succeeded: +6/);
    expect((await row('web-01', 'state.apply')).results.some(({ changed }) => changed)).toBe(false);
  });

  it('settings of one run, then revert of that run', async () => {
    const motd = () => readFileSync(join(scratch('web-01'), 'motd'), 'utf8');
    const before = motd();
    const override = 'pillar={"motd": {"greeting": "Hello from"}}';
    expect((await row('web-01', 'state.apply', 'common', override)).success).toBe(true);
    expect(motd()).toContain('Hello from web-01');
    const dry = await row('web-01', 'state.revert', '--test');
    expect([dry.test, motd() === before]).toEqual([true, false]);
    const reverted = await row('web-01', 'state.revert');
    expect(told(reverted)).toEqual(told(dry));
    expect(motd()).toBe(before);
    const again = await row('web-01', 'state.revert');
    expect([again.success, again.results[0]?.diff]).toEqual([
      true,
      expect.stringContaining('already reverted'),
    ]);
    const runs = (await row('web-01', 'state.runs')).results[0]?.details.result;
    expect(runs).toContainEqual(expect.objectContaining({ reverted: 'all' }));
  });

  it('show_* tell what would run', async () => {
    const shown = async (...words: string[]) => (await row('web-01', ...words)).results[0]?.details.result;
    expect(await shown('state.show_top')).toEqual({ base: ['common', 'web'] });
    expect((await run('web-01', 'state.show_top')).out).toBe(
      'web-01:\n    base:\n      - common\n      - web\n',
    );
    expect(JSON.stringify(await shown('state.show_sls', 'common'))).toContain('zester://common/motd.j2');
    expect(await shown('state.show_low_sls', 'web')).toContainEqual(
      expect.objectContaining({ fun: 'managed' }),
    );
    expect(await shown('state.show_highstate')).toHaveProperty('reload web');
    expect(await shown('state.show_graph', 'web', 'format=dot')).toMatch(/^digraph states/);
    expect(await shown('settings.get', 'web.port')).toBe(8080);
  });

  it('settings are shown and explained by the peel that has them', async () => {
    expect((await run('settings', 'show', 'web-01', 'web.port')).out).toBe('8080\n');
    expect((await run('settings', 'show', 'web-01')).out).toContain('motd:\n  greeting: Welcome to\n');
    expect((await run('settings', 'explain', 'web-01', 'web.hosts.1')).out).toBe(
      [
        'web.hosts.1: "example.net"',
        '  set by',
        '    web.zy:6:7  "example.net"  (web-* in top.zy:6:7)',
        '',
      ].join('\n'),
    );
    const unknown = await run('settings', 'show', 'web-01', 'wbe');
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('did you mean web?')]);
    const nobody = await run('settings', 'explain', 'web-1', 'web');
    expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('did you mean web-01?')]);
  });

  it('a bad file is explained at the line that was written, and nothing runs', async () => {
    await write(
      'bad.zy',
      '{% set path = facts.scratch %}\nok:\n  cmd.run:\n    - name: touch {{ path }}/ran\n\nwrong:\n  file.managed:\n    - contnets: x\n',
    );
    const { code, out } = await run('web-01', 'state.apply', 'bad');
    expect(code).toBe(2);
    expect(out).toContain('bad.zy:8:7');
    expect(out).toContain('did you mean');
    await write('worse.zy', 'a:\n  test.nop:\n    - name: {{ facts.scrtach }}\n');
    expect((await run('web-01', 'state.apply', 'worse')).out).toMatch(/worse\.zy:3:\d+/);
    expect(existsSync(join(scratch('web-01'), 'ran'))).toBe(false);
  });

  it('one state from the command line, dry and real', async () => {
    const path = join(scratch('web-01'), 'one');
    const words = ['web-01', 'file.managed', path, 'contents=hello', 'mode=600'];
    expect(await row(...words, '--test')).toMatchObject({
      code: 0,
      test: true,
      results: [{ changed: true }],
    });
    expect(existsSync(path)).toBe(false);
    expect(await row(...words)).toMatchObject({ results: [{ name: `file.managed:${path}`, changed: true }] });
    expect(readFileSync(path, 'utf8')).toBe('hello\n');
    expect(await row(...words)).toMatchObject({ results: [{ changed: false }] });
  });

  it('a question is answered while states run; a kill skips what has not begun', async () => {
    const mark = join(scratch('web-01'), 'began');
    await write(
      'long.zy',
      `began:\n  file.touch:\n    - name: ${mark}\nwait:\n  cmd.run:\n    - name: sleep 300\n    - require: [file: began]\nnever:\n  cmd.run:\n    - name: touch ${mark}.not\n    - require: [cmd: wait]\n`,
    );
    const running = startZester(['web-01', 'state.apply', 'long', '--dir', dir, '--format', 'json']);
    await until(() => existsSync(mark), 'the first state');
    expect((await row('web-01', 'state.show_sls', 'common')).success).toBe(true);
    const active = await until(
      async () => /(\w{27})/.exec((await run('job', 'active')).out)?.[1],
      'the job to be listed',
    );
    await run('job', 'kill', active);
    expect((await running.ended).code).toBe(2);
    // The worker is free again, and what it had not begun was left out.
    expect((await row('web-01', 'state.apply', 'common')).success).toBe(true);
    expect(existsSync(`${mark}.not`)).toBe(false);
  });

  it('a peel that is killed in the middle says so when it is back, and the journal still reverts', async () => {
    const conf = join(scratch('web-01'), 'conf');
    const started = join(scratch('web-01'), 'started');
    writeFileSync(conf, 'by hand\n');
    await write(
      'slow.zy',
      `conf:\n  file.managed:\n    - name: ${conf}\n    - contents: managed\nwait:\n  cmd.run:\n    - name: touch ${started}; sleep 300\n    - require: [file: conf]\n`,
    );
    const running = startZester(['web-01', 'state.apply', 'slow', '--timeout', '60s', '--dir', dir]);
    // The command, which nothing can undo, has begun: before that a whole revert is the true answer.
    await until(() => existsSync(started), 'the command of the second state');
    expect(readFileSync(conf, 'utf8')).toBe('managed\n');
    const { peels } = JSON.parse(readFileSync(join(dir, 'fleet.json'), 'utf8')) as Fleet;
    const pid = peels.find(({ name }) => name === 'web-01')?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    const { code, out } = await running.ended;
    expect([code, out]).toEqual([2, expect.stringContaining('interrupted by restart')]);
    const { code: left, out: words } = await run('web-01', 'state.revert');
    expect([left, words]).toEqual([2, expect.stringContaining('not all of it can be undone')]);
    expect(readFileSync(conf, 'utf8')).toBe('by hand\n');
  }, 90_000);
});
