/**
 * A source book is the simulator's record of one kind of source tree: which trees the operator has put on disks of masters, and
 * when. It tells which tree some published files are, and whether a master that publishes it publishes an edit or digs
 * up what is past: edits that are published come in the order in which the operator made them. On whose disk does not
 * matter: a master may have the tree from another that published it in part.
 */
import { sha256Of, type TreeIdentity } from './publish-book.ts';
import type { ModelTree } from './site-trees.ts';

export class SourceBook<Model> {
  private readonly publishedAs: (model: Model) => ModelTree;
  private readonly nowMs: () => number;
  private readonly models = new Map<string, Model>();
  /** When the operator last put a tree on a disk. */
  private readonly edits = new Map<Model, number>();
  private lastPublishedMs = Number.NEGATIVE_INFINITY;

  /** `publishedAs`: what peels may see of a tree. */
  constructor(publishedAs: (model: Model) => ModelTree, nowMs: () => number) {
    this.publishedAs = publishedAs;
    this.nowMs = nowMs;
  }

  /** The operator has put this tree on a disk, and means it. */
  edited(model: Model): void {
    const hashes = [...this.publishedAs(model)].map(
      ([path, text]) => [path, sha256Of(Buffer.from(text))] as const,
    );
    this.models.set(identityText(new Map(hashes)), model);
    this.edits.set(model, this.nowMs());
  }

  modelOf(files: TreeIdentity): Model | undefined {
    return this.models.get(identityText(files));
  }

  /** Whether this tree is newer than what was published before; it then counts as published. */
  publishes(model: Model): boolean {
    const editedMs = this.edits.get(model);
    if (editedMs === undefined || editedMs <= this.lastPublishedMs) return false;
    this.lastPublishedMs = editedMs;
    return true;
  }

  /** The returned function takes back what was published since. */
  snapshot(): () => void {
    const { lastPublishedMs } = this;
    return () => {
      this.lastPublishedMs = lastPublishedMs;
    };
  }
}

function identityText(files: TreeIdentity): string {
  return [...files]
    .map(([path, sha256]) => `${path} ${sha256}\n`)
    .sort()
    .join('');
}
