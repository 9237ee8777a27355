/**
 * File steps are changes to files as data. A state module looks and answers with the steps that are missing; the same
 * steps are shown by a dry run (planned-files.ts), carried out by an apply, and written down before that, so that they
 * can be undone.
 *
 * A step that is carried out twice leaves what it left the first time.
 */
import type { FileOwner, Files } from './files.ts';

export type FileStep =
  /** Makes or replaces a regular file. Mode and owner that are not given stay, or are 0644 and ours for a new file. */
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly bytes: Uint8Array;
      readonly mode?: number;
      readonly owner?: FileOwner;
    }
  /** One directory, whose parent is there. */
  | {
      readonly kind: 'make-directory';
      readonly path: string;
      readonly mode: number;
      readonly owner?: FileOwner;
    }
  /** A file, a link, or a directory with all it holds. */
  | { readonly kind: 'remove'; readonly path: string }
  /** Makes a link or replaces one. */
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'chmod'; readonly path: string; readonly mode: number }
  /** Clears set-uid bits, as the kernel does: a `chmod` comes after. */
  | { readonly kind: 'chown'; readonly path: string; readonly owner: FileOwner }
  /** Sets the times of what is there to now. */
  | { readonly kind: 'touch'; readonly path: string };

export const NEW_FILE_MODE = 0o644;

export async function performFileStep(files: Files, step: FileStep, nowMs: number): Promise<void> {
  switch (step.kind) {
    case 'write': {
      const mode = step.mode ?? (await files.lstat(step.path))?.mode ?? NEW_FILE_MODE;
      await files.writeAtomic(step.path, step.bytes, { mode, ...step.owner });
      return;
    }
    case 'make-directory':
      await files.makeDirectory(step.path, { mode: step.mode, ...step.owner });
      return;
    case 'remove':
      await files.removeTree(step.path);
      return;
    case 'link':
      await files.symlink({ path: step.path, target: step.target });
      return;
    case 'chmod':
      await files.chmod(step.path, step.mode);
      return;
    case 'chown':
      await files.chown(step.path, step.owner);
      return;
    case 'touch':
      await files.touch(step.path, nowMs);
  }
}
