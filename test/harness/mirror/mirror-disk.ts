/**
 * `MirrorDisk` is a machine in memory with a mirror on it: trees to install, contents to fetch, calls that fail or at which
 * everything ends, and a look at what a reader would find.
 */
import { createHash } from 'node:crypto';
import type { TreeRecord } from '../../../src/mirror/tree-record.ts';
import { openTreeStore, type TreeStore } from '../../../src/mirror/tree-store.ts';
import type { Log } from '../../../src/runtime/log.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import type { Files } from '../../../src/system/files.ts';
import type { Fault, SystemCall } from '../../../src/system/memory/memory-gate.ts';
import { memoryMachine } from '../../../src/system/memory/memory-machine.ts';

export const CACHE = '/data/cache/states';

export type PublishedTexts = Readonly<Record<string, string>>;

export const hashOfText = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

/** What a manifest would say of these files. */
export function treeOf(
  revision: number,
  texts: PublishedTexts,
  identity = `${revision}@${revision * 10}`,
): TreeRecord {
  return { revision, identity, ...listed(texts) };
}

/** Texts are installed hundreds of times where a test dies at every call. */
const lists = new WeakMap<PublishedTexts, Pick<TreeRecord, 'digest' | 'files'>>();

function listed(texts: PublishedTexts): Pick<TreeRecord, 'digest' | 'files'> {
  const known = lists.get(texts);
  if (known !== undefined) return known;
  const files = Object.entries(texts)
    .map(([path, text]) => ({ path, sha256: hashOfText(text), size: Buffer.byteLength(text), blob: false }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const made = { digest: hashOfText(JSON.stringify(files)), files };
  lists.set(texts, made);
  return made;
}

export class MirrorDisk {
  readonly clock = virtualClock();
  readonly machine;
  readonly warned: string[] = [];
  /** Paths that were fetched, in order. */
  fetched: string[] = [];
  calls: SystemCall[] = [];
  /** Asked at each call while it is set. */
  fault: ((call: SystemCall, index: number) => Fault) | undefined;
  released = 0;
  files: Files;
  private readonly contents = new Map<string, string>();

  constructor(given: PublishedTexts = {}) {
    const fault = (call: SystemCall) => {
      if (this.fault === undefined) return undefined;
      this.calls.push(call);
      return this.fault(call, this.calls.length - 1);
    };
    const random = seededRandom(1);
    this.machine = memoryMachine({ clock: this.clock, random, fault, files: { '/data/keep': '', ...given } });
    this.files = this.machine.boot().files;
  }

  open(): Promise<TreeStore> {
    return openTreeStore({
      files: this.files,
      log: this.log,
      cache: CACHE,
      released: () => {
        this.released += 1;
      },
    });
  }

  async install(store: TreeStore, revision: number, texts: PublishedTexts): Promise<void> {
    const tree = treeOf(revision, texts);
    for (const { path, sha256 } of tree.files) this.contents.set(sha256, texts[path] ?? '');
    try {
      await store.install(tree, async ({ path, sha256 }) => {
        this.fetched.push(path);
        return Buffer.from(this.contents.get(sha256) ?? '');
      });
    } finally {
      // Old trees are swept after it.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The machine or the peel goes down, and comes back. */
  restart(how: 'crash' | 'powerLoss'): void {
    this.fault = undefined;
    this.calls = [];
    this.machine[how]();
    this.files = this.machine.boot().files;
  }

  /** What a reader finds who pins the tree now; own files of the mirror left out. Undefined: there is no tree. */
  async read(
    store: TreeStore,
  ): Promise<{ readonly revision: number; readonly texts: PublishedTexts } | undefined> {
    const pinned = await store.pin();
    if (pinned === undefined) return undefined;
    const { directory, revision } = pinned;
    const texts: Record<string, string> = {};
    for (const { path, stat } of (await this.files.walk(directory)) ?? [])
      if (stat.kind !== 'directory' && !path.startsWith('.zester-'))
        texts[path] = Buffer.from((await this.files.read(`${directory}/${path}`)) ?? '?').toString();
    pinned.release();
    return { revision, texts };
  }

  /** Every path below the directory of mirrors, as somebody sees it who opens the machine. */
  paths(): readonly string[] {
    return this.machine.look('/data/cache').map(({ path, kind, target }) => {
      return kind === 'symlink' ? `${path} → ${target}` : path;
    });
  }

  private readonly log: Log = {
    debug() {},
    info() {},
    warn: (text) => void this.warned.push(text),
    error() {},
    with: () => this.log,
  };
}
