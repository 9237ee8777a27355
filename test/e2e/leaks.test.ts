/**
 * No secret leaves a peel or a master but where it was told to go (decision 22). A fleet of real programs with planted secrets
 * is driven through every way out of a process (test/architecture/sinks.ts), where it works and where it fails; then everything
 * that was written anywhere is searched.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markerOf } from '../../src/core/redact/secret-book.ts';
import { concurrentMap } from '../../src/runtime/concurrent-map.ts';
import { BUCKETS } from '../../src/wire/names/buckets.ts';
import { kvStreamName } from '../../src/wire/names/store-subjects.ts';
import { STREAMS } from '../../src/wire/names/streams.ts';
import { DATABASE, LeakFleet, WEB } from '../harness/leaks/leak-fleet.ts';
import { leakSettings, refusedSettings } from '../harness/leaks/leak-settings.ts';
import { failingCommands, failingFiles, leakStates, wrongTemplates } from '../harness/leaks/leak-states.ts';
import { LEAK_SCENARIOS, type LeakScenario } from '../harness/leaks/scenario-names.ts';
import type { FleetProgram } from '../harness/programs/fleet-program.ts';
import type { Ended } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';

const fleet = new LeakFleet();
const { secrets, controls } = fleet.planted;
const driven: LeakScenario[] = [];
const COMMANDS_AT_ONCE = 4;

/** One test for each name of the list. */
function scenario(name: LeakScenario, drive: () => Promise<void>, msMax = 120_000): void {
  driven.push(name);
  it(name, drive, msMax);
}

const apply = (...words: string[]) => fleet.run(WEB, 'state.apply', ...words, '--timeout', '60s');
const namesOf = (files: Readonly<Record<string, string>>) =>
  Object.keys(files)
    .filter((path) => path.endsWith('.zy'))
    .map((path) => path.slice(0, -3));

interface ListedJob {
  readonly jid: string;
  readonly function: string;
  readonly status: string;
  readonly test: boolean;
}

/** Jobs of one kind leave records alike. */
const kindOf = ({ function: name, status, test }: ListedJob) => `${name} ${status} ${test}`;

/** By an error that nobody catches, and by a promise: both with secrets in their words. */
const CRASHES = ['SIGUSR2', 'SIGHUP'] as const;

async function crash(program: FleetProgram, signal: NodeJS.Signals): Promise<void> {
  process.kill(program.pid, signal);
  await until(() => !program.isRunning, 'the program to end');
  expect(program.logTail(60)).toContain('this is a bug.');
  program.surprises.length = 0;
}

/** A fact of the peel, at a fleet that enrolls; and one that is refused. */
async function operatorSaysSecret(here: (...words: string[]) => Promise<Ended>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'zester-test-'));
  const file = join(dir, 'fact.txt');
  writeFileSync(file, secrets.fact);
  const tagged = await here('peel', 'tag', WEB, '--fact', `licence=@${file}`, '--format', 'json');
  expect([tagged.code, tagged.out]).toEqual([0, expect.stringContaining('licence')]);
  expect((await here('peel', 'tag', WEB, '--fact', `os=@${file}`)).code).not.toBe(0);
  rmSync(dir, { recursive: true });
  await until(
    async () => (await here(WEB, 'facts.get', 'licence')).out.includes(markerOf('facts.licence')),
    'the fact to be on the peel',
    30_000,
  );
  expect((await here('T@licence', 'test.ping')).out).toContain(WEB);
  for (const format of ['text', 'json']) {
    expect((await here('enroll', 'show', WEB, '--format', format)).out).toContain('licence');
    await here('peel', 'show', WEB, '--format', format);
  }
}

beforeAll(() => fleet.begin(), 180_000);
afterAll(() => fleet.close());

