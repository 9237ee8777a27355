/**
 * These types are a published file set as its readers and its publisher see it. `read-file-set.ts` reads, with no more
 * rights than a peel has; `publish-file-set.ts` writes.
 */
import type { ListedFile } from '../../core/files/file-manifest.ts';

export type { ListedFile } from '../../core/files/file-manifest.ts';

export type FileSetHead =
  /** Neither revision nor manifest: nothing was ever published. */
  | { readonly is: 'empty' }
  /** What is there does not belong together: a publish is under way or was interrupted, or somebody else wrote. */
  | { readonly is: 'torn'; readonly problem: string }
  | (FileSetRevision & {
      readonly is: 'whole';
      /** Of all paths and hashes: equal for equal trees. */
      readonly digest: string;
      readonly writtenMs: number;
      readonly files: readonly ListedFile[];
    });

export interface FileSetRevision {
  readonly revision: number;
  /** Another whenever the revision was written again, also by a store that lost writes: compare, do not order. */
  readonly identity: string;
}

export type FetchedFile =
  | { readonly is: 'found'; readonly bytes: Uint8Array }
  /** The store has no such file, or one with another hash: the set is torn, or has moved on. */
  | { readonly is: 'torn'; readonly problem: string };

/** A file of the tree that is to be published. Read when it is needed: an unchanged one is not. */
export interface FileToPublish {
  readonly path: string;
  /** As the seal of the set digests its content. */
  readonly sha256: string;
  readonly size: number;
  read(): Promise<Uint8Array>;
}

export interface FilePublishOptions {
  /** Write every file again and raise the revision, whatever is there. */
  readonly force: boolean;
  /**
   * Digest of the tree that is to be replaced, as the caller saw it published; empty where it saw none. Where another one is,
   * it is beaten.
   */
  readonly over?: string;
}

export type PublishOutcome =
  | { readonly is: 'unchanged'; readonly revision: number }
  | {
      readonly is: 'published';
      /** The old one where only files were put back that had been lost. */
      readonly revision: number;
      /** Files whose content was written. */
      readonly written: number;
      readonly bytes: number;
      /** Old files that were taken away. */
      readonly removed: number;
      /** Old files that could not be; the next publish tries again. */
      readonly notRemoved: number;
    }
  /** Nothing was written: the source has no file, and something is published. */
  | { readonly is: 'empty source' }
  /** Somebody else published meanwhile: look again before anything else. */
  | { readonly is: 'beaten' };

/** How contents are stored. */
export interface FileSetSeal {
  /** What the manifest says of a content. */
  digest(plain: Uint8Array): string;
  wrap(plain: Uint8Array): Uint8Array;
  /** Undefined when the stored bytes are none of ours. */
  unwrap(stored: Uint8Array): Uint8Array | undefined;
}
