/**
 * This adapter starts programs with node:child_process. `detached` makes the program leader of a new session and
 * process group.
 *
 * Other users: with the options `uid` and `gid` libuv drops all supplementary groups and sets none, which is right for
 * a user that has none. For the others `setpriv` of util-linux becomes the user and then the program, with the groups
 * we looked up. A program that this user alone may not execute then ends with 126 or 127 and a message of setpriv, as in
 * a shell, where otherwise it is PROCESS_START_FAILED. The same holds behind the gate (linux-process-record.ts).
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { assert } from '../../core/assert.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { Errno, errnoOf } from '../errno.ts';
import type { Identity, ProcessCalls, ProcessExit, ProcessHandle, StartSpec } from '../process-calls.ts';
import { gated, recordedGroup, removeProcessRecord, writeProcessRecord } from './linux-process-record.ts';
import { LinuxProcessTree } from './linux-process-tree.ts';

export function linuxProcessCalls(): ProcessCalls {
  assert(process.geteuid !== undefined, 'Linux has user ids');
  return { uid: process.geteuid(), start, recorded: recordedGroup };
}

async function start(spec: StartSpec): Promise<ProcessHandle> {
  const { identity } = spec;
  if (identity === undefined) return launch(spec, {});
  if (identity.groupIds.every((gid) => gid === identity.gid))
    return launch(spec, { uid: identity.uid, gid: identity.gid });
  const setpriv = await findSetpriv(identity);
  await refuseMissingProgram(spec);
  return launch({ ...spec, argv: [setpriv, ...setprivArguments(identity), ...spec.argv] }, {});
}

async function launch(spec: StartSpec, as: { uid?: number; gid?: number }): Promise<ProcessHandle> {
  const { record } = spec;
  if (record !== undefined) await refuseMissingProgram(spec);
  const { argv, env } = record === undefined ? spec : gated(spec.argv, spec.env);
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    ...as,
    cwd: spec.cwd,
    env,
    detached: true,
    stdio: [
      spec.stdin === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      ...(record === undefined ? [] : ['pipe' as const]),
    ],
  });
  // Everything is listened to before the first wait: the program may say all it has to say and end at once.
  child.stdout?.on('data', spec.onStdout);
  child.stderr?.on('data', spec.onStderr);
  const exited = new Promise<ProcessExit>((resolve) =>
    child.once('exit', (code, signal) => {
      if (record !== undefined) removeProcessRecord(record);
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined });
    }),
  );
  const outputClosed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const isStarted = started(child);
  if (record !== undefined && child.pid !== undefined) openGate(child, record, child.pid);
  await isStarted;
  feed(child, spec.stdin);
  assert(child.pid !== undefined, 'a started program has a pid');
  const tree = new LinuxProcessTree(child.pid);
  return {
    exited,
    outputClosed,
    abandonOutput: () => {
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
    },
    signalTree: (signal) => (signal === 'SIGKILL' ? tree.kill() : tree.terminate()),
    treeAlive: () => tree.alive(),
  };
}

/** Nothing waits between the start and this: see linux-process-record.ts. */
function openGate(child: ChildProcess, record: string, pid: number): void {
  const gate = child.stdio[3];
  try {
    writeProcessRecord(record, pid);
  } catch (error) {
    gate?.destroy();
    throw error;
  }
  if (gate && 'end' in gate) {
    // A program that was killed behind the gate does not read the line, and the write fails.
    gate.on('error', () => undefined);
    gate.end('\n');
  }
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.removeListener('error', reject);
      // From now on an error can only be a signal that was not delivered; we send ours by pid.
      child.on('error', () => undefined);
      resolve();
    });
  });
}

function feed(child: ChildProcess, stdin: Uint8Array | undefined): void {
  // A program may end without reading its input; the broken pipe says nothing that its exit does not.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);
}

function setprivArguments({ uid, gid, groupIds }: Identity): string[] {
  return ['--reuid', `${uid}`, '--regid', `${gid}`, '--groups', groupIds.join(','), '--'];
}

const SETPRIV_PATHS = ['/usr/bin/setpriv', '/bin/setpriv'];
const SETPRIV_TIMEOUT_MS = 5_000;

/** BusyBox has a setpriv too, which cannot do this. */
async function findSetpriv({ name }: Identity): Promise<string> {
  for (const path of SETPRIV_PATHS) {
    const version = await new Promise<string>((resolve) =>
      execFile(path, ['--version'], { timeout: SETPRIV_TIMEOUT_MS, env: {} }, (_, stdout) => resolve(stdout)),
    );
    if (version.includes('util-linux')) return path;
  }
  const reason = 'it has supplementary groups and setpriv of util-linux is not installed';
  throw zesterError('USER_SWITCH_DENIED', { user: name, reason });
}

/** With setpriv or a gate in front, a missing program would look like one that ran and ended with 127. */
async function refuseMissingProgram({ argv: [program], cwd, env }: StartSpec): Promise<void> {
  const directories = program.includes('/') ? [''] : (env.PATH ?? '').split(':').map((entry) => `${entry}/`);
  let worst = new Errno('ENOENT');
  for (const directory of directories) {
    const path = `${directory}${program}`;
    try {
      const found = path.startsWith('/') ? path : `${cwd}/${path}`;
      await access(found, constants.X_OK);
      // What the kernel says of a directory, which one may enter but not run.
      if (!(await stat(found)).isFile()) throw new Errno('EACCES');
      return;
    } catch (error) {
      if (errnoOf(error) === 'EACCES') worst = new Errno('EACCES');
    }
  }
  throw worst;
}
