/**
 * These functions write and read files with keys in them: the one place of this folder that touches the disk
 * (`auth-dir.ts` and `x509/ca-dir.ts` say which files). Synchronous, because credentials are read inside the NATS
 * client's synchronous authenticator, and because the rest happens once, at start.
 *
 * Writing a set: every file is first written and fsynced in a staging folder of its own; only when all of them are
 * there do they take their names. So a full disk or a crash before that point changes nothing. Without `force` a name
 * is taken by link(2), which fails if it exists: of two programs that write the same set, one loses, and takes its own
 * files away again. With `force` it is taken by rename(2), one file after the other, each with the owner that it had; a
 * crash in between leaves whole files of two generations, which the loaders notice because they compare them.
 *
 * A crash leaves the staging folder, with secrets in it. Its name says which process made it, so the next write into the
 * same directory takes it away if that process is gone. One that was made where we cannot see processes (another
 * container, an older Zester) goes when it is an hour older than ours: no write takes that long.
 *
 * Reading a secret: the permissions are checked on the open file, so it cannot be exchanged in between.
 */
import {
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { zesterError } from '../core/errors/zester-error.ts';
import { parseProcStat } from '../core/proc-stat.ts';

export const SECRET_MODE = 0o600;
export const PUBLIC_MODE = 0o644;
const DIRECTORY_MODE = 0o700;
const OTHERS_MASK = 0o077;
const OTHERS_WRITE_MASK = 0o022;
/** Far above any key, JWT or chain of ours. */
const FILE_BYTES_MAX = 1_048_576;
const STAGING_PREFIX = '.new-';
/** `.new-<pid>-<start of the process>-<its world of pids>-<chance>`; an older Zester wrote `.new-<chance>`. */
const STAGING_NAME = /^\.new-(?:(\d+)-(\d+)-(\d+)-)?[A-Za-z0-9]{6}$/;
const STAGING_MS_MAX = 3_600_000;

export interface KeyFile {
  /** Path inside the directory of the set; at most one folder deep. */
  readonly path: string;
  readonly mode: typeof SECRET_MODE | typeof PUBLIC_MODE;
  readonly text: string;
}

export interface KeyWriteOptions {
  /** Replace what is there. */
  readonly force: boolean;
}

export function writeKeyFiles(
  directory: string,
  files: readonly KeyFile[],
  { force }: KeyWriteOptions,
): void {
  const folders = new Set(files.map(({ path }) => dirname(`${directory}/${path}`)));
  for (const folder of [directory, ...folders]) makeDirectory(folder);
  const present = files.find(({ path }) => exists(`${directory}/${path}`));
  if (present !== undefined && !force)
    throw zesterError('TRUST_FILE_EXISTS', { file: `${directory}/${present.path}` });

  const staging = makeStaging(directory);
  try {
    removeAbandoned(directory, lstatSync(staging).mtimeMs);
    const moves = files.map((file, i) => ({
      from: `${staging}/${i}`,
      to: `${directory}/${file.path}`,
      file,
    }));
    for (const { from, to, file } of moves) attempt(to, () => writeDurably(from, file));
    if (force) replaceAll(moves);
    else linkAll(moves);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  for (const folder of folders) syncDirectory(folder);
}

/** A file that only its owner may read. */
export function readSecretFile(path: string): string {
  return readFile(path, (mode) => {
    if ((mode & OTHERS_MASK) !== 0)
      throw zesterError('TRUST_FILE_EXPOSED', { file: path, mode: (mode & 0o777).toString(8) });
  });
}

/** Whether something of that name is there; whether it can be used shows when it is read. */
export function hasSecretFile(path: string): boolean {
  return exists(path);
}

export function readPublicFile(path: string): string {
  return readFile(path, () => {});
}

interface Move {
  readonly from: string;
  readonly to: string;
}

function replaceAll(moves: readonly Move[]): void {
  for (const { from, to } of moves) keepOwner(from, to);
  for (const { from, to } of moves) attempt(to, () => renameSync(from, to));
}

/** Root may renew the files of whoever runs the master, who must be able to read them afterwards. */
function keepOwner(from: string, to: string): void {
  const before = lstatSync(to, { throwIfNoEntry: false });
  const now = lstatSync(from);
  if (before === undefined || (before.uid === now.uid && before.gid === now.gid)) return;
  attempt(to, () => chownSync(from, before.uid, before.gid));
}

function linkAll(moves: readonly Move[]): void {
  const taken: string[] = [];
  try {
    for (const { from, to } of moves) {
      attempt(to, () => linkSync(from, to));
      taken.push(to);
    }
  } catch (error) {
    for (const own of taken) rmSync(own, { force: true });
    throw error;
  }
}

function makeStaging(directory: string): string {
  const maker = makerOf(process.pid);
  const name = maker === undefined ? STAGING_PREFIX : `${STAGING_PREFIX}${maker}-`;
  // mkdtemp makes it 0700 under a name that no other program has.
  return attempt(directory, () => mkdtempSync(`${directory}/${name}`));
}

/** `nowMs` by the clock of the file system, which may be another machine's. */
function removeAbandoned(directory: string, nowMs: number): void {
  for (const name of readdirSync(directory)) {
    const made = STAGING_NAME.exec(name);
    const folder = `${directory}/${name}`;
    try {
      if (made !== null && isAbandoned(made, lstatSync(folder), nowMs)) rmSync(folder, { recursive: true });
    } catch {
      // Another program was faster, or it belongs to someone else: no reason not to write our own files.
    }
  }
}

function isAbandoned([, pid, startTicks, world]: RegExpExecArray, folder: Stats, nowMs: number): boolean {
  if (!folder.isDirectory()) return false;
  if (world === undefined || world !== worldOfPids()) return nowMs - folder.mtimeMs > STAGING_MS_MAX;
  return makerOf(Number(pid)) !== `${pid}-${startTicks}-${world}`;
}

/** Names a process: its pid is used again in time, together with its start it is not. Undefined when there is none. */
function makerOf(pid: number): string | undefined {
  try {
    const startTicks = parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.start;
    const world = worldOfPids();
    return startTicks === undefined || world === undefined ? undefined : `${pid}-${startTicks}-${world}`;
  } catch {
    return undefined;
  }
}

/** Pids mean something inside one pid namespace only. */
function worldOfPids(): string | undefined {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
  } catch {
    return undefined;
  }
}

function writeDurably(path: string, content: KeyFile): void {
  const file = openSync(path, 'wx', SECRET_MODE);
  try {
    writeFileSync(file, content.text);
    // The umask may have taken bits away; the table of files decides, not the environment.
    fchmodSync(file, content.mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function attempt<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw zesterError(
      isCode(cause, 'EEXIST') ? 'TRUST_FILE_EXISTS' : 'TRUST_FILE_UNWRITABLE',
      { file },
      { cause },
    );
  }
}

function readFile(path: string, checkMode: (mode: number) => void): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY);
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) throw zesterError('TRUST_FILE_MISSING', { file: path }, { cause });
    throw zesterError('TRUST_FILE_UNREADABLE', { file: path }, { cause });
  }
  try {
    const { mode } = fstatSync(file);
    checkMode(mode);
    return readBounded(file, path);
  } finally {
    closeSync(file);
  }
}

