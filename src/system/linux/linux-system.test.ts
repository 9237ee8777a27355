/** What only a real machine can show. The rest is in test/conformance/system. */
import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../runtime/system-clock.ts';
import { systemRandom } from '../../runtime/system-random.ts';
import { accountsOn } from '../accounts.ts';
import type { FileCalls } from '../file-calls.ts';
import { filesOn } from '../files-on-calls.ts';
import { outputText } from '../processes.ts';
import { processesOn } from '../processes-on-calls.ts';
import { linuxFileCalls } from './linux-file-calls.ts';
import { linuxProcessCalls } from './linux-process-calls.ts';
import { linuxSystem } from './linux-system.ts';

const system = linuxSystem({ clock: systemClock, random: systemRandom });
const { files } = system;
const root = process.getuid?.() === 0;
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zester-linux-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('reading /proc and /sys', () => {
  it('gives all of a file that claims to be empty', async () => {
    expect((await files.stat('/proc/self/status'))?.size).toBe(0);
    expect(Buffer.from((await files.read('/proc/self/status')) ?? []).toString()).toContain('VmRSS');
  });

  it('gives a small file that claims to be a page, under a limit below a page', async () => {
    const content = await files.read('/sys/kernel/mm/transparent_hugepage/enabled', { bytesMax: 1000 });
    if (content !== undefined) expect(content.length).toBeGreaterThan(0);
  });

  it('throws where the kernel fails, and takes it for nothing else', async () => {
    await expect(files.read('/proc/self/mem')).rejects.toMatchObject({
      code: 'FILE_READ_FAILED',
      params: { errno: 'EIO' },
    });
  });
});

describe('removing a tree while somebody swaps a directory for a link', () => {
  /** Removes `tree` with one call replaced, so that the attacker acts at the worst moment. */
  async function removeUnderAttack(attack: (calls: FileCalls, swap: () => void) => Partial<FileCalls>) {
    const at = (path: string) => join(directory, path);
    await files.makeDirectory(at('victim'));
    await files.writeAtomic(at('victim/f'), Buffer.from('x'));
    await files.makeDirectory(at('tree/inner'), { parents: true });
    await files.writeAtomic(at('tree/inner/f'), Buffer.from('x'));
    let swapped = false;
    const swap = () => {
      if (swapped) return;
      swapped = true;
      renameSync(at('tree/inner'), at('moved'));
      symlinkSync(at('victim'), at('tree/inner'));
    };
    const calls = { ...linuxFileCalls, ...attack(linuxFileCalls, swap) };
    const outcome = await filesOn(calls, systemRandom)
      .removeTree(at('tree'))
      .catch((error: unknown) => error);
    expect(swapped).toBe(true);
    expect(await files.list(at('victim'))).toEqual(['f']);
    return outcome;
  }

  it('stops when the directory became a link before it was opened', async () => {
    let looks = 0;
    const outcome = await removeUnderAttack((calls, swap) => ({
      lstat: async (path) => {
        const stat = await calls.lstat(path);
        // The first look is that of the survey, the second that of the removal.
        if (path.endsWith('/inner') && ++looks === 2) swap();
        return stat;
      },
    }));
    expect(outcome).toMatchObject({ code: 'FILE_WRITE_FAILED', params: { errno: 'ENOTDIR' } });
  });

  it('empties the directory it opened, wherever that is now', async () => {
    await removeUnderAttack((calls, swap) => ({
      unlink: (path) => {
        swap();
        return calls.unlink(path);
      },
    }));
    expect(await files.list(join(directory, 'moved'))).toEqual([]);
  });
});

it('refuses to remove a tree with another file system in it, untouched', async () => {
  await files.makeDirectory(join(directory, 'tree/mounted'), { parents: true });
  await files.writeAtomic(join(directory, 'tree/f'), Buffer.from('x'));
  const calls: FileCalls = {
    ...linuxFileCalls,
    lstat: async (path) => {
      const stat = await linuxFileCalls.lstat(path);
      return path.endsWith('/mounted') ? { ...stat, dev: stat.dev + 1n } : stat;
    },
  };
  await expect(filesOn(calls, systemRandom).removeTree(join(directory, 'tree'))).rejects.toMatchObject({
    code: 'FILE_WRITE_FAILED',
    params: { errno: 'EXDEV' },
  });
  expect(await files.list(join(directory, 'tree'))).toEqual(['f', 'mounted']);
});

it('leaks no open file, whatever fails', async () => {
  const open = async () => (await files.list('/proc/self/fd'))?.length ?? 0;
  await files.makeDirectory(join(directory, 'd/e'), { parents: true });
  const before = await open();
  for (let round = 0; round < 20; round++) {
    await files.read(join(directory, 'd')).catch(() => undefined);
    await files.walk(directory, { entriesMax: 1 }).catch(() => undefined);
    await files.writeAtomic(join(directory, 'd'), Buffer.from('')).catch(() => undefined);
    await files.chmod(join(directory, 'none'), 0o600).catch(() => undefined);
    await files.writeAtomic(join(directory, 'f'), Buffer.from(''));
  }
  expect(await open()).toBeLessThanOrEqual(before + 2);
});

describe.skipIf(!root)('running as a user with supplementary groups (needs root)', () => {
  const nobody = { name: 'nobody', uid: 65_534, gid: 65_534, home: '/', shell: '/bin/sh' };
  const accounts = {
    ...accountsOn(files),
    user: async () => nobody,
    groupIdsOf: async () => [65_534, 4, 27],
  };
  const processes = processesOn({ calls: linuxProcessCalls(), accounts, files, clock: systemClock });

  it('gives it all of them and none of ours', async () => {
    const result = await processes.run({ shell: 'id -u; id -g; id -G', user: 'nobody', timeoutMs: 60_000 });
    expect(outputText(result.stdout)).toBe('65534\n65534\n65534 4 27\n');
  });

  it('still tells a program that is missing from one that failed', async () => {
    const run = (argv: [string], env = {}) => processes.run({ argv, user: 'nobody', timeoutMs: 60_000, env });
    const missing = { code: 'PROCESS_START_FAILED', params: { errno: 'ENOENT' } };
    await expect(run(['no-such-program'])).rejects.toMatchObject(missing);
    await expect(run(['/no/such/program'])).rejects.toMatchObject(missing);
    await expect(run(['true'], { PATH: '/nowhere' })).rejects.toMatchObject(missing);
    await files.writeAtomic(join(directory, 'plain'), Buffer.from(''), { mode: 0o644 });
    await expect(run([join(directory, 'plain')])).rejects.toMatchObject({ params: { errno: 'EACCES' } });
    expect(await run(['true'])).toMatchObject({ exitCode: 0 });
  });
});
