/**
 * A world is what the conformance suites need from an adapter beyond the port itself: a scratch directory, a second
 * user, real or fake programs of the same behaviour, and a way to let time pass.
 */
import type { RunRequest } from '../../../src/system/processes.ts';
import type { System } from '../../../src/system/system.ts';

export interface World {
  readonly system: System;
  /** An empty directory of our own, mode 0755, as are those above it. */
  readonly directory: string;
  /** Whether we are root: what needs it is tested where we are, and shows as skipped where not. */
  readonly root: boolean;
  readonly programs: Programs;
  makePipe(path: string): void;
  /** One call as a user who owns nothing. */
  asNobody(call: NobodyCall): Promise<NobodyAnswer>;
  /** Kills the process that writes `path` in the middle of it, just before the new content gets its name. */
  dieBeforeRename(path: string, text: string): Promise<void>;
  /** Lets time pass until the promise settles. */
  drive<T>(promise: Promise<T>): Promise<T>;
  /** Waits, without letting timeouts pass in virtual time, until the condition holds. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  isAlive(pid: number): boolean;
  endProcess(pid: number): void;
  close(): Promise<void>;
}

export interface NobodyCall {
  readonly method: 'read' | 'list' | 'lstat' | 'writeAtomic' | 'removeFile' | 'chmod';
  readonly path: string;
}

export type NobodyAnswer =
  | { readonly answer: 'absent' | 'done' }
  | { readonly code: string; readonly errno: string };

/** Commands that behave alike as real programs and as fake ones. */
export interface Programs {
  /** Writes to stdout and stderr and exits. */
  speak(words: { out?: string; err?: string; exitCode?: number }): CommandToRun;
  /** Copies stdin to stdout. */
  copy(): CommandToRun;
  /** Writes this many bytes to stdout. */
  flood(bytes: number): CommandToRun;
  /** Prints its environment as NAME=value lines. */
  environment(): CommandToRun;
  /** Prints uid, gid and supplementary groups, and its working directory, a line each. */
  identity(): CommandToRun;
  /** Ends by sending itself SIGKILL. */
  suicide(): CommandToRun;
  /**
   * Starts four descendants: a child, a grandchild, one with a session of its own, and one whose parent ends at once.
   * Prints their pids and its own, makes the file `ready`, and sleeps for a long time, as they do.
   */
  family(ready: string): CommandToRun;
  /** The same without children, and SIGTERM is ignored. */
  stubborn(ready: string): CommandToRun;
  /**
   * Starts a child in its own process group, prints the child's pid and its own and makes the file `ready`. When there is
   * `<ready>.die` it dies of SIGPIPE, and the child sleeps on for a long time.
   */
  forsaking(ready: string): CommandToRun;
  /** Leaves a child behind that holds the output open, prints the child's pid and exits with 0. */
  daemon(): CommandToRun;
}

/** Distributes: what `RunRequest` says about the command, without the options. */
export type CommandToRun = RunRequest extends infer Request
  ? Request extends { readonly argv: infer Argv }
    ? { readonly argv: Argv }
    : never
  : never;

export type WorldMaker = () => Promise<World>;