function readBounded(file: number, path: string): string {
  const buffer = Buffer.alloc(FILE_BYTES_MAX + 1);
  let length = 0;
  try {
    for (let got = 1; got > 0 && length < buffer.length; length += got)
      got = readSync(file, buffer, length, buffer.length - length, null);
  } catch (cause) {
    throw zesterError('TRUST_FILE_UNREADABLE', { file: path }, { cause });
  }
  if (length > FILE_BYTES_MAX)
    throw zesterError(
      'TRUST_FILE_UNREADABLE',
      { file: path },
      { cause: `it is over ${FILE_BYTES_MAX} bytes` },
    );
  return buffer.toString('utf8', 0, length);
}

function makeDirectory(path: string): void {
  attempt(path, () => makeDirectories(path));
  const { mode } = statSync(path);
  // Whoever may write here could exchange any key for one of their own, whatever the modes of the files.
  if ((mode & OTHERS_WRITE_MASK) !== 0)
    throw zesterError('TRUST_DIRECTORY_EXPOSED', { directory: path, mode: (mode & 0o777).toString(8) });
}

/**
 * Makes a directory and those above it, for their owner only. One by one: Node's own recursive mkdir goes round in
 * circles for ever where a file system refuses new names as "not found", as /proc does.
 */
export function makeDirectories(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  makeDirectories(dirname(path));
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE });
  } catch (error) {
    // Another program may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/** After this the names survive a power cut. */
function syncDirectory(path: string): void {
  const directory = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** A dangling symbolic link exists too: it would be written through or replaced. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown } | null)?.code === code;
}
