/**
 * This adapter runs programs that are functions. They live in the clock of the machine, so a timeout of an hour passes
 * in no time, and the same run comes out the same every time.
 *
 * SIGTERM ends a program that has not asked to ignore it, SIGKILL ends any; an ended program's calls never answer, so
 * that a function that goes on in the background can do no more harm. Unlike on Linux the whole tree is always found.
 */
import type { Clock } from '../../runtime/clock.ts';
import { Errno } from '../errno.ts';
import type { Files } from '../files.ts';
import type {
  ProcessCalls,
  ProcessExit,
  ProcessHandle,
  Recorded,
  Signalled,
  StartSpec,
} from '../process-calls.ts';
import { processRecordLine, readProcessRecord } from '../process-record.ts';
import type { Gate } from './memory-gate.ts';
import type { Credentials } from './memory-paths.ts';

/** Returns the exit code. One that throws ends with 1 and its message on stderr. */
export type FakeProgram = (process: FakeProcess) => number | Promise<number>;

/** Finds the program of a command; undefined is ENOENT. A shell command comes as `/bin/sh -c <text>`. */
export type ProgramTable = (argv: readonly string[]) => FakeProgram | undefined;

export interface FakeProcess {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly as: Credentials;
  readonly stdin: Uint8Array;
  /** The disk of the machine, as the user the program runs as. */
  readonly files: Files;
  print(output: string | Uint8Array): void;
  printError(output: string | Uint8Array): void;
  sleep(delayMs: number): Promise<void>;
  ignoreTerm(): void;
  /** Waits for a dead disk: no signal ends it until this function returns. */
  ignoreKill(): void;
  /** Ends at once by this signal, whatever it was doing; never returns. */
  die(signal: string): Promise<never>;
  /** Starts a child that shares the output and may outlive its parent; returns its pid. */
  fork(program: FakeProgram): number;
}

export interface MemoryProcessParts {
  readonly clock: Clock;
  readonly gate: Gate;
  /** Whether who starts the programs lives. */
  readonly alive: () => boolean;
  readonly as: Credentials;
  readonly programs: ProgramTable;
  readonly table: ProcessTable;
  /** Where records of programs are written: at once, and not synced. */
  readonly records: RecordFiles;
  /** Which start of the machine this is. */
  readonly boot: () => string;
  /** The disk as one user, for as long as `alive`. */
  readonly filesAs: (as: Credentials, alive: () => boolean) => Files;
}

export interface RecordFiles {
  write(path: string, text: string): void;
  remove(path: string): void;
}

/** Every fake process that lives on a machine, by pid, which is never given out again. */
export class ProcessTable {
  private pids = 1;
  private readonly living = new Map<number, (signal: string) => void>();
  /** By the pid of their leaders. */
  private readonly groups = new Map<number, Signalled>();

  nextPid(): number {
    return ++this.pids;
  }

  add(pid: number, end: (signal: string) => void): void {
    this.living.set(pid, end);
  }

  addGroup(pid: number, group: Signalled): void {
    for (const [leader, each] of this.groups) if (!each.treeAlive()) this.groups.delete(leader);
    this.groups.set(pid, group);
  }

  /** As long as one of its members lives; its leader may be gone. */
  groupOf(pid: number): Signalled | undefined {
    const group = this.groups.get(pid);
    return group?.treeAlive() === true ? group : undefined;
  }

  remove(pid: number): void {
    this.living.delete(pid);
  }

  alive(pid: number): boolean {
    return this.living.has(pid);
  }

  killAll(): void {
    for (const end of this.living.values()) end('SIGKILL');
  }
}

export function memoryProcessCalls(parts: MemoryProcessParts): ProcessCalls {
  return {
    uid: parts.as.uid,
    start: async (spec) => {
      await parts.gate({ name: 'start', path: spec.argv[0] });
      const program = parts.programs(spec.argv);
      if (program === undefined) throw new Errno('ENOENT');
      const { record } = spec;
      const pid = parts.table.nextPid();
      if (record !== undefined)
        parts.records.write(
          record,
          processRecordLine({ boot: parts.boot(), pid, forks: 0, start: FAKE_START }),
        );
      const tree = new FakeTree(parts, spec).start(program, pid);
      const running = { ...tree, ...asLongAs(parts.alive, tree) };
      if (record === undefined) return running;
      void running.exited.then(() => parts.alive() && parts.records.remove(record));
      return running;
    },
    recorded: (bytes) => recordedGroup(parts, bytes),
  };
}