describe('planted secrets, while', () => {
  scenario('settings are published', async () => {
    expect(await fleet.ask(DATABASE, 'settings.get', 'database:password')).toBe(
      markerOf('database.password'),
    );
    expect(await fleet.ask(DATABASE, 'settings.keys')).not.toContain('secrets');
    const { code, out, err } = await fleet.run('files', 'publish');
    expect([code, out, err]).toEqual([0, expect.stringContaining('settings'), '']);
  });

  scenario('settings that give a secret away are refused', async () => {
    for (const [why, files] of Object.entries(refusedSettings(secrets))) {
      await fleet.withSettings(files, async () => {
        const { code, out, err } = await fleet.run('files', 'publish');
        expect([why, code === 0, `${out}${err}`.match(/\.zy:\d+/)?.length]).toEqual([why, false, 1]);
        await fleet.run('files', 'status');
        await fleet.run('files', 'diff');
        await fleet.run('doctor');
        fleet.keep('refused-health', await fleet.healthPages('master'));
      });
    }
    const path = join(fleet.statesDir, 'tagged.zy');
    writeFileSync(path, `a:\n  test.nop:\n    - name: !encrypted "${secrets.refused}"\n`);
    expect((await fleet.run('files', 'publish')).code).not.toBe(0);
    rmSync(path);
    expect((await fleet.run('files', 'publish')).code).toBe(0);
  });

  scenario('a run is dry', async () => {
    const { code, out } = await apply('files', '--test');
    expect([code, out]).toEqual([0, expect.stringContaining(markerOf('secrets.long'))]);
    expect(existsSync(join(fleet.out, WEB))).toBe(false);
    await apply('commands', '--test');
    await apply('names', '--test');
  });

  scenario('files are written, and their diffs told', async () => {
    const { code, out } = await apply('files');
    expect([code, out]).toEqual([0, expect.stringContaining(`+long ${markerOf('secrets.long')}`)]);
    for (const value of [secrets.short, secrets.long, secrets.quotes, secrets.unicode, secrets.listed])
      expect(fleet.written('managed.conf')).toContain(value);
    expect(fleet.written('key.pem')).toBe(secrets.pem);
    expect(fleet.written('edited.conf')).toBe(`${controls.setting}\npassword=${secrets.long}\n`);
  });

  scenario('templates spell secrets in other ways', async () => {
    const base64 = Buffer.from(secrets.quotes).toString('base64');
    expect(fleet.written('rendered.conf')).toContain(base64);
    // Once more, over a file that somebody changed: the diff has all of it again, on the other side.
    writeFileSync(join(fleet.out, WEB, 'rendered.conf'), `${controls.setting} by hand\n`);
    const { code, out } = await apply('files');
    expect([code, out]).toEqual([0, expect.stringContaining(markerOf('secrets.quotes'))]);
    const { short, long, pem, unicode, token } = secrets;
    writeFileSync(join(fleet.out, WEB, 'data.json'), JSON.stringify({ short, long, pem, unicode, token }));
    expect((await apply('files')).code).toBe(0);
  });

  scenario('commands run', async () => {
    const { code, out } = await fleet.run(WEB, 'state.apply', 'commands', '--format', 'json');
    expect([code, out]).toEqual([0, expect.stringContaining(markerOf('secrets.long'))]);
    expect(out).toContain(controls.setting);
    expect(fleet.written('seen-by-a-command')).toBe(secrets.listed);
    await apply('commands');
    await fleet.run(WEB, 'cmd.run', `cat ${fleet.out}/${WEB}/*; echo ${controls.typed}`);
  });

  scenario('names and ids are secrets', async () => {
    const { code, out } = await apply('names');
    expect([code, out]).toEqual([2, expect.stringContaining(markerOf('secrets.long'))]);
    for (const what of ['show_sls', 'show_low_sls', 'show_graph'])
      await fleet.run(WEB, `state.${what}`, 'names');
    await fleet.run(WEB, 'state.show_graph', 'names', 'format=dot');
  });

  scenario('more is printed than is kept', async () => {
    const { code, out } = await apply('loud', '--format', 'json');
    expect([code, out]).toEqual([2, expect.stringContaining('more bytes were not kept')]);
    await apply('loud');
  });

  scenario('files cannot be written', async () => {
    for (const name of namesOf(failingFiles())) expect([name, (await apply(name)).code]).toEqual([name, 2]);
  });

  scenario('commands fail', async () => {
    for (const name of namesOf(failingCommands()).filter((each) => each !== 'fail-guard'))
      expect([name, (await apply(name)).code]).toEqual([name, 2]);
    await apply('fail-guard');
    await fleet.run(
      WEB,
      'cmd.run',
      `cat ${fleet.out}/${WEB}/managed.conf >&2; echo ${controls.typed}; exit 3`,
    );
  });

  scenario('templates and the YAML they make are wrong', async () => {
    for (const name of namesOf(wrongTemplates())) expect([name, (await apply(name)).code]).toEqual([name, 2]);
    fleet.keep('wrong-health', await fleet.healthPages(WEB));
  });

  scenario('facts are set', async () => {
    expect((await apply('facts')).code).toBe(0);
    expect(await fleet.ask(WEB, 'facts.get', 'leaked')).toContain(controls.setting);
    await until(
      async () => (await fleet.run('peel', 'show', WEB)).out.includes(controls.setting),
      'the fact to be published',
      40_000,
    );
    await fleet.run(`G@leaked:*${controls.setting}*`, 'test.ping');
    // A file that is wrong: what is logged of it has a secret.
    const file = join(fleet.dir, 'peels', WEB, 'facts');
    const line = `${controls.setting}-${secrets.long}: 1\n`;
    writeFileSync(file, line + line);
    expect((await apply('facts')).code).toBe(2);
    await fleet.web.stop();
    await fleet.web.start();
    const isLogged = () =>
      fleet.web.lines().some(({ msg }) => msg === 'facts: a part could not be collected');
    await until(isLogged, 'the wrong facts to be logged');
    rmSync(file);
  });

  scenario('a function is called directly', async () => {
    const direct = (...words: string[]) => fleet.run(WEB, ...words, '--direct');
    expect((await direct('cmd.run', `cat ${fleet.out}/${WEB}/managed.conf`)).out).toContain(
      markerOf('secrets.long'),
    );
    expect((await direct('state.apply', 'names')).code).toBe(2);
    expect((await direct('state.apply', 'wrong-raise')).code).toBe(2);
    expect((await direct('settings.items')).out).toContain(controls.setting);
  });

  scenario('settings are asked for', async () => {
    for (const what of ['settings.items', 'settings.raw', 'pillar.items', 'pillar.raw', 'settings.keys'])
      expect((await fleet.run(WEB, what)).code).toBe(0);
    expect(await fleet.ask(WEB, 'settings.get', 'secrets:long')).toBe(markerOf('secrets.long'));
    expect(await fleet.ask(WEB, 'pillar.get', 'secrets:pem')).toBe(markerOf('secrets.pem'));
    expect(await fleet.ask(WEB, 'settings.get', 'users:0:password')).toBe(markerOf('users.0.password'));
    await fleet.run(WEB, 'settings.explain', 'secrets:long');
    for (const format of ['text', 'json', 'yaml']) {
      await fleet.run('settings', 'show', WEB, '--format', format);
      await fleet.run('settings', 'explain', WEB, 'secrets.long', '--format', format);
    }
    await fleet.run('settings', 'explain', WEB, 'secrets.nothing');
  });

  scenario('secrets are set and listed', async () => {
    const set = await fleet.runWithInput(secrets.sealed, 'secret', 'set', 'sealed.zy', 'sealed.password');
    expect([set.code, set.err]).toEqual([0, '']);
    expect(readFileSync(join(fleet.settingsDir, 'sealed.zy'), 'utf8')).toContain('ENC[fleet,');
    await until(
      async () => (await fleet.ask(WEB, 'settings.get', 'sealed:password')) === markerOf('sealed.password'),
      'the secret to be on the peel',
      30_000,
    );
    for (const words of [['list'], ['list', '--format', 'json'], ['reencrypt']])
      expect((await fleet.run('secret', ...words)).code).toBe(0);
    const refused = await fleet.runWithInput(secrets.refused, 'secret', 'set', 'nothing/there.txt', 'a..b');
    expect(refused.code).not.toBe(0);
    expect((await fleet.runWithInput('abc', 'secret', 'set', 'sealed.zy', 'short')).code).not.toBe(0);
  });

  scenario('a secret is rotated', async () => {
    expect((await apply('turning')).code).toBe(0);
    expect(fleet.written('turning.conf')).toContain(secrets.former);
    const path = join(fleet.settingsDir, 'web.zy');
    writeFileSync(path, readFileSync(path, 'utf8').replace(secrets.former, secrets.later));
    await until(
      async () => (await apply('turning', '--test')).out.includes('would change=1'),
      'the new value to be on the peel',
      30_000,
    );
    const { out } = await apply('turning');
    expect(out).toContain('-[not shown: a secret stands here now]');
    expect(out).toContain(`+password ${markerOf('secrets.turning')}`);
    expect(fleet.written('turning.conf')).toContain(secrets.later);
  });

  scenario('a peel is killed in mid-run', async () => {
    const running = apply('slow');
    await until(() => existsSync(join(fleet.out, WEB, 'waiting')), 'the script to run', 30_000);
    await fleet.web.kill9();
    await fleet.web.start();
    const { code, out } = await running;
    expect([code, out]).toEqual([2, expect.stringContaining('interrupted by restart')]);
    expect(fleet.written('half.conf')).toContain(secrets.long);
  });

  scenario('a run is reverted', async () => {
    // The values of now and of before the rotation: this peel has been started again since.
    expect((await apply('turning')).code).toBe(0);
    writeFileSync(join(fleet.out, WEB, 'turning.conf'), `${controls.setting}\npassword ${secrets.former}\n`);
    expect((await apply('turning')).code).toBe(0);
    await fleet.run(WEB, 'state.runs');
    await fleet.run(WEB, 'state.revert', '--test');
    expect((await fleet.run(WEB, 'state.revert')).code).toBe(0);
    expect(fleet.written('turning.conf')).toContain(secrets.former);
    expect((await fleet.run(WEB, 'state.revert')).code).toBe(0);
  });

  scenario('a peel crashes', async () => {
    for (const signal of CRASHES) {
      await crash(fleet.web, signal);
      await fleet.web.start();
    }
  });

  scenario('a master crashes', async () => {
    // Each while it publishes: then it has read all secrets.
    for (const signal of CRASHES) {
      const publisher = await until(
        async () => {
          const { code, out } = await fleet.run('files', 'publish', '--format', 'json');
          return code === 0 ? (JSON.parse(out) as { master_id: string }).master_id : undefined;
        },
        'a publisher',
        60_000,
      );
      await crash(fleet.masterOf(publisher), signal);
    }
    await Promise.all(fleet.masters.map((master) => master.start()));
  });

  scenario('a peel starts without a bus', async () => {
    await fleet.web.kill9();
    await fleet.server.kill9();
    fleet.web.launch();
    await fleet.web.ready();
    const { out } = await fleet.runProgram('zester', ['peel', 'list', '--nats-url', fleet.address]);
    expect(out).toBe('');
    await fleet.server.restart();
    await until(async () => (await apply('turning', '--test')).code === 0, 'the peel to be back', 60_000);
  });

  scenario('health pages are read', async () => {
    for (const name of [WEB, DATABASE, 'master', 'master-2']) {
      fleet.keep(`health-${name}`, await fleet.healthPages(name));
    }
  });

  scenario(
    'the command line shows what is stored',
    async () => {
      const { out } = await fleet.run('job', 'list', '--format', 'json', '--limit', '200');
      const jobs = JSON.parse(out) as ListedJob[];
      expect(jobs.length).toBeGreaterThan(50);
      // The newest of each kind.
      const some = [...new Map(jobs.map((job) => [kindOf(job), job.jid])).values()];
      expect(some.length).toBeGreaterThan(15);
      await concurrentMap(some, COMMANDS_AT_ONCE, (jid) =>
        fleet.run('job', 'attach', jid, '--format', 'json'),
      );
      await concurrentMap(some.slice(-10), COMMANDS_AT_ONCE, (jid) => fleet.run('job', 'show', jid));
      for (const words of ['job list', 'peel list', 'master list', 'files status', 'files diff', 'doctor'])
        await fleet.run(...words.split(' '));
      await fleet.run('peel', 'show', WEB, '--format', 'json');
    },
    300_000,
  );

  scenario('states run without a fleet', async () => {
    const settingsDir = join(fleet.dir, 'settings-local');
    fleet.writeTree(settingsDir, leakSettings(secrets, controls, join(fleet.out, 'local')));
    const place = ['--states', fleet.statesDir, '--settings', settingsDir, '--id', WEB];
    const dataDir = ['--data-dir', join(fleet.dir, 'local-data')];
    const call = (...words: string[]) =>
      fleet.runProgram('zester-peel', ['call', '--local', ...words, ...place, ...dataDir]);
    const { out } = await call('state.apply', 'files');
    expect(out).toContain(markerOf('secrets.long'));
    await call('state.apply', 'files', '--test', '--format', 'json');
    await call('settings.items');
    for (const name of ['wrong-raise', 'wrong-yaml', 'fail-argv', 'fail-mode', 'names'])
      expect((await call('state.apply', name)).code).toBe(2);
  });

  scenario('files are rendered and linted', async () => {
    const place = ['--settings', fleet.settingsDir, '--id', WEB];
    await fleet.runProgram('zester', ['lint', fleet.statesDir, ...place]);
    await fleet.runProgram('zester', ['lint', fleet.settingsDir]);
    for (const path of ['files.zy', 'app.conf.j2', 'wrong-raise.zy', 'wrong-yaml.zy'])
      await fleet.runProgram('zester', ['render', join(fleet.statesDir, path), ...place]);
  });

  scenario('a local fleet is up', async () => {
    const dir = join(fleet.dir, 'up');
    const words = ['--dir', dir, '--masters', '1', '--peels', '1', '--detach'];
    expect((await fleet.runProgram('zester', ['up', ...words])).code).toBe(0);
    const here = (...command: string[]) => fleet.runProgram('zester', [...command, '--dir', dir]);
    try {
      fleet.writeTree(join(dir, 'states'), leakStates());
      fleet.writeTree(join(dir, 'settings'), leakSettings(secrets, controls, join(dir, 'out')));
      await until(
        async () => (await here(WEB, 'state.apply', 'files')).out.includes(markerOf('secrets.long')),
        'the files to be on the peel',
        30_000,
      );
      await here(WEB, 'state.apply', 'names');
      await here(WEB, 'state.apply', 'wrong-raise');
      await operatorSaysSecret(here);
    } finally {
      expect((await here('down')).code).toBe(0);
    }
  });
});

describe('afterwards', () => {
  it('every scenario of the list was driven', () => {
    expect([...driven].sort()).toEqual([...LEAK_SCENARIOS].sort());
  });

  it('no secret is in the words or the environment of a program', () => {
    expect(fleet.leaksInProcesses()).toEqual([]);
  });

  it('the scan sees: values that are no secrets are found wherever a secret could have been', async () => {
    await fleet.halt();
    const streams = fleet.streamDirs();
    const buckets = [BUCKETS.jobReturns, BUCKETS.facts, BUCKETS.settingsFiles].map(({ name }) =>
      kvStreamName(name),
    );
    const stores = [STREAMS.jobWords.name, ...buckets].map((name) => streams.get(name) ?? name);
    const places = [...stores, `logs/${WEB}`, `peels/${WEB}/cache`, 'printed', 'up/nats'];
    expect(places.filter((place) => !fleet.showsControl(place))).toEqual([]);
  });

  it('no secret is anywhere but in the source trees and in the files that states were told to write', () => {
    const { told, files, bytes } = fleet.leaks();
    expect(told.join('\n')).toBe('');
    expect(files).toBeGreaterThan(100);
    expect(bytes).toBeGreaterThan(1_000_000);
  });
});
