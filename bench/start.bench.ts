/**
 * This benchmark measures what a person waits for who types a command: start of the programs, with and without the code
 * cache; a ping of the local fleet; and a masterless run of 1,000 `file.managed` that have nothing to do. Wall time,
 * and processor time of the command (user and system, all of its processes), which says more on a machine that others
 * use too.
 *
 *   npm run bench -- start
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../src/runtime/system-clock.ts';

const STARTS = 15;
const RUNS = 7;
const FILES = 1_000;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** The shell tells the processor time of its children when they have ended. */
const TIMED = '"$@" >/dev/null 2>&1; times';

function costOf(command: readonly string[], cwd?: string): Cost {
  const beganMs = systemClock.monotonicMs();
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: '' };
  const { stdout } = spawnSync('sh', ['-c', TIMED, 'sh', ...command], { cwd, env, encoding: 'utf8' });
  const wallMs = systemClock.monotonicMs() - beganMs;
  const [, children = ''] = stdout.split('\n');
  const cpuMs = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, seconds]) => (Number(minutes) * 60 + Number(seconds)) * 1_000)
    .reduce((sum, ms) => sum + ms, 0);
  return { wallMs, cpuMs };
}

function report(
  name: string,
  rounds: number,
  command: readonly string[],
  aimMs?: number,
  cwd?: string,
): void {
  const costs = Array.from({ length: rounds }, () => costOf(command, cwd));
  const column = (of: (cost: Cost) => number) => costs.map(of).sort((a, b) => a - b);
  const [wall, cpu] = [column(({ wallMs }) => wallMs), column(({ cpuMs }) => cpuMs)];
  const show = (values: readonly number[], index: number) => (values[index] ?? 0).toFixed(0);
  const middle = Math.floor(rounds / 2);
  const aim = aimMs === undefined ? '' : ` (aim ${aimMs} ms)`;
  console.log(
    `${name}: ${show(wall, middle)} ms, at least ${show(wall, 0)}; CPU ${show(cpu, middle)} ms, at least ${show(cpu, 0)}${aim}`,
  );
}

function starts(): void {
  report('node alone', STARTS, [process.execPath, '-e', '0']);
  report('zester --version', STARTS, ['bin/zester', '--version'], 70);
  report('zester --version, compiled anew', STARTS, [process.execPath, 'dist/zester.cjs', '--version']);
  report('zester --help', STARTS, ['bin/zester', '--help']);
  report('zester --help, compiled anew', STARTS, [process.execPath, 'dist/zester.cjs', '--help']);
}

/** The peels of `zester up`, in a directory of their own. */
async function ping(dir: string): Promise<void> {
  const zester = resolve('bin/zester');
  const fleet = spawn(zester, ['up'], { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let said = '';
    for await (const part of fleet.stdout) {
      said += String(part);
      if (said.includes('is up')) break;
    }
    report("zester '*' test.ping", STARTS, [zester, '*', 'test.ping'], 200, dir);
  } finally {
    spawnSync(zester, ['down'], { cwd: dir });
  }
}

function masterless(dir: string): void {
  const states = join(dir, 'states');
  mkdirSync(states);
  const blocks = Array.from({ length: FILES }, (_, i) => [
    `${dir}/files/host-${i}.conf:`,
    '  file.managed:',
    '    - makedirs: true',
    "    - mode: '0644'",
    '    - contents: |',
    ...[`listen ${8_000 + i}`, `name host-${i}`, 'workers 4'].map((line) => `        ${line}`),
  ]);
  writeFileSync(join(states, 'many.zy'), `${blocks.flat().join('\n')}\n`);
  const words = [
    'call',
    '--local',
    'state.apply',
    'many',
    '--states',
    states,
    '--data-dir',
    join(dir, 'data'),
  ];
  spawnSync('bin/zester-peel', words);
  report(`${FILES} unchanged file.managed, masterless`, RUNS, ['bin/zester-peel', ...words], 600);
}

const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
try {
  starts();
  masterless(dir);
  await ping(dir);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
