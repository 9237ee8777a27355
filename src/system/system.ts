/**
 * `System` is the port to the machine as modules, facts and the peel's own records see it. Nothing else in the tree
 * touches a disk or starts a program. Two adapters, `linux/` and `memory/`, pass one conformance suite.
 *
 * Most of the behaviour lives in this folder, above the adapters: `files-on-calls.ts` and `processes-on-calls.ts`
 * hold the policy (atomic writes, bounds, killing) and are written against a thin layer of system calls, which is
 * all that an adapter brings. So the simulator runs the very steps that run in production.
 */
import type { Accounts } from './accounts.ts';
import type { ClockSkewQuery } from './clock-skew.ts';
import type { Files, ReadFiles } from './files.ts';
import type { Processes } from './processes.ts';
import type { WatchTree } from './watch-tree.ts';

/** What a dry run gets (decision 19): it can look at everything and change nothing, not even start a program. */
export interface ReadSystem {
  readonly files: ReadFiles;
  readonly accounts: Accounts;
  /** Whether something keeps the machine's clock right. Answers within a few seconds; not knowing is an answer. */
  readonly clockSkew: ClockSkewQuery;
}

export interface System extends ReadSystem {
  readonly files: Files;
  readonly processes: Processes;
  /** Hints that something below a directory may have changed. */
  readonly watchTree: WatchTree;
}

/** The writing half is left out at run time too, not only from the type: a cast does not bring it back. */
export function readOnly(system: ReadSystem): ReadSystem {
  const { read, stat, lstat, list, walk, readLink, realPath } = system.files;
  return {
    files: { read, stat, lstat, list, walk, readLink, realPath },
    accounts: system.accounts,
    clockSkew: system.clockSkew,
  };
}
