/**
 * This is the Processes port on top of an adapter's calls: who runs it, in what environment, and how it is brought to
 * an end.
 */
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { within } from '../runtime/abortable-wait.ts';
import { type Clock, sleep } from '../runtime/clock.ts';
import type { Accounts, User } from './accounts.ts';
import { CappedOutput } from './capped-output.ts';
import { Errno, errnoOf, reasonOf } from './errno.ts';
import type { ReadFiles } from './files.ts';
import type {
  Identity,
  ProcessCalls,
  ProcessExit,
  ProcessHandle,
  Signalled,
  StartSpec,
} from './process-calls.ts';
import {
  DRAIN_MS,
  KILL_GRACE_MS,
  KILL_WAIT_MS,
  type Leftover,
  OUTPUT_BYTES_MAX,
  type Processes,
  type ProcessRunOptions,
  type RunRequest,
  type RunResult,
} from './processes.ts';

export interface ProcessParts {
  readonly calls: ProcessCalls;
  readonly accounts: Accounts;
  readonly files: Pick<ReadFiles, 'stat'>;
  readonly clock: Clock;
}

export function processesOn(parts: ProcessParts): Processes {
  return {
    run: (request) => run(parts, request),
    endLeftover: (record) => endLeftover(parts, record),
  };
}

async function run(parts: ProcessParts, request: RunRequest): Promise<RunResult> {
  const { clock, calls } = parts;
  const stdout = new CappedOutput(request.stdoutBytesMax ?? OUTPUT_BYTES_MAX);
  const stderr = new CappedOutput(request.stderrBytesMax ?? OUTPUT_BYTES_MAX);
  const startedMs = clock.monotonicMs();
  const answer = (endedBy: RunResult['endedBy'], exit: ProcessExit, outputLeftOpen: boolean): RunResult => ({
    endedBy,
    exitCode: exit.exitCode,
    signal: exit.signal,
    stdout: stdout.output(),
    stderr: stderr.output(),
    outputLeftOpen,
    durationMs: clock.monotonicMs() - startedMs,
  });

  const user = await userOf(parts, request.user);
  const identity = await identityOf(parts, user);
  const spec: StartSpec = {
    argv: 'argv' in request ? request.argv : ['/bin/sh', '-c', request.shell],
    cwd: request.cwd ?? '/',
    env: { ...cleanEnvironment(user), ...request.env },
    identity,
    stdin: request.stdin,
    record: request.record,
    onStdout: stdout.take,
    onStderr: stderr.take,
  };
  if (request.signal?.aborted === true) return answer('abort', NO_EXIT, false);
  const running = await start(parts, calls, spec);
  const { endedBy, exit } = await superviseToEnd(clock, running, request);
  return answer(endedBy, exit, await drain(clock, running));
}

/** The user the program runs as; undefined when that is us and /etc/passwd does not know us. */
async function userOf(
  { calls, accounts }: ProcessParts,
  name: string | undefined,
): Promise<User | undefined> {
  const user = await accounts.user(name ?? calls.uid);
  if (user === undefined && name !== undefined) throw zesterError('USER_UNKNOWN', { user: name });
  return user;
}

/** What to become; undefined when we are that already. */
async function identityOf(
  { calls, accounts }: ProcessParts,
  user: User | undefined,
): Promise<Identity | undefined> {
  if (user === undefined || user.uid === calls.uid) return undefined;
  if (calls.uid !== 0)
    throw zesterError('USER_SWITCH_DENIED', { user: user.name, reason: 'only root can become another user' });
  return { name: user.name, uid: user.uid, gid: user.gid, groupIds: await accounts.groupIdsOf(user) };
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Made from nothing: our own environment may hold credentials, and NODE_* would change programs written in Node. */
function cleanEnvironment(user: User | undefined): Record<string, string> {
  const base = { PATH, LANG: 'C.UTF-8' };
  if (user === undefined) return { ...base, HOME: '/', SHELL: '/bin/sh' };
  return { ...base, HOME: user.home, USER: user.name, LOGNAME: user.name, SHELL: user.shell };
}

async function start({ files }: ProcessParts, calls: ProcessCalls, spec: StartSpec): Promise<ProcessHandle> {
  try {
    refuseUnspeakable(spec);
    // Asked before: the kernel says ENOENT for a missing directory and for a missing program alike.
    const directory = await files.stat(spec.cwd);
    if (directory === undefined) throw new Errno('ENOENT', `no working directory ${spec.cwd}`);
    if (directory.kind !== 'directory') throw new Errno('ENOTDIR', `${spec.cwd} is not a directory`);
    return await calls.start(spec);
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === undefined || isZesterError(cause)) throw cause;
    const reason = reasonOf(cause, errno);
    throw zesterError('PROCESS_START_FAILED', { program: spec.argv[0], reason, errno }, { cause });
  }
}

