/**
 * `MemoryMachine` is a machine in memory: a disk, fake programs, a clock reading, and the two ways to go down. For the
 * simulator and for tests; uses no real time, chance, thread or file.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import { accountsOn } from '../accounts.ts';
import type { ClockReading } from '../clock-skew.ts';
import { parentOf } from '../file-path.ts';
import type { Files } from '../files.ts';
import { filesOn } from '../files-on-calls.ts';
import { processesOn } from '../processes-on-calls.ts';
import type { System } from '../system.ts';
import { watchTreeOn } from '../watch-tree.ts';
import { memoryDirectoryWatch } from './memory-directory-watch.ts';
import { type DiskNode, MemoryDisk, type NodeState } from './memory-disk.ts';
import { memoryFileCalls } from './memory-file-calls.ts';
import { type FaultHook, gateFor } from './memory-gate.ts';
import { type Credentials, OPEN_DIRECTORY } from './memory-paths.ts';
import {
  memoryProcessCalls,
  ProcessTable,
  type ProgramTable,
  type RecordFiles,
} from './memory-process-calls.ts';
import { MemoryTree } from './memory-tree.ts';

export interface MemoryMachineOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Default: a machine without programs. */
  readonly programs?: ProgramTable;
  /** What is on the disk from the start, by path. Directories are made. */
  readonly files?: Readonly<Record<string, string>>;
  /** Asked at each call of files and processes. Default: nothing ever fails. */
  readonly fault?: FaultHook;
  /** Asked at each query. Default: synchronized. */
  readonly clockReading?: () => ClockReading;
}

export interface MemoryMachine {
  /** The port as a process of this machine has it, root unless told otherwise. It ends at the next crash. */
  boot(as?: Credentials): System;
  /**
   * kill -9 of us and, unless they live on, of all programs: calls under way and later never answer, files stay as they
   * are.
   */
  crash(programs?: 'live on'): void;
  /** A crash of the whole machine: what was not synced is gone. */
  powerLoss(): void;
  /** Whether a fake program with this pid lives. */
  isAlive(pid: number): boolean;
  /**
   * What is below a directory now, sorted by path, as somebody sees it who opens the machine: no call, no fault. Nothing
   * where there is no directory.
   */
  look(directory: string): readonly Looked[];
  /**
   * Somebody else on the machine writes a file, or with undefined takes it away: at once, durably, and so that watches hear
   * of it. No call, no fault. Directories are made.
   */
  put(path: string, text: string | undefined): void;
  /** Where the path of a call leads that begins at an open directory (`OpenFile.at`); other paths are as they are. */
  placeOf(path: string): string;
  /** mkfifo: something that is neither file, directory nor link. */
  makePipe(path: string): void;
}

export interface Looked extends Pick<DiskNode, 'kind' | 'target'>, Pick<NodeState, 'mode' | 'bytes'> {
  /** From the directory on. */
  readonly path: string;
}

const ROOT: Credentials = { uid: 0, gid: 0, groupIds: [0] };

const IN_SYNC: ClockReading = { state: 'synchronized', offsetMs: 0, source: 'none', why: 'simulated' };

