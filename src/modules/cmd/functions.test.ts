/** cmd.run on this machine. What only a real shell, real processes and real pipes can show. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';
import { until } from '../../../test/harness/until.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { systemRandom } from '../../runtime/system-random.ts';
import { linuxSystem } from '../../system/linux/linux-system.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import { runFunction } from '../run-function.ts';
import { COMMAND_OUTPUT_BYTES_MAX } from './run-command-line.ts';

const system = linuxSystem({ clock: systemClock, random: systemRandom });
const { context: memory } = memoryContext();
const root = process.getuid?.() === 0;
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zester-cmd-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function cmdRun(command: string, args: WireMap = {}, signal = memory.signal) {
  const context = { ...memory, system, clock: systemClock, signal };
  const response = await runFunction({ jid: 'j' as never, module: 'cmd.run', id: command, args }, context);
  return { response, result: response.results[0] as StateResult };
}

const exists = async (path: string) => (await system.files.stat(path)) !== undefined;
const alive = (pid: string) => exists(`/proc/${pid}`);
const pidIn = async (path: string) =>
  Buffer.from((await system.files.read(path)) ?? [])
    .toString()
    .trim();

describe('cmd.run', () => {
  it('gives output and exit code, without the newlines at the end', async () => {
    const { response, result } = await cmdRun('echo out; echo; echo err >&2');
    expect(response).toMatchObject({ success: true, test: false });
    expect(result).toMatchObject({
      changed: true,
      details: { command: 'echo out; echo; echo err >&2', stdout: 'out', stderr: 'err', exitcode: '0' },
    });
  });

  it('gives output that is no UTF-8 as the bytes it was; what was cut inside of a character is text', async () => {
    const { result } = await cmdRun("printf 'a\\377\\n'; echo ü >&2");
    expect(result.details).toMatchObject({ stdout: 'a\ufffd', stderr: 'ü' });
    expect(result.data).toEqual({ exitcode: 0, stdout: Buffer.of(0x61, 0xff, 0x0a) });
    const long = await cmdRun(`printf x; yes ü | tr -d '\\n' | head -c ${COMMAND_OUTPUT_BYTES_MAX + 10}`);
    expect(long.result.data).toEqual({ exitcode: 0 });
  });

  it('many newlines before the end take no time', async () => {
    const { result } = await cmdRun(`head -c 200000 /dev/zero | tr '\\0' '\\n'; printf x`);
    expect(result.details.stdout).toHaveLength(200_001);
  });

  it('fails on another exit code, and keeps what was said', async () => {
    const { response, result } = await cmdRun('echo partly; exit 3');
    expect(response).toMatchObject({ success: false, error: '' });
    expect(result).toMatchObject({ error: 'exited with 3', details: { stdout: 'partly', exitcode: '3' } });
  });

  it('says which signal ended it', async () => {
    const { result } = await cmdRun('kill -KILL $$');
    expect(result).toMatchObject({ error: 'ended by SIGKILL', details: { signal: 'SIGKILL' } });
    expect(result.details).not.toHaveProperty('exitcode');
  });

  it('runs where, with what and for whom it is told', async () => {
    const args = { cwd: directory, env: 'A=1,B=two words', stdin: 'from stdin' };
    const { result } = await cmdRun('pwd; echo $A-$B-$HIDDEN; cat', args);
    expect(result.details.stdout).toBe(`${directory}\n1-two words-\nfrom stdin`);
  });

  it.skipIf(!root)('runs as another user (needs root)', async () => {
    const { result } = await cmdRun('id -un', { user: 'nobody' });
    expect(result.details.stdout).toBe('nobody');
  });

  it('does not hand our own environment on', async () => {
    process.env.ZESTER_CANARY = 'leaked';
    const { result } = await cmdRun('env');
    delete process.env.ZESTER_CANARY;
    expect(result.details.stdout).not.toContain('CANARY');
  });

  it('says why it could not be started', async () => {
    expect((await cmdRun('true', { user: 'no-such-user' })).result.error).toContain('[USER_UNKNOWN]');
    expect((await cmdRun('true', { cwd: '/no/such/dir' })).result.error).toContain('[PROCESS_START_FAILED]');
  });

  it('keeps the first 256 KiB of each output and counts the rest', async () => {
    const dropped = 1_000_000 - COMMAND_OUTPUT_BYTES_MAX;
    const { response, result } = await cmdRun(
      'many() { head -c 1000000 /dev/zero | tr "\\0" x; }; many; many >&2',
    );
    expect(response.success).toBe(true);
    for (const text of [result.details.stdout ?? '', result.details.stderr ?? '']) {
      expect(text.startsWith('x'.repeat(COMMAND_OUTPUT_BYTES_MAX))).toBe(true);
      expect(text.slice(COMMAND_OUTPUT_BYTES_MAX)).toBe(`…\n[${dropped} more bytes were not kept]`);
    }
  });

  it('cuts an output between two characters, never through one: the beginning of a secret stays recognizable', async () => {
    const { result } = await cmdRun(
      'printf x; i=0; while [ $i -lt 14000 ]; do printf "ääääääääää"; i=$((i+1)); done',
    );
    expect(result.details.stdout).toMatch(/^xä{131071}…\n\[17857 more bytes/);
    expect(result.data).not.toHaveProperty('stdout');
  });
});

describe('ending a command', () => {
  /** A shell with a child that would live for long; both write down their pids. */
  const family = () =>
    `echo $$ > ${directory}/shell; sleep 300 & echo $! > ${directory}/child; echo begun; wait`;
  const pids = async () => [await pidIn(join(directory, 'shell')), await pidIn(join(directory, 'child'))];
  const gone = async () => {
    for (const pid of await pids()) await until(async () => !(await alive(pid)), `the end of ${pid}`);
  };

  it('at its timeout ends everything it started, and says so', async () => {
    const { response, result } = await cmdRun(family(), { timeout: '3s' });
    expect(response).toMatchObject({ success: false, error: '' });
    expect(result).toMatchObject({ error: 'timed out after 3s, killed', details: { stdout: 'begun' } });
    await gone();
  });

  it('by a cancel ends everything it started, and keeps what was said', async () => {
    const controller = new AbortController();
    const running = cmdRun(family(), {}, controller.signal);
    await until(async () => (await pids()).every((pid) => pid !== ''), 'the command to begin');
    controller.abort();
    const { response, result } = await running;
    expect(response).toMatchObject({ success: false, error: 'execution canceled' });
    expect(result).toMatchObject({
      changed: true,
      error: 'execution canceled',
      details: { stdout: 'begun' },
    });
    await gone();
  });

  it('refuses a timeout that is none', async () => {
    for (const timeout of ['0', '25h'])
      expect((await cmdRun('true', { timeout })).result.error).toContain(
        'timeout must be more than 0 and at most 24h',
      );
  });
});

describe('a dry run of cmd.run', () => {
  it('runs nothing and says what it would run', async () => {
    const path = join(directory, 'made');
    const { response, result } = await cmdRun(`touch ${path}`, { test: true });
    expect(response).toMatchObject({ success: true, test: true });
    expect(result).toMatchObject({
      changed: true,
      diff: `would run: touch ${path}`,
      details: { result: `would run: touch ${path}`, command: `touch ${path}` },
    });
    expect(await exists(path)).toBe(false);
  });

  it('says that it could not be started, as the run itself would', async () => {
    for (const args of [{ user: 'no-such-user' }, { cwd: '/no/such/dir' }, { timeout: '25h' }]) {
      const dry = await cmdRun('true', { ...args, test: true });
      const real = await cmdRun('true', args);
      expect(dry.result.error).toBe(real.result.error);
      expect(dry.result.error).not.toBe('');
    }
  });
});
