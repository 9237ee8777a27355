/**
 * These functions write the record of a program to disk (process-record.ts), and find the process group that it names.
 *
 * A program that is to be on record is started behind a gate: a shell that waits for a line on descriptor 3, closes it and
 * becomes the program, with the same pid. The line is sent when the record is written. Whoever kills us before that closes
 * the descriptor, and the shell ends without having done anything; so there is no moment in which a program works and
 * nobody could know of it.
 *
 * The program cannot tell that there was a gate. Who starts it can, if the kernel refuses it only then: a script whose
 * interpreter is missing ends with 126 or 127 and a message of the shell, where otherwise it is PROCESS_START_FAILED.
 */
import { readFileSync, readlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { assert } from '../../core/assert.ts';
import { Errno, errnoOf, reasonOf } from '../errno.ts';
import type { Recorded } from '../process-calls.ts';
import { isNumberStillOurs, processRecordLine, readProcessRecord } from '../process-record.ts';
import { listProcesses, readProcess } from './linux-process-tree.ts';

const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';
const PIDS_MAX_FILE = '/proc/sys/kernel/pid_max';
const SHELL_NAME = /^[A-Za-z_]\w*$/;
/** Variables that one shell or another sets, reads or complains about itself, and hands on or not. */
const OWNED_BY_SHELLS =
  /^(_|PWD|OLDPWD|SHLVL|IFS|OPT(IND|ARG|ERR)|PPID|LINENO|PS[0-4]|E?UID|GROUPS|S?RANDOM|SECONDS|EPOCH\w+|TMOUT|HISTCMD|DIRSTACK|FUNCNAME|PIPESTATUS|COMP_\w+|LC_\w+|SHELLOPTS|BASH\w*)$/;
const ENV = '/usr/bin/env';
/**
 * `read` may overwrite `_`: it is among the variables that are passed behind the gate. Bash makes a new SHLVL whenever it
 * becomes a program.
 */
const GATE = `read -r _ <&3 || exit 125; exec 3<&-; unset PWD OLDPWD SHLVL; exec \${BASH_VERSION:+${ENV} -u SHLVL} "$@"`;

/**
 * What to start instead, and with what environment. Variables that would not come through a shell as they are come behind
 * the gate, as arguments of `env`; for a moment everybody on the machine can read those in the list of processes.
 */
export function gated(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> } {
  const comesThrough = ([name]: [string, string]) => SHELL_NAME.test(name) && !OWNED_BY_SHELLS.test(name);
  const behind = Object.entries(env).filter((entry) => !comesThrough(entry));
  const handOver =
    behind.length === 0 ? [] : [ENV, '--', ...behind.map(([name, value]) => `${name}=${value}`)];
  return {
    argv: ['/bin/sh', '-c', GATE, 'sh', ...handOver, ...argv],
    env: Object.fromEntries(Object.entries(env).filter(comesThrough)),
  };
}

/** Fails with an errno when it cannot be written: then the program must not go on. */
export function writeProcessRecord(path: string, pid: number): void {
  // A program that has ended already gets the start 0, which no living process has.
  const start = readProcess(pid)?.start ?? '0';
  try {
    writeFileSync(path, processRecordLine({ boot: worldOfPids(), pid, forks: forksSinceBoot(), start }), {
      flag: 'wx',
      mode: 0o600,
    });
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
    // A record that stays is harmless: at the next start it names a process that is gone.
  }
}

export function recordedGroup(bytes: Uint8Array): Recorded {
  const record = readProcessRecord(bytes);
  if (record?.boot !== worldOfPids()) return { is: 'gone' };
  const { pid, start } = record;
  const leader = readProcess(pid);
  // As long as one of its members lives, the number of a group is not given out again: another leader means that all are gone.
  if (leader !== undefined && leader.start !== start) return { is: 'gone' };
  // Killing us closed its output: it may have died of that at its next line, and its group works on.
  const members = () => [...listProcesses().values()].filter(({ group }) => group === pid);
  const isOurs = () => isNumberStillOurs(record, forksSinceBoot(), pidsMax());
  if (leader === undefined && !(members().some(({ session }) => session === pid) && isOurs()))
    return { is: 'gone' };
  const treeAlive = () => members().length > 0;
  return { is: 'alive', pid, group: { signalTree: (signal) => signalGroup(pid, signal), treeAlive } };
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone since we looked, or a program that an unprivileged peel may not signal: who looks again knows.
  }
}

/** Pids mean something within one boot and one pid namespace only. */
function worldOfPids(): string {
  return `${readFileSync(BOOT_ID_FILE, 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
}

function forksSinceBoot(): number {
  const found = /^processes (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'));
  assert(found !== null, '/proc/stat counts processes');
  return Number(found[1]);
}

function pidsMax(): number {
  return Number(readFileSync(PIDS_MAX_FILE, 'latin1'));
}
