/** The order of the search, with shell scripts that answer `--version`. The download has its own test. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../runtime/system-clock.ts';
import { findServer } from './find-server.ts';
import { cacheDirs, cachedBinary, type Env, writableServerDir } from './server-cache.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-find-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** /usr/sbin is always searched; these tests assume a machine whose own nats-server is absent or would be found too. */
const SYSTEM_HAS_ONE = existsSync('/usr/sbin/nats-server');

const find = (env: Env) => findServer({ env, clock: systemClock, say: () => undefined, localOnly: true });

function fakeServer(folder: string, version: string): string {
  const path = join(dir, folder, 'nats-server');
  mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

it('a named server wins over cache and PATH', async () => {
  const named = fakeServer('named', '2.11.0');
  fakeServer('cache/nats-server', '2.12.0');
  fakeServer('bin', '2.12.0');
  const env = { ZESTER_NATS_SERVER: named, ZESTER_CACHE_DIR: join(dir, 'cache'), PATH: join(dir, 'bin') };
  expect(await find(env)).toEqual({ path: named, version: '2.11.0', from: 'setting' });
});

it.each([
  ['is not there', () => join(dir, 'nowhere'), /ENOENT/],
  ['is too old', () => fakeServer('old', '2.9.10'), /is version 2\.9\.10/],
  ['is no nats-server', () => '/bin/true', /does not answer --version/],
  ['is a directory', () => dir, /EACCES/],
])('a named server that %s is an error, although PATH has a good one', async (_case, make, reason) => {
  fakeServer('bin', '2.12.0');
  const failure = find({ ZESTER_NATS_SERVER: make(), PATH: join(dir, 'bin') });
  await expect(failure).rejects.toMatchObject({ code: 'SERVER_SETTING_UNUSABLE' });
  await expect(failure).rejects.toThrow(reason);
});

it('the cache wins over PATH', async () => {
  const cached = fakeServer('cache/nats-server', '2.10.27');
  fakeServer('bin', '2.12.0');
  const env = { ZESTER_CACHE_DIR: join(dir, 'cache'), PATH: join(dir, 'bin') };
  expect(await find(env)).toEqual({ path: cached, version: '2.10.27', from: 'cache' });
});

it('a cached binary that others may write is not run', () => {
  const cached = fakeServer('cache/nats-server', '2.10.27');
  expect(cachedBinary(join(dir, 'cache'))).toBe(cached);
  chmodSync(cached, 0o777);
  expect(cachedBinary(join(dir, 'cache'))).toBeUndefined();
});

it('a cached binary in a directory that others may write is not run', () => {
  fakeServer('cache/nats-server', '2.10.27');
  chmodSync(join(dir, 'cache'), 0o777);
  expect(cachedBinary(join(dir, 'cache'))).toBeUndefined();
});

it('an old server in PATH is passed over for a newer one further on', async () => {
  fakeServer('old', '2.9.10');
  const good = fakeServer('good', '2.11.3');
  const env = { ZESTER_CACHE_DIR: join(dir, 'cache'), PATH: `${join(dir, 'old')}:${join(dir, 'good')}` };
  expect(await find(env)).toEqual({ path: good, version: '2.11.3', from: 'system' });
});

it.skipIf(SYSTEM_HAS_ONE)('the message names all that was tried and what to do', async () => {
  const old = fakeServer('old', '2.9.10');
  const failure = find({ ZESTER_CACHE_DIR: join(dir, 'cache'), PATH: join(dir, 'old') });
  await expect(failure).rejects.toThrow(`cache: nothing in ${join(dir, 'cache')}`);
  await expect(failure).rejects.toThrow(`PATH: ${old} is version 2.9.10`);
  await expect(failure).rejects.toMatchObject({
    code: 'SERVER_NOT_FOUND',
    hint: expect.stringContaining('ZESTER_NATS_SERVER'),
  });
});

it('the cache is where the user says, else XDG, else HOME, else a directory of ours under the temporary one', () => {
  expect(cacheDirs({ ZESTER_CACHE_DIR: '/c', HOME: '/h' })).toEqual(['/c']);
  const own = `/tmp/zester-${process.getuid?.()}`;
  expect(cacheDirs({ XDG_CACHE_HOME: '/x', HOME: '/h' })).toEqual(['/x/zester', '/h/.cache/zester', own]);
  expect(cacheDirs({ HOME: '/nonexistent' })).toEqual([own]);
  expect(cacheDirs({ HOME: 'relative', TMPDIR: '/t' })).toEqual([`/t/zester-${process.getuid?.()}`]);
});

it('a home that cannot be written is passed over', () => {
  const blocked = join(dir, 'file');
  writeFileSync(blocked, '');
  expect(writableServerDir({ HOME: blocked, TMPDIR: dir })).toBe(
    join(dir, `zester-${process.getuid?.()}`, 'nats-server'),
  );
});
