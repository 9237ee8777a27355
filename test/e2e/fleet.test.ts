/** A local fleet as `npm start` runs it, and the commands of the tour: what is printed, and what the exit codes say. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFiles } from '../architecture/source-files.ts';
import {
  ROOT,
  type RunningProgram,
  scratchDir,
  start,
  startZester,
  zester,
} from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';
import { sampleBlocks } from './doc-blocks.ts';

/** Without a zester that the developer has on PATH: hints would name that one. */
const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
const SAMPLES = listFiles(join(ROOT, 'docs/guides')).flatMap((page) =>
  sampleBlocks(readFileSync(page, 'utf8')),
);

/** A loaded machine may let a command wait, which then says so. */
const withoutWaits = (err: string) => err.replace(/^zester: waiting for .*\n/gm, '');

interface FleetRecord {
  readonly masters: readonly { readonly name: string; readonly pid: number }[];
  readonly peels: readonly { readonly name: string; readonly pid: number }[];
}

describe('a local fleet', () => {
  const dir = scratchDir();
  let up: RunningProgram;
  let fleet: FleetRecord;

  beforeAll(async () => {
    up = startZester(['up', '--dir', dir, '--format', 'json']);
    fleet = await until(
      () => {
        if (up.child.exitCode !== null) throw new Error(up.err());
        return JSON.parse(up.out()) as FleetRecord;
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
  const json = async (...words: string[]) => {
    const { out, code, err } = await run(...words, '--format', 'json');
    return { code, err, value: JSON.parse(out) };
  };

  it('answers test.ping from every peel, and says on stderr what it does', async () => {
    const { code, out, err } = await run('*', 'test.ping');
    expect(code).toBe(0);
    expect(withoutWaits(err)).toMatch(
      /^Targeting 3 peel\(s\): \[db-01 web-01 web-02\]\nJob [0-9A-Za-z]{27} dispatched\n/,
    );
    expect(out).toContain('db-01, web-01, web-02: (3 alike)');
  });

  it('a job that no master has taken is canceled in advance, for people; programs hear that there is none', async () => {
    const jid = '2hPx1FNsSgJMqVn5bLSTXeBQMpO';
    const { code, out } = await run('job', 'kill', jid);
    expect([code, out]).toEqual([3, expect.stringContaining('The cancel is stored')]);
    const program = await run('job', 'kill', jid, '--format', 'json');
    expect([program.code, program.err]).toEqual([1, expect.stringContaining('CLI_JOB_UNKNOWN')]);
  });

  it('gives programs one record with a row for every target', async () => {
    const { code, value, err } = await json('web*', 'cmd.run', 'echo', 'hello');
    expect(code).toBe(0);
    expect(err).toBe('');
    expect(value).toMatchObject({ status: 'complete', targets: ['web-01', 'web-02'] });
    expect(Object.keys(value.returns)).toEqual(['web-01', 'web-02']);
    expect(value.returns['web-01']).toMatchObject({
      outcome: 'returned',
      success: true,
      results: [{ name: 'cmd.run', details: { stdout: expect.stringMatching(/^hello\n?$/), exitcode: 0 } }],
    });
  });

  it.each([
    ['a command that fails', ['web-01', 'cmd.run', 'exit 3'], 2, 'exited with 3'],
    ['a function that is not there', ['web-01', 'test.pnig'], 2, 'test.ping'],
    ['a parameter that is not there', ['web-01', 'cmd.run', 'true', 'cdw=/'], 2, 'cwd'],
  ])('%s ends with its exit code and says why', async (_what, words, exit, part) => {
    const { code, out } = await run(...words);
    expect(code).toBe(exit);
    expect(out).toContain(part);
  });

  it.each([
    ['a target that matches nobody', ['nobody*', 'test.ping'], 'CLI_NO_MATCH'],
    ['a target that makes no sense', ['web* and', 'test.ping'], 'TARGET_SYNTAX'],
    ['a function that is none', ['web*', 'uptime'], 'CLI_EXEC_WORDS'],
  ])('%s is refused before anything is sent', async (_what, words, error) => {
    const { code, out, err } = await run(...words);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`[${error}]`);
  });

  it('--direct asks the peels without a master and leaves no job', async () => {
    const before = (await json('job', 'list')).value.length;
    const { code, value } = await json('*', 'test.ping', '--direct');
    expect(code).toBe(0);
    expect(Object.keys(value.returns)).toEqual(['db-01', 'web-01', 'web-02']);
    expect((await json('job', 'list')).value.length).toBe(before);
  });

  it('--direct hands on the same words as a job', async () => {
    const words = ['web-01', 'cmd.run', 'echo "$WHO" in "$PWD"', 'cwd=/', 'env={"WHO": "me"}'];
    const [job, direct] = [await run(...words), await run(...words, '--direct')];
    expect([job.code, job.out]).toEqual([0, 'web-01:\n    me in /\n']);
    expect([direct.code, direct.out]).toEqual([job.code, job.out]);
  });

  it('--test changes nothing', async () => {
    const file = join(dir, 'touched');
    const { code, out } = await run('web-01', 'cmd.run', `touch ${file}`, '--test');
    expect([code, out]).toEqual([0, `web-01:\n    would run: touch ${file}\n`]);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  it('words with a dash belong to the function', async () => {
    const { code, out } = await run('web-01', 'test.echo', 'a', '-h');
    expect([code, out]).toEqual([0, 'web-01:\n    a -h\n']);
  });

  it('lists jobs in the order in which they were made, also those of one second', async () => {
    const made: string[] = [];
    for (let i = 0; i < 4; i++) made.push((await json('web-01', 'test.ping')).value.jid);
    const listed = (await json('job', 'list')).value.map(({ jid }: { jid: string }) => jid);
    expect(listed.slice(-made.length)).toEqual(made);
  });

  it.each(SAMPLES.map(({ command, printed }) => [command, printed]))(
    'prints what the guides say: %s',
    async (command, printed) => {
      const { out, err } = await start('/bin/sh', ['-c', command], { env: { ZESTER_DIR: dir, PATH } }).ended;
      expect(`${out}${withoutWaits(err)}`).toBe(printed);
    },
  );

  it('an error for programs is one line of JSON on stderr', async () => {
    const { code, out, err } = await run('nobody*', 'test.ping', '--format', 'json');
    expect([code, out]).toEqual([1, '']);
    expect(JSON.parse(err)).toMatchObject({
      error: { code: 'CLI_NO_MATCH', message: 'no peel matches nobody*' },
    });
  });

  it('a finished job can be listed, shown and attached to', async () => {
    const { value } = await json('web-01', 'test.echo', 'remember me');
    const listed = await run('job', 'list');
    expect(listed.out).toMatch(/^JID +CREATED +FUNCTION +ARGUMENTS +TARGET +STATE +USER +OWNER\n/);
    expect(listed.out).toMatch(
      new RegExp(`^${value.jid}  20\\S+Z +test.echo +remember me +web-01 \\(1\\) +complete `, 'm'),
    );
    const last = await json('job', 'list', '--limit', '1', '--function', 'test.e*', '--target', 'web-0?');
    expect(last.value.map(({ jid }: { jid: string }) => jid)).toEqual([value.jid]);
    expect((await json('job', 'list', '--older', '1h')).value).toEqual([]);
    expect((await json('job', 'list', '--user', 'nobody-at-all')).value).toEqual([]);
    const shown = await run('job', 'show', value.jid);
    expect(shown.out).toMatch(new RegExp(`^Job ${value.jid}: complete\\n +function +test.echo\\n`));
    expect(shown.out).toMatch(/^ +arguments +remember me$/m);
    expect(shown.out).toContain(`bin/zester job attach ${value.jid} --dir ${dir}\n`);
    expect(shown.out).toMatch(/PEEL +STATUS +SUCCESS +DURATION +PROOF\nweb-01 +returned +true/);
    const record = (await json('job', 'show', value.jid)).value;
    expect(record).toMatchObject({
      jid: value.jid,
      function: 'test.echo',
      return_count: 1,
      success_count: 1,
    });
    expect(record.returns).toMatchObject({ 'web-01': { outcome: 'returned', final: true } });
    expect(Object.keys(record.returns)).toEqual(['web-01']);
    const attached = await run('job', 'attach', value.jid);
    expect([attached.code, attached.out]).toEqual([0, expect.stringContaining('remember me')]);
  });

  it('a running job is shown target by target, and can be killed; the process on the machine dies with it', async () => {
    const marker = `sleep 7${Math.floor(process.pid % 1000)}7`;
    const running = startZester(['web-01', 'cmd.run', marker, '--dir', dir]);
    const jid = await until(() => /Job (\w{27}) dispatched/.exec(running.err())?.[1], 'the dispatch');
    await until(async () => /web-01 +running/.test((await run('job', 'show', jid)).out), 'the target to run');
    expect((await run('job', 'active')).out).toContain(jid);
    const killed = await run('job', 'kill', jid);
    expect(killed.out).toBe(`Job ${jid} is canceled\n`);
    expect((await running.ended).code).toBe(2);
    // The brackets keep pgrep from finding the shell that runs it.
    const search = `pgrep -f '[s]${marker.slice(1)}' || echo none`;
    await until(
      async () => (await run('web-02', 'cmd.run', search)).out.includes('none'),
      'the process to be gone',
    );
  });

  it('Ctrl-C leaves the job alone and tells how to come back', async () => {
    const running = startZester(['web-01', 'cmd.run', 'sleep 2; echo done', '--dir', dir]);
    const jid = await until(() => /Job (\w{27}) dispatched/.exec(running.err())?.[1], 'the dispatch');
    running.child.kill('SIGINT');
    const { code, err } = await running.ended;
    expect([code, err]).toEqual([
      130,
      expect.stringContaining(`bin/zester job attach ${jid} --dir ${dir}\n`),
    ]);
    const attached = await run('job', 'attach', jid);
    expect([attached.code, attached.out]).toEqual([0, expect.stringContaining('done')]);
  });

  it('a peel that is killed in mid-job reports it when it is back, and no command runs twice', async () => {
    const file = join(dir, 'ran');
    const victim = fleet.peels.find(({ name }) => name === 'db-01');
    const running = startZester([
      'db-01',
      'cmd.run',
      `echo x >> ${file}; sleep 600`,
      '--timeout',
      '60s',
      '--dir',
      dir,
    ]);
    await until(() => readFileSync(file, 'utf8') === 'x\n', 'the command to run');
    process.kill(victim?.pid ?? 0, 'SIGKILL');
    const { code, out } = await running.ended;
    expect([code, out]).toEqual([2, expect.stringContaining('interrupted by restart')]);
    expect(readFileSync(file, 'utf8')).toBe('x\n');
  }, 90_000);

  it('peels are listed and shown', async () => {
    const { out } = await run('peel', 'list');
    expect(out).toMatch(/^PEEL ID +OS +ARCH +ONLINE +LAST-SEEN +TAGS\n/);
    expect(out).toMatch(/web-01 .* yes +\d+s ago/);
    const shown = (await json('peel', 'show', 'web-01')).value;
    expect(shown).toMatchObject({
      peel_id: 'web-01',
      online: true,
      facts: { zester_version: expect.any(String) },
    });
    const unknown = await run('peel', 'show', 'web-1');
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('did you mean web-01?')]);
  });

  it('facts are found by target and can be set', async () => {
    expect((await run('web-01', 'facts.set', 'role', 'value=frontend')).code).toBe(0);
    await until(
      async () => {
        const { out } = await run('G@role:frontend', 'test.ping');
        return out.startsWith('web-01:');
      },
      'the new fact to be targetable',
      40_000,
    );
  }, 60_000);
});
