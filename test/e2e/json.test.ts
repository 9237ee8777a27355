/**
 * `--format json` of every command, by the built program on a real fleet: what is printed fits the schema that the docs
 * have for it. A new command with JSON and without a case here fails.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS_WITH_JSON, ERROR_SCHEMA, schemaOf } from '../../scripts/docs/json-schemas.ts';
import { execCommand } from '../../src/cli/exec/exec-command.ts';
import { type Command, commandName } from '../../src/cli/program/command.ts';
import { type JsonData, schemaProblems } from '../harness/json-schema.ts';
import { ROOT, type RunningProgram, scratchDir, startZester, zester } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';

const EXECUTION = commandName(execCommand);
const dir = join(scratchDir(), 'fleet');
const auth = join(scratchDir(), 'auth');
const other = join(scratchDir(), 'other');
const template = join(scratchDir(), 'motd.jinja');
const broken = join(scratchDir(), 'broken.jinja');
let up: RunningProgram;
let jid = '';

interface Result {
  readonly name: string;
  readonly state?: {
    readonly id: string;
    readonly sls?: string;
    readonly file?: string;
    readonly line?: number;
  };
  readonly details: Readonly<Record<string, unknown>>;
}
interface Row {
  readonly outcome: string;
  readonly final: boolean;
  readonly test: boolean;
  readonly results: readonly Result[];
  readonly proof?: { readonly acked: string | null; readonly heartbeat_age_ms: number | null };
}
interface Execution {
  readonly jid: string;
  readonly status: string;
  readonly test: boolean;
  readonly returns: Readonly<Record<string, Row>>;
}

beforeAll(async () => {
  writeFileSync(template, 'hello {{ name }}\n');
  writeFileSync(broken, '{% if %}\n');
  up = startZester(['up', '--dir', dir, '--masters', '1', '--peels', '2', '--format', 'json']);
  await until(
    () => {
      if (up.child.exitCode !== null) throw new Error(up.err());
      return JSON.parse(up.out()) as JsonData;
    },
    'the fleet',
    60_000,
  );
  jid = (await execution('*', 'test.ping')).jid;
}, 120_000);
afterAll(async () => {
  up.child.kill('SIGINT');
  await up.ended;
});

const run = (...words: readonly string[]) => zester([...words, '--dir', dir, '--format', 'json']);

async function execution(...words: readonly string[]): Promise<Execution> {
  const { out, err } = await run(...words);
  const record = JSON.parse(out || `{"err":${JSON.stringify(err)}}`) as JsonData;
  expect(schemaProblems(record, schemaOf(execCommand))).toEqual([]);
  return record as unknown as Execution;
}

const onlyResult = ({ returns }: Execution, peel = 'web-01') => returns[peel]?.results[0] as Result;

/** Words behind the command's own; those with `--dir` of their own need no fleet. */
const CASES: Readonly<Record<string, readonly (() => readonly string[])[]>> = {
  [EXECUTION]: [
    () => ['*', 'test.ping'],
    () => ['web-01', 'cmd.run', 'exit 3'],
    () => ['*', 'state.apply', '--test'],
    () => ['*', 'state.apply'],
    () => ['web-01', 'state.revert', 'web', '--test'],
    () => ['web-01', 'file.absent', '/nonexistent/zester', '--test'],
    () => ['web-01', 'test.ping', '--direct'],
    () => ['web-01', 'no.such'],
    () => ['nobody*', 'test.ping'],
  ],
  up: [() => ['--dir', other, '--masters', '1', '--peels', '0', '--detach']],
  down: [() => ['--dir', other], () => ['--dir', other]],
  'job list': [() => []],
  'job active': [() => []],
  'job show': [() => [jid], () => ['nosuchjob']],
  'job attach': [() => [jid]],
  'job kill': [() => [jid]],
  'peel list': [() => []],
  'peel show': [() => ['web-01'], () => ['web-99']],
  'peel tag': [
    () => ['web-01', 'e2e=yes', '--fact', 'e2e_licence=hunter22'],
    () => ['web-01', 'e2e-', '--fact', 'e2e_licence-'],
    () => ['web-99', 'a=b'],
    () => ['web-01', 'nothing'],
  ],
  'peel unban': [() => ['web-01']],
  'enroll list': [() => [], () => ['--state', 'all']],
  'enroll show': [() => ['web-01'], () => ['web-99']],
  'enroll approve': [() => ['--peel', 'web-01'], () => []],
  'enroll reject': [() => ['--all-pending', '--yes']],
  'enroll revoke': [() => ['enr-2hPx1FNsSgJMqVn5bLSTXeBQMpO'], () => ['--peel', 'web-99']],
  'enroll token create': [
    () => ['--peel', 'db-*', '--uses', '3', '--expires', '5m', '--tag', 'role=db'],
    () => [],
  ],
  'enroll token list': [() => []],
  'enroll token revoke': [() => ['tok-2hPx1FNsSgJMqVn5bLSTXeBQMpO']],
  'settings show': [
    () => ['web-01'],
    () => ['web-01', 'web.port'],
    () => ['web-01', 'nothing'],
    () => ['web-99'],
  ],
  'settings explain': [() => ['web-01', 'web'], () => ['web-01', 'web.prot'], () => ['web-99', 'web']],
  'master list': [() => []],
  'secret set': [
    () => ['e2e.zy', 'e2e.password', '--generate', '--no-wait'],
    () => ['e2e.zy', 'e2e.password', 'hunter22'],
  ],
  'secret rotate': [() => ['e2e.zy', 'e2e.password', '--generate', '--no-wait']],
  'secret list': [() => [], () => ['--peel', 'web-01']],
  'secret reencrypt': [() => ['--no-wait']],
  'files status': [() => []],
  'files publish': [() => [], () => ['--force']],
  'files diff': [() => [], () => ['states'], () => ['stats'], () => ['--peel', 'web-01']],
  doctor: [() => []],
  render: [() => [template, '--set', 'name=world'], () => [template], () => [broken]],
  lint: [() => ['examples/states'], () => ['/nonexistent']],
  sim: [() => ['--minutes', '1', '--peels', '2', '--masters', '1', '--seed', '1']],
  'auth status': [() => []],
  'auth rotate fleet-key': [() => [], () => []],
  'auth rotate agents-key': [() => [], () => []],
  'auth operator renew': [() => []],
  'auth operator issue': [() => ['--name', 'bob', '--out', join(auth, 'bob')], () => ['--name', 'bob']],
  'auth init': [() => ['--dir', auth], () => ['--dir', auth]],
  'auth upgrade': [() => [], () => ['--auth-dir', '/nonexistent']],
  'auth rotate operator-key': [() => ['--dir', auth], () => ['--dir', '/nonexistent']],
  'ca init': [() => ['--dir', auth]],
  'ca issue': [() => ['--dir', auth, '--name', 'nats', '--dns', 'localhost']],
  'ca renew': [() => ['--dir', auth, '--name', 'nats'], () => ['--dir', auth, '--name', 'none']],
  'ca rotate-intermediate': [() => ['--dir', auth]],
  'ca fingerprint': [() => ['--dir', auth]],
  'ca print': [() => ['--dir', auth]],
};
const TAKE_FLEET = (command: Command) => command.options.some(({ name }) => name === 'nats-url');

