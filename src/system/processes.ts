/**
 * `Processes` is the port to programs: run one to its end and get all it said.
 *
 * An exit code other than 0 is an answer, not an error. An error (PROCESS_START_FAILED, USER_UNKNOWN,
 * USER_SWITCH_DENIED) means that the program did not run and had no effect.
 *
 * The program leads a session and process group of its own. At the timeout or when the signal aborts, it and every
 * descendant get SIGTERM, `KILL_GRACE_MS` later what is left gets SIGKILL. Descendants are the members of its group and
 * session and, by a walk over parents, those that made a session of their own. Not found: a process that left group and
 * session and whose parent had already ended (a daemon that forked twice).
 *
 * What the program leaves running when it ends by itself is left alone: starting a daemon is a legitimate thing to do.
 * Its output is read for at most `DRAIN_MS` more. So `run` answers within the timeout plus
 * `KILL_GRACE_MS + KILL_WAIT_MS + DRAIN_MS`, whatever the program does.
 */
export interface Processes {
  run(request: RunRequest): Promise<RunResult>;
  /**
   * Ends what a program was doing when we were killed, from the contents of its record (`ProcessRunOptions.record`): SIGTERM and
   * then SIGKILL to its own process group and nothing else, so that services which it started in sessions of their own live
   * on. What is left of the group is ended also when the program itself is gone: nobody was there to see it end, and it may
   * have died of our own death. No other process that got its number is hit; for that, a group without its program is left
   * alone when the machine has started so many processes since that the number may be another's.
   */
  endLeftover(record: Uint8Array): Promise<Leftover>;
}

export type Leftover =
  | { readonly is: 'gone' }
  | { readonly is: 'ended'; readonly pid: number }
  /** It waits for a dead disk, or we may not signal it. */
  | { readonly is: 'alive'; readonly pid: number };

export type RunRequest = ProcessRunOptions &
  (
    | { readonly argv: readonly [program: string, ...args: string[]] }
    /** Handed to `/bin/sh -c`. */
    | { readonly shell: string }
  );

export interface ProcessRunOptions {
  /** From the start to the end of the program itself. Every command has one: a hanging one blocks the peel's worker. */
  readonly timeoutMs: number;
  /** Kills as the timeout does. Aborted before the start: nothing is started. */
  readonly signal?: AbortSignal;
  /** Default `/`. */
  readonly cwd?: string;
  /**
   * Added to a clean environment: PATH, LANG=C.UTF-8, and HOME, USER, LOGNAME, SHELL of the user it runs as.
   * Nothing of our own environment is handed on.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Name of the user to run as, with all groups it is in. Default: ours. */
  readonly user?: string;
  /** Default: nothing to read, at once. */
  readonly stdin?: Uint8Array;
  /**
   * Path of a file, in a directory that is there, that says what runs, from before the program does anything until it
   * has ended: for `endLeftover`, should we be killed. When it cannot be written nothing is started.
   */
  readonly record?: string;
  /** The first bytes are kept, the others counted. Default `OUTPUT_BYTES_MAX`. */
  readonly stdoutBytesMax?: number;
  readonly stderrBytesMax?: number;
}

export interface RunResult {
  /** `exit`: by itself, which includes a signal that we did not send. */
  readonly endedBy: 'exit' | 'timeout' | 'abort';
  /** Undefined when a signal ended it, and when it never started or could not be killed. */
  readonly exitCode: number | undefined;
  /** Name of the signal that ended it, `SIGKILL`. */
  readonly signal: string | undefined;
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
  /** Something still had the output open when we stopped reading; what it writes from then on is not kept. */
  readonly outputLeftOpen: boolean;
  readonly durationMs: number;
}

export interface ProcessOutput {
  readonly bytes: Uint8Array;
  readonly bytesDropped: number;
}

/** As text; bytes that are not UTF-8 show as U+FFFD. */
export function outputText(output: ProcessOutput): string {
  return Buffer.from(output.bytes).toString('utf8');
}

export const OUTPUT_BYTES_MAX = 1024 * 1024;
/** From SIGTERM to SIGKILL. */
export const KILL_GRACE_MS = 2_000;
/** From SIGKILL until a program that does not go away (waiting for a dead disk) is given up. */
export const KILL_WAIT_MS = 5_000;
/** From the end of the program until its output is given up because something else holds it open. */
export const DRAIN_MS = 500;
