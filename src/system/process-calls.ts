/** Starting and signalling programs: what an adapter brings to `processes-on-calls.ts`. */

export interface ProcessCalls {
  /** The user we run as: 0 may become anybody. */
  readonly uid: number;
  /** Fails with an errno, or an error of the registry, if and only if the program did not start. */
  start(spec: StartSpec): Promise<RunningProcess>;
}

export interface StartSpec {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Undefined: as ourselves. */
  readonly identity: Identity | undefined;
  readonly stdin: Uint8Array | undefined;
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

export interface RunningProcess {
  /** The end of the program itself; what it started may live on. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** The program has ended and nobody holds its output any more, or we let go of it. Never rejects. */
  readonly outputClosed: Promise<void>;
  /** Stops reading. */
  abandonOutput(): void;
  /** To the program and its descendants. Those that are gone do not matter. */
  signalTree(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Whether anything of the tree is alive. */
  treeAlive(): boolean;
}

export interface ProcessExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}
