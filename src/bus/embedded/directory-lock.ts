/**
 * One supervisor for each directory. nats-server has no lock of its own: a second one on the same store starts
 * happily and destroys it (reference/nats.md, section 3).
 *
 * The lock is an abstract unix socket named after the directory's real path. Safety: the kernel lets one process bind
 * a name. Liveness: the kernel frees it at the holder's death, however it dies, so there is nothing stale to judge and
 * nothing on disk. The holder tells whoever connects its pid and since when it holds, for the message of the refused.
 *
 * It holds inside one network namespace: two containers that share a directory are not kept apart.
 */
import { createHash } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';
import { zesterError } from '../../core/errors/zester-error.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/time.ts';

export interface DirectoryLock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number | 'unknown';
  readonly since: string;
}

const TRIES_MAX = 5;
const RETRY_MS = 100;
const ANSWER_MS_MAX = 1_000;
const ANSWER_CHARS_MAX = 1_024;

/** Takes the lock at once or throws SERVER_DIR_IN_USE. */
export async function lockDirectory(clock: Clock, realDir: string): Promise<DirectoryLock> {
  const name = `\0zester-nats-${createHash('sha256').update(realDir).digest('hex').slice(0, 32)}`;
  for (let tries = 1; ; tries++) {
    const server = await listen(clock, name);
    if (server !== undefined)
      return { release: () => new Promise((resolve) => server.close(() => resolve())) };
    const holder = await askHolder(clock, name);
    if (holder === undefined && tries < TRIES_MAX) {
      // It was let go between our two looks.
      await sleep(clock, RETRY_MS);
      continue;
    }
    const { pid, since } = holder ?? { pid: 'unknown', since: 'unknown' };
    throw zesterError('SERVER_DIR_IN_USE', { dir: realDir, pid, since });
  }
}

/** Undefined when someone else has the name. */
function listen(clock: Clock, name: string): Promise<Server | undefined> {
  const answer = JSON.stringify({ pid: process.pid, since: formatRfc3339(nanosFromMs(clock.nowMs())) });
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      // Whoever asks may hang up before it has read the answer; that is its affair.
      socket.on('error', () => socket.destroy());
      socket.end(answer);
    });
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    // The lock alone must not keep a program alive: the kernel frees it at the exit.
    server.listen(name, () => resolve(server.unref()));
  });
}

/** Undefined when nobody is there any more; a holder that does not answer is one without a pid. */
function askHolder(clock: Clock, name: string): Promise<Holder | undefined> {
  return new Promise((resolve) => {
    const socket = connect(name);
    let text = '';
    const end = (holder: Holder | undefined) => {
      timer.cancel();
      socket.destroy();
      resolve(holder);
    };
    const timer = clock.after(ANSWER_MS_MAX, () => end({ pid: 'unknown', since: 'unknown' }));
    socket.on('error', () => end(undefined));
    socket.on('data', (chunk) => {
      text = (text + chunk.toString('utf8')).slice(0, ANSWER_CHARS_MAX);
    });
    socket.on('end', () => end(parseHolder(text)));
  });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, since } = JSON.parse(text) as { pid?: unknown; since?: unknown };
    return typeof pid === 'number' && typeof since === 'string' ? { pid, since } : undefined;
  } catch {
    // It died while it answered.
    return undefined;
  }
}