describe('--format json', () => {
  it('has a schema in the docs, and a case here, for every command', () => {
    expect(COMMANDS_WITH_JSON.map(commandName).filter((name) => !(name in CASES))).toEqual([]);
    for (const command of COMMANDS_WITH_JSON) {
      const file = `${command.words.join('-') || 'execution'}.json`;
      const page = JSON.parse(readFileSync(join(ROOT, 'docs/reference/json', file), 'utf8')) as {
        title: string;
      };
      expect(page.title).toBe(`zester ${commandName(command)} --format json`);
    }
  });

  it.each(COMMANDS_WITH_JSON.map((command) => [commandName(command), command] as const))(
    'zester %s prints what its schema says, or one line that is an error',
    async (name, command) => {
      for (const words of CASES[name] ?? []) {
        const place = TAKE_FLEET(command) ? ['--dir', dir] : [];
        const { out, err } = await zester([...command.words, ...words(), ...place, '--format', 'json'], {
          cwd: ROOT,
        });
        if (out === '') {
          const last = err.trimEnd().split('\n').at(-1) ?? '';
          expect(schemaProblems(JSON.parse(last) as JsonData, ERROR_SCHEMA)).toEqual([]);
        } else expect(schemaProblems(JSON.parse(out) as JsonData, schemaOf(command))).toEqual([]);
      }
    },
    120_000,
  );

  it('the record of a fleet that is up fits its schema', () => {
    const command = COMMANDS_WITH_JSON.find(({ words }) => words[0] === 'up') as Command;
    expect(schemaProblems(JSON.parse(up.out()) as JsonData, schemaOf(command))).toEqual([]);
  });
});

