/**
 * Gets Debian's nats-server package without root and without touching the system's apt, and puts its binary into our
 * cache (server-cache.ts says what a crash leaves behind). apt itself checks the signatures with Debian's archive
 * keyring; we add nothing and take nothing away.
 *
 * Bounds: at most `MIRRORS_MAX` mirrors are tried (debian-sources.ts), all within `DOWNLOAD_MS_MAX`.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from '../process/process-table.ts';
import { runProgram } from '../process/run-program.ts';
import type { Clock } from '../runtime/clock.ts';
import { aptConfig, aptSources, carriedSettings, DEBIAN_SUITE } from './apt-settings.ts';
import { debianMirrors, type SourcesFile } from './debian-sources.ts';
import { type Env, writableServerDir } from './server-cache.ts';
import { syncPath } from './server-dir.ts';
import { probeServer } from './server-version.ts';

export interface DownloadOptions {
  readonly env: Env;
  readonly clock: Clock;
  readonly say: (line: string) => void;
  /** Where the machine's apt sources are; another place in tests. */
  readonly aptDir?: string;
  /** Ends it, with the programs it runs. Rejects with the signal's reason; nothing is left behind. */
  readonly signal?: AbortSignal;
}

export type Download =
  | { readonly done: true; readonly path: string; readonly version: string }
  | { readonly done: false; readonly reason: string };

const DOWNLOAD_MS_MAX = 10 * 60_000;
const UNPACK_MS_MAX = 60_000;
const APT_DIR = '/etc/apt';
const KEYRINGS = [
  '/usr/share/keyrings/debian-archive-keyring.gpg',
  '/usr/share/keyrings/debian-archive-keyring.pgp',
];

export async function downloadServer(options: DownloadOptions): Promise<Download> {
  const keyring = KEYRINGS.find((path) => existsSync(path));
  if (keyring === undefined)
    return { done: false, reason: 'Debian’s archive keys are not on this machine (debian-archive-keyring)' };
  const serverDir = writableServerDir(options.env);
  await removeLeftovers(serverDir);
  const mirrors = debianMirrors(await machineSources(options.aptDir ?? APT_DIR));
  if (mirrors.length === 0) return { done: false, reason: 'this machine’s apt names no Debian mirror' };
  const endMs = options.clock.monotonicMs() + DOWNLOAD_MS_MAX;
  const reasons: string[] = [];
  for (const mirror of mirrors) {
    options.say(`downloading Debian’s nats-server (${DEBIAN_SUITE}) from ${mirror}, about 15 MB`);
    const workDir = await mkdtemp(join(serverDir, `work-${process.pid}-`));
    try {
      const got = await downloadFrom({ mirror, keyring, serverDir, workDir, endMs }, options);
      options.signal?.throwIfAborted();
      if (got.done) return got;
      reasons.push(`${mirror}: ${got.reason}`);
    } finally {
      await rm(workDir, { recursive: true, force: true });
    }
  }
  return { done: false, reason: reasons.join('; ') };
}

interface Attempt {
  readonly mirror: string;
  readonly keyring: string;
  readonly serverDir: string;
  readonly workDir: string;
  readonly endMs: number;
}

async function downloadFrom(attempt: Attempt, options: DownloadOptions): Promise<Download> {
  const { env, clock, signal } = options;
  const { workDir, serverDir } = attempt;
  const runIn = (file: string, args: readonly string[], aptConfigFile?: string) =>
    runProgram(clock, {
      file,
      args,
      cwd: workDir,
      env: { ...env, LC_ALL: 'C', ...(aptConfigFile === undefined ? {} : { APT_CONFIG: aptConfigFile }) },
      timeoutMs: Math.max(1, attempt.endMs - clock.monotonicMs()),
      ...(signal === undefined ? {} : { signal }),
    });
  const dump = await runIn('apt-config', ['dump']);
  if (!dump.ok) return { done: false, reason: `apt-config: ${dump.reason}` };
  const config = await writeAptFiles(attempt, carriedSettings(dump.output));
  for (const step of [['update'], ['download', 'nats-server']]) {
    const run = await runIn('apt-get', ['-q', ...step], config);
    if (!run.ok) return { done: false, reason: `apt-get ${step[0]}: ${aptReason(run.output, run.reason)}` };
  }
  const packageFile = (await readdir(workDir)).find((name) => name.endsWith('.deb'));
  if (packageFile === undefined) return { done: false, reason: 'apt-get download left no package' };
  const unpacked = join(workDir, 'root');
  const unpack = await runProgram(clock, {
    file: 'dpkg-deb',
    args: ['-x', join(workDir, packageFile), unpacked],
    timeoutMs: UNPACK_MS_MAX,
  });
  if (!unpack.ok) return { done: false, reason: `dpkg-deb: ${unpack.reason}` };
  return install(clock, join(unpacked, 'usr/sbin/nats-server'), join(serverDir, 'nats-server'));
}

/** Proves the binary, makes it durable, and only then gives it the name under which it is found. */
async function install(clock: Clock, from: string, to: string): Promise<Download> {
  const probe = await probeServer(clock, from);
  if (!probe.usable) return { done: false, reason: `the downloaded nats-server ${probe.reason}` };
  await chmod(from, 0o755);
  await syncPath(from);
  await rename(from, to);
  return { done: true, path: to, version: probe.version };
}

async function writeAptFiles(attempt: Attempt, carried: readonly string[]): Promise<string> {
  const { workDir, mirror, keyring } = attempt;
  const sourcesFile = join(workDir, 'debian.sources');
  const configFile = join(workDir, 'apt.conf');
  await mkdir(join(workDir, 'lists', 'partial'), { recursive: true });
  await mkdir(join(workDir, 'cache', 'archives', 'partial'), { recursive: true });
  await writeFile(join(workDir, 'status'), '');
  await writeFile(sourcesFile, aptSources(mirror, keyring));
  await writeFile(configFile, aptConfig({ workDir, sourcesFile }, carried));
  return configFile;
}

/** What apt says went wrong: its first error line, without the tag. */
function aptReason(output: string, otherwise: string): string {
  const lines = output.split('\n');
  const line =
    lines.find((text) => /^(Err|E):/.test(text) && /[Cc]ould not|[Cc]annot|[Uu]nable|sign/.test(text)) ??
    lines.find((text) => /^[EW]: /.test(text)) ??
    otherwise;
  return line.replace(/^[EW]: /, '').trim();
}

async function machineSources(aptDir: string): Promise<SourcesFile[]> {
  const names = await readdir(join(aptDir, 'sources.list.d')).catch(() => []);
  const paths = [
    join(aptDir, 'sources.list'),
    ...names
      .filter((name) => /\.(list|sources)$/.test(name))
      .sort()
      .map((name) => join(aptDir, 'sources.list.d', name)),
  ];
  const files = await Promise.all(
    // A file we may not read names a mirror we cannot know; the others, or Debian's default, serve.
    paths.map(async (name) => ({ name, text: await readFile(name, 'utf8').catch(() => '') })),
  );
  return files.filter((file) => file.text !== '');
}

/** Directories of downloads whose process is gone. */
async function removeLeftovers(serverDir: string): Promise<void> {
  for (const name of await readdir(serverDir)) {
    const pid = /^work-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isProcessAlive(Number(pid)))
      await rm(join(serverDir, name), { recursive: true, force: true });
  }
}