/** The start time of every process: pids are never given out twice here, so it has nothing to tell apart. */
const FAKE_START = '1';

function recordedGroup({ table, boot, alive }: MemoryProcessParts, bytes: Uint8Array): Recorded {
  const record = readProcessRecord(bytes);
  if (record?.boot !== boot()) return { is: 'gone' };
  const { pid, start } = record;
  const group = start === FAKE_START ? table.groupOf(pid) : undefined;
  return group === undefined ? { is: 'gone' } : { is: 'alive', pid, group: asLongAs(alive, group) };
}

/** A process that was killed sends no signals. */
function asLongAs(alive: () => boolean, { signalTree, treeAlive }: Signalled): Signalled {
  return { signalTree: (signal) => alive() && signalTree(signal), treeAlive };
}

interface Member {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  readonly end: (exit: ProcessExit) => void;
  ignores: 'nothing' | 'SIGTERM' | 'all';
}

/** A program with all that it forked. */
class FakeTree {
  private readonly parts: MemoryProcessParts;
  private readonly spec: StartSpec;
  private readonly members = new Set<Member>();
  private closeOutput: () => void = () => undefined;
  private readonly outputClosed = new Promise<void>((resolve) => {
    this.closeOutput = resolve;
  });
  private reading = true;

  constructor(parts: MemoryProcessParts, spec: StartSpec) {
    this.parts = parts;
    this.spec = spec;
  }

  start(program: FakeProgram, pid: number): ProcessHandle {
    const signalled: Signalled = {
      signalTree: (signal) => {
        for (const member of this.members)
          if (member.ignores === 'nothing' || (member.ignores === 'SIGTERM' && signal === 'SIGKILL'))
            member.end({ exitCode: undefined, signal });
      },
      treeAlive: () => this.members.size > 0,
    };
    this.parts.table.addGroup(pid, signalled);
    const { exited } = this.fork(program, pid);
    return {
      exited,
      outputClosed: this.outputClosed,
      abandonOutput: () => {
        this.reading = false;
        this.closeOutput();
      },
      ...signalled,
    };
  }

  private fork(program: FakeProgram, pid: number): Member {
    const { table } = this.parts;
    let exit: (exit: ProcessExit) => void = () => undefined;
    const member: Member = {
      pid,
      exited: new Promise((resolve) => {
        exit = resolve;
      }),
      end: (how) => {
        if (!this.members.delete(member)) return;
        table.remove(pid);
        exit(how);
        if (this.members.size === 0) this.closeOutput();
      },
      ignores: 'nothing',
    };
    this.members.add(member);
    table.add(pid, (signal) => member.end({ exitCode: undefined, signal }));
    void this.execute(program, member);
    return member;
  }

  private async execute(program: FakeProgram, member: Member): Promise<void> {
    const process = this.processOf(member);
    // Not before the caller of `start` has its answer, as with a real process.
    await Promise.resolve();
    try {
      member.end({ exitCode: await program(process), signal: undefined });
    } catch (error) {
      process.printError(`${String(error)}\n`);
      member.end({ exitCode: 1, signal: undefined });
    }
  }

  private processOf(member: Member): FakeProcess {
    const { parts, spec } = this;
    const as = spec.identity ?? parts.as;
    const alive = () => this.members.has(member);
    const say = (hear: (bytes: Uint8Array) => void) => (output: string | Uint8Array) => {
      if (alive() && this.reading) hear(typeof output === 'string' ? Buffer.from(output) : output);
    };
    return {
      pid: member.pid,
      argv: spec.argv,
      env: spec.env,
      cwd: spec.cwd,
      as,
      stdin: spec.stdin ?? new Uint8Array(),
      files: parts.filesAs(as, alive),
      print: say(spec.onStdout),
      printError: say(spec.onStderr),
      sleep: (delayMs) =>
        new Promise((resolve) => {
          const timer = parts.clock.after(delayMs, resolve);
          void member.exited.then(() => timer.cancel());
        }),
      ignoreTerm: () => {
        member.ignores = 'SIGTERM';
      },
      ignoreKill: () => {
        member.ignores = 'all';
      },
      die: (signal) => {
        member.end({ exitCode: undefined, signal });
        return new Promise(() => undefined);
      },
      fork: (program) => this.fork(program, parts.table.nextPid()).pid,
    };
  }
}
