/** The gate in front of a program on record: nothing happens behind it too early, and nothing shows that it was there. */
import { type StdioOptions, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { linuxProcessCalls } from './linux-process-calls.ts';
import { gated } from './linux-process-record.ts';

const PATH = '/usr/bin:/bin';
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zester-gate-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const spec = (argv: readonly [string, ...string[]], env: Record<string, string>, record: string) => ({
  argv,
  env: { PATH, ...env },
  record,
  cwd: '/',
  identity: undefined,
  stdin: undefined,
  onStdout: () => undefined,
  onStderr: () => undefined,
});

describe('a program whose record cannot be written', () => {
  it.each([{}, { 'A-B': '1' }, { PWD: '/here' }, { IFS: 'x' }])('does nothing, given %j', async (env) => {
    const trace = join(directory, 'trace');
    const argv = ['/bin/sh', '-c', ': > "$1"', 'sh', trace] as const;
    const start = linuxProcessCalls().start(spec(argv, env, join(directory, 'missing', 'record')));
    await expect(start).rejects.toMatchObject({ code: 'ENOENT' });
    await vi.waitUntil(() => !commandLines().some((line) => line.includes(trace)), 30_000);
    expect(existsSync(trace)).toBe(false);
  });
});

function commandLines(): string[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [readFileSync(`/proc/${name}/cmdline`, 'utf8')] : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

const SHELLS: readonly [string, ...string[]][] = [
  ['/bin/sh'],
  ['/bin/dash'],
  ['/bin/bash', '--posix'],
  ['/bin/busybox', 'sh'],
];

describe.each(SHELLS.filter(([path]) => existsSync(path)).map((shell) => ({ shell })))(
  'the gate in $shell',
  ({ shell: [program, ...options] }) => {
    /** What a program behind the gate has in its environment, and what the shell complained of. */
    function behindGate(env: Record<string, string>, line: string) {
      writeFileSync(join(directory, 'line'), line);
      const descriptor = openSync(join(directory, 'line'), 'r');
      const { argv, env: outside } = gated(['/usr/bin/env'], env);
      const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', descriptor];
      const ended = spawnSync(program, [...options, ...argv.slice(1)], { env: outside, stdio });
      closeSync(descriptor);
      return {
        status: ended.status,
        err: `${ended.stderr}`,
        lines: `${ended.stdout}`.trim().split('\n').sort(),
      };
    }

    it.each([
      {},
      { go: '1', GREETING: "a=b 'c' $d" },
      { PWD: '/here', OLDPWD: '/there', SHLVL: '7', _: '/bin/x' },
      { IFS: 'x', OPTIND: 'x', PS4: '$(id)', UID: '5', SECONDS: 'x', RANDOM: 'x', EPOCHSECONDS: 'x' },
      { LC_ALL: 'xx_YY', TMOUT: '1', SHELLOPTS: 'xtrace', BASH_VERSION: '1', BASH_ENV: '/etc/passwd' },
      { 'A-B': '1', '-i': '1', 'BASH_FUNC_x%%': '() { :; }', '1x': 'y', ä: 'ö' },
    ])('hands on %j and nothing else', (env) => {
      const given = Object.entries({ PATH, ...env }).map(([name, value]) => `${name}=${value}`);
      expect(behindGate({ PATH, ...env }, '\n')).toEqual({ status: 0, err: '', lines: given.sort() });
    });

    it('stays shut when who should open it is gone', () => {
      expect(behindGate({ PATH }, '')).toEqual({ status: 125, err: '', lines: [''] });
    });
  },
);
