/**
 * The publish book is the simulator's own record of one file set on the server: which files, manifest and revision were
 * stored when, by whom, and which tree of the operator each revision is. It says at once when something was published
 * that must not be: a list of what is not there, a revision without its list, nothing in the place of something, a tree
 * that no disk ever held, or an old one.
 *
 * Two masters may publish at once, since a lease is advice: one may write a file over the other's. So what a manifest lists
 * must have been stored under its key, and may have been replaced since by somebody else; peels check hashes.
 */
import { digest } from '../../runtime/digest.ts';
import { pathOfFileKey } from '../../wire/names/file-keys.ts';
import { MANIFEST_KEY, REVISION_KEY, SPREAD_KEY } from '../../wire/names/keys.ts';
import type { FileEntry, FileSetSpec } from '../../wire/records/file-set.ts';
import { revisionCodec } from '../../wire/records/file-set.ts';

/** What identifies a file of a tree: the hash of its content. */
export type TreeIdentity = ReadonlyMap<string, string>;

export interface PublishedTree<Model> {
  readonly revision: number;
  /** Hash of the stored content by path. */
  readonly files: TreeIdentity;
  readonly model: Model;
  readonly atMs: number;
}

export interface PublishBookParts<Model> {
  readonly spec: FileSetSpec;
  readonly nowMs: () => number;
  readonly broke: (rule: string, text: string) => void;
  /** The tree of the operator that is published as these files; undefined: there never was one. */
  readonly modelOf: (files: TreeIdentity) => Model | undefined;
  /** Whether nothing newer is published than this tree, which a node publishes. */
  readonly isNewest: (node: string, model: Model) => boolean;
}

/** What the manifest in force lists. */
interface Listed<Model> {
  readonly entries: readonly FileEntry[];
  readonly files: TreeIdentity;
  readonly model: Model | undefined;
}

interface StoredFile {
  readonly sha256: string;
  readonly by: string;
}

export class PublishBook<Model> {
  /** Newest last. A store that has lost writes may number another tree the same. */
  readonly revisions: PublishedTree<Model>[] = [];
  private readonly parts: PublishBookParts<Model>;
  private files = new Map<string, StoredFile | undefined>();
  /** `key hash` of all that was ever stored. */
  private readonly ever = new Set<string>();
  private listed: Listed<Model> | undefined;
  private revision = 0;

  constructor(parts: PublishBookParts<Model>) {
    this.parts = parts;
  }

  get newest(): PublishedTree<Model> | undefined {
    return this.revisions.findLast(({ revision }) => revision === this.revision);
  }

  /** The trees that have ever been published under this number. */
  treesOf(revision: number): readonly PublishedTree<Model>[] {
    return this.revisions.filter((tree) => tree.revision === revision);
  }

  /** The book as it is now; the returned function puts it back: the server forgot what was written since. */
  snapshot(): () => void {
    const { listed, revision } = this;
    const files = new Map(this.files);
    return () => {
      this.files = new Map(files);
      this.listed = listed;
      this.revision = revision;
    };
  }

  /** `data` undefined: the key was deleted. */
  stored(node: string, key: string, data: Uint8Array | undefined): void {
    if (key === SPREAD_KEY) return;
    if (key === MANIFEST_KEY) this.manifest(node, data);
    else if (key === REVISION_KEY) this.bumped(node, data);
    else this.file(node, key, data);
  }

  /** A large file is an object that is named by its hash. */
  blobStored(sha256: string): void {
    this.ever.add(sha256);
  }

  private file(node: string, key: string, data: Uint8Array | undefined): void {
    if (data === undefined) {
      this.files.set(key, undefined);
      return;
    }
    const sha256 = sha256Of(data);
    this.files.set(key, { sha256, by: node });
    this.ever.add(`${key} ${sha256}`);
  }

  /** Whose tree it is shows here: the revision may be written by another master, who finishes what this one began. */
  private manifest(node: string, data: Uint8Array | undefined): void {
    const { spec, broke, modelOf, isNewest } = this.parts;
    const entries = data === undefined ? [] : spec.manifest.decode(data);
    const contents = entries.filter(({ key }) => key !== REVISION_KEY);
    if (contents.length === 0) broke('an empty source never wipes', `${spec.name}: ${node} lists nothing`);
    for (const entry of contents) {
      const problem = this.missing(node, entry);
      if (problem !== undefined)
        broke('a manifest lists what is stored', `${spec.name} of ${node}: ${entry.key} ${problem}`);
    }
    const pathOf = (key: string) => pathOfFileKey(key.slice(spec.keyPrefix.length)) ?? key;
    const files = new Map(contents.map(({ key, sha256 }) => [pathOf(key), sha256]));
    const model = modelOf(files);
    const before = this.listed?.model;
    this.listed = { entries, files, model };
    const where = `${spec.name} of ${node}: ${shown(files)}`;
    if (model === undefined) broke('what is published stood like that in a source tree', where);
    else if (before !== model && !isNewest(node, model)) broke('an old tree is never published again', where);
  }

  private missing(node: string, { key, sha256, blob }: FileEntry): string | undefined {
    if (blob) return this.ever.has(sha256) ? undefined : 'is an object that was never stored';
    const there = this.files.get(key);
    if (there?.sha256 === sha256) return undefined;
    if (!this.ever.has(`${key} ${sha256}`)) return 'was never stored like this';
    return there === undefined || there.by !== node ? undefined : 'was replaced by the same master';
  }

  private bumped(node: string, data: Uint8Array | undefined): void {
    const { spec, broke, nowMs } = this.parts;
    const { listed } = this;
    const revision = data === undefined ? 0 : revisionCodec.decode(data);
    const where = `${spec.name} ${revision} of ${node}`;
    if (revision !== this.revision + 1) broke('a revision counts up', `${where} follows ${this.revision}`);
    this.revision = revision;
    const named = listed?.entries.find(({ key }) => key === REVISION_KEY)?.sha256;
    if (named !== sha256Of(Buffer.from(String(revision))))
      broke('a revision comes after its manifest', `${where}: the manifest names another`);
    if (listed?.model === undefined) return;
    const { files, model } = listed;
    this.revisions.push({ revision, files, model, atMs: nowMs() });
  }
}

export function sha256Of(bytes: Uint8Array): string {
  return Buffer.from(digest('sha256', bytes)).toString('hex');
}

const SHOWN_MAX = 30;

function shown(files: TreeIdentity): string {
  const lines = [...files].map(([path, sha256]) => `${path} ${sha256.slice(0, 8)}`);
  return lines.slice(0, SHOWN_MAX).join(', ');
}
