/** The lock of a directory: kept by the kernel, freed by death, out of the reach of other users. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { zesterError } from '../core/errors/zester-error.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { lockDirectory, lockHolder } from './directory-lock.ts';
import { processIdentity, worldOfPids } from './process-table.ts';

const NOBODY = 65_534;
let dir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

const lock = (place = dir) =>
  lockDirectory(systemClock, place, ({ pid, since }) =>
    zesterError('SERVER_DIR_IN_USE', { dir: place, pid, since }),
  );

/** Another process that holds the lock until it is killed. */
async function holdElsewhere(): Promise<ChildProcess> {
  const child = spawn('flock', ['-x', join(dir, 'lock'), 'sh', '-c', 'echo held; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

it('is held once, told by its holder, and free again after release', async () => {
  const held = await lock();
  expect(lockHolder(dir)?.pid).toBe(process.pid);
  await expect(lock()).rejects.toMatchObject({ code: 'SERVER_DIR_IN_USE', params: { pid: process.pid } });
  held.release();
  (await lock()).release();
});

it('is the same by every path to the directory', async () => {
  const held = await lock();
  symlinkSync(dir, `${dir}.link`);
  await expect(lock(`${dir}.link`)).rejects.toMatchObject({ code: 'SERVER_DIR_IN_USE' });
  rmSync(`${dir}.link`);
  held.release();
});

it('is not inherited by what its holder starts: it ends with the holder alone', async () => {
  const held = await lock();
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  held.release();
  (await lock()).release();
});

it('a holder that says nothing is unknown, and one that is gone holds nothing', async () => {
  const child = await holdElsewhere();
  writeFileSync(join(dir, 'lock'), '{"pid":');
  await expect(lock()).rejects.toMatchObject({ params: { pid: 'unknown', since: 'unknown' } });
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await once(child, 'exit');
  const gone = { ...processIdentity(process.pid), pid: child.pid, boot: worldOfPids(), since: 'then' };
  writeFileSync(join(dir, 'lock'), JSON.stringify(gone));
  expect(lockHolder(dir)).toBeUndefined();
  (await lock()).release();
});

it('a process that got the holder’s pid later is not the holder', () => {
  const now = processIdentity(process.pid);
  const holder = { ...now, boot: worldOfPids(), since: 'then' };
  const named = (text: object) => {
    writeFileSync(join(dir, 'lock'), JSON.stringify(text));
    return lockHolder(dir)?.pid;
  };
  expect(named(holder)).toBe(process.pid);
  expect(named({ ...holder, startTicks: String(Number(now?.startTicks) - 1) })).toBeUndefined();
  expect(named({ ...holder, boot: `another-${holder.boot}` })).toBeUndefined();
});

it('cannot be taken by another user, not even where everybody may look into the directory', async () => {
  chmodSync(dir, 0o777);
  (await lock()).release();
  chmodSync(join(dir, 'lock'), 0o666);
  (await lock()).release();
  expect(statSync(join(dir, 'lock')).mode & 0o777).toBe(0o600);
  if (process.getuid?.() !== 0) return;
  const stranger = spawnSync('flock', ['-x', '-n', join(dir, 'lock'), 'true'], { uid: NOBODY, gid: NOBODY });
  expect(stranger.status).not.toBe(0);
});

it('a stranger who holds the name that the lock once had keeps nobody out', async () => {
  const name = `\0zester-nats-${createHash('sha256').update(dir).digest('hex').slice(0, 32)}`;
  const squatter = createServer().listen(name);
  await once(squatter, 'listening');
  (await lock()).release();
  squatter.close();
});

it('a lock that cannot be opened is explained', async () => {
  await expect(lock(join(dir, 'not-there'))).rejects.toMatchObject({ code: 'LOCK_UNUSABLE' });
  const elsewhere = join(dir, 'elsewhere');
  writeFileSync(elsewhere, 'kept');
  symlinkSync(elsewhere, join(dir, 'lock'));
  await expect(lock()).rejects.toMatchObject({ code: 'LOCK_UNUSABLE' });
  expect(readFileSync(elsewhere, 'utf8')).toBe('kept');
});
