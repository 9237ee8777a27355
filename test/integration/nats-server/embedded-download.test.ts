/**
 * The download of Debian's package, with a mirror on this disk: what is not signed by Debian is never unpacked. That a
 * real download works is proven by the set-up step of every fresh machine.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { downloadServer } from '../../../src/nats-server/debian-download.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-download-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** An archive that looks like Debian's, with a nats-server, signed by nobody. */
function unsignedMirror(): string {
  const mirror = join(dir, 'mirror', 'debian');
  const suite = join(mirror, 'dists', 'trixie');
  for (const arch of ['amd64', 'arm64']) {
    mkdirSync(join(suite, 'main', `binary-${arch}`), { recursive: true });
    const fields = [
      'Package: nats-server',
      'Version: 99',
      `Architecture: ${arch}`,
      'Filename: pool/x.deb',
      '',
    ];
    writeFileSync(join(suite, 'main', `binary-${arch}`, 'Packages'), fields.join('\n'));
  }
  writeFileSync(
    join(suite, 'Release'),
    'Suite: trixie\nCodename: trixie\nArchitectures: amd64 arm64\nComponents: main\n',
  );
  return `file:${mirror}`;
}

function download(mirror: string, lines: string[] = []) {
  const aptDir = join(dir, 'apt');
  mkdirSync(aptDir);
  writeFileSync(join(aptDir, 'sources.list'), `deb [trusted=yes] ${mirror} bookworm main\n`);
  const env = { ...process.env, ZESTER_CACHE_DIR: join(dir, 'cache') };
  return downloadServer({ env, clock: systemClock, say: (line) => lines.push(line), aptDir });
}

it('a mirror that Debian did not sign is refused, also where the machine calls it trusted', async () => {
  const said: string[] = [];
  const mirror = unsignedMirror();
  expect(await download(mirror, said)).toEqual({
    done: false,
    reason: expect.stringMatching(/apt-get update: .*(?:not signed|does not have a Release file|signature)/i),
  });
  expect(said.join()).toContain(mirror);
});

it('a mirror that is not there is a reason in one line, and leaves nothing behind', async () => {
  const download1 = await download(`file:${join(dir, 'nowhere', 'debian')}`);
  expect(download1).toEqual({
    done: false,
    reason: expect.stringMatching(/nowhere\/debian: apt-get update: \S/),
  });
  expect(JSON.stringify(download1)).not.toContain('\\n');
  const serverDir = join(dir, 'cache', 'nats-server');
  expect(existsSync(serverDir) && readdirSync(serverDir)).toEqual([]);
});

it('what a killed download left is removed by the next one', async () => {
  const leftover = join(dir, 'cache', 'nats-server', 'work-999999999-abc');
  mkdirSync(leftover, { recursive: true });
  await download(`file:${join(dir, 'nowhere', 'debian')}`);
  expect(existsSync(leftover)).toBe(false);
});