describe('values for programs', () => {
  it('numbers are numbers, structures structures, bytes that are no UTF-8 base64', async () => {
    expect(onlyResult(await execution('web-01', 'cmd.run', 'exit 3')).details).toMatchObject({
      exitcode: 3,
      stdout: '',
    });
    expect(onlyResult(await execution('web-01', 'test.ping')).details).toEqual({ result: true });
    const items = onlyResult(await execution('web-01', 'facts.items')).details.result;
    expect(items).toMatchObject({ os: { family: expect.any(String) }, cpu: { count: expect.any(Number) } });
    expect(onlyResult(await execution('web-01', 'grains.items')).details.result).toMatchObject({
      id: 'web-01',
      ip4_interfaces: expect.any(Object),
    });
    expect(onlyResult(await execution('web-01', 'settings.items')).details.result).toEqual(
      expect.any(Object),
    );
    expect(onlyResult(await execution('web-01', 'grains.keys')).details.result).toContain('os');
    const graph = onlyResult(await execution('web-01', 'state.show_graph', 'format=json')).details.result;
    expect(graph).toEqual(expect.any(Object));
    const bytes = await execution('web-01', 'cmd.run', "printf 'a\\377'");
    expect(onlyResult(bytes).details.stdout).toEqual({ base64: Buffer.of(0x61, 0xff).toString('base64') });
  });

  it('what has many lines on stderr prints in every format', async () => {
    const words = ['web-01', 'cmd.run', 'yes e | head -c 300000 >&2', '--dir', dir];
    for (const format of ['text', 'json', 'yaml']) {
      const { code, err } = await zester([...words, '--format', format]);
      expect([code, err]).toEqual([0, expect.not.stringContaining('bug in zester')]);
    }
  });

  it('a dry run is marked, and every state says which it is and where it stands', async () => {
    const dry = await execution('*', 'state.apply', '--test');
    expect(dry.test).toBe(true);
    for (const row of Object.values(dry.returns)) {
      expect(row.test).toBe(true);
      expect(row.results.length).toBeGreaterThan(0);
      for (const { state } of row.results)
        expect(state).toEqual({
          function: expect.any(String),
          id: expect.any(String),
          sls: expect.any(String),
          file: expect.any(String),
          line: expect.any(Number),
        });
    }
    const real = await execution('web-01', 'test.ping');
    expect([real.test, real.returns['web-01']?.test]).toEqual([false, false]);
  });

  it('a target that runs shows in the record of its job, with its proofs', async () => {
    const command = startZester(['web-01', 'cmd.run', 'sleep 20', '--dir', dir]);
    const running = await until(async () => {
      const { out } = await run('job', 'active');
      const [job] = JSON.parse(out) as { jid: string; status: string }[];
      const shown = job === undefined ? undefined : JSON.parse((await run('job', 'show', job.jid)).out);
      return shown?.returns['web-01']?.outcome === 'running' ? (shown as Execution) : undefined;
    }, 'the job to run');
    const row = running.returns['web-01'] as Row;
    expect(row).toMatchObject({ final: false, results: [] });
    expect(row.proof).toEqual({ acked: expect.any(String), heartbeat_age_ms: expect.any(Number) });
    // One more behind it, in the queue of the same peel.
    const behind = startZester(['web-01', 'cmd.run', 'true', '--dir', dir]);
    const waits = (record: { waits_behind?: readonly string[] }) => record.waits_behind?.[0] === running.jid;
    const queued = await until(async () => {
      const jobs = JSON.parse((await run('job', 'active')).out) as (Execution & {
        waits_behind?: string[];
      })[];
      return jobs.find(waits);
    }, 'the second job to be in the queue');
    for (const words of [['list'], ['active'], ['show', queued.jid], ['show', running.jid]]) {
      const record = JSON.parse((await run('job', ...words)).out) as JsonData;
      const command = COMMANDS_WITH_JSON.find((each) => commandName(each) === `job ${words[0]}`) as Command;
      expect(schemaProblems(record, schemaOf(command))).toEqual([]);
    }
    const shown = JSON.parse((await run('job', 'show', queued.jid)).out);
    expect(shown).toMatchObject({
      status: 'running',
      waits_behind: [running.jid],
      returns: { 'web-01': { outcome: 'running', final: false, proof: { waits_behind: running.jid } } },
    });
    const attached = run('job', 'attach', queued.jid);
    await run('job', 'kill', queued.jid);
    const end = JSON.parse((await attached).out) as JsonData;
    expect(schemaProblems(end, schemaOf(execCommand))).toEqual([]);
    expect(end).toMatchObject({ jid: queued.jid, status: 'canceled' });
    await behind.ended;
    await run('job', 'kill', running.jid);
    await command.ended;
  }, 60_000);
});
