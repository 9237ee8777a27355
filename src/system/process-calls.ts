/** `ProcessCalls` start and signal programs: what an adapter brings to `processes-on-calls.ts`. */

export interface ProcessCalls {
  /** The user we run as: 0 may become anybody. */
  readonly uid: number;
  /** Fails with an errno, or an error of the registry, if and only if the program did not start. */
  start(spec: StartSpec): Promise<ProcessHandle>;
  /** What became of a program, from what its record says. */
  recorded(record: Uint8Array): Recorded;
}

export type Recorded =
  /** It has ended, and nothing of its process group is known to live. */
  | { readonly is: 'gone' }
  /** `group`: its process group and nothing else. */
  | { readonly is: 'alive'; readonly pid: number; readonly group: Signalled };

export interface StartSpec {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Undefined: as ourselves. */
  readonly identity: Identity | undefined;
  readonly stdin: Uint8Array | undefined;
  /** Path of the file that says of the program that it runs: there before it does anything, removed when it has ended. */
  readonly record: string | undefined;
  readonly onStdout: (bytes: Uint8Array) => void;
  readonly onStderr: (bytes: Uint8Array) => void;
}

export interface Identity {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** The primary group first. */
  readonly groupIds: readonly number[];
}

/** Programs that can be told to end. */
export interface Signalled {
  /** Those that are gone do not matter. */
  signalTree(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Whether any of them is alive. */
  treeAlive(): boolean;
}

/** Signals go to the program and its descendants. */
export interface ProcessHandle extends Signalled {
  /** The end of the program itself; what it started may live on. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** The program has ended and nobody holds its output any more, or we let go of it. Never rejects. */
  readonly outputClosed: Promise<void>;
  /** Stops reading. */
  abandonOutput(): void;
}

export interface ProcessExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}
