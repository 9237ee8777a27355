/**
 * Reads what Linux says about processes. A pid alone does not name a process: it is given again after the process ends.
 * A pid with its start time (clock ticks since boot) does, until the next boot; where it is written down, the boot is
 * added (`worldOfPids`).
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { parseProcStat } from '../core/proc-stat.ts';

export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: string;
}

/** In what pids and start times mean something: one boot of the machine, and one container of it. */
export function worldOfPids(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** Who has this pid now; undefined when nobody has, or when it has ended and waits for its parent to notice. */
export function processIdentity(pid: number): ProcessIdentity | undefined {
  const seen = parseProcStat(readProc(pid, 'stat')?.toString('latin1') ?? '');
  return seen === undefined ? undefined : { pid, startTicks: seen.start };
}

export function isSameProcess(process: ProcessIdentity): boolean {
  return processIdentity(process.pid)?.startTicks === process.startTicks;
}

export function isProcessAlive(pid: number): boolean {
  return processIdentity(pid) !== undefined;
}

/** False when that process is gone or its pid belongs to another one now. */
export function signalProcess(target: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isSameProcess(target)) return false;
  try {
    process.kill(target.pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

export interface CalledProcess extends ProcessIdentity {
  readonly args: readonly string[];
}

/** Processes whose command line is what we look for. The arguments of other users' processes can be seen as well. */
export function processesCalled(isWanted: (args: readonly string[]) => boolean): CalledProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const identity = /^\d+$/.test(name) ? processIdentity(Number(name)) : undefined;
    if (identity === undefined) return [];
    const args = nulTexts(identity.pid, 'cmdline');
    return isWanted(args) ? [{ ...identity, args }] : [];
  });
}

export interface DirectoryUser extends CalledProcess {
  readonly env: ReadonlyMap<string, string>;
}

/**
 * Processes whose working directory is this directory, by device and inode: true across renames, links and mount
 * namespaces, where a path is not. Other users' processes cannot be seen by an ordinary user and cannot be ours.
 */
export function processesIn(dir: string): DirectoryUser[] {
  const own = statSync(dir);
  const users: DirectoryUser[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || !standsIn(name, own)) continue;
    const identity = processIdentity(Number(name));
    if (identity === undefined) continue;
    users.push({ ...identity, args: nulTexts(identity.pid, 'cmdline'), env: environment(identity.pid) });
  }
  return users;
}

function standsIn(pid: string, dir: { readonly dev: number; readonly ino: number }): boolean {
  try {
    const cwd = statSync(`/proc/${pid}/cwd`);
    return cwd.dev === dir.dev && cwd.ino === dir.ino;
  } catch {
    // Gone, a kernel thread, or another user's.
    return false;
  }
}

function environment(pid: number): Map<string, string> {
  return new Map(
    nulTexts(pid, 'environ').map((entry) => {
      const equals = entry.indexOf('=');
      return [entry.slice(0, equals), entry.slice(equals + 1)];
    }),
  );
}

function nulTexts(pid: number, file: string): string[] {
  return readProc(pid, file)?.toString('utf8').split('\0').slice(0, -1) ?? [];
}

function readProc(pid: number, file: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    // The process ended between two looks, or it is another user's.
    return undefined;
  }
}
