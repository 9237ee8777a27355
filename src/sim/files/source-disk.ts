/**
 * A source disk is the disk of one master as its operator sees it: the source trees, which can be replaced in one step, and
 * can be away for a while, as an unmounted volume is. What is put there meanwhile is there when it comes back.
 */
import type { MemoryMachine } from '../../system/memory/memory-machine.ts';
import type { ModelTree } from './site-trees.ts';

export const SOURCE_NAMES = ['states', 'settings'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/** Of masters: what they publish. */
export const SOURCE_DIRS: Readonly<Record<SourceName, string>> = {
  states: '/srv/zester/states',
  settings: '/srv/zester/settings',
};

/** The program's own while it works, which no operator touches. */
const HIDDEN = /(?:^|\/)\./;

export class SourceDisk {
  readonly node: string;
  private readonly machine: Pick<MemoryMachine, 'look' | 'put'>;
  private readonly away = new Map<SourceName, ModelTree>();

  constructor(node: string, machine: Pick<MemoryMachine, 'look' | 'put'>) {
    this.node = node;
    this.machine = machine;
  }

  /** What is there now. */
  tree(name: SourceName): ModelTree {
    const looked = this.machine.look(SOURCE_DIRS[name]);
    const files = looked.filter(({ kind, path }) => kind === 'file' && !HIDDEN.test(path));
    return new Map(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
  }

  put(name: SourceName, tree: ModelTree): void {
    if (this.away.has(name)) this.away.set(name, tree);
    else this.replace(name, tree);
  }

  goAway(name: SourceName): void {
    if (this.away.has(name)) return;
    this.away.set(name, this.tree(name));
    this.replace(name, new Map());
  }

  comeBack(name: SourceName): void {
    const tree = this.away.get(name);
    if (tree === undefined) return;
    this.away.delete(name);
    this.replace(name, tree);
  }

  private replace(name: SourceName, tree: ModelTree): void {
    const before = this.tree(name);
    const at = (path: string) => `${SOURCE_DIRS[name]}/${path}`;
    for (const path of before.keys()) if (!tree.has(path)) this.machine.put(at(path), undefined);
    for (const [path, text] of tree) if (before.get(path) !== text) this.machine.put(at(path), text);
  }
}