/** The kernel takes arguments and variables as text that ends at the first NUL. */
function refuseUnspeakable({ argv, env, record }: StartSpec): void {
  if (argv[0] === '') throw new Errno('ENOENT', 'the command is empty');
  if ([...argv, ...Object.entries(env).flat()].some((text) => text.includes('\0')))
    throw new Errno('EINVAL', 'an argument or variable holds a NUL character');
  if (Object.keys(env).some((name) => name === '' || name.includes('=')))
    throw new Errno('EINVAL', 'a variable has no name, or an = in it');
  // A shell and env stand in front of it (linux-process-record.ts), and would take its name for something else.
  if (record !== undefined && /^-|=/.test(argv[0]))
    throw new Errno('EINVAL', 'its name begins with - or has an = in it: start it with /bin/sh -c');
}

const NO_EXIT: ProcessExit = { exitCode: undefined, signal: undefined };

async function superviseToEnd(
  clock: Clock,
  running: ProcessHandle,
  options: ProcessRunOptions,
): Promise<{ readonly endedBy: RunResult['endedBy']; readonly exit: ProcessExit }> {
  const endedBy = await firstEnd(clock, running, options);
  if (endedBy === 'exit') return { endedBy, exit: await running.exited };
  await terminate(clock, running);
  return { endedBy, exit: (await within(clock, KILL_WAIT_MS, running.exited)) ?? NO_EXIT };
}

function firstEnd(
  clock: Clock,
  running: ProcessHandle,
  { timeoutMs, signal }: ProcessRunOptions,
): Promise<RunResult['endedBy']> {
  return new Promise((resolve) => {
    const end = (by: RunResult['endedBy']) => {
      timer.cancel();
      signal?.removeEventListener('abort', onAbort);
      resolve(by);
    };
    const onAbort = () => end('abort');
    const timer = clock.after(timeoutMs, () => end('timeout'));
    signal?.addEventListener('abort', onAbort, { once: true });
    // The signal may have come while the program was being started.
    if (signal?.aborted === true) end('abort');
    void running.exited.then(() => end('exit'));
  });
}

const TREE_POLL_MS_MIN = 20;
const TREE_POLL_MS_MAX = 250;

/** Asks, waits, kills. Returns early when nothing of the tree is left. */
async function terminate(clock: Clock, running: Signalled): Promise<void> {
  running.signalTree('SIGTERM');
  if (!(await isGoneWithin(clock, running, KILL_GRACE_MS))) running.signalTree('SIGKILL');
}

async function isGoneWithin(clock: Clock, running: Signalled, waitMs: number): Promise<boolean> {
  const untilMs = clock.monotonicMs() + waitMs;
  let pollMs = TREE_POLL_MS_MIN;
  while (running.treeAlive() && clock.monotonicMs() < untilMs) {
    await sleep(clock, Math.min(pollMs, untilMs - clock.monotonicMs()));
    pollMs = Math.min(pollMs * 2, TREE_POLL_MS_MAX);
  }
  return !running.treeAlive();
}

async function endLeftover({ calls, clock }: ProcessParts, record: Uint8Array): Promise<Leftover> {
  const found = calls.recorded(record);
  if (found.is !== 'alive') return found;
  const { pid, group } = found;
  await terminate(clock, group);
  return { is: (await isGoneWithin(clock, group, KILL_WAIT_MS)) ? 'ended' : 'alive', pid };
}

const DRAIN_STEPS = 5;

/**
 * Waits for the last of the output. In steps, so that after a stall of the event loop what is in the pipes is read
 * before time is up. True when it was still open at the end.
 */
async function drain(clock: Clock, running: ProcessHandle): Promise<boolean> {
  const closed = running.outputClosed.then(() => true);
  for (let step = 0; step < DRAIN_STEPS; step++)
    if ((await within(clock, DRAIN_MS / DRAIN_STEPS, closed)) === true) return false;
  running.abandonOutput();
  return true;
}