export function memoryMachine(options: MemoryMachineOptions): MemoryMachine {
  const { clock, random, programs = () => undefined, fault = () => undefined } = options;
  const disk = new MemoryDisk();
  const table = new ProcessTable();
  const asRoot = new MemoryTree(disk, clock, ROOT);
  /** Counts crashes: what was booted before the last one is dead. */
  let life = 0;
  let boots = 1;
  furnish(asRoot, disk, options.files ?? {});

  function filesAs(as: Credentials, alive: () => boolean): Files {
    return filesOn(memoryFileCalls({ disk, clock, as, gate: gateFor({ alive, fault, clock }) }), random);
  }

  function crash(programs?: 'live on'): void {
    life++;
    disk.watches.clear();
    if (programs === undefined) table.killAll();
  }

  const records: RecordFiles = {
    write: (path, text) => asRoot.write(asRoot.add(path, 'file', 0o600), Buffer.from(text)),
    remove: (path) => {
      if (asRoot.has(path)) asRoot.unlink(path);
    },
  };

  return {
    boot(as = ROOT) {
      const born = life;
      const alive = () => life === born;
      const files = filesAs(as, alive);
      const accounts = accountsOn(files);
      const gate = gateFor({ alive, fault, clock });
      const calls = memoryProcessCalls({
        clock,
        gate,
        alive,
        as,
        programs,
        table,
        records,
        boot: () => `boot-${boots}`,
        filesAs,
      });
      const processes = processesOn({ calls, accounts, files, clock });
      const livingFiles = mortal(files, alive);
      const tree = new MemoryTree(disk, clock, as);
      const watchDirectory = memoryDirectoryWatch({ disk, tree, alive, fault });
      const skew = { query: async () => options.clockReading?.() ?? IN_SYNC };
      return {
        files: livingFiles,
        accounts: mortal(accounts, alive),
        processes: mortal(processes, alive),
        clockSkew: mortal(skew, alive).query,
        watchTree: watchTreeOn({ watchDirectory, files: livingFiles, clock }),
      };
    },
    crash,
    powerLoss() {
      crash();
      boots++;
      disk.powerLoss();
    },
    isAlive: (pid) => table.alive(pid),
    look: (directory) => (asRoot.leads(directory) ? below(asRoot.find(directory, true), '') : []),
    put(path, text) {
      if (text !== undefined) addFile(asRoot, path, text);
      else if (asRoot.has(path)) {
        asRoot.unlink(path);
        asRoot.sync(asRoot.find(parentOf(path), true));
      }
    },
    placeOf: (path) => placeOf(disk, path),
    makePipe: (path) => void asRoot.add(path, 'other', 0o644),
  };
}

function below({ now: { entries } }: DiskNode, above: string): Looked[] {
  const names = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return names.flatMap(([name, node]) => {
    const { kind, target, now } = node;
    const path = `${above}${name}`;
    return [{ path, kind, target, mode: now.mode, bytes: now.bytes }, ...below(node, `${path}/`)];
  });
}

/** A machine that needs neither crash nor power loss. */
export function memorySystem(options: MemoryMachineOptions): System {
  return memoryMachine(options).boot();
}

/** The same port, whose calls give no answer any more once its process is dead: dead code must not go on. */
function mortal<Port extends object>(port: Port, alive: () => boolean): Port {
  const wrapped = Object.entries(port).map(([name, method]) => [
    name,
    (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        (method as (...args: unknown[]) => Promise<unknown>)(...args).then(
          (answer) => alive() && resolve(answer),
          (error) => alive() && reject(error),
        );
      }),
  ]);
  return Object.fromEntries(wrapped) as Port;
}

const PASSWD = `root:x:0:0:root:/root:/bin/sh
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`;
const GROUP = `root:x:0:
nogroup:x:65534:
`;

/** The least that a machine has on its disk, and has safely. */
function furnish(tree: MemoryTree, disk: MemoryDisk, files: Readonly<Record<string, string>>): void {
  for (const path of ['/etc', '/root', '/var', '/run']) tree.add(path, 'directory', 0o755);
  tree.add('/tmp', 'directory', 0o1777);
  tree.write(tree.add('/etc/passwd', 'file', 0o644), Buffer.from(PASSWD));
  tree.write(tree.add('/etc/group', 'file', 0o644), Buffer.from(GROUP));
  for (const path of ['/etc/passwd', '/etc/group', '/etc']) tree.sync(tree.find(path, false));
  for (const [path, text] of Object.entries(files)) addFile(tree, path, text);
  tree.sync(disk.root);
}

function addFile(tree: MemoryTree, path: string, text: string): void {
  const parts = path.split('/').slice(1, -1);
  const parents = parts.map((_, depth) => `/${parts.slice(0, depth + 1).join('/')}`);
  for (const parent of parents) if (!tree.has(parent)) tree.add(parent, 'directory', 0o755);
  const node = tree.has(path) ? tree.find(path, true) : tree.add(path, 'file', 0o644);
  tree.overwrite(node, Buffer.from(text));
  tree.sync(node);
  for (const each of ['/', ...parents]) tree.sync(tree.find(each, true));
}

/** Looks for the open directory on the whole disk: for the rare call whose place matters. */
function placeOf(disk: MemoryDisk, path: string): string {
  const pinned = OPEN_DIRECTORY.exec(path);
  if (pinned === null) return path;
  const directory = disk.open.get(Number(pinned[1]));
  return `${pathTo(disk.root, directory, '') ?? ''}${path.slice(pinned[0].length)}`;
}

function pathTo(from: DiskNode, node: DiskNode | undefined, path: string): string | undefined {
  if (from === node) return path;
  for (const [name, child] of from.now.entries) {
    const found = pathTo(child, node, `${path}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
