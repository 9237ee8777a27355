/**
 * The record of a program on disk (process-record.ts), and the process group that it names.
 *
 * A program that is to be on record is started behind a gate: a shell that waits for a line on descriptor 3, closes it and
 * becomes the program, with the same pid. The line is sent when the record is written. Whoever kills us before that closes
 * the descriptor, and the shell ends without having done anything; so there is no moment in which a program works and
 * nobody could know of it.
 */
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { Errno, errnoOf, reasonOf } from '../errno.ts';
import type { Recorded } from '../process-calls.ts';
import { processRecordLine, readProcessRecord } from '../process-record.ts';
import { listProcesses, readProcess } from './linux-process-tree.ts';

const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';
const SHELL_NAME = /^[A-Za-z_]\w*$/;
/** Variables that one shell or another sets itself, and hands on or not. */
const OWNED_BY_SHELLS =
  /^(_|PWD|OLDPWD|SHLVL|IFS|OPT(IND|ARG|ERR)|PPID|LINENO|PS[0-4]|E?UID|GROUPS|RANDOM|SECONDS|SHELLOPTS|BASH.*)$/;
const GATE = 'read -r go <&3 || exit 125; exec 3<&-; unset go PWD OLDPWD SHLVL; exec "$@"';

/**
 * What to start instead. Undefined where a variable would not come through a shell as it is: such a program starts at once,
 * and a kill in that very moment leaves no record of it.
 */
export function gated(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): readonly [string, ...string[]] | undefined {
  const comesThrough = (name: string) => SHELL_NAME.test(name) && !OWNED_BY_SHELLS.test(name);
  return Object.keys(env).every(comesThrough) ? ['/bin/sh', '-c', GATE, 'sh', ...argv] : undefined;
}

/** Fails with an errno when it cannot be written: then the program must not go on. */
export function writeProcessRecord(path: string, pid: number): void {
  // One that has ended already is in nobody's way.
  const start = readProcess(pid)?.start ?? '0';
  try {
    writeFileSync(path, processRecordLine({ boot: bootId(), pid, start }), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw new Errno(errno, `its record ${path} cannot be written: ${reasonOf(error, errno)}`);
  }
}

export function removeProcessRecord(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Found at the next start, it names a process that is no more.
  }
}

export function recordedGroup(bytes: Uint8Array): Recorded {
  const record = readProcessRecord(bytes);
  if (record?.boot !== bootId()) return { is: 'gone' };
  const { pid, start } = record;
  // A program that has ended by itself may leave something running, and that is left alone, as always.
  if (readProcess(pid)?.start !== start) return { is: 'gone' };
  const treeAlive = () => [...listProcesses().values()].some(({ group }) => group === pid);
  return { is: 'alive', pid, group: { signalTree: (signal) => signalGroup(pid, signal), treeAlive } };
}

/** As long as one of its members lives, the number of a group is not given out again. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone since we looked, or a program that an unprivileged peel may not signal: who looks again knows.
  }
}

function bootId(): string {
  return readFileSync(BOOT_ID_FILE, 'latin1').trim();
}
