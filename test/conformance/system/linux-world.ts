/** `linuxWorld` puts the real machine through the conformance suites. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { parseProcStat } from '../../../src/core/proc-stat.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { linuxSystem } from '../../../src/system/linux/linux-system.ts';
import type { CommandToRun, NobodyAnswer, Programs, World } from './world.ts';

const NOBODY = 65_534;

export async function linuxWorld(): Promise<World> {
  const base = mkdtempSync(join(tmpdir(), 'zester-system-'));
  const directory = join(base, 'work');
  const system = linuxSystem({ clock: systemClock, random: systemRandom });
  chmodSync(base, 0o755);
  await system.files.makeDirectory(directory);
  const root = process.getuid?.() === 0;

  /** As root we become nobody; otherwise we are nobody special already. */
  async function inChild(args: readonly string[]): Promise<string> {
    const as = root && args[0] !== 'die-before-rename' ? { uid: NOBODY, gid: NOBODY } : {};
    return new Promise((resolve) => {
      execFile(process.execPath, [childProgram(base), ...args], { cwd: '/', env: {}, ...as }, (_, stdout) =>
        resolve(stdout),
      );
    });
  }

  return {
    system,
    directory,
    root,
    programs,
    makePipe: (path) => void execFileSync('mkfifo', [path]),
    asNobody: async ({ method, path }) => JSON.parse(await inChild([method, path])) as NobodyAnswer,
    dieBeforeRename: async (path, text) => void (await inChild(['die-before-rename', path, text])),
    drive: (promise) => promise,
    until: async (condition) => {
      while (!(await condition())) await wait(10);
    },
    isAlive,
    endProcess: (pid) => void process.kill(pid, 'SIGKILL'),
    close: async () => rmSync(base, { recursive: true, force: true }),
  };
}

/** What has ended and waits to be collected by init is dead. */
function isAlive(pid: number): boolean {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1')) !== undefined;
  } catch {
    return false;
  }
}

function childProgram(directory: string): string {
  const outfile = join(directory, 'child.mjs');
  if (!existsSync(outfile))
    buildSync({
      entryPoints: [join(import.meta.dirname, 'linux-child.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
    });
  return outfile;
}

const programs: Programs = {
  speak: ({ out = '', err = '', exitCode = 0 }) =>
    sh('printf %s "$1"; printf %s "$2" >&2; exit "$3"', out, err, `${exitCode}`),
  copy: () => ({ argv: ['cat'] }),
  flood: (bytes) => ({ argv: ['head', '-c', `${bytes}`, '/dev/zero'] }),
  environment: () => ({ argv: ['env'] }),
  identity: () => sh('id -u; id -g; grep ^Groups: /proc/self/status | cut -f2; pwd'),
  suicide: () => sh('kill -9 $$'),
  family: (ready) =>
    sh(
      `sleep 1000 & echo $!
       (sleep 1000 & echo $!; : > "$1.grandchild"; wait) &
       (sleep 1000 & echo $!)
       setsid sleep 1000 & echo $!
       until [ -e "$1.grandchild" ]; do sleep 0.01; done
       echo $$; : > "$1"; wait`,
      ready,
    ),
  stubborn: (ready) => sh('trap "" TERM; echo $$; : > "$1"; while :; do sleep 1000; done', ready),
  forsaking: (ready) =>
    sh(
      'sleep 1000 & echo $!; echo $$; : > "$1"; until [ -e "$1.die" ]; do sleep 0.01; done; kill -PIPE $$',
      ready,
    ),
  daemon: () => sh('setsid sleep 1000 & echo $!'),
};

function sh(script: string, ...args: string[]): CommandToRun {
  return { argv: ['/bin/sh', '-c', script, 'sh', ...args] };
}
