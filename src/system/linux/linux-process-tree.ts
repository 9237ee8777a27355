/**
 * `LinuxProcessTree` is a program and its descendants, as /proc shows them.
 *
 * Members are: the leader, its process group, its session, and the children of members. A pid is only trusted together
 * with its start time: Linux gives numbers out again. Once found, a member stays one until it is gone, also when its
 * parent dies and it becomes a child of init. A process that leaves group and session is found only while its parent
 * lives; Node cannot make us a subreaper (PR_SET_CHILD_SUBREAPER), which would close that gap.
 *
 * The scan is synchronous on purpose: the less happens between looking and signalling, the better.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseProcStat, type SeenProcess } from '../../core/proc-stat.ts';

/** Each round stops what the one before had forked; a tree that still grows after this is killed as far as seen. */
const FREEZE_ROUNDS_MAX = 20;

export class LinuxProcessTree {
  private readonly leader: number;
  /** Members by pid, as of the last scan. */
  private members = new Map<number, SeenProcess>();

  constructor(leader: number) {
    this.leader = leader;
    // The leader cannot have been replaced yet: Node has not been back to its event loop to collect it.
    const seen = readProcess(leader);
    if (seen !== undefined) this.members.set(leader, seen);
  }

  alive(): boolean {
    this.scan();
    return this.members.size > 0;
  }

  terminate(): void {
    this.scan();
    this.signalAll('SIGTERM');
  }

  /** Stops everything until nothing new appears, then kills: what is stopped cannot fork away from the killing. */
  kill(): void {
    this.signalAll('SIGSTOP');
    for (let round = 0; round < FREEZE_ROUNDS_MAX && this.scan(); round++) this.signalAll('SIGSTOP');
    this.signalAll('SIGKILL');
  }

  /** True when it found a member that the scan before had not. */
  private scan(): boolean {
    const now = listProcesses();
    const members = new Map<number, SeenProcess>();
    for (const [pid, member] of this.members) {
      const process = now.get(pid);
      if (process?.start === member.start) members.set(pid, process);
    }
    // Group and session bear the leader's pid, which cannot be given out again while a member still carries it.
    const groupLives = [...members.values()].some((member) => this.inGroupOrSession(member));
    for (let grown = true; grown; ) {
      grown = false;
      for (const process of now.values()) {
        if (members.has(process.pid)) continue;
        if (!members.has(process.parent) && !(groupLives && this.inGroupOrSession(process))) continue;
        members.set(process.pid, process);
        grown = true;
      }
    }
    const grew = [...members.keys()].some((pid) => !this.members.has(pid));
    this.members = members;
    return grew;
  }

  private inGroupOrSession(process: SeenProcess): boolean {
    return process.group === this.leader || process.session === this.leader;
  }

  private signalAll(signal: NodeJS.Signals): void {
    for (const pid of this.members.keys()) {
      try {
        process.kill(pid, signal);
      } catch {
        // Gone since the scan, or a set-uid program that an unprivileged peel may not signal: the next scan tells.
      }
    }
  }
}

export function listProcesses(): Map<number, SeenProcess> {
  const processes = new Map<number, SeenProcess>();
  for (const name of readdirSync('/proc')) {
    const process = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    if (process !== undefined) processes.set(process.pid, process);
  }
  return processes;
}

export function readProcess(pid: number): SeenProcess | undefined {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // It ended while we looked: for every question asked here that is the same as not being there.
    return undefined;
  }
}
