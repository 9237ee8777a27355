/**
 * The directory of an embedded server, and the two things in it that we write. Only the holder of the directory's
 * lock writes here (directory-lock.ts).
 *
 *   nats.conf      written before each start. If we die right after: the next start writes it again; a server that
 *                  still runs on older settings is known by its fingerprint (orphans.ts) and replaced.
 *   port           the port that clients know, written once a server listens on it. If we die before: the next start
 *                  finds that server, learns the port from its ports file and records it then.
 *   ports/, store/, server.log, nats.pid    nats-server's own.
 *
 * Both are written beside their place, synced and renamed: a reader sees the old text or the new one.
 */
import { mkdir, open, readFile, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface ServerDir {
  /** Real path, without links. */
  readonly root: string;
  readonly configFile: string;
  readonly storeDir: string;
  readonly portsDir: string;
  readonly pidFile: string;
  readonly logFile: string;
  readonly portFile: string;
}

export const CONFIG_NAME = 'nats.conf';

/** nats-server's word for "take a free one". */
export const ANY_PORT = -1;

/** Made if it is not there, for our eyes only: the store holds everything the fleet knows. */
export async function openServerDir(dir: string): Promise<ServerDir> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const root = await realpath(dir);
  const portsDir = join(root, 'ports');
  await mkdir(portsDir, { recursive: true, mode: 0o700 });
  return {
    root,
    portsDir,
    configFile: join(root, CONFIG_NAME),
    storeDir: join(root, 'store'),
    pidFile: join(root, 'nats.pid'),
    logFile: join(root, 'server.log'),
    portFile: join(root, 'port'),
  };
}

/** The recorded port, or ANY_PORT when none was recorded. A record that is no port counts as none. */
export async function readPort(dir: ServerDir): Promise<number> {
  let text: string;
  try {
    text = await readFile(dir.portFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ANY_PORT;
    throw error;
  }
  const port = Number(text.trim());
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : ANY_PORT;
}

export async function recordPort(dir: ServerDir, port: number): Promise<void> {
  if ((await readPort(dir)) !== port) await replaceFile(dir.portFile, `${port}\n`);
}

export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncPath(dirname(path));
}

/** Makes a file's bytes, or a directory's names, survive a power cut. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
