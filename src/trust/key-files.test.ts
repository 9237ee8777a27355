/** Staging folders that a killed writer left; the rest of key-files.ts is tested with the files of auth-dir.test.ts. */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECRET_MODE, writeKeyFiles } from './key-files.ts';

const HOUR_S = 3_600;
const OURS = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-keys-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const write = (name = 'a.key') =>
  writeKeyFiles(dir, [{ path: name, mode: SECRET_MODE, text: 'secret' }], { force: false });

function leave(name: string, ageS = 0): void {
  mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, name, '0'), 'secret');
  const seconds = Date.now() / 1_000 - ageS;
  utimesSync(join(dir, name), seconds, seconds);
}

function startTicks(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

describe('what a killed writer leaves', () => {
  it('is its staging folder, which the next write into the directory takes away', () => {
    const program = join(dir, 'writer.cjs');
    buildSync({
      stdin: {
        contents: `
          import { writeKeyFiles } from './src/trust/key-files.ts';
          const dead = { path: 'b.key', mode: 0o600, get text() { process.kill(process.pid, 'SIGKILL'); return ''; } };
          writeKeyFiles(process.argv[2], [{ path: 'a.key', mode: 0o600, text: 'secret' }, dead], { force: false });`,
        resolveDir: process.cwd(),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: program,
    });
    expect(spawnSync(process.execPath, [program, dir]).signal).toBe('SIGKILL');
    rmSync(program);
    const [left, ...others] = readdirSync(dir);
    expect([left, others]).toEqual([expect.stringMatching(/^\.new-\d+-\d+-\d+-\w{6}$/), []]);
    expect(readFileSync(join(dir, left ?? '', '0'), 'utf8')).toBe('secret');
    write();
    expect(readdirSync(dir)).toEqual(['a.key']);
  });

  it.each([
    [
      'a process that lives',
      () => `.new-${process.pid}-${startTicks(process.pid)}-${OURS}-abcDEF`,
      9 * HOUR_S,
    ],
    ['a process elsewhere, of late', () => '.new-1-1-1-abcDEF', HOUR_S / 2],
    ['an older Zester, of late', () => '.new-abcDEF', HOUR_S / 2],
    ['someone else', () => '.new-stuff', 9 * HOUR_S],
    ['someone else, nearly ours', () => `.new-1-1-${OURS}-abcDEF.bak`, 9 * HOUR_S],
  ])('of %s stays', (_whose, name, ageS) => {
    leave(name(), ageS);
    write();
    expect(readdirSync(dir)).toEqual([name(), 'a.key']);
  });

  it.each([
    ['a pid that another process has now', () => `.new-${process.pid}-1-${OURS}-abcDEF`, 0],
    ['a process elsewhere, long ago', () => '.new-1-1-1-abcDEF', 2 * HOUR_S],
    ['an older Zester, long ago', () => '.new-abcDEF', 2 * HOUR_S],
  ])('of %s goes', (_whose, name, ageS) => {
    leave(name(), ageS);
    write();
    expect(readdirSync(dir)).toEqual(['a.key']);
  });

  it('a file or a link of such a name is not followed and stays', () => {
    const dead = (chance: string) => `.new-${process.pid}-1-${OURS}-${chance}`;
    mkdirSync(join(dir, 'kept'));
    symlinkSync(join(dir, 'kept'), join(dir, dead('link00')));
    writeFileSync(join(dir, dead('file00')), '');
    write();
    expect(readdirSync(dir)).toEqual([dead('file00'), dead('link00'), 'a.key', 'kept']);
  });
});
