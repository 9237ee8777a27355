/** This suite says what every adapter's `processes` must do. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KILL_GRACE_MS, outputText, type Processes, type RunResult } from '../../../src/system/processes.ts';
import type { CommandToRun, Programs, World, WorldMaker } from './world.ts';

/** Longer than any test may take: a test that waits for it has failed. */
const NEVER_MS = 600_000;

export function describeProcesses(name: string, makeWorld: WorldMaker): void {
  describe(`processes of ${name}`, () => {
    let world: World;
    let programs: Programs;
    let ready: string;
    beforeEach(async () => {
      world = await makeWorld();
      programs = world.programs;
      ready = `${world.directory}/ready`;
    });
    afterEach(() => world.close());

    type Options = Omit<Parameters<Processes['run']>[0], 'argv' | 'shell' | 'timeoutMs'> & {
      timeoutMs?: number;
    };
    const run = (command: CommandToRun, options: Options = {}): Promise<RunResult> =>
      world.drive(world.system.processes.run({ timeoutMs: NEVER_MS, ...options, ...command }));
    const isReady = async () => (await world.system.files.lstat(ready)) !== undefined;
    const pidsOf = (result: RunResult) => outputText(result.stdout).trim().split('\n').map(Number);
    const failure = async (operation: Promise<unknown>) =>
      operation.then(
        () => 'no error',
        (error: { code: string; params?: { errno?: string } }) =>
          error.params?.errno === undefined ? error.code : `${error.code} ${error.params.errno}`,
      );

    it('gives output, errors and exit code, and takes a failure for an answer', async () => {
      const result = await run(programs.speak({ out: 'said\n', err: 'complained\n', exitCode: 3 }));
      expect(result).toMatchObject({
        endedBy: 'exit',
        exitCode: 3,
        signal: undefined,
        outputLeftOpen: false,
      });
      expect([outputText(result.stdout), outputText(result.stderr)]).toEqual(['said\n', 'complained\n']);
    });

    it('runs shell commands', async () => {
      const command = { shell: 'echo "$((1 + 2))"; exit 4', timeoutMs: NEVER_MS };
      const result = await world.drive(world.system.processes.run(command));
      expect([outputText(result.stdout), result.exitCode]).toEqual(['3\n', 4]);
    });

    it('names the signal that ended a program', async () => {
      expect(await run(programs.suicide())).toMatchObject({
        endedBy: 'exit',
        exitCode: undefined,
        signal: 'SIGKILL',
      });
    });

    it('hands over stdin, and an end of input where there is none', async () => {
      const stdin = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256);
      const result = await run(programs.copy(), { stdin });
      expect(Buffer.from(stdin).equals(result.stdout.bytes)).toBe(true);
      expect((await run(programs.copy())).stdout.bytes).toHaveLength(0);
    });

    it('survives a program that does not read its input', async () => {
      const stdin = new Uint8Array(5_000_000);
      expect((await run(programs.speak({ exitCode: 0 }), { stdin })).exitCode).toBe(0);
    });

    it('keeps exactly as many bytes as allowed and counts the others', async () => {
      const cut = await run(programs.flood(3_000_000), { stdoutBytesMax: 1000 });
      expect([cut.stdout.bytes.length, cut.stdout.bytesDropped]).toEqual([1000, 2_999_000]);
      const exact = await run(programs.flood(1000), { stdoutBytesMax: 1000 });
      expect([exact.stdout.bytes.length, exact.stdout.bytesDropped]).toEqual([1000, 0]);
      const none = await run(programs.speak({ err: 'four' }), { stderrBytesMax: 0 });
      expect([none.stderr.bytes.length, none.stderr.bytesDropped]).toEqual([0, 4]);
      const byDefault = await run(programs.flood(2 ** 20 + 1));
      expect(byDefault.stdout.bytesDropped).toBe(1);
    });

    it('gives a clean environment, with what was asked for and nothing of ours', async () => {
      process.env.ZESTER_TEST_SECRET = 'must not leak';
      const result = await run(programs.environment(), { env: { GREETING: 'a=b c', LANG: 'de_DE' } });
      delete process.env.ZESTER_TEST_SECRET;
      const lines = outputText(result.stdout).trim().split('\n');
      const seen = Object.fromEntries(
        lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]),
      );
      expect(Object.keys(seen).sort()).toEqual(
        ['GREETING', 'HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'USER'].sort(),
      );
      expect(seen).toMatchObject({ GREETING: 'a=b c', LANG: 'de_DE' });
      expect(seen.PATH).toContain('/usr/bin');
    });

    it('runs in the directory asked for', async () => {
      const here = await world.system.files.realPath(world.directory);
      const lines = async (cwd?: string) =>
        outputText((await run(programs.identity(), cwd === undefined ? {} : { cwd })).stdout).split('\n');
      expect((await lines(world.directory))[3]).toBe(here);
      expect((await lines())[3]).toBe('/');
    });

    it('runs as another user, with its environment, where we are root', async ({ skip }) => {
      skip(!world.root, 'only root can become another user');
      const identity = outputText((await run(programs.identity(), { user: 'nobody' })).stdout).split('\n');
      expect(identity.slice(0, 2)).toEqual(['65534', '65534']);
      // None, or the primary one again: never those of root.
      expect(['', '65534']).toContain(identity[2]?.trim());
      const environment = outputText((await run(programs.environment(), { user: 'nobody' })).stdout);
      expect(environment).toContain('USER=nobody\n');
      expect(environment).toContain('HOME=/nonexistent\n');
    });

    it('says why nothing ran', async () => {
      const { directory } = world;
      await world.system.files.writeAtomic(`${directory}/f`, Buffer.from('x'));
      const nothing: CommandToRun = { argv: ['no-such-program'] };
      expect(await failure(run(nothing))).toBe('PROCESS_START_FAILED ENOENT');
      expect(await failure(run({ argv: [''] }))).toBe('PROCESS_START_FAILED ENOENT');
      expect(await failure(run({ argv: ['a\0b'] }))).toBe('PROCESS_START_FAILED EINVAL');
      expect(await failure(run(programs.copy(), { env: { 'A=B': 'x' } }))).toBe(
        'PROCESS_START_FAILED EINVAL',
      );
      expect(await failure(run(programs.copy(), { user: 'no-such-user' }))).toBe('USER_UNKNOWN');
      const lost = run(programs.copy(), { cwd: `${directory}/nowhere` });
      await expect(lost).rejects.toThrow(`no working directory ${directory}/nowhere`);
      expect(await failure(run(programs.copy(), { cwd: `${directory}/f` }))).toBe(
        'PROCESS_START_FAILED ENOTDIR',
      );
    });

    /** Aborts once the program has said that it is ready. */
    const abortWhenReady = async (command: CommandToRun): Promise<RunResult> => {
      const abort = new AbortController();
      const running = world.system.processes.run({ ...command, timeoutMs: NEVER_MS, signal: abort.signal });
      await world.until(isReady);
      abort.abort();
      return world.drive(running);
    };

    it('kills at the timeout, keeping what was said', async () => {
      const result = await run(programs.family(ready), { timeoutMs: 1_500 });
      expect(result).toMatchObject({ endedBy: 'timeout', exitCode: undefined, signal: 'SIGTERM' });
      expect(result.durationMs).toBeGreaterThanOrEqual(1_500);
      await world.until(() => pidsOf(result).every((pid) => !world.isAlive(pid)));
    });

    it('kills the whole family at an abort in mid-run', async () => {
      const result = await abortWhenReady(programs.family(ready));
      expect(result).toMatchObject({ endedBy: 'abort', exitCode: undefined, signal: 'SIGTERM' });
      const pids = pidsOf(result);
      expect(pids).toHaveLength(5);
      await world.until(() => pids.every((pid) => !world.isAlive(pid)));
    });

    it('kills what ignores SIGTERM after the grace', async () => {
      const result = await abortWhenReady(programs.stubborn(ready));
      expect(result).toMatchObject({ endedBy: 'abort', signal: 'SIGKILL' });
      expect(result.durationMs).toBeGreaterThanOrEqual(KILL_GRACE_MS);
      await world.until(() => pidsOf(result).every((pid) => !world.isAlive(pid)));
    });

    it('starts nothing when aborted before', async () => {
      const result = await run(programs.stubborn(ready), { signal: AbortSignal.abort() });
      expect(result).toMatchObject({ endedBy: 'abort', exitCode: undefined, signal: undefined });
      expect(await isReady()).toBe(false);
    });

    it('answers though something left behind holds the output, and leaves it alone', async () => {
      const result = await run(programs.daemon());
      expect(result).toMatchObject({ endedBy: 'exit', exitCode: 0, outputLeftOpen: true });
      const [daemon = 0] = pidsOf(result);
      expect(world.isAlive(daemon)).toBe(true);
      world.endProcess(daemon);
      await world.until(() => !world.isAlive(daemon));
    });

    describe('a program on record', () => {
      const record = () => `${world.directory}/record`;
      const recordNow = async () => (await world.system.files.read(record())) ?? new Uint8Array();
      const started = async (command: CommandToRun) => {
        const options = { timeoutMs: NEVER_MS, record: record() };
        const running = world.system.processes.run({ ...command, ...options });
        await world.until(isReady);
        return { running, written: await recordNow() };
      };
      const ended = (bytes: Uint8Array) => world.drive(world.system.processes.endLeftover(bytes));

      it('has it as long as it runs', async () => {
        await run(programs.speak({ out: 'x' }), { record: record() });
        expect(await world.system.files.lstat(record())).toBeUndefined();
        const nothing = run({ argv: ['no-such-program'] }, { record: record() });
        expect(await failure(nothing)).toBe('PROCESS_START_FAILED ENOENT');
        expect(await world.system.files.lstat(record())).toBeUndefined();
      });

      it('is given the same as without it', async () => {
        const env = { PWD: '/here', GREETING: "a=b 'c' $d" };
        const odd = { 'odd-name': 'a\tb=c', IFS: 'x', _: '1', OPTIND: 'x', SHLVL: '7', TMOUT: '1' };
        for (const more of [{ GREETING: env.GREETING }, env, odd, { go: '1' }]) {
          const plain = await run(programs.environment(), { env: more });
          const recorded = await run(programs.environment(), { env: more, record: record() });
          const lines = ({ stdout }: RunResult) => outputText(stdout).split('\n').sort();
          expect(lines(recorded)).toEqual(lines(plain));
        }
        const stdin = Buffer.from('in\n');
        expect(outputText((await run(programs.copy(), { stdin, record: record() })).stdout)).toBe('in\n');
        expect(await run(programs.speak({ exitCode: 3 }), { record: record() })).toMatchObject({
          exitCode: 3,
        });
      });

      it('is refused where nothing could run, as without it', async () => {
        for (const more of [{}, { record: record() }])
          expect(await failure(run({ argv: ['/'] }, more))).toMatch(/^PROCESS_START_FAILED/);
        for (const name of ['-c', 'a=b'])
          expect(await failure(run({ argv: [name] }, { record: record() }))).toBe(
            'PROCESS_START_FAILED EINVAL',
          );
      });

      it('is not started when that cannot be written', async () => {
        for (const env of [{}, { 'odd-name': 'x' }]) {
          const nowhere = run(programs.stubborn(ready), { env, record: `${world.directory}/none/record` });
          expect(await failure(nowhere)).toBe('PROCESS_START_FAILED ENOENT');
        }
        expect(await isReady()).toBe(false);
      });

      it('is ended by it, also when it does not want to', async () => {
        const { running, written } = await started(programs.stubborn(ready));
        const left = await ended(written);
        const result = await world.drive(running);
        expect(result).toMatchObject({ endedBy: 'exit', signal: 'SIGKILL' });
        expect(left).toEqual({ is: 'ended', pid: pidsOf(result)[0] });
        expect(await world.system.files.lstat(record())).toBeUndefined();
        expect(await ended(written)).toEqual({ is: 'gone' });
      });

      it('is ended by it also when only its process group is left', async () => {
        const { running, written } = await started(programs.forsaking(ready));
        await world.system.files.writeAtomic(`${ready}.die`, new Uint8Array());
        const result = await world.drive(running);
        const [child = 0, leader = 0] = pidsOf(result);
        expect([result.signal, world.isAlive(leader), world.isAlive(child)]).toEqual([
          'SIGPIPE',
          false,
          true,
        ]);
        expect(await ended(written)).toEqual({ is: 'ended', pid: leader });
        await world.until(() => !world.isAlive(child));
        expect(await ended(written)).toEqual({ is: 'gone' });
      });

      it('is not taken for another one: of another boot, with another start, or not wholly written', async () => {
        const { running, written } = await started(programs.stubborn(ready));
        const text = Buffer.from(written).toString();
        for (const other of [`x${text}`, text.replace('\n', '0\n'), text.trim(), ''])
          expect(await ended(Buffer.from(other))).toEqual({ is: 'gone' });
        expect(await recordNow()).toEqual(written);
        await ended(written);
        await world.drive(running);
      });
    });

    it('runs two hundred at once without mixing them up', async () => {
      const runs = Array.from({ length: 200 }, (_, index) =>
        world.system.processes.run({
          ...programs.speak({ out: `out ${index}`, err: `err ${index}`, exitCode: index }),
          timeoutMs: NEVER_MS,
        }),
      );
      const results = await world.drive(Promise.all(runs));
      const seen = results.map(
        ({ stdout, stderr, exitCode }) => `${outputText(stdout)}, ${outputText(stderr)}, ${exitCode}`,
      );
      expect(seen).toEqual(results.map((_, index) => `out ${index}, err ${index}, ${index}`));
    });
  });
}
